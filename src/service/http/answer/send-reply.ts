/**
 * The one way in which a reply leaves, whatever its body: 304, a kept text, HEAD, a short text with its length, a long
 * one chunk by chunk, a file in parts. The body is made in slices of a few milliseconds.
 */

import { type ByteText, bytesOf, byteText } from "../../../contract/byte-text.ts";
import { answerChunkBytes, tokenBytes } from "../../../contract/limits.ts";
import { CitedTexts, FileAnswer, type HeaderList } from "../../../contract/reply-body.ts";
import type { Admission } from "../admission/admission.ts";
import { admitRequest, poolOf } from "../admission/admit-request.ts";
import type { Context } from "../context.ts";
import type { CodedBody } from "./answer-body.ts";
import { MadeChunks, partOf, ReadChunks } from "./chunk-sources.ts";
import {
  acceptedCodings,
  type Compression,
  type ContentCoding,
  compressAll,
  compressedBytesMin,
  compressWhole,
} from "./compress.ts";
import { matchesTag } from "./etag.ts";
import { describeFile } from "./file-conditions.ts";
import type { Reply, ReplyBody } from "./reply.ts";
import { requireTurn, sendChunks } from "./send-chunks.ts";
import { writeHead } from "./write-head.ts";

const plainOnly: readonly ContentCoding[] = ["identity"];

/**
 * Sends a reply.
 *
 * @returns A promise when the body takes several slices or chunks; done when the reply has left or its client has gone.
 * @throws {ApiError} SERVICE_UNAVAILABLE when clients hold too much, or what the making of the body throws; nothing has
 *   left then.
 */
export function sendReply(ctx: Context, reply: Reply, admission: Admission): Promise<void> | undefined {
  const { req, res, state } = ctx;
  const { etag, isExport = false, isLong = false, isRefusal = false, kept, body } = reply;
  state.isFile = isExport;
  if (body === undefined) {
    sendEmpty(ctx, reply.status, reply.headers);
    return undefined;
  }
  const codings = isRefusal ? plainOnly : acceptedCodings(req.headers["accept-encoding"] as string | undefined);
  const coding = codings[0] as ContentCoding;
  const given = req.headers["if-none-match"];
  if (etag !== undefined && given !== undefined) {
    // The client may have the body in any coding that it accepts.
    const tag = codings
      .values()
      .map(etag)
      .find((one) => matchesTag(given, one));
    if (tag !== undefined) {
      sendEmpty(ctx, 304, ["ETag", tag, ...reply.headers]);
      return undefined;
    }
  }
  // A client that has gone gets no reply, and there will be no close event to release at.
  if (res.closed) return undefined;
  if (!state.isAdmitted && !isRefusal) admitRequest(ctx, admission);
  if (isExport && req.method === "HEAD") {
    // Coding, tag and length depend on the body, which is not made (RFC 9110, section 9.3.2).
    sendEmpty(ctx, reply.status, ["Content-Type", reply.type ?? "", ...reply.headers]);
    return undefined;
  }
  const found = kept?.cache.find(kept.store, `${coding} ${kept.key}`);
  if (found !== undefined) return sendCoded(ctx, reply, found, admission);
  // Refused here, it costs no query and no first chunk.
  if (isLong && req.method !== "HEAD") requireTurn(admission, poolOf(state).answers);
  const made = body();
  return made instanceof Promise
    ? made.then((whole) => sendBody(ctx, reply, coding, whole, admission))
    : sendBody(ctx, reply, coding, made, admission);
}

/** Sends a body that was made. */
function sendBody(
  ctx: Context,
  reply: Reply,
  coding: ContentCoding,
  body: ReplyBody,
  admission: Admission,
): Promise<void> | undefined {
  if (body instanceof FileAnswer) return sendFile(ctx, body, admission);
  if (typeof body === "string") {
    if (body.length >= answerChunkBytes) return sendLongText(ctx, reply, coding, body, admission);
    sendShort(ctx, reply, coding, body);
    return undefined;
  }
  const described = body instanceof CitedTexts ? { ...reply, headers: [...reply.headers, ...body.headers] } : reply;
  const chunks = new MadeChunks(body, coding, slotOf(reply, coding));
  if (!chunks.fill() || !chunks.isLast) return sendPieces(ctx, described, coding, chunks, admission);
  sendShort(ctx, described, coding, chunks.takePlain());
  return undefined;
}

/** Goes on with pieces that did not fit in one slice, or in one chunk. */
async function sendPieces(
  ctx: Context,
  reply: Reply,
  coding: ContentCoding,
  chunks: MadeChunks,
  admission: Admission,
): Promise<void> {
  await chunks.fillInSlices(admission);
  if (chunks.isLast) {
    sendShort(ctx, reply, coding, chunks.takePlain());
    return;
  }
  const { status, source, isExport } = reply;
  await sendChunks(ctx, { status, headers: headersIn(reply, coding), chunks, source, isExport }, admission);
}

/** Sends a text of several chunks, compressed as a whole: so clients that read slowly share the bytes of a kept one. */
async function sendLongText(
  ctx: Context,
  reply: Reply,
  coding: ContentCoding,
  text: ByteText,
  admission: Admission,
): Promise<void> {
  const bytes = coding === "identity" ? text : byteText(await compressAll(bytesOf(text), coding));
  const coded = { bytes, coding, plainBytes: text.length };
  slotOf(reply, coding)?.keep(coded);
  await sendCoded(ctx, reply, coded, admission);
}

function sendShort(ctx: Context, reply: Reply, wanted: ContentCoding, plain: ByteText): void {
  const coding = plain.length < compressedBytesMin ? "identity" : wanted;
  const bytes = coding === "identity" ? plain : byteText(compressWhole(bytesOf(plain), coding as Compression));
  sendWhole(ctx, reply.status, headersIn(reply, coding), bytes);
  slotOf(reply, wanted)?.keep({ bytes, coding, plainBytes: plain.length });
}

/** Sends a body that is there in its coding. */
function sendCoded(
  ctx: Context,
  reply: Reply,
  { bytes, coding, plainBytes }: CodedBody<ByteText>,
  admission: Admission,
): Promise<void> | undefined {
  const { status } = reply;
  const headers = headersIn(reply, coding);
  // What is paid for as it leaves may have to wait.
  const isPaid = ctx.state.allowance !== undefined && plainBytes > tokenBytes;
  if (bytes.length <= answerChunkBytes && !isPaid) {
    sendWhole(ctx, status, headers, bytes);
    return undefined;
  }
  headers.push("Content-Length", String(bytes.length));
  const whole = { from: 0, to: bytes.length };
  const chunks = new ReadChunks(whole, plainBytes / bytes.length, (at, length) => partOf(bytes, at, at + length));
  return sendChunks(ctx, { status, headers, chunks }, admission);
}

/**
 * Sends a file: 200 with all of it, 206 with a part, or 304. It is closed at the end.
 *
 * @throws {ApiError} PRECONDITION_FAILED, RANGE_NOT_SATISFIABLE, or SERVICE_UNAVAILABLE.
 */
async function sendFile(ctx: Context, answer: FileAnswer, admission: Admission): Promise<void> {
  const { file } = answer;
  // The store that is served is not what this reply is made from.
  ctx.state.store = undefined;
  ctx.state.isFile = true;
  try {
    const { status, headers, part } = describeFile(ctx.req, answer);
    if (part === undefined) {
      sendEmpty(ctx, status, headers);
      return;
    }
    const chunks = new ReadChunks(part, 1, (position, length) => file.read(position, length));
    await sendChunks(ctx, { status, headers, chunks }, admission);
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

function slotOf({ kept }: Reply, coding: ContentCoding) {
  return kept?.cache.slotOf(kept.store, `${coding} ${kept.key}`);
}

function sendEmpty(ctx: Context, status: number, headers: HeaderList): void {
  writeHead(ctx, status, headers);
  ctx.res.end();
}

/** Sends a body that is there, with its length. */
function sendWhole(ctx: Context, status: number, headers: HeaderList, body: ByteText): void {
  const { req, res, state } = ctx;
  writeHead(ctx, status, [...headers, "Content-Length", String(body.length)]);
  if (req.method === "HEAD") {
    res.end();
    return;
  }
  state.answerBytes = body.length;
  res.end(body, "latin1");
}
