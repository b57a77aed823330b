/**
 * Authentication, checked in this order: a key is there, it is known, not revoked and not expired (a wrong key pays a
 * token of the limit of its client's address, and its answer says whether it is a key by shape and checksum); then,
 * after the body was read, for a secret key: both signature headers, the time window, the signature.
 * `handle-request.ts` checks what the key may do.
 */

import { hash } from "node:crypto";
import {
  isSignature,
  keyKindOf,
  parseTimestamp,
  type SignedRequest,
  SigningKey,
  secondsAhead,
  signatureMatches,
  signatureWindowSeconds,
  timestampIsFresh,
  wrongUnitOf,
} from "../../../contract/credentials.ts";
import { ApiError, excerptOf } from "../../../contract/errors.ts";
import { isPlaceholder, placeholderText } from "../../../contract/placeholder.ts";
import { findMistake } from "../../../contract/signature-mistakes.ts";
import { instantText } from "../../../engine/model/calendar.ts";
import { getOrInsert } from "../../../engine/model/get-or-insert.ts";
import type { RingEntry } from "../../auth/key-ring.ts";
import type { Context } from "../request/context.ts";
import { maskTarget } from "../request/read-request.ts";
import type { RequestDependencies } from "../request/request-dependencies.ts";
import type { RateLimits } from "./rate-limits.ts";

const signatureHeader = "X-Signature";
const timestampHeader = "X-Signature-Timestamp";

/**
 * Finds the key of a request and notes its use.
 *
 * @throws {ApiError} MISSING_API_KEY, INVALID_API_KEY, or RATE_LIMITED in place of these.
 */
export function authenticateKey(
  ctx: Context,
  { currentKeys, now, rateLimits }: RequestDependencies & { readonly rateLimits?: RateLimits },
): RingEntry {
  const { req, state } = ctx;
  const invalid = (message: string): ApiError => {
    rateLimits?.admitAddress("guess", state.client);
    return new ApiError("INVALID_API_KEY", message);
  };
  const key = req.headers["x-api-key"] as string | undefined;
  // An empty header is a header: its key is invalid, not missing.
  if (key === undefined) {
    rateLimits?.admitAddress("missing", state.client);
    throw new ApiError("MISSING_API_KEY", missingKeyMessage(ctx));
  }
  const ring = currentKeys();
  const entry = ring.find(key);
  if (entry === undefined) {
    if (isPlaceholder(key)) throw invalid(`X-API-Key is ${JSON.stringify(excerptOf(key))}, ${placeholderText}.`);
    const isKey = keyKindOf(key) !== undefined;
    throw invalid(`X-API-Key is not a key ${isKey ? "of this service." : "by form and checksum; is it complete?"}`);
  }
  if (entry.revokedAt !== null) throw invalid("X-API-Key has been revoked.");
  // The clock is read only for a key that expires.
  if (entry.expiresAt !== null && now() >= entry.expiresAt) {
    throw invalid(`X-API-Key has expired; it was valid until ${instantText(entry.expiresAt)}.`);
  }
  // A client with a wrong signature or clock uses the key as well.
  ring.noteUse(entry);
  return entry;
}

/** Names of query parameters in which clients of other services send keys. */
const keyParameterExpression = /(?:^|&)(api[_-]?key|x-api-key|key|access_token|token)=/i;

/**
 * Names the place where the key was sent instead, for a client that is used to another service; the table's text where
 * it was nowhere.
 */
function missingKeyMessage({ req, state }: Context): string | undefined {
  const [, parameter] = keyParameterExpression.exec(state.queryText) ?? [];
  const found =
    req.headers.authorization !== undefined
      ? "an Authorization header"
      : parameter && `the query parameter ${parameter}`;
  if (found === undefined) return undefined;
  return `The X-API-Key header is absent, and ${found} is not read; send your key in X-API-Key.`;
}

/** The secret keys that have been used; with the ring that they are in they are dropped. */
const signingKeys = new WeakMap<RingEntry, SigningKey>();

/**
 * Checks the signature of a secret key's request.
 *
 * @param entry The key that `authenticateKey` has found.
 * @throws {ApiError} INVALID_SIGNATURE or TIMESTAMP_EXPIRED.
 */
export function authenticateSignature({ req, state }: Context, entry: RingEntry, { now }: RequestDependencies): void {
  const signature = (req.headers["x-signature"] ?? "") as string;
  const timestamp = (req.headers["x-signature-timestamp"] ?? "") as string;
  const key = req.headers["x-api-key"] as string;
  const signed = { method: req.method as string, path: req.url as string, timestamp, body: state.body };
  const seconds = parseTimestamp(timestamp);
  if (!isSignature(signature)) {
    const mistake = seconds === undefined ? undefined : findMistake(signature, key, signed);
    const unread = signature === "" ? "absent" : isPlaceholder(signature) ? placeholderText : "malformed";
    const found = mistake === undefined ? unread : `that of the request, ${mistake}`;
    throw new ApiError("INVALID_SIGNATURE", `${signatureHeader} is ${found}, expected 64 lower-case hex digits.`);
  }
  if (seconds === undefined) {
    const found = timestamp === "" ? "absent" : "malformed";
    throw new ApiError("INVALID_SIGNATURE", `${timestampHeader} is ${found}, expected a Unix time in seconds.`);
  }
  const milliseconds = now();
  if (!timestampIsFresh(seconds, milliseconds)) throw timestampExpired(timestamp, secondsAhead(seconds, milliseconds));
  const signingKey = getOrInsert(signingKeys, entry, () => new SigningKey(key));
  if (signatureMatches(signature, signingKey, signed)) return;
  const mistake = findMistake(signature, key, signed);
  const found = mistake === undefined ? "" : `, it is ${mistake}`;
  throw new ApiError(
    "INVALID_SIGNATURE",
    `${signatureHeader} does not match METHOD|PATH|TIMESTAMP|BODY${found}: ${describeSigned(signed)}.`,
  );
}

/** @param ahead How far the time is ahead of the server's clock, in seconds. */
function timestampExpired(timestamp: string, ahead: number): ApiError {
  const unit = wrongUnitOf(timestamp);
  if (unit !== undefined) {
    return new ApiError("TIMESTAMP_EXPIRED", `${timestampHeader} is in ${unit}, expected a Unix time in seconds.`);
  }
  // A greater distance is not exact.
  const distance = Number.isSafeInteger(ahead) ? Math.abs(ahead) : `more than ${Number.MAX_SAFE_INTEGER}`;
  const found = `${distance} seconds ${ahead < 0 ? "behind" : "ahead of"} the server's clock`;
  return new ApiError(
    "TIMESTAMP_EXPIRED",
    `${timestampHeader} is ${found}, expected at most ${signatureWindowSeconds}.`,
  );
}

/**
 * Describes a request whose signature does not match as the server saw it, for a client to compare with what it signed:
 * a proxy may have changed it. Nothing of the key or of the right signature is in it.
 */
function describeSigned({ method, path, timestamp, body }: SignedRequest): string {
  const digest = hash("sha256", body);
  const ofBody = `a body of ${body.length} bytes with the SHA-256 ${digest}`;
  return `the server saw ${method}|${maskTarget(path)}|${timestamp}| and ${ofBody}`;
}
