/** The `sign` command's work: checks what was typed and makes the headers that a secret key's request must carry. */
import { readFile } from "node:fs/promises";
import { keyKindOf } from "../auth/key-format.ts";
import { parseTimestamp, signRequest } from "../auth/signature.ts";
import { RefusedError, WrongUseError } from "./command.ts";
import { type CurlBody, curlCommand } from "./curl-command.ts";

/** What was typed, unchecked. */
export interface TypedCall {
  readonly method: string;
  readonly path: string;
  /** The body itself, or `@` and the path of a file that holds it. */
  readonly body?: string | undefined;
  readonly key?: string | undefined;
  /** The service's clock is the caller's where this is absent. */
  readonly timestamp?: string | undefined;
}

/** A request that is ready to be sent. */
export interface SignedCall {
  readonly method: string;
  readonly path: string;
  /** `X-API-Key`, `X-Signature` and `X-Signature-Timestamp`, in this order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: CurlBody | undefined;
}

/** A path with query string of characters that RFC 3986 lets stand there as they are, anything else as `%` and two digits. */
const pathExpression = /^\/(?:[\w\-.~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*$/;

/**
 * Signs a call.
 *
 * @param nowMilliseconds The clock, for a call without a timestamp.
 * @throws {WrongUseError} when something was typed that cannot be signed.
 * @throws {RefusedError} when the file with the body cannot be read.
 */
export async function signCall(typed: TypedCall, nowMilliseconds: number): Promise<SignedCall> {
  const method = checkedMethod(typed.method);
  const path = checkedPath(typed.path);
  const key = checkedSecretKey(typed.key);
  const timestamp = checkedTimestamp(typed.timestamp ?? String(Math.floor(nowMilliseconds / 1000)));
  const body = checkedBody(typed.body, method);
  const signature = signRequest(key, { method, path, timestamp, body: await bodyBytes(body) });
  return {
    method,
    path,
    headers: [
      ["X-API-Key", key],
      ["X-Signature", signature],
      ["X-Signature-Timestamp", timestamp],
    ],
    body,
  };
}

/**
 * A curl command that sends a signed call.
 *
 * @param baseUrl What stands before the path, with or without a slash at its end.
 * @throws {WrongUseError} when `baseUrl` is not the beginning of an http or https address.
 */
export function curlOfSignedCall({ method, path, headers, body }: SignedCall, baseUrl: string): string {
  if (!/^https?:\/\/[^?#\s]+$/.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new WrongUseError(`--base-url is "${baseUrl}", expected one like http://127.0.0.1:3000`);
  }
  const url = baseUrl.replace(/\/+$/, "") + path;
  const bodyHeaders = body === undefined ? [] : [["Content-Type", "application/json"] as const];
  return curlCommand({ method, url, headers: [...headers, ...bodyHeaders], body });
}

function checkedMethod(typed: string): string {
  const method = typed.toUpperCase();
  if (!/^[A-Z]+$/.test(method)) throw new WrongUseError(`METHOD is "${typed}", expected one like GET or POST`);
  return method;
}

function checkedPath(path: string): string {
  if (!path.startsWith("/")) {
    throw new WrongUseError(`PATH is "${path}", expected a path that begins with "/" such as /api/v1/counties`);
  }
  if (!pathExpression.test(path)) {
    throw new WrongUseError(`PATH is "${path}", expected special characters as %20 and the like, and no fragment`);
  }
  return path;
}

function checkedSecretKey(key: string | undefined): string {
  if (key === undefined || key === "") {
    throw new WrongUseError("no key: give a secret key with --key, or in the environment as SIGNING_KEY");
  }
  const kind = keyKindOf(key);
  if (kind === "secret") return key;
  throw new WrongUseError(
    kind === "public"
      ? "the key is a public key, expected a secret key: requests with a public key carry no signature"
      : "the key is mistyped or not a key of this service, expected svc_sec_ and 33 letters and digits",
  );
}

function checkedTimestamp(timestamp: string): string {
  if (parseTimestamp(timestamp) !== undefined) return timestamp;
  throw new WrongUseError(`--timestamp is "${timestamp}", expected whole seconds since 1970 such as 1767225600`);
}

function checkedBody(typed: string | undefined, method: string): CurlBody | undefined {
  if (typed === undefined) return undefined;
  if (method === "GET" || method === "HEAD") {
    throw new WrongUseError(`--body goes with a method that has a body, ${method} has none`);
  }
  if (!typed.startsWith("@")) return { text: typed };
  const file = typed.slice(1);
  // curl takes "@-" for standard input.
  if (file === "" || file === "-") throw new WrongUseError(`--body is "${typed}", expected @ and the path of a file`);
  return { file };
}

async function bodyBytes(body: CurlBody | undefined): Promise<Uint8Array> {
  if (body === undefined) return new Uint8Array();
  if ("text" in body) return Buffer.from(body.text);
  try {
    return await readFile(body.file);
  } catch (cause) {
    throw new RefusedError(`${body.file}: the body cannot be read: ${(cause as Error).message}`, { cause });
  }
}
