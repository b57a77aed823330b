/**
 * Recognises lines of prices in their ordinary form, byte by byte as they lie in the file: the fields of the format in
 * any order, no space between them, prices in plain digits, times in their usual forms. What it
 * recognises is right and whole. Of anything else it only says that the line is not ordinary; another reader judges it.
 */
import { wordsPerUuid } from "../../domain/uuid-words.ts";
import { lineBytesMax } from "../read-ndjson.ts";
import { type FileBytes, readUuidWords, uuidBytes } from "./file-bytes.ts";
import { InstantReader } from "./instant-reader.ts";
import type { KnownTexts } from "./known-texts.ts";
import { codeOfNothing, type PriceRows } from "./price-rows.ts";
import type { PriceTexts } from "./price-texts.ts";

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const quotationMark = 0x22;
const comma = 0x2c;
const point = 0x2e;
const zero = 0x30;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** What stands before the value of each field, with the quotation mark that opens a text that must be there. */
const keys = [
  '"uuid":"',
  '"product_uuid":"',
  '"market_uuid":"',
  '"price":',
  '"unit":"',
  '"currency":"',
  '"recorded_at":"',
  '"source":"',
  '"quality_grade":',
  '"notes":',
  '"created_at":"',
  '"updated_at":"',
] as const;

const uuidKey = 0;
const productKey = 1;
const marketKey = 2;
const priceKey = 3;
const unitKey = 4;
const currencyKey = 5;
const recordedAtKey = 6;
const sourceKey = 7;
const gradeKey = 8;
const notesKey = 9;
const createdAtKey = 10;
const updatedAtKey = 11;
const keyCount: number = keys.length;
const requiredKeys = ((1 << keyCount) - 1) & ~(1 << gradeKey) & ~(1 << notesKey);

/**
 * The first and the last eight bytes of each key as numbers; every key has 8 to 16 bytes, so these are all of them. Eight
 * bytes of text compared as a number: see known-texts.ts.
 */
const keyHeads = new Float64Array(keyCount);
const keyTails = new Float64Array(keyCount);
const keyLengths = new Int32Array(keyCount);
keys.forEach((key, index) => {
  const { buffer, byteOffset, length } = Buffer.from(key);
  const view = new DataView(buffer, byteOffset, length);
  keyHeads[index] = view.getFloat64(0, true);
  keyTails[index] = view.getFloat64(length - 8, true);
  keyLengths[index] = length;
});

const nullText = 0x6c6c_756e;

/** With so few digits a number is an integer below 2^53 divided by an exact power of ten: rounded once, hence exact. */
const exactDigitsMax = 15;
const powersOfTen = Float64Array.from({ length: exactDigitsMax + 1 }, (_, exponent) => Number(`1e${exponent}`));

export class PriceRecogniser {
  readonly #file: FileBytes;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #rows: PriceRows;
  readonly #texts: PriceTexts;
  readonly #recordedAtMax: number;
  readonly #recordedAt: InstantReader;
  readonly #createdAt: InstantReader;
  readonly #updatedAt: InstantReader;
  /** The key that stood behind each key in the line before, and at the end the first one: a guess for the next line. */
  readonly #successors = Int32Array.from({ length: keyCount + 1 }, (_, key) => (key < keyCount - 1 ? key + 1 : 0));

  /**
   * @param file The memory that lines will lie in; it goes on behind them by `bytesBehindMax`.
   * @param rows Receives the values.
   * @param texts Those of the same memory.
   * @param recordedAtMax Last instant at which a price may be recorded (inclusive).
   */
  constructor(file: FileBytes, rows: PriceRows, texts: PriceTexts, recordedAtMax: number) {
    this.#file = file;
    this.#bytes = file.bytes;
    this.#view = file.view;
    this.#rows = rows;
    this.#texts = texts;
    this.#recordedAtMax = recordedAtMax;
    this.#recordedAt = new InstantReader(file);
    this.#createdAt = new InstantReader(file);
    this.#updatedAt = new InstantReader(file);
  }

  /**
   * Reads one line into a row.
   *
   * @param start The first byte of a line that ends before the memory does.
   * @returns Where the next line starts; -1 when the line is not ordinary, then the row means nothing.
   */
  read(start: number, row: number): number {
    const bytes = this.#bytes;
    const view = this.#view;
    const rows = this.#rows;
    if (bytes[start] !== openBrace) return -1;
    rows.grades[row] = codeOfNothing.grades;
    rows.notes[row] = codeOfNothing.notes;
    let seen = 0;
    let key: number = keyCount;
    let at = start;
    do {
      at++;
      const guess = this.#successors[key] as number;
      key =
        view.getFloat64(at, true) === keyHeads[guess] &&
        view.getFloat64(at + (keyLengths[guess] as number) - 8, true) === keyTails[guess]
          ? guess
          : this.#findKey(at, key);
      if (key === -1 || (seen & (1 << key)) !== 0) return -1;
      seen |= 1 << key;
      at = this.#readValue(key, at + (keyLengths[key] as number), row);
      if (at === -1) return -1;
    } while (bytes[at] === comma);
    if (bytes[at] !== closeBrace || (seen & requiredKeys) !== requiredKeys || at - start >= lineBytesMax) return -1;
    at++;
    if (bytes[at] === carriageReturn) at++;
    return bytes[at] === lineFeed ? at + 1 : -1;
  }

  #findKey(at: number, before: number): number {
    for (let key = 0; key < keyCount; key++) {
      const isHere =
        this.#view.getFloat64(at, true) === keyHeads[key] &&
        this.#view.getFloat64(at + (keyLengths[key] as number) - 8, true) === keyTails[key];
      if (!isHere) continue;
      this.#successors[before] = key;
      return key;
    }
    return -1;
  }

  /** @returns What is behind the value of a field; -1 when it is not ordinary. */
  #readValue(key: number, at: number, row: number): number {
    const rows = this.#rows;
    const texts = this.#texts;
    switch (key) {
      case uuidKey:
        return readUuidWords(this.#file, at, rows.uuids, row * wordsPerUuid) ? at + uuidBytes + 1 : -1;
      case productKey:
        return readText(at, texts.products, rows.products, row);
      case marketKey:
        return readText(at, texts.markets, rows.markets, row);
      case priceKey:
        return this.#readPrice(at, row);
      case unitKey:
        return readText(at, texts.units, rows.units, row);
      case currencyKey:
        return readText(at, texts.currencies, rows.currencies, row);
      case sourceKey:
        return readText(at, texts.sources, rows.sources, row);
      case gradeKey:
        return this.#readTextOrNull(at, texts.grades, rows.grades, row);
      case notesKey:
        return this.#readTextOrNull(at, texts.notes, rows.notes, row);
      case recordedAtKey:
        if (!this.#recordedAt.read(at, rows.recordedAt, row)) return -1;
        return (rows.recordedAt[row] as number) <= this.#recordedAtMax ? this.#recordedAt.end + 1 : -1;
      case createdAtKey:
        return this.#createdAt.read(at, rows.createdAt, row) ? this.#createdAt.end + 1 : -1;
      case updatedAtKey:
        return this.#updatedAt.read(at, rows.updatedAt, row) ? this.#updatedAt.end + 1 : -1;
      default:
        return -1;
    }
  }

  #readTextOrNull(at: number, texts: KnownTexts, column: Uint16Array | Uint32Array, row: number): number {
    if (this.#bytes[at] === quotationMark) return readText(at + 1, texts, column, row);
    return this.#view.getInt32(at, true) === nullText ? at + 4 : -1;
  }

  #readPrice(at: number, row: number): number {
    const bytes = this.#bytes;
    let value = 0;
    let end = at;
    let digit = (bytes[end] as number) - zero;
    for (; digit >= 0 && digit <= 9; digit = (bytes[++end] as number) - zero) value = value * 10 + digit;
    const whole = end - at;
    // JSON writes no number without a digit before the point, and none but 0 with a zero in front.
    if (whole === 0 || (bytes[at] === zero && whole > 1)) return -1;
    let digits = whole;
    if (bytes[end] === point) {
      end++;
      digit = (bytes[end] as number) - zero;
      for (; digit >= 0 && digit <= 9; digit = (bytes[++end] as number) - zero) value = value * 10 + digit;
      digits = end - at - 1;
      if (digits === whole || digits > exactDigitsMax) return -1;
      value /= powersOfTen[digits - whole] as number;
    }
    this.#rows.prices[row] = value;
    return digits <= exactDigitsMax && value > 0 ? end : -1;
  }
}

function readText(at: number, texts: KnownTexts, column: Uint16Array | Uint32Array, row: number): number {
  const code = texts.codeAt(at);
  column[row] = code;
  return code === -1 ? -1 : texts.end + 1;
}
