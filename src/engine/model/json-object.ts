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
 * Cost: one pass; one set per object that is open.
 */
export function findDuplicateKey(text: string): string | undefined {
  /** One entry per open bracket: the keys of an object so far, or null for an array. */
  const open: (Set<string> | null)[] = [];
  let keyIsNext = false;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x7b: // {
        open.push(new Set());
        keyIsNext = true;
        break;
      case 0x5b: // [
        open.push(null);
        keyIsNext = false;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        open.pop();
        keyIsNext = false;
        break;
      case 0x2c: // ,
        keyIsNext = open.at(-1) instanceof Set;
        break;
      case 0x22: {
        // "
        const end = stringEnd(text, at);
        const keys = open.at(-1);
        if (keyIsNext && keys instanceof Set) {
          const raw = text.slice(at, end + 1);
          const key = raw.includes("\\") ? String(JSON.parse(raw)) : raw.slice(1, -1);
          if (keys.has(key)) return key;
          keys.add(key);
          keyIsNext = false;
        }
        at = end;
        break;
      }
      default:
    }
  }
  return undefined;
}

/** Position of the quotation mark that closes the string opened at `start`. */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1;
  return at;
}
