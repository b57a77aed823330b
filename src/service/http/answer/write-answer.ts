/**
 * The one way in which the body of a successful answer leaves. It is made in slices of a few milliseconds. A body of
 * one chunk leaves whole, with its length; a longer one leaves chunk by chunk (`write-chunks.ts`).
 */

import { answerChunkBytes, tokenBytes } from "../../../contract/limits.ts";
import type { Admission } from "../admission/admission.ts";
import type { Context } from "../context.ts";
import type { AnswerBody, CodedBody, HeaderList } from "./answer-body.ts";
import type { AnswerSlot } from "./answer-cache.ts";
import { type ByteText, bytesOf, byteText } from "./byte-text.ts";
import { MadeChunks, partOf, ReadChunks, slicesOf } from "./chunk-sources.ts";
import { type ContentCoding, compressedBytesMin, compressWhole } from "./compress.ts";
import { matchesTag } from "./etag.ts";
import { sendEmpty, sendWhole } from "./send.ts";
import { writeChunks } from "./write-chunks.ts";

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
 * @param slot Where the answer cache keeps the answer; absent where it does not.
 * @returns A promise when the answer takes several slices or chunks; done when the answer has left or its client has
 *   gone.
 * @throws {ApiError} SERVICE_UNAVAILABLE when too many long answers are on their way; nothing has left then.
 */
export function writeAnswer(
  ctx: Context,
  body: AnswerBody,
  representation: Representation,
  admission: Admission,
  slot?: AnswerSlot,
): Promise<void> | undefined {
  if (typeof body === "string" && body.length < answerChunkBytes) {
    writeShort(ctx, body, representation, slot);
    return undefined;
  }
  const pieces = typeof body === "string" ? slicesOf(body) : body;
  const chunks = new MadeChunks(pieces, representation.coding, slot);
  if (!chunks.fill() || !chunks.isLast) return writeRest(ctx, chunks, body, representation, admission, slot);
  writeShort(ctx, chunks.takePlain(), representation, slot);
  return undefined;
}

/** Goes on with an answer that did not fit in one slice, or in one chunk. */
async function writeRest(
  ctx: Context,
  chunks: MadeChunks,
  body: AnswerBody,
  representation: Representation,
  admission: Admission,
  slot: AnswerSlot | undefined,
): Promise<void> {
  await chunks.fillInSlices(admission);
  if (chunks.isLast) {
    writeShort(ctx, chunks.takePlain(), representation, slot);
    return;
  }
  const { coding, isExport } = representation;
  const headers = headersOf(representation, coding);
  // The length of a long answer is known only where the whole is there.
  if (typeof body === "string" && coding === "identity") headers.push("Content-Length", String(body.length));
  const source = typeof body === "string" ? undefined : ctx.state.store;
  await writeChunks(ctx, { status: 200, headers, chunks, source, isExport }, admission);
}

function writeShort(ctx: Context, plain: ByteText, representation: Representation, slot: AnswerSlot | undefined): void {
  const coding = plain.length < compressedBytesMin ? "identity" : representation.coding;
  const bytes = coding === "identity" ? plain : byteText(compressWhole(bytesOf(plain), coding));
  sendWhole(ctx, 200, headersOf(representation, coding), bytes);
  slot?.keep({ bytes, coding, plainBytes: plain.length });
}

/** Answers with status 200 and a body that was kept, as `writeAnswer` does with one that is made. */
export function writeKept(
  ctx: Context,
  { bytes, coding, plainBytes }: CodedBody,
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
  const whole = { from: 0, to: bytes.length };
  const chunks = new ReadChunks(whole, plainBytes / bytes.length, (at, length) => partOf(bytes, at, at + length));
  return writeChunks(ctx, { status: 200, headers, chunks }, admission);
}

/**
 * Answers 304 when the client has the answer already.
 *
 * @param codings Those that the client accepts: it may have the answer in any of them.
 * @param etag The tag of the answer in a coding.
 */
export function answerIfUnchanged(
  ctx: Context,
  codings: readonly ContentCoding[],
  etag: (coding: ContentCoding) => string,
  headers: HeaderList,
): boolean {
  const given = ctx.req.headers["if-none-match"];
  const tag = given === undefined ? undefined : codings.map(etag).find((of) => matchesTag(given, of));
  if (tag === undefined) return false;
  sendEmpty(ctx, 304, ["ETag", tag, ...headers]);
  return true;
}
