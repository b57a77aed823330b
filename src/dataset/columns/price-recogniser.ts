/**
 * Recognises lines of prices in their ordinary form, byte by byte as they lie in the file: the fields of the format in
 * any order, no space between them, prices in plain digits, times in their usual forms. What it recognises is right and
 * whole. Of anything else it only says that the line is not ordinary; another reader judges it.
 */

import type { PriceRows } from "../../domain/price-columns.ts";
import { lineBytesMax } from "../read-ndjson.ts";
import type { FileBytes } from "./file-bytes.ts";
import {
  createdAtKey,
  currencyKey,
  gradeKey,
  isFirstKeyAt,
  isKeyAt,
  marketKey,
  notesKey,
  type PriceKey,
  priceKey,
  productKey,
  recordedAtKey,
  sourceKey,
  unitKey,
  updatedAtKey,
  uuidKey,
} from "./price-keys.ts";
import type { PriceTexts } from "./price-texts.ts";
import { PriceValues } from "./price-values.ts";

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const comma = 0x2c;
const closeBrace = 0x7d;

/** All keys, in the order in which prices are usually written; a position here tells which field is meant. */
const keys: readonly PriceKey[] = [
  uuidKey,
  productKey,
  marketKey,
  priceKey,
  unitKey,
  currencyKey,
  recordedAtKey,
  sourceKey,
  gradeKey,
  notesKey,
  createdAtKey,
  updatedAtKey,
];
const allKeys = (1 << keys.length) - 1;
const optionalKeys = (1 << keys.indexOf(gradeKey)) | (1 << keys.indexOf(notesKey));

export class PriceRecogniser {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #values: PriceValues;

  /**
   * @param file The memory that lines will lie in; it goes on behind them by `bytesBehindMax`.
   * @param rows Receives the values.
   * @param texts Those of the same memory.
   * @param recordedAtMax Last instant at which a price may be recorded (inclusive).
   */
  constructor(file: FileBytes, rows: PriceRows, texts: PriceTexts, recordedAtMax: number) {
    this.#bytes = file.bytes;
    this.#view = file.view;
    this.#values = new PriceValues(file, rows, texts, recordedAtMax);
  }

  /**
   * Reads one line into a row.
   *
   * @param start The first byte of a line that ends before the memory does.
   * @returns Where the next line starts; -1 when the line is not ordinary, then the row means nothing.
   */
  read(start: number, row: number): number {
    const bytes = this.#bytes;
    this.#values.beginRow(row);
    let at = this.#readInUsualOrder(start, row);
    if (at === -1 || bytes[at] !== closeBrace) {
      this.#values.beginRow(row);
      at = this.#readInAnyOrder(start, row);
    }
    if (at === -1 || bytes[at] !== closeBrace || at - start >= lineBytesMax) return -1;
    const end = bytes[at + 1] === carriageReturn ? at + 2 : at + 1;
    return bytes[end] === lineFeed ? end + 1 : -1;
  }

  /**
   * In four steps, for the compiler puts only so much into one function.
   *
   * @returns What is behind the last value; -1 for lines with another order, or anything that is not ordinary.
   */
  #readInUsualOrder(start: number, row: number): number {
    let at = this.#readIdentities(start, row);
    if (at !== -1) at = this.#readAmount(at, row);
    if (at !== -1) at = this.#readOrigin(at, row);
    return at === -1 ? -1 : this.#readTimestamps(at, row);
  }

  #readIdentities(start: number, row: number): number {
    const view = this.#view;
    const values = this.#values;
    if (!isFirstKeyAt(view, start, uuidKey)) return -1;
    let at = values.readUuid(start + uuidKey.length, row);
    if (at === -1 || !isKeyAt(view, at, productKey)) return -1;
    at = values.readProduct(at + productKey.length, row);
    if (at === -1 || !isKeyAt(view, at, marketKey)) return -1;
    return values.readMarket(at + marketKey.length, row);
  }

  #readAmount(start: number, row: number): number {
    const view = this.#view;
    const values = this.#values;
    if (!isKeyAt(view, start, priceKey)) return -1;
    let at = values.readPrice(start + priceKey.length, row);
    if (at === -1 || !isKeyAt(view, at, unitKey)) return -1;
    at = values.readUnit(at + unitKey.length, row);
    if (at === -1 || !isKeyAt(view, at, currencyKey)) return -1;
    return values.readCurrency(at + currencyKey.length, row);
  }

  #readOrigin(start: number, row: number): number {
    const view = this.#view;
    const values = this.#values;
    if (!isKeyAt(view, start, recordedAtKey)) return -1;
    let at = values.readRecordedAt(start + recordedAtKey.length, row);
    if (at === -1 || !isKeyAt(view, at, sourceKey)) return -1;
    at = values.readSource(at + sourceKey.length, row);
    if (at !== -1 && isKeyAt(view, at, gradeKey)) at = values.readGrade(at + gradeKey.length, row);
    if (at !== -1 && isKeyAt(view, at, notesKey)) at = values.readNotes(at + notesKey.length, row);
    return at;
  }

  #readTimestamps(start: number, row: number): number {
    const view = this.#view;
    const values = this.#values;
    if (!isKeyAt(view, start, createdAtKey)) return -1;
    const at = values.readCreatedAt(start + createdAtKey.length, row);
    return at === -1 || !isKeyAt(view, at, updatedAtKey) ? -1 : values.readUpdatedAt(at + updatedAtKey.length, row);
  }

  /** As `readInUsualOrder`, for any order. */
  #readInAnyOrder(start: number, row: number): number {
    let seen = 0;
    let at = start;
    do {
      const key = this.#keyAt(at, at === start);
      if (key === -1 || (seen & (1 << key)) !== 0) return -1;
      seen |= 1 << key;
      at = this.#readValue(key, at + (keys[key] as PriceKey).length, row);
    } while (at !== -1 && this.#bytes[at] === comma);
    return (seen | optionalKeys) === allKeys ? at : -1;
  }

  #keyAt(at: number, isFirst: boolean): number {
    const view = this.#view;
    return keys.findIndex((key) => (isFirst ? isFirstKeyAt(view, at, key) : isKeyAt(view, at, key)));
  }

  #readValue(key: number, at: number, row: number): number {
    const values = this.#values;
    switch (key) {
      case 0:
        return values.readUuid(at, row);
      case 1:
        return values.readProduct(at, row);
      case 2:
        return values.readMarket(at, row);
      case 3:
        return values.readPrice(at, row);
      case 4:
        return values.readUnit(at, row);
      case 5:
        return values.readCurrency(at, row);
      case 6:
        return values.readRecordedAt(at, row);
      case 7:
        return values.readSource(at, row);
      case 8:
        return values.readGrade(at, row);
      case 9:
        return values.readNotes(at, row);
      case 10:
        return values.readCreatedAt(at, row);
      case 11:
        return values.readUpdatedAt(at, row);
      default:
        return -1;
    }
  }
}
