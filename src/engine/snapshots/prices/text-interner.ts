/**
 * A string interner over bytes: the codes of texts as they lie in a file, escapes and closing quotation mark included,
 * without making strings of those it has seen. What it does not find it unescapes and looks up as a string, so two ways
 * of writing one text (a uuid in capitals) get one code.
 *
 * An entry is found by its length and bytes from all over it:
 *
 *   slots    [ -, 2, -, 0, 1, - ]      entry + 1, 0 where free
 *   bytes    [ e0 e0 e0 | e1 | e2 … ]   entries are separated by start and length
 */
import { isUtf8 } from "node:buffer";
import type { FileBytes } from "./byte-values.ts";

const entriesMax = 4096;
const slotCount = 2 * entriesMax;
const probesMax = 8;
/** Longer texts hardly ever come twice. */
const rememberedBytesMax = 200;
const bytesFirst = 4096;

const lineFeed = 0x0a;
const quotationMark = 0x22;
const backslash = 0x5c;
const firstPrintable = 0x20;

/** The code of a text, or -1 when the field may not hold it. Asked with JSON texts of whole characters, unescaped. */
export type CodeOf = (text: string) => number;

export class TextInterner {
  /** Position of the closing quotation mark of the text read last. */
  end = 0;

  readonly #file: Uint8Array;
  readonly #fileView: DataView;
  readonly #codeOf: CodeOf;

  readonly #slots = new Uint16Array(slotCount);
  readonly #starts = new Int32Array(entriesMax);
  readonly #lengths = new Int32Array(entriesMax);
  readonly #entryCodes = new Uint32Array(entriesMax);
  #bytes = new Uint8Array(bytesFirst);
  #view = new DataView(this.#bytes.buffer);
  #entryCount = 0;
  #bytesUsed = 0;

  /**
   * @param file The file in which texts are read.
   * @param codeOf Asked for texts whose bytes are not known yet.
   */
  constructor(file: FileBytes, codeOf: CodeOf) {
    this.#file = file.bytes;
    this.#fileView = file.view;
    this.#codeOf = codeOf;
  }

  /**
   * The code of a JSON text. Sets `end`.
   *
   * @param at The first byte after its opening quotation mark, on a line that ends before the memory does.
   * @returns -1 when it is no JSON text of whole characters, or none that the field may hold.
   */
  codeAt(at: number): number {
    const length = lengthOfText(this.#file, at);
    if (length === 0) return -1;
    this.end = at + length - 1;
    let slot = this.#slotFor(at, length);
    for (let probe = 0; probe < probesMax; probe++) {
      const entry = this.#slots[slot] as number;
      if (entry === 0) return this.#learn(at, length, slot);
      if (this.#isEntryAt(entry - 1, at)) return this.#entryCodes[entry - 1] as number;
      slot = (slot + 1) & (slotCount - 1);
    }
    return this.#decode(at, length);
  }

  #learn(at: number, length: number, slot: number): number {
    const code = this.#decode(at, length);
    if (code === -1 || length > rememberedBytesMax || this.#entryCount === entriesMax) return code;
    const entry = this.#entryCount++;
    this.#slots[slot] = entry + 1;
    this.#starts[entry] = this.#bytesUsed;
    this.#lengths[entry] = length;
    this.#entryCodes[entry] = code;
    if (this.#bytesUsed + length > this.#bytes.length) this.#grow();
    this.#bytes.set(this.#file.subarray(at, at + length), this.#bytesUsed);
    this.#bytesUsed += length;
    return code;
  }

  #grow(): void {
    const larger = new Uint8Array(2 * this.#bytes.length);
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }

  #decode(at: number, length: number): number {
    // A copy, because isUtf8 and toString want memory of one thread.
    const bytes = Buffer.from(this.#file.subarray(at, at + length - 1));
    if (!isUtf8(bytes) || bytes.some((byte) => byte < firstPrintable)) return -1;
    const written = bytes.toString("utf8");
    const text = bytes.includes(backslash) ? unescaped(written) : written;
    return text === undefined ? -1 : this.#codeOf(text);
  }

  /** Mixes length and bytes from the beginning, the middle and the end. */
  #slotFor(at: number, length: number): number {
    const view = this.#fileView;
    let hash = Math.imul(view.getInt32(at, true) ^ length, 0x9e37_79b1);
    hash = Math.imul((hash ^ (hash >>> 15)) + view.getInt32(at + (length >>> 1), true), 0x85eb_ca6b);
    hash = Math.imul((hash ^ (hash >>> 13)) + view.getInt32(at + length - 4, true), 0xc2b2_ae35);
    return (hash >>> 16) & (slotCount - 1);
  }

  /**
   * Compares eight bytes at a time as floating-point numbers. Two of them are equal exactly when their bytes are: an
   * entry is UTF-8 text without control characters, and no eight bytes of such text write a zero or a NaN.
   */
  #isEntryAt(entry: number, at: number): boolean {
    const known = this.#view;
    const file = this.#fileView;
    const start = this.#starts[entry] as number;
    const length = this.#lengths[entry] as number;
    if (length >= 8) {
      const last = length - 8;
      if (known.getFloat64(start + last, true) !== file.getFloat64(at + last, true)) return false;
      for (let offset = 0; offset < last; offset += 8) {
        if (known.getFloat64(start + offset, true) !== file.getFloat64(at + offset, true)) return false;
      }
      return true;
    }
    for (let offset = 0; offset < length; offset++) {
      if (known.getUint8(start + offset) !== file.getUint8(at + offset)) return false;
    }
    return true;
  }
}

/** Length of a JSON text from `at` on, its closing quotation mark included; 0 when the line ends before. */
function lengthOfText(bytes: Uint8Array, at: number): number {
  for (let end = at; ; end++) {
    const byte = bytes[end];
    if (byte === quotationMark) return end + 1 - at;
    if (byte === lineFeed) return 0;
    if (byte === backslash && bytes[end + 1] !== lineFeed) end++;
  }
}

/** Returns the meaning of the inside of a JSON text; undefined when it is none or holds half of a surrogate pair. */
function unescaped(written: string): string | undefined {
  try {
    const text = JSON.parse(`"${written}"`) as string;
    return text.isWellFormed() ? text : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
