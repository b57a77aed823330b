/** Returns whether a value that JSON has given is an object, no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object that a text is in JSON; undefined for any other text. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Matches brackets, and texts with the colon that makes one a key, in JSON whose escapes are blank. Texts are taken
 * whole, so that what they hold is not seen.
 */
const tokens = /[[{}\]]|("[^"]*")\s*(:)?/g;

/**
 * The first key that stands twice in one object of a JSON text, or undefined. `JSON.parse` keeps the last of two equal
 * keys and drops the other silently; where nothing may be lost, the text is checked as well.
 *
 * @param text A text that `JSON.parse` accepts; other texts give a meaningless answer.
 * Cost: one pass; one set per bracket that is open.
 */
export function findDuplicateKey(text: string): string | undefined {
  const open: Set<string>[] = [];
  // An expression with escapes in it keeps each as a place to go back to; V8 has room for some millions.
  const blanked = text.replaceAll(/\\./g, "  ");
  for (const { 0: token, 1: quoted = "", 2: colon, index } of blanked.matchAll(tokens)) {
    if (token === "{" || token === "[") open.push(new Set());
    else if (token === "}" || token === "]") open.pop();
    else if (colon !== undefined) {
      const written = text.slice(index, index + quoted.length);
      const key = written.includes("\\") ? String(JSON.parse(written)) : written.slice(1, -1);
      const keys = open.at(-1) as Set<string>;
      if (keys.has(key)) return key;
      keys.add(key);
    }
  }
  return undefined;
}
