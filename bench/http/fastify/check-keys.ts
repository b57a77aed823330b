/** The authentication of our service as anyone would write it for Fastify, without code of ours. */
import { createHmac, hash, timingSafeEqual } from "node:crypto";
import type { FastifyHook, FastifyRequest } from "./fastify-api.ts";

/** A key as the keys file has it. */
export interface StoredKey {
  readonly id: string;
  readonly kind: "public" | "secret";
  /** SHA-256 of the key in lower-case hexadecimal. */
  readonly digest: string;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
}

/** What the checks leave with a request. */
export interface CheckedRequest extends FastifyRequest {
  key: StoredKey | undefined;
  /** The body as sent. */
  rawBody: string;
}

const windowSeconds = 300;

/** An error that is answered with 401. */
class UnauthorizedError extends Error {
  readonly statusCode = 401;
}

/** Finds the key by its digest. */
export function requireKey(keys: readonly StoredKey[]): FastifyHook<CheckedRequest> {
  const byDigest = new Map(keys.map((key) => [key.digest, key]));
  return (request, _reply, done) => {
    const apiKey = request.headers["x-api-key"];
    if (apiKey === undefined) {
      done(new UnauthorizedError("X-API-Key is absent."));
      return;
    }
    const key = byDigest.get(hash("sha256", apiKey));
    const isExpired = key?.expiresAt != null && Date.now() >= key.expiresAt;
    if (key === undefined || key.revokedAt !== null || isExpired) {
      done(new UnauthorizedError("X-API-Key is not a key of this service."));
      return;
    }
    request.key = key;
    done();
  };
}

/** Checks the signature of a secret key's request, and that the key may do what is asked. */
export function requireSignature(access: "public" | "secret"): FastifyHook<CheckedRequest> {
  return (request, _reply, done) => done(faultOf(request, access));
}

function faultOf(request: CheckedRequest, access: "public" | "secret"): Error | undefined {
  const { key, headers, method, url, rawBody } = request;
  if (key?.kind !== "secret") {
    return access === "secret" ? new UnauthorizedError("This needs a secret key.") : undefined;
  }
  const { "x-signature": signature, "x-signature-timestamp": timestamp } = headers;
  if (signature === undefined || timestamp === undefined || !/^\d+$/.test(timestamp)) {
    return new UnauthorizedError("X-Signature or X-Signature-Timestamp is absent or malformed.");
  }
  if (Math.abs(Math.floor(Date.now() / 1000) - Number(timestamp)) > windowSeconds) {
    return new UnauthorizedError("X-Signature-Timestamp is outside the window.");
  }
  const expected = createHmac("sha256", headers["x-api-key"] ?? "")
    .update(`${method}|${url}|${timestamp}|${rawBody}`)
    .digest("hex");
  const [received, wanted] = [Buffer.from(signature), Buffer.from(expected)];
  const isRight = received.length === wanted.length && timingSafeEqual(received, wanted);
  return isRight ? undefined : new UnauthorizedError("X-Signature does not match.");
}
