import type { PriceTable } from "../../src/engine/model/dataset.ts";
import { Dictionary } from "../../src/engine/model/dictionary.ts";
import { writeUuid } from "../../src/engine/model/ids.ts";
import {
  mapColumns,
  mapTexts,
  type PriceRows,
  priceColumns,
  sharedPriceRows,
  type TextColumnName,
  textColumnNames,
} from "../../src/engine/model/price-columns.ts";
import type { PriceRecord } from "../../src/engine/model/records.ts";
import { missingCode } from "../../src/engine/model/shared-columns.ts";

/** A price whose product and market are known by their positions in `Dataset`. */
export interface AppendedPrice extends Omit<PriceRecord, "uuid" | "productUuid" | "marketUuid"> {
  readonly uuid: string;
  readonly product: number;
  readonly market: number;
}

/**
 * Fills the price columns, record by record: `append` as often as announced, then `finish` once.
 *
 * The columns are made at their final size, so that nothing is copied as they grow; the number of rows is known
 * beforehand (a manifest says it, a generator knows it).
 */
export class PriceAppender {
  readonly #capacity: number;
  readonly #rows: PriceRows<SharedArrayBuffer>;
  readonly #dictionaries: { readonly [Name in TextColumnName]: Dictionary };
  #rowCount = 0;

  /** @param capacity Exact number of records that will be appended. */
  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#rows = sharedPriceRows(capacity);
    this.#dictionaries = mapColumns(
      textColumnNames,
      (name) => new Dictionary(`${priceColumns[name].label} of prices`, missingCode(this.#rows[name])),
    );
  }

  /**
   * Adds one record behind the others.
   *
   * @throws {RangeError} when the announced number of records is passed or a dictionary is full.
   */
  append(record: AppendedPrice): void {
    const row = this.#rowCount;
    if (row >= this.#capacity) throw new RangeError(`price ${row + 1} appended, only ${this.#capacity} were announced`);
    const rows = this.#rows;
    writeUuid(rows.uuids, row, record.uuid);
    rows.products[row] = record.product;
    rows.markets[row] = record.market;
    rows.prices[row] = record.price;
    rows.recordedAt[row] = record.recordedAt;
    rows.createdAt[row] = record.createdAt;
    rows.updatedAt[row] = record.updatedAt;
    rows.units[row] = this.#codeOf("units", record.unit);
    rows.currencies[row] = this.#codeOf("currencies", record.currency);
    rows.sources[row] = this.#codeOf("sources", record.source);
    rows.grades[row] = this.#codeOf("grades", record.qualityGrade);
    rows.notes[row] = this.#codeOf("notes", record.notes);
    rows.flags[row] = this.#codeOf("flags", record.priceFlag);
    this.#rowCount = row + 1;
  }

  #codeOf(name: TextColumnName, text: string | null): number {
    return text === null ? missingCode(this.#rows[name]) : this.#dictionaries[name].codeOf(text);
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
    return { rowCount: this.#rowCount, ...this.#rows, ...mapTexts((name) => this.#dictionaries[name].texts) };
  }
}
