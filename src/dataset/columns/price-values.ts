import type { PriceRows } from "../../domain/price-columns.ts";
import { wordsPerUuid } from "../../domain/uuid-words.ts";
import { codeOfNothing } from "./coded-fields.ts";
import { type FileBytes, readUuidWords, uuidBytes } from "./file-bytes.ts";
import { InstantReader } from "./instant-reader.ts";
import type { KnownTexts } from "./known-texts.ts";
import type { PriceTexts } from "./price-texts.ts";

const quotationMark = 0x22;
const point = 0x2e;
const zero = 0x30;
/** The bytes of `null` as a number. */
const nullBytes = 0x6c6c_756e;

/** With so few digits a number is an integer below 2^53 divided by an exact power of ten: rounded once, hence exact. */
const exactDigitsMax = 15;
const powersOfTen = Float64Array.from({ length: exactDigitsMax + 1 }, (_, exponent) => Number(`1e${exponent}`));

/**
 * Reads the values of prices in their ordinary forms from the bytes of a file into rows. Each method takes the first byte
 * of a value (of a text that must be there: the first behind its quotation mark) and returns what is behind the value, or
 * -1 when it is not ordinary; then its place in the row means nothing.
 */
export class PriceValues {
  readonly #file: FileBytes;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #rows: PriceRows;
  readonly #texts: PriceTexts;
  readonly #recordedAtMax: number;
  readonly #instants: InstantReader;

  /**
   * @param texts Those of the same file.
   * @param recordedAtMax Last instant at which a price may be recorded (inclusive).
   */
  constructor(file: FileBytes, rows: PriceRows, texts: PriceTexts, recordedAtMax: number) {
    this.#file = file;
    this.#bytes = file.bytes;
    this.#view = file.view;
    this.#rows = rows;
    this.#texts = texts;
    this.#recordedAtMax = recordedAtMax;
    this.#instants = new InstantReader(file);
  }

  /** Sets what need not be there to nothing. */
  beginRow(row: number): void {
    this.#rows.grades[row] = codeOfNothing.grades;
    this.#rows.notes[row] = codeOfNothing.notes;
  }

  readUuid(at: number, row: number): number {
    return readUuidWords(this.#file, at, this.#rows.uuids, row * wordsPerUuid) ? at + uuidBytes + 1 : -1;
  }

  readProduct(at: number, row: number): number {
    const texts = this.#texts.products;
    const code = texts.codeAt(at);
    this.#rows.products[row] = code;
    return code === -1 ? -1 : texts.end + 1;
  }

  readMarket(at: number, row: number): number {
    const texts = this.#texts.markets;
    const code = texts.codeAt(at);
    this.#rows.markets[row] = code;
    return code === -1 ? -1 : texts.end + 1;
  }

  readPrice(at: number, row: number): number {
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

  readUnit(at: number, row: number): number {
    return readShortText(at, this.#texts.units, this.#rows.units, row);
  }

  readCurrency(at: number, row: number): number {
    return readShortText(at, this.#texts.currencies, this.#rows.currencies, row);
  }

  readRecordedAt(at: number, row: number): number {
    if (!this.#instants.read(at, this.#rows.recordedAt, row)) return -1;
    return (this.#rows.recordedAt[row] as number) <= this.#recordedAtMax ? this.#instants.end + 1 : -1;
  }

  readSource(at: number, row: number): number {
    return readShortText(at, this.#texts.sources, this.#rows.sources, row);
  }

  /** A text with its quotation mark, or null. */
  readGrade(at: number, row: number): number {
    if (this.#bytes[at] !== quotationMark) return this.#behindNull(at);
    return readShortText(at + 1, this.#texts.grades, this.#rows.grades, row);
  }

  /** A text with its quotation mark, or null. */
  readNotes(at: number, row: number): number {
    if (this.#bytes[at] !== quotationMark) return this.#behindNull(at);
    const texts = this.#texts.notes;
    const code = texts.codeAt(at + 1);
    this.#rows.notes[row] = code;
    return code === -1 ? -1 : texts.end + 1;
  }

  readCreatedAt(at: number, row: number): number {
    return this.#instants.read(at, this.#rows.createdAt, row) ? this.#instants.end + 1 : -1;
  }

  readUpdatedAt(at: number, row: number): number {
    return this.#instants.read(at, this.#rows.updatedAt, row) ? this.#instants.end + 1 : -1;
  }

  #behindNull(at: number): number {
    return this.#view.getInt32(at, true) === nullBytes ? at + 4 : -1;
  }
}

function readShortText(at: number, texts: KnownTexts, column: Uint16Array, row: number): number {
  const code = texts.codeAt(at);
  column[row] = code;
  return code === -1 ? -1 : texts.end + 1;
}
