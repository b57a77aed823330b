/** Components of the description that operations refer to: keys, headers of requests, headers of answers. */

import { signatureWindowSeconds } from "../../contract/credentials.ts";
import { snapshotHeader } from "../../contract/header-names.ts";
import { snapshotIdPattern } from "../../engine/model/ids.ts";

/** A JSON Schema as the document has it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const anyText: JsonSchema = { type: "string" };

/** Every key is a header. The signature is parameters, because it is no credential to keep. */
export const securitySchemes = {
  PublicKey: keyScheme("A public key, svc_pub_…: it reads public data, needs no signature, and may be in a browser."),
  SecretKey: keyScheme(
    "A secret key, svc_sec_…, of a server. Every request with one is signed, to public endpoints as well: " +
      "each request needs a new X-Signature and X-Signature-Timestamp. [How to sign](/docs/signing).",
  ),
};

function keyScheme(description: string): object {
  return { type: "apiKey", in: "header", name: "X-API-Key", description };
}

export const sharedParameters = {
  Signature: headerParameter(
    "X-Signature",
    "The HMAC-SHA256 of METHOD|PATH|TIMESTAMP|BODY with the secret key, in lower-case hexadecimal. PATH includes " +
      "the query string, BODY is the raw body. No key goes here.",
    { type: "string", pattern: "^[0-9a-f]{64}$" },
  ),
  SignatureTimestamp: headerParameter(
    "X-Signature-Timestamp",
    `TIMESTAMP: the Unix time in whole seconds, at most ${signatureWindowSeconds} from the server's.`,
    { type: "string", pattern: "^(?:0|[1-9][0-9]*)$" },
  ),
  // None has an example: a made-up snapshot or tag has the request refused, and tools send all examples.
  SnapshotId: optionalHeader(
    snapshotHeader,
    "The snapshot to be answered from, as named by an earlier answer; another one is refused with SNAPSHOT_CHANGED, " +
      "so that pages of two snapshots never mix.",
    { type: "string", pattern: snapshotIdPattern },
  ),
  IfNoneMatch: optionalHeader("If-None-Match", "The ETag of an answer that the client has; 304 if it is still right."),
  IfMatch: optionalHeader("If-Match", "ETags of the file that the client wants, or *; 412 if it has none of them."),
  IfUnmodifiedSince: optionalHeader(
    "If-Unmodified-Since",
    "An HTTP date; 412 if the snapshot of the file was published later. Ignored beside If-Match.",
  ),
  IfModifiedSince: optionalHeader(
    "If-Modified-Since",
    "An HTTP date; 304 unless the snapshot of the file was published later. Ignored beside If-None-Match.",
  ),
  Range: optionalHeader("Range", "The part of the file that is requested, as bytes=0-1023."),
  IfRange: optionalHeader("If-Range", "ETag or date of the file whose part is requested; the whole of another one."),
};

export type SharedParameter = keyof typeof sharedParameters;

function headerParameter(name: string, description: string, schema: JsonSchema): object {
  return { name, in: "header", required: true, description, schema };
}

function optionalHeader(name: string, description: string, schema = anyText): object {
  return { ...headerParameter(name, description, schema), required: false };
}

export const sharedHeaders = {
  "X-Request-Id": textHeader("The name of the request in the server's log."),
  "X-Snapshot-Id": textHeader(
    "The snapshot that the answer comes from; of an error the one that is served. Absent while none is.",
  ),
  ETag: textHeader("Strong tag of the answer in its content coding, for If-None-Match."),
  "Cache-Control": textHeader(
    "private, no-cache: keep it, and ask with If-None-Match before using it again. Of downloads private, immutable.",
  ),
  "Last-Modified": textHeader("When the snapshot of the file was published."),
  "Accept-Ranges": textHeader("bytes: parts of the file can be requested."),
  "Content-Range": textHeader("Which bytes of how many the part is."),
  "Content-Disposition": textHeader("The name of the file, with the snapshot in it."),
  "X-Citation": textHeader(
    "How to cite the prices of the export: their sources with address and licence, the snapshot, and `<date>` for " +
      "the day of your access, in at most 300 characters. `%` and characters outside ASCII are percent-encoded UTF-8.",
  ),
  Link: textHeader('The licences of these sources: `<address>; rel="license"`. Absent where none is known.'),
  Vary: textHeader("The request headers that the answer depends on."),
  "RateLimit-Policy": textHeader(
    'What a key may ask for: `"key";q=600;w=60` is 600 requests in 60 seconds; absent where it has no limit.',
  ),
  RateLimit: textHeader(
    "What is left of that, `r`, and in how many seconds all of it is, `t`; where nothing is left, one request.",
  ),
  "Retry-After": {
    description: "The seconds after which to try again.",
    schema: { type: "integer", minimum: 0, "x-unit": "seconds" },
  },
  "WWW-Authenticate": textHeader(
    "ApiKey: a key in X-API-Key is expected; `error` has the code, which HEAD has nowhere else.",
  ),
};

function textHeader(description: string): object {
  return { description, schema: anyText };
}

export type SharedHeader = keyof typeof sharedHeaders;

export const headersOfAll: readonly SharedHeader[] = ["X-Request-Id", "X-Snapshot-Id", "RateLimit-Policy", "RateLimit"];
export const headersOfGet: readonly SharedHeader[] = [...headersOfAll, "ETag", "Cache-Control", "Vary"];

/** Headers of an answer, as references. */
export function referToHeaders(names: readonly SharedHeader[]): object {
  return Object.fromEntries(names.map((name) => [name, referTo("headers", name)]));
}

/** A reference to a component. @param kind The list of the components that has it. */
export function referTo(kind: "headers" | "parameters" | "responses" | "schemas", name: string): JsonSchema {
  return { $ref: `#/components/${kind}/${name}` };
}
