import type { Answer } from "./endpoint.ts";

/** A list in an answer that may be long: its items are made one by one while the answer is written. */
export class LazyList<Item extends object = object> implements Iterable<Item> {
  readonly #items: Iterable<Item>;

  /** @param items Gone through once. */
  constructor(items: Iterable<Item>) {
    this.#items = items;
  }

  [Symbol.iterator](): Iterator<Item> {
    return this.#items[Symbol.iterator]();
  }

  /** The whole list, for `JSON.stringify`. */
  toJSON(): Item[] {
    return [...this.#items];
  }
}

/**
 * The JSON text of an answer: whole, or where it holds lazy lists, in pieces of about one item each. Joined, they are what
 * `JSON.stringify` makes of the whole. Lazy lists are found as `data`, among its fields, and among the fields of items.
 */
export function answerText(answer: Answer): string | Iterable<string> {
  const { data } = answer;
  return data instanceof LazyList || holdsLazyList(data) ? piecesOfFields({ ...answer }) : JSON.stringify(answer);
}

function* piecesOf(value: unknown): Generator<string> {
  if (value instanceof LazyList) {
    let separator = "[";
    for (const item of value) {
      yield separator;
      yield* piecesOf(item);
      separator = ",";
    }
    yield separator === "[" ? "[]" : "]";
  } else if (holdsLazyList(value)) yield* piecesOfFields(value);
  else yield JSON.stringify(value);
}

function* piecesOfFields(fields: Readonly<Record<string, unknown>>): Generator<string> {
  let separator = "{";
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    yield* piecesOf(value);
    separator = ",";
  }
  yield "}";
}

function holdsLazyList(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  for (const name in value) {
    if ((value as Readonly<Record<string, unknown>>)[name] instanceof LazyList) return true;
  }
  return false;
}
