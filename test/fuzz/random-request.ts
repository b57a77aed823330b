/**
 * Requests to the endpoints: valid ones, and valid ones with one part changed. All of them are well-formed HTTP,
 * mostly.
 */
import type { RandomChoice } from "../../bench/questions/random-choice.ts";
import { signRequest } from "../../src/contract/credentials.ts";
import type { Api, Operation } from "./api-operations.ts";
import type { ExpectedAnswer } from "./fuzz-case.ts";
import { changedBytes, changedText } from "./random-changes.ts";
import { goodValue, unusualValue, type WrittenValue } from "./random-value.ts";

/** Keys that the service knows, and keys that it refuses. */
export interface FuzzKeys {
  readonly publicKey: string;
  readonly secretKey: string;
  /** Revoked, expired, unknown or mistyped ones. */
  readonly refused: readonly string[];
}

export interface PlainRequest extends ExpectedAnswer {
  readonly kind: string;
  readonly target: string;
  readonly version: string;
  /** Names and values alternately, in the order in which they are sent. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** Whether every reader finds the end of the request where it is. */
  readonly hasEnd: boolean;
}

export interface RequestSource {
  readonly api: Api;
  readonly keys: FuzzKeys;
  readonly random: RandomChoice;
  /** Which field is changed: counts through all fields of all endpoints. */
  readonly turn: number;
}

/** A valid question may find nothing, and two valid fields may contradict each other. */
const answered = [200, 400, 404];

type Parts = Map<string, WrittenValue>;

/** A request whose fields are all good. */
export function validRequest(source: RequestSource, operation = source.random.of(source.api.operations)): PlainRequest {
  return write(source, operation, "valid", goodParts(source, operation), {});
}

const changes: Readonly<Record<string, (source: RequestSource) => PlainRequest>> = {
  field: unusualField,
  fields: otherFields,
  body: unusualBody,
  path: unusualPath,
  method: unusualMethod,
  key: unusualKey,
  signature: unusualSignature,
  header: unusualHeader,
};

/** Names of the changes, fields more often than the rest. */
const changeNames = ["field", "field", "field", "field", ...Object.keys(changes)];

/** A valid request with one part changed. */
export function changedRequest(source: RequestSource): PlainRequest {
  return (changes[source.random.of(changeNames)] as typeof unusualField)(source);
}

/** The bytes of a request as they are sent. */
export function requestBytes({ method, target, version, headers, body }: PlainRequest): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${method} ${target} ${version}\r\n${lines.join("")}\r\n`, "latin1");
  return Buffer.concat([head, body]);
}

function goodParts({ api, random }: RequestSource, { fields }: Operation): Parts {
  const parts: Parts = new Map();
  for (const field of fields) {
    if (field.isRequired || random.below(3) === 0) parts.set(field.name, goodValue(field, api, random));
  }
  return parts;
}

function unusualField(source: RequestSource): PlainRequest {
  const { api, random, turn } = source;
  const pairs = api.operations.flatMap((operation) => operation.fields.map((field) => ({ operation, field })));
  const { operation, field } = pairs[turn % pairs.length] as (typeof pairs)[number];
  const value = random.below(20) === 0 ? misplacedKey(source) : unusualValue(field, api, random);
  const parts = goodParts(source, operation).set(field.name, value);
  return write(source, operation, `field ${field.name}`, parts, {});
}

/** A key where a client should not put one; neither answer nor log may repeat it. */
function misplacedKey({ keys, random }: RequestSource): WrittenValue {
  const key = random.of([keys.publicKey, keys.secretKey, `a ${keys.secretKey} b`]);
  return { json: JSON.stringify(key), text: key };
}

/** A field more, less, or twice. */
function otherFields(source: RequestSource): PlainRequest {
  const { api, random } = source;
  const operation = random.of(api.operations);
  const parts = goodParts(source, operation);
  const name = random.of([
    ...parts.keys(),
    "x",
    "__proto__",
    "constructor",
    "Page",
    "page_size[]",
    "",
    "é",
    "a.b",
    "page",
  ]);
  if (random.below(10) === 0) {
    parts.set(misplacedKey(source).text, misplacedKey(source));
    return write(source, operation, "a key as a field", parts, {});
  }
  const isTwice = parts.has(name) && random.below(2) === 0;
  if (isTwice) return write(source, operation, "field twice", parts, { twice: name });
  if (!parts.delete(name)) parts.set(name, { json: "1", text: "1" });
  return write(source, operation, "other fields", parts, {});
}

/** The body as a whole. */
function unusualBody(source: RequestSource): PlainRequest {
  const { api, random } = source;
  const posts = api.operations.filter(({ method }) => method === "POST");
  const operation = random.of(random.below(8) === 0 ? api.operations : posts);
  const { body } = write(source, operation, "", goodParts(source, operation), {});
  const text = body.toString();
  const odd: Buffer = random.of<() => Buffer>([
    () => body.subarray(0, random.below(body.length + 1)),
    () => Buffer.from(changedText(text, random)),
    () => changedBytes(body, random),
    () => Buffer.from(`\ufeff${text}`),
    () => Buffer.from(text, "utf16le"),
    () => Buffer.from(text + text),
    () =>
      Buffer.from(random.of(["null", "1", '"a"', "[]", "true", "", " ", "\n\n", "{", "}", "[{}]", "{}\0", "//\n{}"])),
    () => Buffer.from(`${random.of(['{"a":', "["]).repeat(random.of([50, 5000, 60_000]))}`.slice(0, 65_536)),
    () => Buffer.from(`{${'"a":1,'.repeat(random.of([10, 9000]))}"b":2}`),
    () => Buffer.from(`{${Array.from({ length: 5000 }, (_, at) => `"${at}":0`).join(",")}}`),
    () => Buffer.from(`${" ".repeat(random.of([65_534, 65_535, 70_000, 200_000]))}{}`),
    () => Buffer.concat([Buffer.from('{"query":"'), Buffer.from([0xff, 0xc0, 0x80]), Buffer.from('"}')]),
  ])();
  return write(source, operation, "body", new Map(), { body: odd });
}

function unusualPath(source: RequestSource): PlainRequest {
  const { api, random } = source;
  const operation = random.of(api.operations);
  const { target } = write(source, operation, "", goodParts(source, operation), {});
  const slash = random.below(target.length);
  const odd: string = random.of<() => string>([
    () => `${target}/`,
    () => `/${target}`,
    () => target.replace("/api", "/api/"),
    () =>
      target.replace("/v1/", random.of(["/v1/./", "/v1/../v1/", "/v1//", "/v1/%2e%2e/v1/", "/v1%2f", "/V1/", "/v2/"])),
    () => target.replace("/v1/", "/v1;a=b/"),
    () => target.toUpperCase(),
    () => target.replace(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`).replace(/^%2f/, "/"),
    () =>
      target.slice(0, slash) +
      random.of(["%00", "%2F", "%", "%c0%af", "%25", "\\", "|", "^", "\u00e9", "\x7f", "\x01"]) +
      target.slice(slash),
    () => `http://prices.example${target}`,
    () => `//prices.example${target}`,
    () => `${target}?${"a=1&".repeat(random.of([1, 100, 1500]))}`,
    () => `${target}${random.of(["?", "?&&&", "?=", "??", "#x", "?a#b", "?%", "?page=%31", "?page=1&page=2"])}`,
    () => changedText(target, random).replaceAll(/[\r\n]/g, ""),
    () => `${target}/${encodeURIComponent(misplacedKey(source).text)}`,
    () => `/${"x".repeat(random.of([8190, 8191, 8192, 15_000]))}`,
    () =>
      random.of([
        "/",
        "*",
        "",
        "/openapi.json",
        "/docs",
        "/docs/",
        "/metrics",
        "/ready",
        "/live",
        "/reload",
        "/favicon.ico",
      ]),
    () => random.of(["/api", "/api/v1", "/api/v1/", "/api/v1/__proto__", "/api/v1/prices/constructor", "/.git/HEAD"]),
    () => `${target.split("?")[0]}${"/a".repeat(random.of([1, 10, 2000]))}`,
  ])();
  return write(source, operation, "path", new Map(), { target: odd });
}

const methods = [
  "HEAD",
  "OPTIONS",
  "PUT",
  "DELETE",
  "PATCH",
  "TRACE",
  "PROPFIND",
  "GET",
  "POST",
  "QUERY",
  "LINK",
  "PURGE",
];

function unusualMethod(source: RequestSource): PlainRequest {
  const operation = source.random.of(source.api.operations);
  const method = source.random.of(methods);
  return write(source, operation, "method", goodParts(source, operation), { method });
}

function unusualKey(source: RequestSource): PlainRequest {
  const { keys, random, api } = source;
  const operation = random.of(api.operations);
  const { publicKey, secretKey } = keys;
  const key = random.of([
    ...keys.refused,
    ...["", " ", "x", "svc_pub_", "svc_sec_", publicKey.toLowerCase(), `${publicKey}x`, publicKey.slice(0, -1)],
    ...[
      `${publicKey},${publicKey}`,
      `Bearer ${publicKey}`,
      `"${publicKey}"`,
      "x".repeat(10_000),
      "__proto__",
      "\u00ff",
    ],
    changedText(random.of([publicKey, secretKey]), random).replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, ""),
  ]);
  // A blank at an end is no part of a header's value.
  const isWrong = key.trim() !== publicKey && key.trim() !== secretKey;
  return write(source, operation, "key", goodParts(source, operation), isWrong ? { key, statuses: [401] } : { key });
}

function unusualSignature(source: RequestSource): PlainRequest {
  const { keys, random, api } = source;
  const operation = random.of(api.operations);
  const now = Math.floor(Date.now() / 1000);
  const signed = random.of<(headers: Map<string, string>) => void>([
    (headers) => headers.delete("X-Signature"),
    (headers) => headers.delete("X-Signature-Timestamp"),
    (headers) => headers.set("X-Signature", (headers.get("X-Signature") ?? "").toUpperCase().replace(/^\d*$/, "A")),
    (headers) => headers.set("X-Signature", "0".repeat(random.of([0, 1, 63, 64, 65, 5000]))),
    (headers) => headers.set("X-Signature", flippedDigit(headers.get("X-Signature") ?? "", random)),
    (headers) => headers.set("X-Signature", `${headers.get("X-Signature")},${headers.get("X-Signature")}`),
    (headers) => headers.set("X-Signature-Timestamp", String(now + random.of([-400, 400, 1e6, -1e6, 1e15]))),
    (headers) =>
      headers.set(
        "X-Signature-Timestamp",
        random.of(["", "x", "1e9", "-1", `${now}.0`, `0${now}`, `${now}000`, "NaN"]),
      ),
  ]);
  return write(source, operation, "signature", goodParts(source, operation), {
    key: keys.secretKey,
    changeHeaders: signed,
    statuses: [401],
  });
}

function flippedDigit(signature: string, random: RandomChoice): string {
  const at = random.below(signature.length);
  return signature.slice(0, at) + (signature[at] === "0" ? "1" : "0") + signature.slice(at + 1);
}

const unusualHeaders: Readonly<Record<string, readonly string[]>> = {
  Accept: ["application/problem+json", "text/html", "*/*;q=0", "application/*", ",,,", "a/b;".repeat(2000), "\u00ff"],
  "Accept-Encoding": [
    "gzip",
    "br",
    "zstd",
    "gzip;q=0, *",
    "identity;q=0",
    "*;q=0",
    "gzip, br;q=2",
    "x".repeat(300),
    ";;;",
    "gzip;q=NaN",
  ],
  "If-None-Match": ["*", '"x"', 'W/"x"', '"', `"${"x".repeat(9000)}"`, ",".repeat(5000), '"a", "b"'],
  "If-Modified-Since": ["Sat, 29 Oct 1994 19:43:31 GMT", "x"],
  Range: ["bytes=0-1", "bytes=1-0", "x"],
  "Content-Type": [
    "text/plain",
    "application/json; charset=utf-16",
    "application/json;charset=utf-8;a=b",
    "",
    "application/JSON ",
    "x".repeat(5000),
  ],
  "Content-Encoding": ["gzip", "identity", "br", "", "identity, gzip"],
  Expect: ["100-continue", "200-ok", ""],
  Connection: ["close", "keep-alive", "Upgrade", "close, keep-alive", "x-api-key", "host", "te, upgrade, close"],
  Upgrade: ["websocket", "h2c", "TLS/1.0, HTTP/1.1"],
  TE: ["trailers", "chunked"],
  Host: ["", "a b", "[::1", "x:99999", "\u00e9"],
  Origin: ["null", "https://evil.example", "x".repeat(5000)],
  "X-Request-Id": ["a", "a b", "x".repeat(64), "x".repeat(65), "../..", "svc_sec_x", "\u00ff"],
  "X-Forwarded-For": ["127.0.0.1", "::1, 1.2.3.4", "x".repeat(8000), "unknown", "1.2.3.4:5"],
  "X-Forwarded-Host": ["evil.example"],
  "X-HTTP-Method-Override": ["DELETE"],
  traceparent: ["00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "x", "00-0-0-0", "ff".repeat(500)],
  "X-Snapshot-Id": ["x", "20260101T000000Z-000000000000", ""],
  Cookie: ["a=b; ".repeat(500)],
  "Content-Length": ["", "0", "1", "-1", "1e3", "99999999999999999999", "65537"],
  "Transfer-Encoding": ["chunked", "gzip", "identity", "chunked, chunked", "gzip, chunked", ""],
};

function unusualHeader(source: RequestSource): PlainRequest {
  const { random, api } = source;
  const operation = random.of(api.operations);
  const name = random.of(Object.keys(unusualHeaders));
  const value = random.below(30) === 0 ? misplacedKey(source).text : random.of(unusualHeaders[name] ?? []);
  return write(source, operation, `header ${name}`, goodParts(source, operation), {
    hasEnd: name !== "Content-Length" && name !== "Transfer-Encoding",
    changeHeaders: (headers) => headers.set(name, value),
  });
}

/** Parts of a request that are not made from its fields. */
interface Changes {
  readonly method?: string;
  readonly target?: string;
  readonly body?: Buffer;
  readonly key?: string;
  readonly statuses?: readonly number[];
  readonly hasEnd?: boolean;
  /** The name of a field that is written twice. */
  readonly twice?: string;
  /** Called when the request is signed. */
  readonly changeHeaders?: (headers: Map<string, string>) => unknown;
}

function write(
  source: RequestSource,
  operation: Operation,
  kind: string,
  parts: Parts,
  changes: Changes,
): PlainRequest {
  const { random, keys } = source;
  const {
    method = operation.method,
    key = operation.isSecret || random.below(6) === 0 ? keys.secretKey : keys.publicKey,
  } = changes;
  // Now and then as a client writes it that encodes nothing, unless the answer is known beforehand.
  const isRaw = random.below(20) === 0 && changes.statuses === undefined;
  const target = changes.target ?? targetOf(operation, parts, changes.twice, isRaw);
  const body = changes.body ?? bodyOf(operation, parts, changes.twice);
  const headers = new Map([["Host", "prices.example"]]);
  if (key !== "" || random.below(2) === 0) headers.set("X-API-Key", key);
  if (body.length > 0) headers.set("Content-Type", "application/json").set("Content-Length", String(body.length));
  if (key === keys.secretKey) {
    const timestamp = String(Math.floor(Date.now() / 1000));
    headers.set("X-Signature-Timestamp", timestamp);
    headers.set("X-Signature", signRequest(key, { method, path: target, timestamp, body }));
  }
  if (random.below(3) === 0)
    headers.set("Accept-Encoding", random.of(["gzip", "br", "zstd", "gzip, deflate, br, zstd"]));
  changes.changeHeaders?.(headers);
  const statuses = changes.statuses ?? (kind === "valid" ? answered : undefined);
  const isRequested = method === operation.method && changes.target === undefined;
  return {
    kind,
    method,
    target,
    version: "HTTP/1.1",
    headers: [...headers],
    body,
    hasEnd: changes.hasEnd ?? true,
    ...(statuses === undefined ? {} : { statuses }),
    ...(isRequested ? { operation } : {}),
  };
}

function targetOf({ path, fields }: Operation, parts: Parts, twice: string | undefined, isRaw: boolean): string {
  const encode = (text: string): string => {
    if (isRaw) return text.replaceAll(/[\r\n ]/g, "+").slice(0, 6000);
    // Half a surrogate pair has no encoding.
    return encodeURIComponent(text.toWellFormed()).slice(0, 12_000);
  };
  const placeOf = (name: string): string => fields.find((field) => field.name === name)?.place ?? "query";
  const inPath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(parts.get(name)?.text ?? "x"));
  const pairs = [...parts]
    .filter(([name]) => placeOf(name) === "query")
    .map(([name, { text }]) => `${encode(name)}=${encode(text)}`);
  if (twice !== undefined) pairs.push(`${encode(twice)}=${encode(parts.get(twice)?.text ?? "")}`);
  const isQuery = pairs.length > 0 && fields.every(({ place }) => place !== "body");
  return isQuery ? `${inPath}?${pairs.join("&")}` : inPath;
}

function bodyOf({ method, fields }: Operation, parts: Parts, twice: string | undefined): Buffer {
  if (method === "GET") return Buffer.alloc(0);
  const members = [...parts]
    .filter(([name]) => fields.find((field) => field.name === name)?.place !== "path")
    .map(([name, { json }]) => `${JSON.stringify(name)}:${json}`);
  if (twice !== undefined) members.push(`${JSON.stringify(twice)}:${parts.get(twice)?.json}`);
  return Buffer.from(`{${members.join(",")}}`);
}
