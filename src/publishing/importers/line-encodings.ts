/** The bytes of a file → its lines in UTF-8, and its other ones. */
import { isAscii, isUtf8 } from "node:buffer";

/** Lines in the same encoding. */
export interface LinesAlike {
  /** The number of the first of them, counted from 1. */
  readonly first: number;
  readonly count: number;
}

export interface LineEncodings {
  readonly lineCount: number;
  /** Lines with characters of several bytes that are all right; undefined for none. */
  readonly utf8: LinesAlike | undefined;
  /** Lines with a byte that is no part of such a character. */
  readonly other: LinesAlike | undefined;
}

/**
 * Sorts the lines of a file that are not ASCII. A line that has both kinds of bytes counts twice. Lines end with CR LF,
 * LF or CR.
 *
 * Cost: one pass over the bytes.
 */
export function lineEncodings(bytes: Buffer): LineEncodings {
  let utf8: LinesAlike | undefined;
  let other: LinesAlike | undefined;
  let line = 0;
  for (const content of linesOf(bytes)) {
    line++;
    if (isAscii(content)) continue;
    const isWhole = isUtf8(content);
    if (isWhole || hasCharacter(content)) utf8 = { first: utf8?.first ?? line, count: (utf8?.count ?? 0) + 1 };
    if (!isWhole) other = { first: other?.first ?? line, count: (other?.count ?? 0) + 1 };
  }
  return { lineCount: line, utf8, other };
}

function* linesOf(bytes: Buffer): Generator<Buffer> {
  let start = 0;
  for (let at = 0; at < bytes.length; at++) {
    const isEnd = bytes[at] === 0x0a || (bytes[at] === 0x0d && bytes[at + 1] !== 0x0a);
    if (!isEnd) continue;
    yield bytes.subarray(start, at);
    start = at + 1;
  }
  yield bytes.subarray(start);
}

/** Returns whether a line that is not UTF-8 has a character of several bytes. */
function hasCharacter(line: Buffer): boolean {
  return line.some((_, at) => characterLength(line, at) > 1);
}

/** Bytes of the UTF-8 character that begins at a position; 0 where none does. */
function characterLength(line: Buffer, at: number): number {
  const lead = line[at] ?? 0;
  const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return at + length <= line.length && isUtf8(line.subarray(at, at + length)) ? length : 0;
}
