/**
 * A long answer: the sources of its chunks, which are pieces that are made when they are needed and compressed on the
 * way, or a body that is there in its coding; and its client: how quickly that reads, and what it pays.
 */

import type { ServerResponse } from "node:http";
import { type ByteText, bytesOf, joinBytes, noBytes } from "../../../contract/byte-text.ts";
import {
  answerChunkBytes,
  answerSliceMilliseconds,
  slowReaderBytesPerSecond,
  tokenBytes,
} from "../../../contract/limits.ts";
import type { ActiveClient } from "../admission/admission.ts";
import type { Allowance, AnswerReader } from "../request/context.ts";
import type { AnswerCollector } from "./answer-cache.ts";
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
  fillNext(client: ActiveClient, response: ServerResponse): Promise<void>;
  /** The chunk that is there, as it is sent. */
  take(): Buffer | Promise<Buffer>;
  /** Ends the making and releases what it holds, also in the middle of an answer. */
  stop(): void;
}

/** Pieces, gathered to chunks; a collector of the answer cache takes them as they are sent. */
export class MadeChunks implements ChunkSource {
  readonly #pieces: Iterator<ByteText>;
  readonly #coding: ContentCoding;
  readonly #collect: () => AnswerCollector | undefined;
  #text = noBytes;
  #hasBegun = false;
  #compressor: BodyCompressor | undefined;
  #collector: AnswerCollector | undefined;
  isLast = false;

  /** @param collect Begins to collect the answer, where it is to be cached. */
  constructor(pieces: Iterable<ByteText>, coding: ContentCoding, collect: () => AnswerCollector | undefined) {
    this.#pieces = pieces[Symbol.iterator]();
    this.#coding = coding;
    this.#collect = collect;
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

  fillNext(client: ActiveClient, response: ServerResponse): Promise<void> {
    return client.runSlices(
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

  /** Runs with the first chunk that is sent, so that an answer that is refused or short holds neither. */
  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#compressor = this.#coding === "identity" ? undefined : new BodyCompressor(this.#coding);
    this.#collector = this.#collect();
  }

  /** Called once. */
  stop(): void {
    this.#pieces.return?.();
    this.#compressor?.close();
    this.#collector?.close();
  }
}

/** Reads bytes of a body from a position on, at least one, at most `length`. */
type ReadPart = (position: number, length: number) => ByteText | Promise<Buffer>;

/** A body that is there in its coding, in memory or in a file. */
export class ReadChunks implements ChunkSource {
  readonly #read: ReadPart;
  readonly #plainShare: number;
  readonly #to: number;
  #at: number;
  #chunk: ByteText | Buffer = noBytes;

  /** @param plainShare Bytes in no coding for each byte. */
  constructor({ from, to }: { readonly from: number; readonly to: number }, plainShare: number, read: ReadPart) {
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
  async fillNext(client: ActiveClient, response: ServerResponse): Promise<void> {
    if (this.isLast) return;
    await client.runSlices(
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

/** The client of an answer. Waiting for it counts as time, which the bytes that it takes reduce. */
export class ResponseReader implements AnswerReader {
  readonly #response: ServerResponse;
  #waited = 0;
  #waitingSince: number | undefined;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get waitedMilliseconds(): number {
    return this.#waited + (this.#waitingSince === undefined ? 0 : performance.now() - this.#waitingSince);
  }

  /** Counts bytes that the system has taken for the client. */
  count(bytes: number): void {
    this.#waited = Math.max(0, this.#waited - (bytes / slowReaderBytesPerSecond) * 1000);
  }

  /** Waits until the response can be written again, or is closed. */
  async wait(event: "drain" | "close"): Promise<void> {
    const response = this.#response;
    if (response.closed) return;
    this.#waitingSince = performance.now();
    const { promise, resolve } = Promise.withResolvers<void>();
    response.on(event, resolve).on("close", resolve);
    await promise;
    response.off(event, resolve).off("close", resolve);
    this.#waited = this.waitedMilliseconds;
    this.#waitingSince = undefined;
  }

  disconnect(): void {
    breakConnection(this.#response);
  }
}

/** The payment for a long answer: one token of the key's limit for each `tokenBytes`, the first paid by the request. */
export class Payment {
  readonly #allowance: Allowance;
  readonly #response: ServerResponse;
  #bytes = 0;
  #paidBytes = tokenBytes;

  constructor(allowance: Allowance, response: ServerResponse) {
    this.#allowance = allowance;
    this.#response = response;
  }

  /**
   * Pays for bytes that are about to be sent.
   *
   * @param bytes Their number before compression.
   * @returns Done when they are paid for, or the client has gone.
   */
  async payFor(bytes: number): Promise<void> {
    this.#bytes += bytes;
    let milliseconds = this.#pay();
    if (milliseconds === 0) return;
    const { socket } = this.#response;
    // It is not the client that keeps the connection idle.
    const timeout = socket?.timeout ?? 0;
    socket?.setTimeout(0);
    for (; milliseconds > 0 && !this.#response.closed; milliseconds = this.#pay()) {
      await pause(this.#response, milliseconds);
    }
    socket?.setTimeout(timeout);
  }

  /** @returns 0 when all is paid, otherwise after how many milliseconds to go on. */
  #pay(): number {
    while (this.#bytes > this.#paidBytes) {
      const milliseconds = this.#allowance.pay();
      if (milliseconds > 0) return milliseconds;
      this.#paidBytes += tokenBytes;
    }
    return 0;
  }
}

/** Waits for so long, or until the response is closed. */
async function pause(response: ServerResponse, milliseconds: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  response.on("close", resolve);
  await promise;
  clearTimeout(timer);
  response.off("close", resolve);
}

/**
 * Breaks off an answer whose headers have left, by a reset: the end of an answer of HTTP/1.0 is that of its connection,
 * so a client would take a connection that closes in good order for a whole answer.
 */
export function breakConnection({ socket }: ServerResponse): void {
  socket?.resetAndDestroy();
}
