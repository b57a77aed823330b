/**
 * Where the chunks of a long answer come from: pieces that are made when they are needed, or a body that is there
 * whole.
 */

import type { Admission } from "../admission/admission.ts";
import { answerChunkBytes, answerSliceMilliseconds } from "../limits.ts";
import type { AnswerBytes } from "./answer-body.ts";
import { type ByteText, joinBytes, noBytes } from "./byte-text.ts";
import { nextTurn } from "./turns.ts";

/** What makes a long answer chunk by chunk. */
export interface ChunkSource {
  /** Whether no chunk follows the one that is there. */
  readonly isLast: boolean;
  /** Makes the next chunk, unless one is there; other requests are served meanwhile. */
  fillInSlices(admission: Admission): Promise<void>;
  /** The chunk that is there. */
  take(): AnswerBytes;
  /** Ends the making; harmless when it has ended. */
  stop(): void;
}

/** Pieces, gathered to chunks. */
export class PieceChunks implements ChunkSource {
  readonly #pieces: Iterator<ByteText>;
  #text = noBytes;
  /** Whether no chunk follows the one that is there. */
  isLast = false;

  constructor(pieces: Iterable<ByteText>) {
    this.#pieces = pieces[Symbol.iterator]();
  }

  /** Gathers for one slice of time. @returns Whether a chunk is there, the last one or a full one. */
  fill(): boolean {
    const end = performance.now() + answerSliceMilliseconds;
    while (!this.isLast && this.#text.length < answerChunkBytes) {
      const next = this.#pieces.next();
      if (next.done === true) this.isLast = true;
      else this.#text = joinBytes(this.#text, next.value);
      if (performance.now() >= end) break;
    }
    return this.isLast || this.#text.length >= answerChunkBytes;
  }

  /** Gathers until a chunk is there; other requests are served between the slices. */
  async fillInSlices(admission: Admission): Promise<void> {
    while (!this.fill()) await nextTurn(admission);
  }

  /** The chunk that is there. */
  take(): ByteText {
    const text = this.#text;
    this.#text = noBytes;
    return text;
  }

  /** Lets the maker of the pieces clean up; harmless when it has ended. */
  stop(): void {
    this.#pieces.return?.();
  }
}

/** A body that is there whole. Its chunks are parts of it, so that an answer that is not read holds none of its own. */
export class WholeChunks implements ChunkSource {
  readonly #bytes: AnswerBytes;
  #at = 0;

  constructor(bytes: AnswerBytes) {
    this.#bytes = bytes;
  }

  get isLast(): boolean {
    return this.#at >= this.#bytes.length;
  }

  async fillInSlices(): Promise<void> {}

  take(): AnswerBytes {
    const from = this.#at;
    this.#at += answerChunkBytes;
    const bytes = this.#bytes;
    return typeof bytes === "string" ? (bytes.slice(from, this.#at) as ByteText) : bytes.subarray(from, this.#at);
  }

  stop(): void {}
}

/** A body as pieces of one chunk each; one empty piece for an empty body. */
export function* slicesOf(text: ByteText): Generator<ByteText> {
  for (let from = 0; from < text.length || from === 0; from += answerChunkBytes) {
    yield text.slice(from, from + answerChunkBytes) as ByteText;
  }
}
