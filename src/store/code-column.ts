/** Columns of codes, and the texts that codes stand for. */
import { missingCode, sharedColumn, sharedFloat64 } from "../domain/shared-columns.ts";

/** A column of codes, as narrow as the number of codes allows. */
export type CodeColumn =
  | Uint8Array<SharedArrayBuffer>
  | Uint16Array<SharedArrayBuffer>
  | Uint32Array<SharedArrayBuffer>;

/**
 * A zeroed column for `length` codes.
 *
 * @param codeCount Codes are 0 to `codeCount - 1`. The greatest value of the column's type is left free, see `missingCode`.
 */
export function codeColumn(length: number, codeCount: number): CodeColumn {
  return sharedColumn(codeCount <= 0xff ? "Uint8Array" : codeCount <= 0xffff ? "Uint16Array" : "Uint32Array", length);
}

/** A column of codes and the texts they stand for. */
export interface CodedTexts {
  /** `missingCode` of the column where there is nothing. */
  readonly column: CodeColumn;
  /** By code. Each is used, and all are different. */
  readonly texts: readonly string[];
}

/**
 * Moves a column of text codes to its rows and numbers the texts by the first row that has them. Equal rows so give equal
 * codes, whatever codes they had before, and texts that no row has are left out.
 *
 * @param codes Codes of `texts`, or `missingCode` of the array; by position.
 * @param rowOf Row by position.
 * Cost: three passes over the rows.
 */
export function gatherTexts(
  codes: Uint16Array | Uint32Array,
  rowOf: Uint32Array,
  texts: readonly string[],
): CodedTexts {
  const missing = missingCode(codes);
  const moved = codes instanceof Uint16Array ? new Uint16Array(codes.length) : new Uint32Array(codes.length);
  for (let position = 0; position < codes.length; position++) moved[rowOf[position]!] = codes[position]!;
  const unnumbered = 0xffff_ffff;
  const numbers = new Uint32Array(texts.length).fill(unnumbered);
  const used: string[] = [];
  for (let row = 0; row < moved.length; row++) {
    const code = moved[row]!;
    if (code === missing || numbers[code] !== unnumbered) continue;
    numbers[code] = used.length;
    used.push(texts[code]!);
  }
  const column = codeColumn(moved.length, used.length);
  const missingOut = missingCode(column);
  for (let row = 0; row < moved.length; row++) {
    const code = moved[row]!;
    column[row] = code === missing ? missingOut : numbers[code]!;
  }
  return { column, texts: used };
}

/**
 * Many texts in shared memory: all threads read the same bytes, and none keeps an object per text. For the notes of
 * prices, of which millions may differ; dictionaries of a few hundred entries stay lists of texts.
 */
export interface SharedTexts {
  /** UTF-8, one text behind the other. */
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  /** Text t is `bytes[offsets[t]]` to `bytes[offsets[t + 1] - 1]`; numbers that 4 GiB do not end. */
  readonly offsets: Float64Array<SharedArrayBuffer>;
}

/** Puts texts into shared memory. @param texts Without lone surrogates, which UTF-8 has no bytes for. */
export function shareTexts(texts: readonly string[]): SharedTexts {
  const offsets = sharedFloat64(texts.length + 1);
  for (const [at, text] of texts.entries()) offsets[at + 1] = offsets[at]! + Buffer.byteLength(text);
  const bytes = sharedColumn("Uint8Array", offsets[texts.length]!);
  const buffer = bufferOver(bytes);
  for (const [at, text] of texts.entries()) buffer.write(text, offsets[at]!);
  return { bytes, offsets };
}

/** The text of a code. @throws {RangeError} when there is no such text. */
export function textOf(texts: SharedTexts, code: number): string {
  const from = texts.offsets[code];
  const to = texts.offsets[code + 1];
  if (from === undefined || to === undefined) {
    throw new RangeError(`text ${code} is outside the texts, expected 0 to ${texts.offsets.length - 2}`);
  }
  let buffer = buffers.get(texts);
  if (buffer === undefined) {
    buffer = bufferOver(texts.bytes);
    buffers.set(texts, buffer);
  }
  return buffer.toString("utf8", from, to);
}

/** All texts, by code. */
export function listTexts(texts: SharedTexts): string[] {
  return Array.from({ length: texts.offsets.length - 1 }, (_, code) => textOf(texts, code));
}

/** What decodes each thread's texts; kept, because making it costs more than decoding a note. */
const buffers = new WeakMap<SharedTexts, Buffer>();

function bufferOver({ buffer, byteOffset, byteLength }: SharedTexts["bytes"]): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
