/**
 * The one way in which a reply is sent, whatever its body: 304, a cached text, HEAD, a short text with its length, a
 * long one chunk by chunk, a file in parts. The body is made in slices of a few milliseconds.
 *
 * A reply has the place of its request, or one of long answers where it may be of any length, which it takes before the
 * making. A text that is there is no long answer, however many chunks it is sent in: so a client that accepts no coding
 * is served as others are.
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import { type ByteText, bytesOf, byteText } from "../../../contract/byte-text.ts";
import { answerChunkBytes, tokenBytes } from "../../../contract/limits.ts";
import { CitedTexts, FileAnswer, type HeaderList } from "../../../contract/reply-body.ts";
import type { Store } from "../../../engine/store/store.ts";
import type { Place } from "../admission/admission.ts";
import { commonHeaders, exposedHeaders } from "../connection/answer-without-app.ts";
import type { Context, RequestState } from "../request/context.ts";
import type { AnswerCollector } from "./answer-cache.ts";
import { describeFile, failedPrecondition } from "./file-conditions.ts";
import { breakConnection, type ChunkSource, MadeChunks, Payment, ReadChunks, ResponseReader } from "./long-answer.ts";
import type { Reply, ReplyBody } from "./reply.ts";
import type { CodedBody } from "./representation.ts";
import {
  acceptedCodings,
  BodyCompressor,
  type Compression,
  type ContentCoding,
  compressedBytesMin,
  compressWhole,
  matchesTag,
} from "./representation.ts";

const commonHeaderList = Object.entries(commonHeaders).flat();

/** Headers of files: pages of other origins may read more of them. */
const fileHeaderList = Object.entries({
  ...commonHeaders,
  "Access-Control-Expose-Headers": [
    ...[exposedHeaders, "X-Citation", "Link"],
    ...["Content-Disposition", "Content-Range", "Accept-Ranges"],
  ].join(", "),
}).flat();

/**
 * Sends a reply.
 *
 * @returns A promise when the body takes several slices or chunks; done when the reply is sent or its client has gone.
 * @throws {ApiError} PRECONDITION_FAILED, RATE_LIMITED when the client holds its share, SERVICE_UNAVAILABLE when all
 *   hold too much, or what the making of the body throws; nothing has left then.
 */
export function sendReply(ctx: Context, reply: Reply): Promise<void> | undefined {
  const { req, res, state } = ctx;
  const { etag, isExport = false, isLong = false, cached, body } = reply;
  state.isFile = isExport;
  if (body === undefined) {
    sendEmpty(ctx, reply.status, reply.headers);
    return undefined;
  }
  if (typeof body === "string") {
    sendWhole(ctx, reply.status, headersIn(reply, "identity"), body);
    return undefined;
  }
  const codings = acceptedCodings(req.headers["accept-encoding"] as string | undefined);
  const coding = codings[0] as ContentCoding;
  const { "if-none-match": ifNoneMatch, "if-match": ifMatch, "if-unmodified-since": unmodifiedSince } = req.headers;
  const isConditional = etag !== undefined && (ifMatch ?? unmodifiedSince) !== undefined;
  const failed = isConditional
    ? failedPrecondition(req.headers, codings.map(etag), reply.source?.snapshot.createdAt)
    : undefined;
  if (etag !== undefined && ifNoneMatch !== undefined && failed === undefined) {
    // The client may have the body in any coding that it accepts.
    const tag = codings
      .values()
      .map(etag)
      .find((one) => matchesTag(ifNoneMatch, one));
    if (tag !== undefined) {
      sendEmpty(ctx, 304, ["ETag", tag, ...reply.headers]);
      return undefined;
    }
  }
  // A client that has gone gets no reply, and there will be no close event to release at.
  if (res.closed) return undefined;
  if (isExport && req.method === "HEAD") {
    if (failed !== undefined) throw failed;
    // Coding, tag and length depend on the body, which is not made (RFC 9110, section 9.3.2). So it needs no place.
    sendEmpty(ctx, reply.status, ["Content-Type", reply.type ?? "", ...reply.headers]);
    return undefined;
  }
  const place = placeOf(ctx);
  place.enter();
  const found = cached?.cache.find(cached.store, `${coding} ${cached.key}`);
  if (found !== undefined && failed === undefined) return sendCoded(ctx, reply, found);
  const isGone = (): boolean => res.closed;
  const made = body((work) => {
    if (!isLong) return place.client.run(work, isGone);
    return place.client.runInTurns(req.method === "HEAD" ? work : inLongPlace(work, place), isGone);
  });
  const send = (whole: ReplyBody): Promise<void> | undefined => {
    // The answer is made all the same: where it is no success, no condition counts (RFC 9110, section 13.2.1).
    if (failed !== undefined) throw failed;
    return sendBody(ctx, reply, coding, whole);
  };
  return made instanceof Promise ? made.then(send) : send(made);
}

/** Work that takes a place of long answers with its first turn: until then it holds no memory, and is a request. */
function* inLongPlace<Result>(work: Generator<number, Result>, place: Place): Generator<number, Result> {
  place.moveToAnswers();
  return yield* work;
}

/** The place of a request whose body is made; what knows requests alone knows less of it. */
function placeOf({ state }: Context): Place {
  return state.place as Place;
}

/** Sends a body that was made. */
function sendBody(ctx: Context, reply: Reply, coding: ContentCoding, body: ReplyBody): Promise<void> | undefined {
  // An answer that nobody reads must not keep its store.
  ctx.state.store = undefined;
  if (body instanceof FileAnswer) return sendFile(ctx, body);
  if (typeof body === "string") {
    if (body.length >= answerChunkBytes) return sendLongText(ctx, reply, coding, body);
    sendShort(ctx, reply, coding, body);
    return undefined;
  }
  const described = body instanceof CitedTexts ? { ...reply, headers: [...reply.headers, ...body.headers] } : reply;
  const chunks = new MadeChunks(body, coding, () => collectorOf(reply, coding));
  if (reply.isLong || !chunks.fill() || !chunks.isLast) return sendPieces(ctx, described, coding, chunks);
  sendShort(ctx, described, coding, chunks.takePlain());
  return undefined;
}

/** Goes on with pieces that did not fit in one slice, or in one chunk. */
async function sendPieces(ctx: Context, reply: Reply, coding: ContentCoding, chunks: MadeChunks): Promise<void> {
  if (!chunks.isFull) await chunks.fillNext(placeOf(ctx).client, ctx.res);
  if (ctx.res.closed) {
    chunks.stop();
    return;
  }
  if (chunks.isLast) {
    sendShort(ctx, reply, coding, chunks.takePlain());
    return;
  }
  const { status, source } = reply;
  await sendChunks(ctx, { status, headers: headersIn(reply, coding), chunks, source, isLong: true });
}

/**
 * Sends a text of several chunks, compressed as a whole: so slow readers share the bytes of a cached one. No async
 * function, which would hold the reply, and so the store, until the text has left.
 */
function sendLongText(ctx: Context, reply: Reply, coding: ContentCoding, text: ByteText): Promise<void> | undefined {
  const send = (bytes: ByteText): Promise<void> | undefined => {
    const coded = { bytes, coding, plainBytes: text.length };
    cacheText(reply, coding, coded);
    return sendCoded(ctx, reply, coded);
  };
  if (coding === "identity") return send(text);
  return new BodyCompressor(coding).compress(bytesOf(text), true).then((bytes) => send(byteText(bytes)));
}

function sendShort(ctx: Context, reply: Reply, wanted: ContentCoding, plain: ByteText): void {
  const coding = plain.length < compressedBytesMin ? "identity" : wanted;
  const bytes = coding === "identity" ? plain : byteText(compressWhole(bytesOf(plain), coding as Compression));
  sendWhole(ctx, reply.status, headersIn(reply, coding), bytes);
  cacheText(reply, wanted, { bytes, coding, plainBytes: plain.length });
}

/** Sends a body that is there in its coding. */
function sendCoded(ctx: Context, reply: Reply, { bytes, coding, plainBytes }: CodedBody): Promise<void> | undefined {
  const { status, isLong = false } = reply;
  ctx.state.store = undefined;
  const headers = headersIn(reply, coding);
  // An answer that is paid for as it is sent may have to wait.
  const isPaid = ctx.state.allowance !== undefined && plainBytes > tokenBytes;
  if (bytes.length <= answerChunkBytes && !isPaid) {
    sendWhole(ctx, status, headers, bytes);
    return undefined;
  }
  headers.push("Content-Length", String(bytes.length));
  const whole = { from: 0, to: bytes.length };
  // A slice shares the memory of the text, so an answer that is not read holds no copy.
  const read = (at: number, length: number): ByteText => bytes.slice(at, at + length) as ByteText;
  const chunks = new ReadChunks(whole, plainBytes / bytes.length, read);
  return sendChunks(ctx, { status, headers, chunks, isLong });
}

/**
 * Sends a file: 200 with all of it, 206 with a part, or 304. It is closed at the end.
 *
 * @throws {ApiError} PRECONDITION_FAILED, RANGE_NOT_SATISFIABLE, or as `sendReply`.
 */
async function sendFile(ctx: Context, answer: FileAnswer): Promise<void> {
  const { file } = answer;
  // Its snapshot is not the one that is served.
  ctx.state.snapshot = undefined;
  ctx.state.isFile = true;
  try {
    const { status, headers, part } = describeFile(ctx.req, answer);
    if (part === undefined) {
      sendEmpty(ctx, status, headers);
      return;
    }
    const chunks = new ReadChunks(part, 1, (position, length) => file.read(position, length));
    await sendChunks(ctx, { status, headers, chunks, isLong: true });
  } finally {
    await file.close();
  }
}

function headersIn({ type, headers, etag }: Reply, coding: ContentCoding): string[] {
  const all = type === undefined ? [...headers] : ["Content-Type", type, ...headers];
  if (etag !== undefined) all.push("ETag", etag(coding));
  if (coding !== "identity") all.push("Content-Encoding", coding);
  return all;
}

function cacheText({ cached }: Reply, wanted: ContentCoding, coded: CodedBody): void {
  cached?.cache.add(cached.store, `${wanted} ${cached.key}`, coded);
}

function collectorOf({ cached }: Reply, coding: ContentCoding): AnswerCollector | undefined {
  return cached?.cache.collect(cached.store, `${coding} ${cached.key}`, coding);
}

function sendEmpty(ctx: Context, status: number, headers: HeaderList): void {
  writeHead(ctx, status, headers);
  ctx.res.end();
}

/** Sends a body that is there. */
function sendWhole(ctx: Context, status: number, headers: HeaderList, body: ByteText): void {
  const { req, res, state } = ctx;
  ctx.respond = false;
  if (req.method !== "HEAD") state.answerBytes = body.length;
  sendText(req, res, status, headOf(state, headers), body);
  const { place } = state;
  // Most answers are taken by the system at once.
  if (place === undefined || res.socket === null || res.socket.writableLength === 0) return;
  const reader = new ResponseReader(res);
  place.waitFor(reader);
  void reader.wait("close");
}

/**
 * Sends a text that is there, with its length; of HEAD its headers alone. The admin port sends its replies by it.
 *
 * @param headers Gets the length as well.
 */
export function sendText(
  { method }: Pick<IncomingMessage, "method">,
  response: ServerResponse,
  status: number,
  headers: string[],
  text: ByteText,
): void {
  headers.push("Content-Length", String(text.length));
  response.writeHead(status, headers);
  if (method === "HEAD") response.end();
  else response.end(text, "latin1");
}

/** An answer that is sent chunk by chunk. */
interface ChunkedAnswer {
  /** 206 for a part. */
  readonly status: number;
  readonly headers: HeaderList;
  readonly chunks: ChunkSource;
  /** True if it needs a place of long answers. */
  readonly isLong: boolean;
  /** The store that the chunks are made from while they are sent; absent where they are there. */
  readonly source?: Store | undefined;
}

/**
 * Sends a reply chunk by chunk. With a rate limit, each chunk is paid for before it is sent.
 *
 * @returns Done when the answer is sent or its client has gone.
 * @throws {ApiError} As `sendReply`, where it needs a place of long answers; nothing has left then.
 */
async function sendChunks(ctx: Context, { status, headers, chunks, isLong, source }: ChunkedAnswer): Promise<void> {
  const { req, res } = ctx;
  const place = placeOf(ctx);
  if (req.method === "HEAD") {
    chunks.stop();
    writeHead(ctx, status, headers);
    res.end();
    return;
  }
  // A client that has gone meanwhile: its place is left already.
  if (res.closed) {
    chunks.stop();
    return;
  }
  const reader = new ResponseReader(res);
  try {
    if (isLong) place.moveToAnswers();
    place.waitFor(reader, source);
    writeHead(ctx, status, headers);
    await sendAll(ctx, chunks, reader);
  } finally {
    place.leave();
    chunks.stop();
  }
}

async function sendAll(ctx: Context, chunks: ChunkSource, reader: ResponseReader): Promise<void> {
  const { res, state } = ctx;
  const { client } = placeOf(ctx);
  const payment = state.allowance && new Payment(state.allowance, res);
  state.answerBytes = 0;
  try {
    // The first chunk may have been made to learn that the answer is long.
    if (!chunks.isFull) await chunks.fillNext(client, res);
    while (!res.closed) {
      const { isLast } = chunks;
      await payment?.payFor(chunks.plainBytes);
      if (res.closed) return;
      const bytes = await chunks.take();
      if (res.closed) return;
      state.answerBytes += bytes.length;
      const isTaken = bytes.length === 0 || res.write(bytes, () => reader.count(bytes.length));
      if (isLast) res.end();
      if (isLast || !isTaken) await reader.wait(isLast ? "close" : "drain");
      if (isLast || res.closed) return;
      await chunks.fillNext(client, res);
    }
  } catch (error) {
    // The status has left, so the only way to say that the answer is broken is to break the connection.
    ctx.app.emit("error", error, ctx);
    breakConnection(res);
  }
}

/** Writes status and headers, once; Koa writes nothing from then on. */
function writeHead(ctx: Context, status: number, headers: HeaderList): void {
  ctx.respond = false;
  ctx.res.writeHead(status, headOf(ctx.state, headers));
}

/** The headers of a reply with those that every reply to a request has. */
function headOf({ requestId, snapshot, allowance, isFile }: RequestState, headers: HeaderList): string[] {
  const all = [...(isFile ? fileHeaderList : commonHeaderList), "X-Request-Id", requestId, ...headers];
  if (snapshot !== undefined) all.push("X-Snapshot-Id", snapshot);
  if (allowance !== undefined) all.push(...allowance.headers);
  return all;
}
