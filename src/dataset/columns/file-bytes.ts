/**
 * A piece of a file in memory that several threads see, and what is read from it by arithmetic. Two characters are
 * looked up at a time. Readers may look a few bytes past what they were given, so the memory must go on behind it.
 */

/** One memory in two views. */
export interface FileBytes {
  readonly bytes: Uint8Array<ArrayBufferLike>;
  readonly view: DataView<ArrayBufferLike>;
}

/** How far behind the last byte given a reader may look. */
export const bytesBehindMax = 64;

export function fileBytesOver(memory: ArrayBufferLike): FileBytes {
  return { bytes: new Uint8Array(memory), view: new DataView(memory) };
}

/** As `decimalPairs`, for hexadecimal digits of either case. */
const hexPairs: Int16Array = new Int16Array(0x1_0000).fill(-1);
/** Two characters as one little-endian number → the number they write, -1 where they are no digits. */
export const decimalPairs: Int8Array = new Int8Array(0x1_0000).fill(-1);
fillPairs(hexPairs, 16, "0123456789abcdefABCDEF");
fillPairs(decimalPairs, 10, "0123456789");

function fillPairs(pairs: Int16Array | Int8Array, base: number, digits: string): void {
  for (const first of digits) {
    for (const second of digits) {
      pairs[first.charCodeAt(0) | (second.charCodeAt(0) << 8)] = Number.parseInt(first + second, base);
    }
  }
}

/** Length of a UUID's text. */
export const uuidBytes = 36;

const hyphen = 0x2d;
const quotationMark = 0x22;

/**
 * Reads a UUID into four words, most significant first.
 *
 * @param at The first byte behind its opening quotation mark.
 * @returns Whether it is one: 36 characters of either case, then a quotation mark. If not, the words mean nothing.
 */
export function readUuidWords({ view }: FileBytes, at: number, words: Uint32Array, to: number): boolean {
  const a = hexPairs[view.getUint16(at, true)] as number;
  const b = hexPairs[view.getUint16(at + 2, true)] as number;
  const c = hexPairs[view.getUint16(at + 4, true)] as number;
  const d = hexPairs[view.getUint16(at + 6, true)] as number;
  const e = hexPairs[view.getUint16(at + 9, true)] as number;
  const f = hexPairs[view.getUint16(at + 11, true)] as number;
  const g = hexPairs[view.getUint16(at + 14, true)] as number;
  const h = hexPairs[view.getUint16(at + 16, true)] as number;
  const i = hexPairs[view.getUint16(at + 19, true)] as number;
  const j = hexPairs[view.getUint16(at + 21, true)] as number;
  const k = hexPairs[view.getUint16(at + 24, true)] as number;
  const l = hexPairs[view.getUint16(at + 26, true)] as number;
  const m = hexPairs[view.getUint16(at + 28, true)] as number;
  const n = hexPairs[view.getUint16(at + 30, true)] as number;
  const o = hexPairs[view.getUint16(at + 32, true)] as number;
  const p = hexPairs[view.getUint16(at + 34, true)] as number;
  words[to] = (a << 24) | (b << 16) | (c << 8) | d;
  words[to + 1] = (e << 24) | (f << 16) | (g << 8) | h;
  words[to + 2] = (i << 24) | (j << 16) | (k << 8) | l;
  words[to + 3] = (m << 24) | (n << 16) | (o << 8) | p;
  return (
    (a | b | c | d | e | f | g | h | i | j | k | l | m | n | o | p) >= 0 &&
    view.getUint8(at + 8) === hyphen &&
    view.getUint8(at + 13) === hyphen &&
    view.getUint8(at + 18) === hyphen &&
    view.getUint8(at + 23) === hyphen &&
    view.getUint8(at + uuidBytes) === quotationMark
  );
}
