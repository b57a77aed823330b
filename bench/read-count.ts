const factors: Readonly<Record<string, number>> = { "": 1, k: 1e3, m: 1e6 };

/**
 * Reads a number of prices: `250000`, `100k`, `10m`.
 *
 * @throws {RangeError} for any other text.
 */
export function readCount(text: string): number {
  const match = /^(\d+)([km]?)$/i.exec(text);
  const count = match === null ? 0 : Number(match[1]) * (factors[(match[2] ?? "").toLowerCase()] ?? 0);
  if (count < 1) throw new RangeError(`number of prices is "${text}", expected one such as 250000, 100k or 10m`);
  return count;
}
