/**
 * The sources of the chunks of a long answer: pieces that are made when they are needed and compressed on the way, or
 * a body that is there in its coding.
 */

import type { ServerResponse } from "node:http";
import { type ByteText, bytesOf, joinBytes, noBytes } from "../../../contract/byte-text.ts";
import { answerChunkBytes, answerSliceMilliseconds } from "../../../contract/limits.ts";
import type { Holder } from "../admission/admission.ts";
import type { AnswerCollector, AnswerSlot } from "./answer-cache.ts";
import type { AnswerBytes } from "./representation.ts";
import { BodyCompressor, type ContentCoding } from "./representation.ts";

/** A source makes a long answer chunk by chunk. */
export interface ChunkSource {
  /** True if no chunk follows the one that is there. */
  readonly isLast: boolean;
  /** True if the next chunk is there. */
  readonly isFull: boolean;
  /** The length of the chunk that is there, in no coding. */
  readonly plainBytes: number;
  /** Makes or reads the next chunk in turns of a client, as long as that is there. */
  fillNext(holder: Holder, response: ServerResponse): Promise<void>;
  /** The chunk that is there, as it leaves. */
  take(): Buffer | Promise<Buffer>;
  /** Ends the making and releases what it holds, also in the middle of an answer. */
  stop(): void;
}

/** Pieces, gathered to chunks; cached when they have left, where they have a slot of the answer cache. */
export class MadeChunks implements ChunkSource {
  readonly #pieces: Iterator<ByteText>;
  readonly #coding: ContentCoding;
  readonly #slot: AnswerSlot | undefined;
  #text = noBytes;
  #hasBegun = false;
  #compressor: BodyCompressor | undefined;
  #collector: AnswerCollector | undefined;
  isLast = false;

  constructor(pieces: Iterable<ByteText>, coding: ContentCoding, slot: AnswerSlot | undefined) {
    this.#pieces = pieces[Symbol.iterator]();
    this.#coding = coding;
    this.#slot = slot;
  }

  get plainBytes(): number {
    return this.#text.length;
  }

  /** The last chunk may be a short one. */
  get isFull(): boolean {
    return this.isLast || this.#text.length >= answerChunkBytes;
  }

  /** Gathers for one slice of time. @returns True if a chunk is there. */
  fill(): boolean {
    const end = performance.now() + answerSliceMilliseconds;
    while (!this.isLast && this.#text.length < answerChunkBytes) {
      const next = this.#pieces.next();
      if (next.done === true) this.isLast = true;
      else this.#text = joinBytes(this.#text, next.value);
      if (performance.now() >= end) break;
    }
    return this.isFull;
  }

  fillNext(holder: Holder, response: ServerResponse): Promise<void> {
    return holder.runSlices(
      () => this.fill(),
      () => response.closed,
    );
  }

  /** The chunk that is there, in no coding. */
  takePlain(): ByteText {
    const text = this.#text;
    this.#text = noBytes;
    return text;
  }

  async take(): Promise<Buffer> {
    this.#begin();
    const plain = bytesOf(this.takePlain());
    const bytes = this.#compressor === undefined ? plain : await this.#compressor.compress(plain, this.isLast);
    this.#collector?.add(bytes, plain.length, this.isLast);
    return bytes;
  }

  /** Runs with the first chunk that leaves, so that an answer that is refused or short holds neither. */
  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#compressor = this.#coding === "identity" ? undefined : new BodyCompressor(this.#coding);
    this.#collector = this.#slot?.collect(this.#coding);
  }

  /** Called once. */
  stop(): void {
    this.#pieces.return?.();
    this.#compressor?.close();
    this.#collector?.close();
  }
}

/** A body that is there in its coding, in memory or in a file. */
export class ReadChunks implements ChunkSource {
  readonly #read: (position: number, length: number) => AnswerBytes | Promise<AnswerBytes>;
  readonly #plainShare: number;
  readonly #to: number;
  #at: number;
  #chunk: AnswerBytes = noBytes;

  /**
   * @param read Reads bytes from a position on, at least one, at most `length`.
   * @param plainShare Bytes in no coding for each byte.
   */
  constructor(
    { from, to }: { readonly from: number; readonly to: number },
    plainShare: number,
    read: (position: number, length: number) => AnswerBytes | Promise<AnswerBytes>,
  ) {
    this.#at = from;
    this.#to = to;
    this.#plainShare = plainShare;
    this.#read = read;
  }

  get isLast(): boolean {
    return this.#at >= this.#to;
  }

  get isFull(): boolean {
    return this.#chunk.length > 0;
  }

  get plainBytes(): number {
    return Math.floor(this.#chunk.length * this.#plainShare);
  }

  /**
   * Waits for a turn although there is nothing to make: the system takes megabytes at once, so that hundreds of clients
   * that read nothing would keep the thread for seconds.
   */
  async fillNext(holder: Holder, response: ServerResponse): Promise<void> {
    if (this.isLast) return;
    await holder.runSlices(
      () => true,
      () => response.closed,
    );
    if (response.closed) return;
    this.#chunk = await this.#read(this.#at, Math.min(answerChunkBytes, this.#to - this.#at));
    this.#at += this.#chunk.length;
  }

  take(): Buffer {
    const chunk = this.#chunk;
    this.#chunk = noBytes;
    return typeof chunk === "string" ? bytesOf(chunk) : chunk;
  }

  stop(): void {}
}

/** A part of a body, which shares its memory: so an answer that is not read holds no copy. */
export function partOf(bytes: AnswerBytes, from: number, to: number): AnswerBytes {
  return typeof bytes === "string" ? (bytes.slice(from, to) as ByteText) : bytes.subarray(from, to);
}
