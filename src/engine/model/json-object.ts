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
 * The first key that stands twice in one object of a JSON text, or undefined. `JSON.parse` keeps the last of two equal
 * keys and drops the other silently; where nothing may be lost, the text is checked as well.
 *
 * @param text A text that `JSON.parse` accepts; other texts give a meaningless answer.
 * Cost: one pass; one set per bracket that is open.
 */
export function findDuplicateKey(text: string): string | undefined {
  const open: Set<string>[] = [];
  /** Where the newest text begins, which is a key where a colon follows. */
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      start = at;
      at++;
      while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    } else if (character === ":") {
      const written = text.slice(start, text.lastIndexOf('"', at) + 1);
      const key = written.includes("\\") ? String(JSON.parse(written)) : written.slice(1, -1);
      const keys = open.at(-1) as Set<string>;
      if (keys.has(key)) return key;
      keys.add(key);
    } else if (character === "{" || character === "[") open.push(new Set());
    else if (character === "}" || character === "]") open.pop();
  }
  return undefined;
}
