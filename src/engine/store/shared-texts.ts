import { getOrInsert } from "../model/get-or-insert.ts";
import { sharedColumn, sharedFloat64 } from "../model/shared-columns.ts";

/**
 * Many texts in shared memory: all threads read the same bytes, and none keeps an object per text. For the notes of
 * prices, of which millions may differ; dictionaries of a few hundred entries stay lists of texts.
 */
export interface SharedTexts {
  /** UTF-8, one text after the other. */
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
  return getOrInsert(buffers, texts, () => bufferOver(texts.bytes)).toString("utf8", from, to);
}

/** All texts, by code. */
export function listTexts(texts: SharedTexts): string[] {
  return Array.from({ length: texts.offsets.length - 1 }, (_, code) => textOf(texts, code));
}

/** Decodes each thread's texts; cached, because making it costs more than decoding a note. */
const buffers = new WeakMap<SharedTexts, Buffer>();

function bufferOver({ buffer, byteOffset, byteLength }: SharedTexts["bytes"]): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
