import { noNotes, noQualityGrade, notesDictionarySizeMax, type PriceTable, shortDictionarySizeMax } from "./dataset.ts";
import { Dictionary } from "./dictionary.ts";
import type { PriceRecord } from "./records.ts";
import { sharedFloat64, sharedUint16, sharedUint32 } from "./shared-columns.ts";
import { wordsPerUuid, writeUuid } from "./uuid-words.ts";

/**
 * Fills the price columns, record by record: `append` as often as announced, then `finish` once.
 *
 * The columns are made at their final size, so that nothing is copied as they grow; the number of rows is known
 * beforehand (a manifest says it, a generator is told it).
 */
export class PriceAppender {
  readonly #capacity: number;
  readonly #uuids: Uint32Array<SharedArrayBuffer>;
  readonly #products: Uint32Array<SharedArrayBuffer>;
  readonly #markets: Uint32Array<SharedArrayBuffer>;
  readonly #prices: Float64Array<SharedArrayBuffer>;
  readonly #recordedAt: Float64Array<SharedArrayBuffer>;
  readonly #createdAt: Float64Array<SharedArrayBuffer>;
  readonly #updatedAt: Float64Array<SharedArrayBuffer>;
  readonly #units: Uint16Array<SharedArrayBuffer>;
  readonly #currencies: Uint16Array<SharedArrayBuffer>;
  readonly #sources: Uint16Array<SharedArrayBuffer>;
  readonly #grades: Uint16Array<SharedArrayBuffer>;
  readonly #notes: Uint32Array<SharedArrayBuffer>;
  readonly #unitNames = new Dictionary("units of prices", shortDictionarySizeMax);
  readonly #currencyCodes = new Dictionary("currencies of prices", shortDictionarySizeMax);
  readonly #sourceNames = new Dictionary("sources of prices", shortDictionarySizeMax);
  readonly #gradeNames = new Dictionary("quality grades of prices", shortDictionarySizeMax);
  readonly #noteTexts = new Dictionary("notes of prices", notesDictionarySizeMax);
  #rowCount = 0;

  /** @param capacity Exact number of records that will be appended. */
  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#uuids = sharedUint32(capacity * wordsPerUuid);
    this.#products = sharedUint32(capacity);
    this.#markets = sharedUint32(capacity);
    this.#prices = sharedFloat64(capacity);
    this.#recordedAt = sharedFloat64(capacity);
    this.#createdAt = sharedFloat64(capacity);
    this.#updatedAt = sharedFloat64(capacity);
    this.#units = sharedUint16(capacity);
    this.#currencies = sharedUint16(capacity);
    this.#sources = sharedUint16(capacity);
    this.#grades = sharedUint16(capacity);
    this.#notes = sharedUint32(capacity);
  }

  /**
   * Adds one record behind the others.
   *
   * @throws {RangeError} when the announced number of records is passed or a dictionary is full.
   */
  append(record: PriceRecord): void {
    const row = this.#rowCount;
    if (row >= this.#capacity) throw new RangeError(`price ${row + 1} appended, only ${this.#capacity} were announced`);
    writeUuid(this.#uuids, row, record.uuid);
    this.#products[row] = record.product;
    this.#markets[row] = record.market;
    this.#prices[row] = record.price;
    this.#recordedAt[row] = record.recordedAt;
    this.#createdAt[row] = record.createdAt;
    this.#updatedAt[row] = record.updatedAt;
    this.#units[row] = this.#unitNames.codeOf(record.unit);
    this.#currencies[row] = this.#currencyCodes.codeOf(record.currency);
    this.#sources[row] = this.#sourceNames.codeOf(record.source);
    this.#grades[row] = record.qualityGrade === null ? noQualityGrade : this.#gradeNames.codeOf(record.qualityGrade);
    this.#notes[row] = record.notes === null ? noNotes : this.#noteTexts.codeOf(record.notes);
    this.#rowCount = row + 1;
  }

  /**
   * Hands over the columns. The appender must not be used afterwards.
   *
   * @throws {RangeError} when fewer records were appended than announced.
   */
  finish(): PriceTable {
    if (this.#rowCount !== this.#capacity) {
      throw new RangeError(`${this.#rowCount} prices appended, ${this.#capacity} were announced`);
    }
    return {
      rowCount: this.#rowCount,
      uuids: this.#uuids,
      products: this.#products,
      markets: this.#markets,
      prices: this.#prices,
      recordedAt: this.#recordedAt,
      createdAt: this.#createdAt,
      updatedAt: this.#updatedAt,
      units: this.#units,
      currencies: this.#currencies,
      sources: this.#sources,
      grades: this.#grades,
      notes: this.#notes,
      unitNames: this.#unitNames.texts,
      currencyCodes: this.#currencyCodes.texts,
      sourceNames: this.#sourceNames.texts,
      gradeNames: this.#gradeNames.texts,
      noteTexts: this.#noteTexts.texts,
    };
  }
}
