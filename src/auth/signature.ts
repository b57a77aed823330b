/**
 * The signature of a request: HMAC-SHA256, in lower-case hexadecimal, of `METHOD|PATH|TIMESTAMP|BODY` with the secret
 * key as the HMAC key. Source: the interface specification, "Signature computation".
 */
import { createHmac, timingSafeEqual } from "node:crypto";

/** What a signature is made over. */
export interface SignedRequest {
  /** In capitals. */
  readonly method: string;
  /** Path with query string as it stands in the request, one character a byte, as Node's HTTP parser gives it. */
  readonly path: string;
  /** The very text of the header, seconds since 1970-01-01T00:00:00Z. */
  readonly timestamp: string;
  /** The body's bytes as sent; empty when there is none. */
  readonly body: Uint8Array;
}

const signatureExpression = /^[0-9a-f]{64}$/;

/** The bytes that are signed. */
export function canonicalText({ method, path, timestamp, body }: SignedRequest): Buffer {
  // Latin-1 turns the parser's characters back into the bytes that came, whatever their encoding was.
  return Buffer.concat([Buffer.from(`${method}|${path}|${timestamp}|`, "latin1"), body]);
}

/** The signature that belongs to a request: 64 lower-case hexadecimal digits. */
export function signRequest(secretKey: string, request: SignedRequest): string {
  return createHmac("sha256", secretKey).update(canonicalText(request)).digest("hex");
}

/** Tells whether a text has the form of a signature. */
export function isSignature(text: string): boolean {
  return signatureExpression.test(text);
}

/** Tells whether a signature belongs to a request, in a time that does not depend on where they differ. */
export function signatureMatches(signature: string, secretKey: string, request: SignedRequest): boolean {
  if (!isSignature(signature)) return false;
  return timingSafeEqual(Buffer.from(signature), Buffer.from(signRequest(secretKey, request)));
}
