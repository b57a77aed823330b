/**
 * Authentication, checked in this order: a key is there, it is a key by shape and checksum, it is known and not revoked;
 * then, after the body was read, for a secret key: both signature headers, the time window, the signature. The router
 * checks what the key may do.
 */
import { keyKindOf } from "../auth/key-format.ts";
import { isSignature, parseTimestamp, signatureMatches, timestampIsFresh } from "../auth/signature.ts";
import type { AppDependencies, Middleware } from "./context.ts";
import { ApiError } from "./errors.ts";

const keyHeader = "X-API-Key";
const signatureHeader = "X-Signature";
const timestampHeader = "X-Signature-Timestamp";

/** Finds the key; throws MISSING_API_KEY or INVALID_API_KEY. */
export function authenticateKey({ currentKeys }: AppDependencies): Middleware {
  return (ctx, next) => {
    // An empty header is a header: its key is invalid, not missing.
    if (ctx.req.headers["x-api-key"] === undefined) throw new ApiError("MISSING_API_KEY");
    const key = ctx.get(keyHeader);
    if (keyKindOf(key) === undefined) {
      throw new ApiError("INVALID_API_KEY", "X-API-Key is not a key by form and checksum; is it complete?");
    }
    const entry = currentKeys().find(key);
    if (entry === undefined) throw new ApiError("INVALID_API_KEY", "X-API-Key is not a key of this service.");
    if (entry.revokedAt !== null) throw new ApiError("INVALID_API_KEY", "X-API-Key has been revoked.");
    ctx.state.principal = entry;
    return next();
  };
}

/** Checks the signature of a secret key's request; throws INVALID_SIGNATURE or TIMESTAMP_EXPIRED. */
export function authenticateSignature({ now }: AppDependencies): Middleware {
  return (ctx, next) => {
    if (ctx.state.principal?.kind !== "secret") return next();
    const signature = ctx.get(signatureHeader);
    const timestamp = ctx.get(timestampHeader);
    if (!isSignature(signature)) {
      const found = signature === "" ? "absent" : "malformed";
      throw new ApiError("INVALID_SIGNATURE", `${signatureHeader} is ${found}, expected 64 lower-case hex digits.`);
    }
    const seconds = parseTimestamp(timestamp);
    if (seconds === undefined) {
      const found = timestamp === "" ? "absent" : "malformed";
      throw new ApiError("INVALID_SIGNATURE", `${timestampHeader} is ${found}, expected a Unix time in seconds.`);
    }
    if (!timestampIsFresh(seconds, now())) throw new ApiError("TIMESTAMP_EXPIRED");
    const signed = { method: ctx.method, path: ctx.url, timestamp, body: ctx.state.body };
    if (!signatureMatches(signature, ctx.get(keyHeader), signed)) {
      throw new ApiError("INVALID_SIGNATURE", `${signatureHeader} does not match METHOD|PATH|TIMESTAMP|BODY.`);
    }
    return next();
  };
}
