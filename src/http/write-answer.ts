/**
 * The one way in which the body of a successful answer leaves. It is made in slices of a few milliseconds. A body of one
 * chunk leaves whole, with its length. A longer one leaves chunk by chunk, each made only when the client has taken the one
 * before: so neither processor nor memory is held by a client that reads slowly or not at all.
 */
import type { ServerResponse } from "node:http";
import type { Admission, AdmissionLimits } from "./admission.ts";
import type { AnswerCollector, AnswerPlace, KeptAnswer } from "./answer-cache.ts";
import { type ByteText, bytesOf, byteText, joinBytes, noBytes } from "./byte-text.ts";
import { BodyCompressor, type ContentCoding, compressedBytesMin, compressWhole } from "./compress.ts";
import type { Context } from "./context.ts";
import { serviceUnavailable } from "./errors.ts";
import { answerChunkBytes, answerSliceMilliseconds, overloadTurnMilliseconds, tokenBytes } from "./limits.ts";
import type { Overload } from "./overload.ts";
import { Payment } from "./pay-for-answer.ts";
import { breakConnection, type HeaderList, sendWhole, writeHead } from "./send.ts";

/** A body: whole, or in pieces, each made when it is needed, also empty ones. Gone through once. */
export type AnswerBody = ByteText | Iterable<ByteText>;

/** How the body of a successful answer is described to the client. */
export interface Representation {
  readonly type: string;
  /** Further headers. */
  readonly headers: HeaderList;
  /** The coding that the client prefers; a short body is sent as it is. */
  readonly coding: ContentCoding;
  /** Whether it is an export, of which a thread sends few at a time. */
  readonly isExport?: boolean;
  /** The tag of the body in a coding; absent where answers have none. */
  readonly etag?: (coding: ContentCoding) => string;
}

function headersOf({ type, headers, etag }: Representation, coding: ContentCoding): string[] {
  const all = ["Content-Type", type, ...headers];
  if (etag !== undefined) all.push("ETag", etag(coding));
  if (coding !== "identity") all.push("Content-Encoding", coding);
  return all;
}

/**
 * Answers with status 200.
 *
 * @param body The whole, or pieces of it in order, each made when it is needed; none is made any more when the client
 * has gone.
 * @param place The entry of the answer cache that keeps the answer; absent where none does.
 * @returns A promise when the answer takes several slices or chunks; done when the answer has left or its client has gone.
 * @throws {ApiError} SERVICE_UNAVAILABLE when too many long answers are on their way; nothing has left then.
 */
export function writeAnswer(
  ctx: Context,
  body: AnswerBody,
  representation: Representation,
  admission: Admission,
  place?: AnswerPlace,
): Promise<void> | undefined {
  if (typeof body === "string" && body.length < answerChunkBytes) {
    writeShort(ctx, body, representation, place);
    return undefined;
  }
  const chunks = new Chunks(typeof body === "string" ? slicesOf(body) : body);
  if (!chunks.fill() || !chunks.isLast) return writeRest(ctx, chunks, body, representation, admission, place);
  writeShort(ctx, chunks.take(), representation, place);
  return undefined;
}

/**
 * Refuses a long answer where too many of them wait for a turn of the event loop.
 *
 * @throws {ApiError} SERVICE_UNAVAILABLE.
 */
export function requireTurn(admission: Admission): void {
  if (admission.overload?.refusesAnswer() !== true) return;
  admission.countRefusal("answers", "load");
  throw serviceUnavailable("Too many long answers are being made; try again after Retry-After seconds.");
}

/** Goes on with an answer that did not fit in one slice, or in one chunk. */
async function writeRest(
  ctx: Context,
  chunks: Chunks,
  body: AnswerBody,
  representation: Representation,
  admission: Admission,
  place: AnswerPlace | undefined,
): Promise<void> {
  await chunks.fillInSlices(admission);
  if (chunks.isLast) {
    writeShort(ctx, chunks.take(), representation, place);
    return;
  }
  const { coding } = representation;
  const headers = headersOf(representation, coding);
  // The length of a long answer is known only where the whole is there.
  if (typeof body === "string" && coding === "identity") headers.push("Content-Length", String(body.length));
  const end = typeof body === "string" ? () => {} : beginStream(ctx, chunks, representation, admission);
  try {
    await writeChunks(ctx, 200, chunks, headers, admission, () => new ChunkEncoder(coding, place));
  } finally {
    end();
  }
}

/** @returns Ends the stream. @throws {ApiError} SERVICE_UNAVAILABLE when too many exports are on their way. */
function beginStream(
  { res, state: { store } }: Context,
  chunks: Chunks,
  { isExport = false }: Representation,
  admission: Admission,
): () => void {
  if (store === undefined) return () => {};
  const end = admission.streams.begin(store, res, isExport);
  if (end !== undefined) return end;
  chunks.stop();
  admission.countRefusal("answers", "limit");
  throw serviceUnavailable("Too many exports are on their way; try again after Retry-After seconds.");
}

function writeShort(
  ctx: Context,
  plain: ByteText,
  representation: Representation,
  place: AnswerPlace | undefined,
): void {
  const coding = plain.length < compressedBytesMin ? "identity" : representation.coding;
  const bytes = coding === "identity" ? plain : byteText(compressWhole(bytesOf(plain), coding));
  sendWhole(ctx, 200, headersOf(representation, coding), bytes);
  place?.keep({ bytes, coding, plainBytes: plain.length });
}

/** Answers with status 200 and a body that was kept, as `writeAnswer` does with one that is made. */
export function writeKept(
  ctx: Context,
  { bytes, coding, plainBytes }: KeptAnswer,
  representation: Representation,
  admission: Admission,
): Promise<void> | undefined {
  const headers = headersOf(representation, coding);
  // What is paid for as it leaves may have to wait.
  const isPaid = ctx.state.allowance !== undefined && plainBytes > tokenBytes;
  if (bytes.length <= answerChunkBytes && !isPaid) {
    sendWhole(ctx, 200, headers, bytes);
    return undefined;
  }
  headers.push("Content-Length", String(bytes.length));
  const chunks = new Chunks(slicesOf(bytes));
  return writeChunks(ctx, 200, chunks, headers, admission, () => new ByteChunks(plainBytes / bytes.length));
}

/**
 * Answers chunk by chunk.
 *
 * @param status 200, or 206 for a part.
 * @returns Done when the answer has left or its client has gone.
 * @throws {ApiError} SERVICE_UNAVAILABLE when too many long answers are on their way; nothing has left then.
 */
export async function writeChunks(
  ctx: Context,
  status: 200 | 206,
  chunks: ChunkSource,
  headers: HeaderList,
  admission: Admission,
  createEncoder: () => Encoder,
): Promise<void> {
  if (ctx.req.method === "HEAD") {
    chunks.stop();
    writeHead(ctx, status, headers);
    ctx.res.end();
    return;
  }
  const slots = admission.slotsOfClient(ctx.state.client);
  try {
    requireTurn(admission);
    if (!admission.acquire("answers", slots)) {
      throw serviceUnavailable("Too many long answers are on their way; try again after Retry-After seconds.");
    }
  } catch (error) {
    chunks.stop();
    throw error;
  }
  const encoder = createEncoder();
  try {
    writeHead(ctx, status, headers);
    await sendChunks(ctx, chunks, encoder, admission);
  } finally {
    chunks.stop();
    encoder.close();
    admission.release("answers", slots);
  }
}

async function sendChunks(ctx: Context, chunks: ChunkSource, encoder: Encoder, admission: Admission): Promise<void> {
  const { res, state } = ctx;
  const reader = new ReaderWatch(res, admission.limits.slowReader);
  const payment = state.allowance && new Payment(state.allowance, res);
  state.answerBytes = 0;
  try {
    await chunks.fillInSlices(admission);
    for (;;) {
      const text = chunks.take();
      const { isLast } = chunks;
      await payment?.payFor(encoder.plainBytes(text));
      if (res.closed) return;
      const bytes = await encoder.encode(text, isLast);
      if (res.closed) return;
      state.answerBytes += bytes.length;
      const isTaken = bytes.length === 0 || res.write(bytes, () => reader.count(bytes.length));
      if (isLast) res.end();
      if (isLast || !isTaken) await reader.wait(isLast ? "close" : "drain");
      if (isLast || res.closed) return;
      await fillInTurns(chunks, admission);
      if (res.closed) return;
    }
  } catch (error) {
    // The status has left, so the only way to say that the answer is broken is to break the connection.
    ctx.app.emit("error", error, ctx);
    breakConnection(res);
  }
}

/** Waits for a turn, even where the system has taken all at once, then gathers the next chunk. */
async function fillInTurns(chunks: ChunkSource, admission: Admission): Promise<void> {
  const { overload } = admission;
  overload?.beginWait();
  try {
    await nextTurn(admission);
    await chunks.fillInSlices(admission);
  } finally {
    overload?.endWait();
  }
}

/** Chunks of a long answer → the bytes that leave. */
export interface Encoder {
  /** The length of a chunk in no coding. */
  plainBytes(chunk: ByteText): number;
  encode(chunk: ByteText, isLast: boolean): Buffer | Promise<Buffer>;
  /** Releases what it holds, also in the middle of an answer. */
  close(): void;
}

/** A body in a coding; kept when it has ended, where it has a place. */
class ChunkEncoder implements Encoder {
  readonly #compressor: BodyCompressor | undefined;
  readonly #collector: AnswerCollector | undefined;

  constructor(coding: ContentCoding, place: AnswerPlace | undefined) {
    this.#compressor = coding === "identity" ? undefined : new BodyCompressor(coding);
    this.#collector = place?.collect(coding);
  }

  plainBytes(chunk: ByteText): number {
    return chunk.length;
  }

  async encode(chunk: ByteText, isLast: boolean): Promise<Buffer> {
    const plain = bytesOf(chunk);
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
export class ByteChunks implements Encoder {
  readonly #plainShare: number;

  /** @param plainShare Bytes in no coding for each of these. */
  constructor(plainShare: number) {
    this.#plainShare = plainShare;
  }

  plainBytes(chunk: ByteText): number {
    return Math.floor(chunk.length * this.#plainShare);
  }

  encode(chunk: ByteText): Buffer {
    return bytesOf(chunk);
  }

  close(): void {}
}

/** What makes a long answer chunk by chunk. */
export interface ChunkSource {
  /** Whether no chunk follows the one that is there. */
  readonly isLast: boolean;
  /** Makes the next chunk, unless one is there; other requests are served meanwhile. */
  fillInSlices(admission: Admission): Promise<void>;
  /** The chunk that is there. */
  take(): ByteText;
  /** Ends the making; harmless when it has ended. */
  stop(): void;
}

/** Pieces, gathered to chunks. */
class Chunks implements ChunkSource {
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

let lastTurn: Promise<void> = Promise.resolve();

/** Until when further slices of long answers may be made in this turn of the event loop. */
let turnEnd = 0;

/**
 * Waits for a turn of the event loop that no other long answer of this thread has. So however many are made, other requests
 * wait for one slice only. Where too many wait, all long answers together have as much of a turn as other requests, because what
 * has been accepted must end.
 */
function nextTurn({ overload }: Admission): Promise<void> {
  lastTurn = lastTurn.then(() => (performance.now() < turnEnd ? undefined : startTurn(overload)));
  return lastTurn;
}

function startTurn(overload: Overload | undefined): Promise<void> {
  return new Promise((resolve) => {
    const left = performance.now();
    setImmediate(() => {
      const now = performance.now();
      if (overload?.isCrowded === true) turnEnd = now + Math.min(now - left, overloadTurnMilliseconds);
      resolve();
    });
  });
}

/** A body in chunks. */
function* slicesOf(text: ByteText): Generator<ByteText> {
  for (let from = 0; from < text.length || from === 0; from += answerChunkBytes) {
    yield text.slice(from, from + answerChunkBytes) as ByteText;
  }
}

/**
 * Waits for the client of an answer, and disconnects it when it is too slow: what it takes earns time, up to a bound, and
 * waiting for it spends that. Only time spent waiting counts, so a busy service does not disconnect quick clients.
 */
class ReaderWatch {
  readonly #response: ServerResponse;
  readonly #bytesPerMillisecond: number;
  readonly #millisecondsMax: number;
  /** How long the client may still keep the answer waiting. */
  #milliseconds: number;

  constructor(response: ServerResponse, { bytesPerSecond, milliseconds }: AdmissionLimits["slowReader"]) {
    this.#response = response;
    this.#bytesPerMillisecond = bytesPerSecond / 1000;
    this.#millisecondsMax = milliseconds;
    this.#milliseconds = milliseconds;
  }

  /** Counts bytes that the system has taken for the client. */
  count(bytes: number): void {
    this.#milliseconds = Math.min(this.#millisecondsMax, this.#milliseconds + bytes / this.#bytesPerMillisecond);
  }

  /** Waits until the response can be written again, or is closed. */
  async wait(event: "drain" | "close"): Promise<void> {
    const response = this.#response;
    if (response.closed) return;
    const startedAt = performance.now();
    const { promise, resolve } = Promise.withResolvers<void>();
    response.on(event, resolve).on("close", resolve);
    const timer = setTimeout(() => breakConnection(response), this.#milliseconds);
    await promise;
    clearTimeout(timer);
    response.off(event, resolve).off("close", resolve);
    // A busy thread ends a wait late.
    this.#milliseconds = Math.max(0, this.#milliseconds - (performance.now() - startedAt));
  }
}
