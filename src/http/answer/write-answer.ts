/**
 * The one way in which the body of a successful answer leaves. It is made in slices of a few milliseconds. A body of
 * one chunk leaves whole, with its length. A longer one leaves chunk by chunk, each made only when the client has taken
 * the one before: so neither processor nor memory is held by a client that reads slowly or not at all.
 */

import type { Store } from "../../store/store.ts";
import type { Admission, Resource } from "../admission/admission.ts";
import { poolOf } from "../admission/admit-request.ts";
import type { ExportSlot } from "../admission/export-slots.ts";
import type { Overload } from "../admission/overload.ts";
import { Payment } from "../admission/pay-for-answer.ts";
import type { Context } from "../context.ts";
import { serviceUnavailable } from "../errors.ts";
import { answerChunkBytes, answerSliceMilliseconds, overloadTurnMilliseconds, tokenBytes } from "../limits.ts";
import type { AnswerBody } from "./answer-body.ts";
import type { AnswerCollector, AnswerPlace } from "./answer-cache.ts";
import { type ByteText, bytesOf, byteText, joinBytes, noBytes } from "./byte-text.ts";
import { BodyCompressor, type ContentCoding, compressedBytesMin, compressWhole } from "./compress.ts";
import type { HeaderList } from "./header-list.ts";
import { ReaderWatch } from "./reader-watch.ts";
import { breakConnection, sendWhole, writeHead } from "./send.ts";

/** Bytes that leave; a buffer where they are not made for one answer. */
export type AnswerBytes = ByteText | Buffer;

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
 * @returns A promise when the answer takes several slices or chunks; done when the answer has left or its client has
 *   gone.
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
 * @param resource What it would take a unit of.
 * @throws {ApiError} SERVICE_UNAVAILABLE.
 */
export function requireTurn(admission: Admission, resource: Resource): void {
  if (admission.overload?.refusesAnswer() !== true) return;
  admission.countRefusal(resource, "load");
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
  const { coding, isExport } = representation;
  const headers = headersOf(representation, coding);
  // The length of a long answer is known only where the whole is there.
  if (typeof body === "string" && coding === "identity") headers.push("Content-Length", String(body.length));
  const source = typeof body === "string" ? undefined : ctx.state.store;
  const createEncoder = (): Encoder => new ChunkEncoder(coding, place);
  await writeChunks(ctx, { status: 200, headers, chunks, createEncoder, source, isExport }, admission);
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

/** A whole body in its coding. */
export interface WholeBody {
  readonly bytes: AnswerBytes;
  readonly coding: ContentCoding;
  /** Its length in no coding. */
  readonly plainBytes: number;
}

/** Answers with status 200 and a body that was kept, as `writeAnswer` does with one that is made. */
export function writeKept(
  ctx: Context,
  { bytes, coding, plainBytes }: WholeBody,
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
  const chunks = new WholeChunks(bytes);
  const createEncoder = (): Encoder => new ByteChunks(plainBytes / bytes.length);
  return writeChunks(ctx, { status: 200, headers, chunks, createEncoder }, admission);
}

/** An answer that leaves chunk by chunk. */
export interface LongAnswer {
  /** 206 for a part. */
  readonly status: 200 | 206;
  readonly headers: HeaderList;
  readonly chunks: ChunkSource;
  readonly createEncoder: () => Encoder;
  /** The store that the chunks are made from while they leave; absent where they are there. */
  readonly source?: Store | undefined;
  /** Whether it needs one of the export slots of the thread. */
  readonly isExport?: boolean | undefined;
}

/**
 * Answers chunk by chunk.
 *
 * @returns Done when the answer has left or its client has gone.
 * @throws {ApiError} SERVICE_UNAVAILABLE when too many long answers are on their way; nothing has left then.
 */
export async function writeChunks(ctx: Context, answer: LongAnswer, admission: Admission): Promise<void> {
  const { status, headers, chunks, createEncoder } = answer;
  if (ctx.req.method === "HEAD") {
    chunks.stop();
    writeHead(ctx, status, headers);
    ctx.res.end();
    return;
  }
  const reader = new ReaderWatch(ctx.res, admission.limits);
  let held: Held | undefined;
  let encoder: Encoder | undefined;
  try {
    held = hold(ctx, answer, reader, admission);
    encoder = createEncoder();
    writeHead(ctx, status, headers);
    await sendChunks(ctx, chunks, encoder, { admission, reader, slot: held.slot });
  } finally {
    chunks.stop();
    encoder?.close();
    held?.release();
  }
}

/** What a long answer holds until it has left. */
interface Held {
  readonly slot: ExportSlot | undefined;
  readonly release: () => void;
}

/** @throws {ApiError} SERVICE_UNAVAILABLE; nothing is held then. */
function hold({ res, state }: Context, answer: LongAnswer, reader: ReaderWatch, admission: Admission): Held {
  const { answers } = poolOf(state);
  const { principal, client } = state;
  requireTurn(admission, answers);
  const slots = admission.slotsOfClient(client);
  const isSecret = principal?.kind === "secret";
  if (!admission.acquire(answers, slots, isSecret)) {
    throw serviceUnavailable("Too many long answers are on their way; try again after Retry-After seconds.");
  }
  let slot: ExportSlot | undefined;
  if (answer.isExport === true && principal !== undefined) {
    const exporter = isSecret ? principal.chain : `${principal.chain} ${client.network}`;
    slot = admission.exports.slotFor({ client: exporter, isSecret, reader });
    if (!slot.enter()) {
      admission.release(answers, slots);
      admission.countRefusal(answers, "limit");
      throw serviceUnavailable("Too many exports are on their way; try again after Retry-After seconds.");
    }
  }
  const endStream = answer.source && admission.streams.begin(answer.source, res);
  return {
    slot,
    release() {
      endStream?.();
      slot?.leave();
      admission.release(answers, slots);
    },
  };
}

/** What an answer that leaves is watched by. */
interface Sending {
  readonly admission: Admission;
  readonly reader: ReaderWatch;
  readonly slot: ExportSlot | undefined;
}

async function sendChunks(ctx: Context, chunks: ChunkSource, encoder: Encoder, sending: Sending): Promise<void> {
  const { res, state } = ctx;
  const { admission, reader, slot } = sending;
  const payment = state.allowance && new Payment(state.allowance, res, slot);
  // Those without a key never make the thread refuse long answers to others.
  const overload = state.principal === undefined ? undefined : admission.overload;
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
      await fillInTurns(chunks, admission, overload);
      if (res.closed) return;
    }
  } catch (error) {
    // The status has left, so the only way to say that the answer is broken is to break the connection.
    ctx.app.emit("error", error, ctx);
    breakConnection(res);
  }
}

/**
 * Waits for a turn, even where the system has taken all at once, then gathers the next chunk.
 *
 * @param overload Counts the wait.
 */
async function fillInTurns(chunks: ChunkSource, admission: Admission, overload: Overload | undefined): Promise<void> {
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
  plainBytes(chunk: AnswerBytes): number;
  encode(chunk: AnswerBytes, isLast: boolean): Buffer | Promise<Buffer>;
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
export class ByteChunks implements Encoder {
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

/** A body that is there whole. Its chunks are parts of it, so that an answer that is not read holds none of its own. */
class WholeChunks implements ChunkSource {
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

let lastTurn: Promise<void> = Promise.resolve();

/** Until when further slices of long answers may be made in this turn of the event loop. */
let turnEnd = 0;

/**
 * Waits for a turn of the event loop that no other long answer of this thread has. So however many are made, other
 * requests wait for one slice only. Where too many wait, all long answers together have as much of a turn as other
 * requests, because what has been accepted must end.
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
