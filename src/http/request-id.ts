import { randomUUID } from "node:crypto";
import { maskKeys } from "../auth/key-format.ts";
import { isSignature } from "../auth/signature.ts";

/** The header in both directions. */
export const requestIdHeader = "X-Request-Id";

const requestIdExpression = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * The name by which a request is found in the log: the one its sender gave it, if it is 1 to 64 letters, digits, dots,
 * dashes or underscores and nothing like a key or signature, otherwise a new one.
 */
export function requestIdFor(given: string): string {
  const isGood = requestIdExpression.test(given) && maskKeys(given) === given && !isSignature(given.toLowerCase());
  return isGood ? given : randomUUID();
}
