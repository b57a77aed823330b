/**
 * A file as an answer: with its length, in parts where a client asks for one (RFC 9110, section 14), and never
 * changing.
 */

import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { ApiError, excerptOf } from "../../../contract/errors.ts";
import type { FileAnswer, HeaderList } from "../../../contract/reply-body.ts";
import { matchesTag } from "./representation.ts";

/** Longest time for which caches may keep what never changes, in seconds: a year. */
const maxAgeSeconds = 31_536_000;

/** A reply with a file, before its bytes are read. */
export interface DescribedFile {
  readonly status: 200 | 206 | 304;
  readonly headers: HeaderList;
  /** Positions [from, to) of the bytes that are sent; undefined for 304. */
  readonly part: { readonly from: number; readonly to: number } | undefined;
}

/**
 * Describes the reply to a request for a file: 200 with all of it, 206 with a part, or 304.
 *
 * @throws {ApiError} PRECONDITION_FAILED or RANGE_NOT_SATISFIABLE.
 */
export function describeFile(
  { headers, method }: Pick<IncomingMessage, "headers" | "method">,
  { snapshot, file }: FileAnswer,
): DescribedFile {
  const etag = `"${file.sha256}"`;
  const publishedAt = Date.parse(file.published_at);
  const common: HeaderList = [
    ...["ETag", etag, "Cache-Control", `private, max-age=${maxAgeSeconds}, immutable`, "Vary", "X-Snapshot-Id"],
    ...["X-Snapshot-Id", snapshot, "Accept-Ranges", "bytes", "Last-Modified", new Date(publishedAt).toUTCString()],
  ];
  const failed = failedPrecondition(headers, [etag], publishedAt);
  if (failed !== undefined) throw failed;
  if (isUnchanged(headers, etag, publishedAt)) return { status: 304, headers: common, part: undefined };
  // RFC 9110, section 14.2: only GET has ranges.
  const hasRange = method === "GET" && isOfSameFile(headers, etag, publishedAt);
  const range = hasRange ? requestedRange(headers.range, file.bytes) : undefined;
  const part = range ?? { from: 0, to: file.bytes };
  const described = [
    ...["Content-Type", file.media_type, ...common, "Content-Length", String(part.to - part.from)],
    ...["Content-Disposition", `attachment; filename="${snapshot}-${file.name}"`],
    ...(range === undefined ? [] : ["Content-Range", `bytes ${part.from}-${part.to - 1}/${file.bytes}`]),
  ];
  return { status: range === undefined ? 200 : 206, headers: described, part };
}

/**
 * Checks `If-Match`, or where that is absent `If-Unmodified-Since`, before all other conditions (RFC 9110, section
 * 13.2.2). An invalid date is ignored.
 *
 * @param etags Of an answer in the codings that its client accepts, the preferred one first; a file has one.
 * @param publishedAt Milliseconds since 1970; undefined for an answer without a date, of which none is checked.
 * @returns PRECONDITION_FAILED where they do not hold.
 */
export function failedPrecondition(
  headers: IncomingHttpHeaders,
  etags: readonly string[],
  publishedAt: number | undefined,
): ApiError | undefined {
  const { "if-match": ifMatch, "if-unmodified-since": since } = headers;
  const failed = (name: string, found: string | undefined, expected: string): ApiError =>
    new ApiError("PRECONDITION_FAILED", `${name} is ${excerptOf(found ?? "")}, expected ${expected}.`);
  if (ifMatch !== undefined) {
    if (etags.some((etag) => matchesTagStrongly(ifMatch, etag))) return undefined;
    return failed("If-Match", ifMatch, `${etags[0]} or *`);
  }
  if (publishedAt === undefined || isNewer(publishedAt, since) !== true) return undefined;
  return failed("If-Unmodified-Since", since, `${new Date(publishedAt).toUTCString()} or later`);
}

/** Returns whether the client has the file, by `If-None-Match`, or where that is absent by `If-Modified-Since`. */
function isUnchanged(headers: IncomingHttpHeaders, etag: string, publishedAt: number): boolean {
  const { "if-none-match": ifNoneMatch, "if-modified-since": since } = headers;
  return ifNoneMatch === undefined ? isNewer(publishedAt, since) === false : matchesTag(ifNoneMatch, etag);
}

/**
 * Returns whether `If-Range`, where it is there, names this file, by its tag or by exactly its date (RFC 9110, section
 * 13.1.5). The date is a strong validator, because a file never changes.
 */
function isOfSameFile({ "if-range": ifRange }: IncomingHttpHeaders, etag: string, publishedAt: number): boolean {
  return ifRange === undefined || ifRange === etag || httpDate(String(ifRange)) === wholeSecond(publishedAt);
}

/** Returns whether a time is after the second that a header names; undefined where it names none. */
function isNewer(milliseconds: number, header: string | undefined): boolean | undefined {
  const date = httpDate(header ?? "");
  return date === undefined ? undefined : wholeSecond(milliseconds) > date;
}

/** A time as an HTTP date has it. */
function wholeSecond(milliseconds: number): number {
  return Math.floor(milliseconds / 1000) * 1000;
}

/**
 * The part of a file that a client asks for.
 *
 * @returns Positions [from, to); undefined for the whole: without the header, for other units, and for several ranges,
 *   which a server may ignore (RFC 9110, section 14.2).
 * @throws {ApiError} RANGE_NOT_SATISFIABLE when the part lies behind the end.
 */
export function requestedRange(
  header: string | undefined,
  bytes: number,
): { readonly from: number; readonly to: number } | undefined {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  const from = first === "" ? Math.max(0, bytes - Number(last)) : Number(first);
  const to = first === "" || last === "" ? bytes : Math.min(bytes, Number(last) + 1);
  // An end before the beginning makes the header invalid, and so ignored.
  if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined;
  if (from < to) return { from, to };
  const message = `Range asks for bytes from ${from} on, the file has ${bytes}.`;
  throw new ApiError("RANGE_NOT_SATISFIABLE", message, { headers: { "Content-Range": `bytes */${bytes}` } });
}

/** Returns whether `If-Match` has a strong tag: `*`, or the tag itself in the list, RFC 9110, section 13.1.1. */
function matchesTagStrongly(ifMatch: string, etag: string): boolean {
  return ifMatch.trim() === "*" || ifMatch.split(",").some((candidate) => candidate.trim() === etag);
}

/** The three forms of RFC 9110, section 5.6.7, with the day of the month. */
const dateForms = [
  /^[A-Z][a-z]{2}, (\d\d) [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{5,8}, (\d\d)-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} ([ \d]\d) \d\d:\d\d:\d\d \d{4}$/,
];

/** An HTTP date as milliseconds since 1970-01-01T00:00:00Z; undefined where it is none. */
function httpDate(text: string): number | undefined {
  const day = dateForms.map((form) => form.exec(text)?.[1]).find((found) => found !== undefined);
  if (day === undefined) return undefined;
  const date = new Date(text.endsWith(" GMT") ? text : `${text} GMT`);
  // 30 February would be a day of March.
  return date.getUTCDate() === Number(day) ? date.getTime() : undefined;
}
