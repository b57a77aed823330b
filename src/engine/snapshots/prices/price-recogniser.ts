/**
 * The fast-path parser: reads lines of prices in their ordinary form, byte by byte as they lie in the file: the fields
 * of the format in any order, no space between them, prices in plain digits, times in their usual forms, references
 * that resolve. What it recognises is right and whole. Any other line goes the slow path, check-price-line.ts.
 */

import { wordsPerUuid } from "../../model/ids.ts";
import {
  type PriceColumnName,
  type PriceRows,
  priceColumnNames,
  priceColumns,
  type TextColumnName,
} from "../../model/price-columns.ts";
import { priceMax } from "../../model/records.ts";
import { lineBytesMax } from "../record-texts.ts";
import { type FileBytes, readInstant, readPlainNumber, readUuidWords, uuidBytes } from "./byte-values.ts";
import type { TextInterner } from "./text-interner.ts";

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const quotationMark = 0x22;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
/** The bytes of `null` as a number. */
const nullBytes = 0x6c6c_756e;

/**
 * A key as it stands in a line: name, colon, and the quotation mark that opens a text that must be there. It has 8 to
 * 16 bytes, so its first and its last eight identify it, compared as numbers (see text-interner.ts).
 */
interface Key {
  readonly length: number;
  readonly head: number;
  readonly tail: number;
}

/** The number by which `#readValue` knows the key of a column: columns are in the order in which fields are written. */
const keyNumbers = Object.fromEntries(priceColumnNames.map((name, number) => [name, number])) as Readonly<
  Record<PriceColumnName, number>
>;

const keys: readonly Key[] = priceColumnNames.map(keyOf);

function keyOf(name: PriceColumnName): Key {
  const column = priceColumns[name];
  const isText = column.kind !== "number" && !("isOptional" in column);
  const bytes = Buffer.from(`"${column.field}":${isText ? '"' : ""}`);
  return { length: bytes.length, head: bytes.readDoubleLE(0), tail: bytes.readDoubleLE(bytes.length - 8) };
}

const allKeys = (1 << keys.length) - 1;
const optionalKeys = (1 << keyNumbers.grades) | (1 << keyNumbers.notes) | (1 << keyNumbers.flags);

/** Turns the texts of each field into codes. */
type PriceInterners = { readonly [Name in "products" | "markets" | TextColumnName]: TextInterner };

/** Reads lines. A function that reads a value takes its first byte and returns the byte after it, or -1. */
export class PriceRecogniser {
  readonly #file: FileBytes;
  readonly #rows: PriceRows;
  readonly #interners: PriceInterners;
  readonly #recordedAtMax: number;

  /**
   * @param file The memory that lines will lie in; it goes on after them by `bytesAfterMax`.
   * @param rows Receives the values.
   * @param interners Interners of the same memory.
   * @param recordedAtMax Last instant at which a price may be recorded (inclusive).
   */
  constructor(file: FileBytes, rows: PriceRows, interners: PriceInterners, recordedAtMax: number) {
    this.#file = file;
    this.#rows = rows;
    this.#interners = interners;
    this.#recordedAtMax = recordedAtMax;
  }

  /**
   * Reads one line into a row.
   *
   * @param start The first byte of a line that ends before the memory does.
   * @returns The start of the next line; -1 when the line is not ordinary, then the row means nothing.
   */
  read(start: number, row: number): number {
    const { bytes } = this.#file;
    if (bytes[start] !== openBrace) return -1;
    const { grades, notes, flags } = this.#rows;
    // Columns without a sign: it is `missingCode` there.
    grades[row] = notes[row] = flags[row] = -1;
    let seen = 0;
    let key = -1;
    let at = start;
    do {
      key = this.#keyAt(at + 1, key + 1);
      if (key === -1 || (seen & (1 << key)) !== 0) return -1;
      seen |= 1 << key;
      at = this.#readValue(key, at + 1 + (keys[key] as Key).length, row);
    } while (at !== -1 && bytes[at] === comma);
    if (at === -1 || (seen | optionalKeys) !== allKeys || bytes[at] !== closeBrace || at - start >= lineBytesMax) {
      return -1;
    }
    const end = bytes[at + 1] === carriageReturn ? at + 2 : at + 1;
    return bytes[end] === lineFeed ? end + 1 : -1;
  }

  /** The key at `at`, or -1. @param expected Looked for first. */
  #keyAt(at: number, expected: number): number {
    const { view } = this.#file;
    const head = view.getFloat64(at, true);
    for (let tried = 0; tried < keys.length; tried++) {
      const position = expected + tried < keys.length ? expected + tried : expected + tried - keys.length;
      const key = keys[position] as Key;
      if (head === key.head && view.getFloat64(at + key.length - 8, true) === key.tail) return position;
    }
    return -1;
  }

  /** @param key One of `keyNumbers`. */
  #readValue(key: number, at: number, row: number): number {
    const rows = this.#rows;
    const interners = this.#interners;
    switch (key) {
      case keyNumbers.uuids:
        return readUuidWords(this.#file, at, rows.uuids, row * wordsPerUuid) ? at + uuidBytes + 1 : -1;
      case keyNumbers.products:
        return readText(at, interners.products, rows.products, row);
      case keyNumbers.markets:
        return readText(at, interners.markets, rows.markets, row);
      case keyNumbers.prices: {
        const end = readPlainNumber(this.#file.bytes, at, rows.prices, row);
        return (rows.prices[row] as number) <= priceMax ? end : -1;
      }
      case keyNumbers.units:
        return readText(at, interners.units, rows.units, row);
      case keyNumbers.currencies:
        return readText(at, interners.currencies, rows.currencies, row);
      case keyNumbers.recordedAt: {
        const end = readInstant(this.#file.view, at, rows.recordedAt, row);
        return (rows.recordedAt[row] as number) <= this.#recordedAtMax ? end : -1;
      }
      case keyNumbers.sources:
        return readText(at, interners.sources, rows.sources, row);
      case keyNumbers.grades:
        return this.#readOptionalText(at, interners.grades, rows.grades, row);
      case keyNumbers.notes:
        return this.#readOptionalText(at, interners.notes, rows.notes, row);
      case keyNumbers.flags:
        return this.#readOptionalText(at, interners.flags, rows.flags, row);
      case keyNumbers.createdAt:
        return readInstant(this.#file.view, at, rows.createdAt, row);
      default:
        return readInstant(this.#file.view, at, rows.updatedAt, row);
    }
  }

  /** A text with its quotation mark, or null. */
  #readOptionalText(at: number, interner: TextInterner, column: Uint16Array | Uint32Array, row: number): number {
    const { bytes, view } = this.#file;
    if (bytes[at] === quotationMark) return readText(at + 1, interner, column, row);
    return view.getInt32(at, true) === nullBytes ? at + 4 : -1;
  }
}

/** @param at The first byte after the opening quotation mark. */
function readText(at: number, interner: TextInterner, column: Uint16Array | Uint32Array, row: number): number {
  const code = interner.codeAt(at);
  column[row] = code;
  return code === -1 ? -1 : interner.end + 1;
}
