/**
 * A request as it comes: its form, id and trace, its body as bytes, and its input as values that the schemas of its
 * endpoint accept.
 */

import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isIPv6 } from "node:net";
import { parse as parseParameters } from "node:querystring";
import { maskSecrets } from "../../../contract/credentials.ts";
import type { Endpoint } from "../../../contract/endpoint.ts";
import {
  ApiError,
  excerptOf,
  type FieldProblem,
  unsupportedMediaType,
  validationError,
} from "../../../contract/errors.ts";
import {
  bodyBytesMax,
  detailsMax,
  drainBytesMax,
  drainMilliseconds,
  loggedTargetCharactersMax,
  targetCharactersMax,
} from "../../../contract/limits.ts";
import { apiPrefix } from "../../../contract/paths.ts";
import { createFieldChecker, createQueryReader, parsePathParams } from "../../../contract/read-query.ts";
import { type SentTexts, sentInJson } from "../../../contract/sent-number.ts";
import { coordinatesFromText } from "../../../engine/model/coordinates.ts";
import { findDuplicateKey } from "../../../engine/model/json-object.ts";
import { visibleText } from "../../../engine/model/visible-text.ts";
import type { Store } from "../../../engine/store/store.ts";
import type { Client } from "./client-address.ts";
import type { Context, RequestState, TraceContext } from "./context.ts";

const noBody = Buffer.alloc(0);

/** The state of a request that has just arrived. It keeps the store to its end, whatever is swapped meanwhile. */
export function newRequest({ headers }: IncomingMessage, client: Client, store: Store | undefined): RequestState {
  return {
    requestId: requestIdFor(headers["x-request-id"] as string | undefined),
    trace: parseTraceparent(headers["traceparent"] as string | undefined),
    client,
    store,
    snapshot: store?.snapshot.id,
    path: "",
    queryText: "",
    principal: undefined,
    allowance: undefined,
    body: noBody,
    endpoint: undefined,
    place: undefined,
    isFile: false,
    answerBytes: undefined,
    errorCode: undefined,
    isRefused: false,
  };
}

const requestIdExpression = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * The id of a request in the log: the one its sender gave it, if it is 1 to 64 letters, digits, dots,
 * dashes or underscores and nothing like a key or signature, otherwise a new one.
 */
export function requestIdFor(sent = ""): string {
  return requestIdExpression.test(sent) && maskSecrets(sent) === sent ? sent : randomUUID();
}

const authorityExpression = /^https?:\/\/[^/?#]*/i;

/** A path with an optional query; "*" stands for the server (OPTIONS). */
const targetExpression = /^(?:\/[^#]*|\*)$/;

/**
 * Checks what HTTP requires of a request beyond what Node's parser checks: a supported version, one Host header, a
 * target within the limit that is a path with an optional query. A target in absolute form, as proxies send it, is cut
 * to that (RFC 9112, section 3.2.2).
 *
 * @throws {ApiError} URI_TOO_LONG or BAD_REQUEST.
 */
export function requireWellFormed({ req, state }: Context): void {
  let target = req.url as string;
  // The request behind a preflight gets the 414, and its page can read it.
  if (target.length > targetCharactersMax && req.method !== "OPTIONS") {
    const message = `The target has ${target.length} characters, expected at most ${targetCharactersMax}.`;
    throw new ApiError("URI_TOO_LONG", message, { headers: { Connection: "close" } });
  }
  // Node's parser also accepts 0.9, which has no headers, and 2.0, which has no such request line.
  if (req.httpVersion !== "1.1" && req.httpVersion !== "1.0") {
    throw broken(`The version is HTTP/${req.httpVersion}, expected HTTP/1.1.`);
  }
  requireHost(req);
  if (authorityExpression.test(target)) {
    target = target.replace(authorityExpression, "");
    if (!target.startsWith("/")) target = `/${target}`;
    req.url = target;
  }
  // Reading anything else would be guessing, and a fragment would be ignored silently.
  if (!targetExpression.test(target)) {
    throw broken("The target is not a path with an optional query and no fragment, expected one.");
  }
  const question = target.indexOf("?");
  state.path = question === -1 ? target : target.slice(0, question);
  state.queryText = question === -1 ? "" : target.slice(question + 1);
}

/** The newest Host that was found to be good: clients send few different ones. */
let knownHost = "";

/** RFC 9112, section 3.2: exactly one Host header, an authority or empty; only HTTP/1.0 has requests without. */
function requireHost({ headers: { host = "" }, rawHeaders, httpVersion }: IncomingMessage): void {
  let count = 0;
  // Names and values alternate. Node's own tables of headers keep one Host only, or cost more than this loop.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === "host") count++;
  }
  if (count > 1) throw broken(`The Host header is there ${count} times, expected it once.`);
  if (count === 0 && httpVersion === "1.1") throw broken("The Host header is absent, expected one.");
  if (host === knownHost || host === "") return;
  if (!isAuthority(host)) {
    throw broken("The Host header is no authority, expected a name or an IP address, and after a colon a port.");
  }
  knownHost = host;
}

/** A name, which may be percent-encoded, or an address in brackets, and a port (RFC 3986, section 3.2). */
const authorityOfHostExpression = /^(?:\[([^\]]+)\]|([\w.~!$&'()*+,;=%-]+))(?::\d{0,5})?$/;

function isAuthority(host: string): boolean {
  const [, address, name] = authorityOfHostExpression.exec(host) ?? [];
  return address === undefined ? name !== undefined && !/%(?![\da-f]{2})/i.test(name) : isIPv6(address);
}

/** The sender may have meant something else by what follows, so the connection ends. */
function broken(message: string): ApiError {
  return new ApiError("BAD_REQUEST", message, { headers: { Connection: "close" } });
}

/** Returns whether a body follows the headers of a request; it may be empty. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}

/**
 * Reads the body of a request that announces one. Its bytes are kept exactly as they came, because a signature is made
 * over them.
 *
 * A body that is too large is drained within bounds: a client that is still sending would otherwise see its connection
 * reset instead of the answer. A client that sent `Expect: 100-continue` gets `100 Continue` here, when nothing known
 * before has refused the request; otherwise its connection ends with the answer.
 *
 * @returns Undefined when there is no body.
 * @throws {ApiError} PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, or what the server found wrong with the body.
 */
export function readBody(request: IncomingMessage, response: ServerResponse): Promise<Buffer> | undefined {
  if (!announcesBody(request)) return undefined;
  const { "content-length": length, "transfer-encoding": coding } = request.headers;
  const announced = Number(length ?? 0);
  const isWaiting = expectsContinue(request);
  if (announced > bodyBytesMax) {
    const error = tooLarge(`${announced} bytes`);
    if (isWaiting) throw error;
    return drain(request).then(() => Promise.reject(error));
  }
  // A list of codings that ends in chunks passes Node's parser, which undoes only the chunks.
  if (coding !== undefined && coding.toLowerCase() !== "chunked") {
    throw unsupportedMediaType("Transfer-Encoding", coding, "chunked alone");
  }
  if (announced === 0 && coding === undefined) return undefined;
  if (isWaiting) response.writeContinue();
  return collect(request);
}

/** As Node decides it, for requests of HTTP/1.1. */
function expectsContinue({ headers: { expect }, httpVersion }: IncomingMessage): boolean {
  return expect !== undefined && httpVersion === "1.1" && /(?:^|\W)100-continue(?:$|\W)/i.test(expect);
}

async function collect(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let byteCount = 0;
  await read(request, (chunk) => {
    byteCount += chunk.length;
    if (byteCount > bodyBytesMax) return true;
    chunks.push(chunk);
    return false;
  });
  if (byteCount > bodyBytesMax) {
    await drain(request);
    throw tooLarge(`more than ${bodyBytesMax} bytes`);
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}

/** Reads and drops the body to its end, or to a bound in bytes and time. */
async function drain(request: IncomingMessage): Promise<void> {
  let byteCount = 0;
  const isEnough = (chunk: Buffer): boolean => {
    byteCount += chunk.length;
    return byteCount > drainBytesMax;
  };
  // The request is refused anyway.
  await read(request, isEnough, drainMilliseconds).catch(() => undefined);
}

/**
 * Reads a body chunk by chunk to its end, or until one was enough or the time is over.
 *
 * @throws {ApiError} What the server found wrong with the body; BAD_REQUEST when the connection is gone.
 */
function read(request: IncomingMessage, isEnough: (chunk: Buffer) => boolean, milliseconds?: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = milliseconds === undefined ? undefined : setTimeout(stop, milliseconds);
    request.on("data", take).on("end", stop).on("error", stop).on("close", loseConnection).resume();

    function take(chunk: Buffer): void {
      if (isEnough(chunk)) stop();
    }

    function loseConnection(): void {
      if (!request.readableEnded) stop(new Error("the connection was closed"));
    }

    function stop(error?: Error): void {
      clearTimeout(timer);
      // An ended request emits nothing but its close, and taking off listeners costs as much as reading a short body.
      if (!request.readableEnded) {
        request.off("data", take).off("end", stop).off("error", stop).off("close", loseConnection).pause();
      }
      if (error === undefined) resolve();
      else if (error instanceof ApiError) reject(error);
      else reject(new ApiError("BAD_REQUEST", "The body ended before it was complete.", { cause: error }));
    }
  });
}

function tooLarge(found: string): ApiError {
  const message = `The body has ${found}, expected at most ${bodyBytesMax} bytes.`;
  return new ApiError("PAYLOAD_TOO_LARGE", message, { headers: { Connection: "close" } });
}

/** Version, trace id, parent id, flags; only later versions may have more, behind a dash. Version ff is invalid. */
const traceparentExpression =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/s;

/**
 * The ids in a `traceparent` header.
 *
 * @returns undefined when the header is absent or malformed, which the standard says to ignore. Several headers, which
 *   Node joins with a comma, are malformed.
 */
export function parseTraceparent(header: string | undefined): TraceContext | undefined {
  if (header === undefined) return undefined;
  const [, version, traceId, parentId, flags, rest] = traceparentExpression.exec(header) ?? [];
  if (traceId === undefined || parentId === undefined || flags === undefined) return undefined;
  if (version === "00" && rest !== undefined) return undefined;
  return { trace_id: traceId, parent_id: parentId, trace_flags: flags };
}

/** A request target as it may be logged: without secrets, and cut to `loggedTargetCharactersMax`. */
export function maskTarget(target: string): string {
  const masked = maskSecrets(target);
  return masked.length <= loggedTargetCharactersMax ? masked : `${masked.slice(0, loggedTargetCharactersMax)}…`;
}

/** Matches a target with a parameter of that name, or of one that is encoded. */
const mayHavePoint = /[?&](?:near|[^=&]*%[^=&]*)=/;

/** A request target as the log has it: as `maskTarget`, and where somebody is, rounded to some ten kilometres. */
export function loggedTarget(target: string): string {
  if (!mayHavePoint.test(target)) return maskTarget(target);
  return maskTarget(target.replace(/(?<=[?&])[^=&]*=[^&]*/g, roundPoint));
}

/** The parameter `near` with its degrees rounded to a decimal, however encoded; any other as it is. */
function roundPoint(parameter: string): string {
  const [name, text] = Object.entries(parseParameters(parameter))[0] ?? [];
  if (name !== "near") return parameter;
  const point = coordinatesFromText(String(text));
  return `near=${point === undefined ? "…" : `${point.latitude.toFixed(1)},${point.longitude.toFixed(1)}`}`;
}

/** A request as it came. */
export interface RawInput {
  /** Decoded segments of the path. */
  readonly params: Readonly<Record<string, string>>;
  /** The text after the question mark; empty when there is none. */
  readonly queryText: string;
  readonly body: RawBody;
}

/** A body as it came, with the headers that describe it. */
export interface RawBody {
  readonly bytes: Buffer;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
}

/** Reads raw input; throws an ApiError when it is refused. */
export type InputReader = (raw: RawInput) => {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
};

/**
 * The reader of one endpoint's input; its schemas are compiled when first used. It checks in this order: path, query,
 * media type, JSON, the body's fields, fields together.
 *
 * Codes of what the reader throws: INVALID_UUID, VALIDATION_ERROR, UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON.
 */
export function createInputReader(endpoint: Endpoint): InputReader {
  const paramProblems = createFieldChecker(endpoint.params, sentInPath);
  const readQuery = createQueryReader(endpoint.query);
  const fieldsProblems = createFieldChecker(endpoint.body, sentInJson);
  return (raw) => {
    const params = parsePathParams(raw.params, endpoint.params);
    refuseParams(paramProblems(params, raw.params));
    const { values: query, problems } = readQuery(raw.queryText);
    refuse(problems);
    if (endpoint.method === "GET") refuse(bodyProblems(raw.body));
    const body = endpoint.method === "GET" ? {} : parseJsonBody(raw.body);
    refuse(fieldsProblems(body, raw.body.bytes));
    refuse(endpoint.check?.({ query, body }) ?? []);
    return { params, query, body };
  };
}

function sentInPath(params: RawInput["params"]): SentTexts {
  return (name) => [params[name] ?? ""];
}

function refuse(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw validationError(problems.slice(0, detailsMax));
}

function refuseParams(problems: readonly FieldProblem[]): void {
  const uuidProblem = problems.find(({ field }) => field === "uuid");
  if (uuidProblem !== undefined) throw new ApiError("INVALID_UUID", uuidProblem.message, { details: problems });
  refuse(problems);
}

const charsetExpression = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

/**
 * Returns whether a body is JSON in UTF-8 by its `Content-Type`. Other parameters of JSON mean nothing (RFC 8259,
 * section 11) and are ignored; a charset is one that senders mean.
 */
function isJsonType(contentType = ""): boolean {
  const [type = ""] = contentType.split(";", 1);
  const charset = charsetExpression.exec(contentType)?.[1] ?? "utf-8";
  return type.trim().toLowerCase() === "application/json" && /^utf-?8$/i.test(charset);
}

const byteOrderMark = "\uFEFF";

/**
 * Reads the JSON body of a POST. No body at all means no fields and needs no Content-Type.
 *
 * @returns An object; its fields are for the schema to check.
 * @throws {ApiError} UNSUPPORTED_MEDIA_TYPE; MALFORMED_JSON, also for a duplicate key, of which one value would be
 *   ignored; VALIDATION_ERROR when the JSON is not an object.
 */
export function parseJsonBody({ bytes, contentType, contentEncoding }: RawBody): object {
  if (bytes.length === 0) return {};
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== "identity") {
    throw unsupportedMediaType("Content-Encoding", contentEncoding, "no compression");
  }
  if (contentType !== "application/json" && !isJsonType(contentType)) {
    throw unsupportedMediaType("Content-Type", contentType, "application/json in UTF-8");
  }
  if (!isUtf8(bytes)) {
    const isUtf16 = ["fffe", "feff"].includes(bytes.toString("hex", 0, 2));
    const found = isUtf16 ? "begins with a byte order mark of UTF-16" : "is not valid UTF-8";
    throw new ApiError("MALFORMED_JSON", `The body ${found}, expected JSON in UTF-8.`);
  }
  const text = bytes.toString();
  // JSON refuses it as well, but names a character that nobody sees.
  if (text.startsWith(byteOrderMark)) {
    throw new ApiError("MALFORMED_JSON", "The body begins with a byte order mark, expected JSON without one.");
  }
  const value = parseJson(text);
  const duplicate = findDuplicateKey(text);
  if (duplicate !== undefined) {
    const key = JSON.stringify(excerptOf(duplicate));
    throw new ApiError("MALFORMED_JSON", `The body has the key ${key} twice, expected it once.`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const kind = value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`;
    throw validationError([{ field: "body", message: `The body is ${kind}, expected an object.`, received: null }]);
  }
  return value;
}

/** Refuses a body where none belongs. */
export function bodyProblems({ bytes }: RawBody): FieldProblem[] {
  if (bytes.length === 0) return [];
  const message = `The body has ${bytes.length} bytes, expected none with this method.`;
  return [{ field: "body", message, received: null }];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    // The message quotes some characters of the body, which may be a part of a secret, or invisible.
    const { message } = error as SyntaxError;
    const shown = maskSecrets(text) === text ? message : message.replace(/, (?:\.\.\.)?".*/s, "");
    const reason = excerptOf(visibleText(shown));
    throw new ApiError("MALFORMED_JSON", `The body is not JSON: ${reason}.`, { cause: error });
  }
}

/** Returns whether a path belongs to the interface, for which a key is needed. */
export function isBelowPrefix(path: string): boolean {
  return path.startsWith(apiPrefix) && (path.length === apiPrefix.length || path[apiPrefix.length] === "/");
}
