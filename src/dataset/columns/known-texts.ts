/**
 * Texts that stand in one field of many lines, recognised by their bytes as they lie in a file, without making a text of
 * them again: a hash table over the bytes of texts met before. It is a shortcut only. What it does not find is decoded,
 * judged and looked up by text, so two ways of writing one text (a uuid in capitals) get one code.
 *
 *   slots    [ -, 2, -, 0, 1, - ]     entry + 1, 0 where free
 *   bytes    [ e0 e0 e0 | e1 | e2 … ]  starts and lengths tell the entries apart
 */
import { isUtf8 } from "node:buffer";
import type { FileBytes } from "./file-bytes.ts";

const entriesMax = 4096;
const slotCount = 4 * entriesMax;
const probesMax = 8;
/** Longer texts hardly ever come twice. */
const rememberedBytesMax = 200;

const quotationMark = 0x22;
const backslash = 0x5c;
const firstPrintable = 0x20;

/** The text that a field's text stands for (its lower-case form, say), or undefined when the field may not hold it. */
export type Acceptance = (text: string) => string | undefined;

export class KnownTexts {
  readonly #accept: Acceptance;
  readonly #codesMax: number;
  readonly #codes = new Map<string, number>();
  readonly #texts: string[] = [];
  #told = 0;

  readonly #slots = new Uint16Array(slotCount);
  readonly #starts = new Uint32Array(entriesMax);
  readonly #lengths = new Uint32Array(entriesMax);
  readonly #entryCodes = new Uint32Array(entriesMax);
  readonly #bytes = new Uint8Array(entriesMax * rememberedBytesMax);
  readonly #view = new DataView(this.#bytes.buffer);
  #entryCount = 0;
  #bytesUsed = 0;

  /**
   * @param accept Judges a text of the field.
   * @param codesMax How many texts the field's column can tell apart.
   */
  constructor(accept: Acceptance, codesMax: number) {
    this.#accept = accept;
    this.#codesMax = codesMax;
  }

  /**
   * The code of the text between two quotation marks.
   *
   * @param at Its first byte.
   * @param end The first quotation mark behind it.
   * @returns Codes count from 0 in order of first appearance; -1 when the text is written with escapes, is not UTF-8, is
   * none that the field may hold, or finds no code.
   */
  codeAt(file: FileBytes, at: number, end: number): number {
    const { view } = file;
    const length = end - at;
    let slot = this.#slotOf(view, at, length);
    for (let probe = 0; probe < probesMax; probe++) {
      const entry = this.#slots[slot] as number;
      if (entry === 0) break;
      if (this.#isEntry(entry - 1, view, at, length)) return this.#entryCodes[entry - 1] as number;
      slot = (slot + 1) & (slotCount - 1);
    }
    return this.#learn(file, at, end);
  }

  /** As `codeAt`, for a text that a slower reader took from the file. */
  codeOf(text: string): number {
    const accepted = this.#accept(text);
    if (accepted === undefined) return -1;
    const known = this.#codes.get(accepted);
    if (known !== undefined) return known;
    const code = this.#texts.length;
    if (code >= this.#codesMax) return -1;
    this.#codes.set(accepted, code);
    this.#texts.push(accepted);
    return code;
  }

  /** The texts that have got codes since this was asked last, in order of their codes. */
  takeNewTexts(): string[] {
    const texts = this.#texts.slice(this.#told);
    this.#told = this.#texts.length;
    return texts;
  }

  #learn(file: FileBytes, at: number, end: number): number {
    // A copy, for the functions that judge bytes are at home in memory of one thread.
    const bytes = Buffer.from(file.bytes.subarray(at, end));
    if (!isUtf8(bytes) || bytes.some((byte) => byte < firstPrintable || byte === backslash)) return -1;
    const code = this.codeOf(bytes.toString("utf8"));
    if (code === -1 || bytes.length > rememberedBytesMax || this.#entryCount === entriesMax) return code;
    let slot = this.#slotOf(file.view, at, bytes.length);
    for (let probe = 0; probe < probesMax; probe++) {
      if (this.#slots[slot] === 0) {
        this.#remember(slot, bytes, code);
        break;
      }
      slot = (slot + 1) & (slotCount - 1);
    }
    return code;
  }

  #remember(slot: number, bytes: Buffer, code: number): void {
    const entry = this.#entryCount++;
    this.#slots[slot] = entry + 1;
    this.#starts[entry] = this.#bytesUsed;
    this.#lengths[entry] = bytes.length;
    this.#entryCodes[entry] = code;
    this.#bytes.set(bytes, this.#bytesUsed);
    this.#bytesUsed += bytes.length;
  }

  /** Mixes bytes from the beginning, the middle and the end. Short texts mix in what stands around them, as a rule the same. */
  #slotOf(view: DataView, at: number, length: number): number {
    let hash = Math.imul(view.getInt32(at, true) ^ length, 0x9e37_79b1);
    hash = Math.imul((hash ^ (hash >>> 15)) + view.getInt32(at + (length >>> 1), true), 0x85eb_ca6b);
    hash = Math.imul((hash ^ (hash >>> 13)) + view.getInt32(at + length - 4, true), 0xc2b2_ae35);
    return (hash >>> 16) & (slotCount - 1);
  }

  /**
   * Compares eight bytes at a time as floating-point numbers. Two of them are equal exactly when their bytes are: an entry
   * is UTF-8 text without control characters, and no eight bytes of such text write a zero or a NaN.
   */
  #isEntry(entry: number, view: DataView, at: number, length: number): boolean {
    if (this.#lengths[entry] !== length) return false;
    const start = this.#starts[entry] as number;
    if (length < 8) {
      for (let offset = 0; offset < length; offset++) {
        if (this.#bytes[start + offset] !== view.getUint8(at + offset)) return false;
      }
      return true;
    }
    const last = length - 8;
    for (let offset = 0; offset < last; offset += 8) {
      if (this.#view.getFloat64(start + offset, true) !== view.getFloat64(at + offset, true)) return false;
    }
    return this.#view.getFloat64(start + last, true) === view.getFloat64(at + last, true);
  }
}

/** Position of the first quotation mark from `at` on; the caller knows that there is a line end before the bytes end. */
export function endOfText(bytes: Uint8Array, at: number): number {
  let end = at;
  while (bytes[end] !== quotationMark && bytes[end] !== 0x0a) end++;
  return end;
}
