/** How far the time of a signature may be from the server's, in either direction (inclusive). */
export const signatureWindowSeconds = 300;

/** Plain digits without leading zeros, up to the year 33658: one text per number, and every number exact. */
const timestampExpression = /^(?:0|[1-9]\d{0,11})$/;

/**
 * Reads the time of a signature.
 *
 * @returns Seconds since 1970-01-01T00:00:00Z, or undefined when the text is not 1 to 12 digits without leading zeros.
 */
export function parseTimestamp(text: string): number | undefined {
  return timestampExpression.test(text) ? Number(text) : undefined;
}

/**
 * Tells whether a signature made at `timestampSeconds` still or already counts, in whole seconds.
 *
 * @param nowMilliseconds The server's clock, milliseconds since 1970-01-01T00:00:00Z.
 */
export function timestampIsFresh(timestampSeconds: number, nowMilliseconds: number): boolean {
  return Math.abs(Math.floor(nowMilliseconds / 1000) - timestampSeconds) <= signatureWindowSeconds;
}
