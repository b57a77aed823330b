/** Where two answers differ first: a path such as `data[3].price`, and what either holds there. */
export interface Difference {
  readonly path: string;
  readonly ours: unknown;
  readonly theirs: unknown;
}

/** A peer answers differently; the message says which question, where, and what either holds there. */
export class AnswersDifferError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "AnswersDifferError";
  }
}

/** How far two figures may be apart: both are rounded to six digits, which may part them by one in the last. */
const tolerance = 1e-6;

/** Two decimals have no exact difference in binary; it may be off by some of the last bits of the larger. */
const bitsOff = 4 * Number.EPSILON;

/** Compares plain values: numbers within a millionth, everything else exactly; the order of fields does not matter. */
export function compareAnswers(ours: unknown, theirs: unknown, path = ""): Difference | undefined {
  if (Object.is(ours, theirs)) return undefined;
  if (typeof ours === "number" && typeof theirs === "number" && areAlike(ours, theirs)) return undefined;
  if (!isObject(ours) || !isObject(theirs) || Array.isArray(ours) !== Array.isArray(theirs)) {
    return { path, ours, theirs };
  }
  const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
  for (const key of keys) {
    const difference = compareAnswers(
      ours[key],
      theirs[key],
      Array.isArray(ours) ? `${path}[${key}]` : join(path, key),
    );
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function areAlike(a: number, b: number): boolean {
  return Math.abs(a - b) <= tolerance + bitsOff * Math.max(Math.abs(a), Math.abs(b));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}
