/** The `sign` command: checks what was typed and makes the headers that a request with a secret key must carry. */
import { readFile } from "node:fs/promises";
import { keyKindOf, signRequest } from "../contract/credentials.ts";
import { RefusedError, WrongUseError } from "./command.ts";
import { type CurlBody, type CurlRequest, curlCommand } from "./curl-command.ts";

/** The arguments as typed, unchecked. */
export interface TypedCall {
  readonly method: string;
  readonly path: string;
  /** The body itself, or `@` and the path of a file that holds it. */
  readonly body?: string | undefined;
  readonly key?: string | undefined;
  /** The caller's clock where this is absent. */
  readonly timestamp?: string | undefined;
}

/** A request to send, with the headers `X-API-Key`, `X-Signature` and `X-Signature-Timestamp`, in this order. */
export interface SignedCall extends Omit<CurlRequest, "url"> {
  readonly path: string;
}

/** Seconds as a server accepts them, without a sign: in milliseconds they are longer. */
const timestampExpression = /^(?:0|[1-9]\d{0,11})$/;

/** A path with query string, of the characters that RFC 3986 allows there, anything else as `%` and two digits. */
const pathExpression = /^\/(?:[\w\-.~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*$/;

/**
 * Signs a call.
 *
 * @param nowMilliseconds The clock, for a call without a timestamp.
 * @throws {WrongUseError} when something typed cannot be signed.
 * @throws {RefusedError} when the file with the body cannot be read.
 */
export async function signCall(typed: TypedCall, nowMilliseconds: number): Promise<SignedCall> {
  const { path, timestamp = String(Math.floor(nowMilliseconds / 1000)) } = typed;
  const method = typed.method.toUpperCase();
  demand(/^[A-Z]+$/.test(method), `METHOD is "${typed.method}", expected one like GET or POST`);
  demand(path.startsWith("/"), `PATH is "${path}", expected a path that begins with "/" such as /api/v1/counties`);
  const wantedPath = "special characters as %20 and the like, and no fragment";
  demand(pathExpression.test(path), `PATH is "${path}", expected ${wantedPath}`);
  const key = checkedSecretKey(typed.key);
  const wantedTimestamp = "whole seconds since 1970 such as 1767225600";
  demand(timestampExpression.test(timestamp), `--timestamp is "${timestamp}", expected ${wantedTimestamp}`);
  const body = checkedBody(typed.body, method);
  const signature = signRequest(key, { method, path, timestamp, body: await bodyBytes(body) });
  const headers = [
    ["X-API-Key", key],
    ["X-Signature", signature],
    ["X-Signature-Timestamp", timestamp],
  ] as const;
  return { method, path, headers, body };
}

/**
 * A curl command that sends a signed call.
 *
 * @param baseUrl The address before the path, with or without a slash at its end.
 * @throws {WrongUseError} when `baseUrl` is not the beginning of an http or https address.
 */
export function curlOfSignedCall({ method, path, headers, body }: SignedCall, baseUrl: string): string {
  const isBaseUrl = /^https?:\/\/[^?#\s]+$/.test(baseUrl) && URL.canParse(baseUrl);
  demand(isBaseUrl, `--base-url is "${baseUrl}", expected one like http://127.0.0.1:3000`);
  const url = baseUrl.replace(/\/+$/, "") + path;
  const bodyHeaders = body === undefined ? [] : [["Content-Type", "application/json"] as const];
  return curlCommand({ method, url, headers: [...headers, ...bodyHeaders], body });
}

/** @throws {WrongUseError} with the problem unless it is right. */
function demand(isRight: boolean, problem: string): void {
  if (!isRight) throw new WrongUseError(problem);
}

function checkedSecretKey(key = ""): string {
  demand(key !== "", "no key: give a secret key with --key, or in the environment as SIGNING_KEY");
  const kind = keyKindOf(key);
  const isPublic = "the key is a public key, expected a secret key: requests with a public key carry no signature";
  demand(kind !== "public", isPublic);
  const isNone = "the key is mistyped or not a key of this service, expected svc_sec_ and 33 letters and digits";
  demand(kind === "secret", isNone);
  return key;
}

function checkedBody(typed: string | undefined, method: string): CurlBody | undefined {
  if (typed === undefined) return undefined;
  const hasBody = method !== "GET" && method !== "HEAD";
  demand(hasBody, `--body goes with a method that has a body, ${method} has none`);
  if (!typed.startsWith("@")) return { text: typed };
  const file = typed.slice(1);
  // curl reads "@-" from standard input.
  demand(file !== "" && file !== "-", `--body is "${typed}", expected @ and the path of a file`);
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
