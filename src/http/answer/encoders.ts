/** How the chunks of a long answer become the bytes that leave: compressed on the way, or in their coding already. */

import type { AnswerBytes } from "./answer-body.ts";
import type { AnswerCollector, AnswerSlot } from "./answer-cache.ts";
import { bytesOf } from "./byte-text.ts";
import { BodyCompressor, type ContentCoding } from "./compress.ts";

/** Chunks of a long answer → the bytes that leave. */
export interface Encoder {
  /** The length of a chunk in no coding. */
  plainBytes(chunk: AnswerBytes): number;
  encode(chunk: AnswerBytes, isLast: boolean): Buffer | Promise<Buffer>;
  /** Releases what it holds, also in the middle of an answer. */
  close(): void;
}

/** A body in a coding; kept when it has ended, where it has a slot of the answer cache. */
export class CompressingEncoder implements Encoder {
  readonly #compressor: BodyCompressor | undefined;
  readonly #collector: AnswerCollector | undefined;

  constructor(coding: ContentCoding, slot: AnswerSlot | undefined) {
    this.#compressor = coding === "identity" ? undefined : new BodyCompressor(coding);
    this.#collector = slot?.collect(coding);
  }

  plainBytes(chunk: AnswerBytes): number {
    return chunk.length;
  }

  async encode(chunk: AnswerBytes, isLast: boolean): Promise<Buffer> {
    const plain = bufferOf(chunk);
    const bytes = this.#compressor === undefined ? plain : await this.#compressor.compress(plain, isLast);
    this.#collector?.add(bytes, plain.length, isLast);
    return bytes;
  }

  close(): void {
    this.#compressor?.close();
    this.#collector?.close();
  }
}

/** A body that is in its coding already. */
export class PassThroughEncoder implements Encoder {
  readonly #plainShare: number;

  /** @param plainShare Bytes in no coding for each of these. */
  constructor(plainShare: number) {
    this.#plainShare = plainShare;
  }

  plainBytes(chunk: AnswerBytes): number {
    return Math.floor(chunk.length * this.#plainShare);
  }

  encode(chunk: AnswerBytes): Buffer {
    return bufferOf(chunk);
  }

  close(): void {}
}

function bufferOf(bytes: AnswerBytes): Buffer {
  return typeof bytes === "string" ? bytesOf(bytes) : bytes;
}
