/** Rows with matched names → prices: values are read strictly, in the forms of the mapping. */
import { type Day, dayText, type Instant } from "../../../engine/model/calendar.ts";
import { name, text } from "../../../engine/model/record-schema.ts";
import { priceMax } from "../../../engine/model/records.ts";
import { type PriceFlag, priceFlags } from "../../../engine/model/vocabulary.ts";
import { givenFaults } from "../../../engine/snapshots/given-values.ts";
import type { Fault } from "../../../engine/snapshots/problem.ts";
import { cellText, foundInCell, significantDigits } from "./cells.ts";
import { DateReader, dayOf } from "./date-cell.ts";
import { cellFault, type PricelessRow } from "./field-rows.ts";
import { fieldName } from "./header-rows.ts";
import type { Mapping } from "./mapping.ts";
import type { MatchedRow } from "./match-rows.ts";
import { type PriceInCell, readPriceCell } from "./price-cell.ts";
import type { UnnumberedFact } from "./price-identity.ts";
import { withEmptyText } from "./row-kinds.ts";
import type { SerialEpoch } from "./sheet-table.ts";
import { CurrencyReader, type CurrencyStatement } from "./stated-currency.ts";

export interface PriceRow {
  readonly line: number;
  readonly price: UnnumberedFact;
  readonly marketType: string | undefined;
}

/** All that values are read with. */
export interface ValuesReading {
  readonly mapping: Mapping;
  readonly epoch: SerialEpoch;
  /** Those that the table states for all prices. */
  readonly currencies: readonly CurrencyStatement[];
  /** The last day, in Kenya, on which a price can have been recorded. */
  readonly today: Day;
}

/** Reads the values of each row and finds all of its faults at once. Rows that give no price stay as they are. */
export function* valueRows(
  rows: Iterable<MatchedRow | PricelessRow>,
  reading: ValuesReading,
): Generator<PriceRow | PricelessRow> {
  const reader = new ValueReader(reading);
  let line = 0;
  for (const row of rows) {
    ({ line } = row);
    yield "cells" in row ? reader.read(row) : row;
  }
  const fault = reader.exchangedDates;
  if (fault !== undefined) yield { line, faults: [fault], isEnd: true };
}

const textSchemas = { grade: name, notes: text };

class ValueReader {
  readonly #mapping: Mapping;
  readonly #today: Day;
  readonly #dates: DateReader;
  readonly #currencies: CurrencyReader;

  constructor({ mapping, epoch, currencies, today }: ValuesReading) {
    this.#mapping = mapping;
    this.#today = today;
    this.#dates = new DateReader(mapping.date_formats, epoch);
    this.#currencies = new CurrencyReader(currencies, mapping);
  }

  get exchangedDates(): Fault | undefined {
    const fault = this.#dates.exchanged;
    return fault && { ...fault, field: fieldName(this.#mapping, "date") };
  }

  read(row: MatchedRow): PriceRow | PricelessRow {
    const { line, cells, market, product, unit, otherUnit } = row;
    const { currencies } = this.#mapping;
    const faults: Fault[] = [...row.faults];
    const recordedAt = this.#dateOf(row);
    if (typeof recordedAt === "object") faults.push(recordedAt);
    const read = readPriceCell(row.amount, this.#mapping, currencies);
    if ("found" in read) faults.push({ ...withEmptyText(read, row.amount), field: fieldName(this.#mapping, "price") });
    if (unit !== undefined && otherUnit !== undefined && otherUnit.id !== unit.id) {
      faults.push(cellFault(this.#mapping, row, "price", cells.price, `a price per ${unit.id}, the unit of the row`));
    }
    const currency = this.#currencyOf(row, read);
    if (typeof currency === "object") faults.push(currency);
    const grade = this.#textOf("grade", row, faults);
    const notes = this.#textOf("notes", row, faults);
    const priceFlag = this.#flagOf(row, faults);
    if ("price" in read && scaled(read.price, this.#mapping.scale) > priceMax) {
      const most = `at most ${priceMax.toLocaleString("en-US")}, with "scale" ${this.#mapping.scale} of the mapping`;
      faults.push(cellFault(this.#mapping, row, "price", cells.price, most));
    }
    const isRead = typeof recordedAt === "number" && "price" in read && typeof currency === "string";
    if (faults.length > 0 || !isRead || !market || !product || !unit) return { line, faults };
    const price = scaled(read.price, this.#mapping.scale);
    const values = { market, product, unit: unit.id, currency, price, grade, notes, priceFlag };
    return { line, price: { line, recordedAt, ...values }, marketType: row.marketType };
  }

  /** A day that is to come is refused here, where the row is known. */
  #dateOf(row: MatchedRow): Instant | Fault {
    const cell = row.cells.date;
    if (cell === null) return cellFault(this.#mapping, row, "date", cell, "a date");
    const recordedAt = this.#dates.read(cell);
    if (typeof recordedAt === "object") return { ...recordedAt, field: fieldName(this.#mapping, "date") };
    if (dayOf(recordedAt) <= this.#today) return recordedAt;
    return cellFault(this.#mapping, row, "date", cell, `a day up to today, ${dayText(this.#today)} in Kenya`);
  }

  /** Undefined where the price has a fault and nothing besides it states a currency. */
  #currencyOf({ cells, currencyOfUnit }: MatchedRow, price: PriceInCell | Fault): string | Fault | undefined {
    // A price that cannot be read may state its currency all the same.
    if ("found" in price && cells.currency === null) return undefined;
    const ofUnit = currencyOfUnit === null ? [] : [{ ...currencyOfUnit, place: `the unit ${foundInCell(cells.unit)}` }];
    return this.#currencies.read(
      cells.currency === null ? undefined : (cellText(cells.currency) ?? foundInCell(cells.currency)),
      [...("currencies" in price ? price.currencies : []), ...ofUnit],
    );
  }

  #textOf(field: "grade" | "notes", row: MatchedRow, faults: Fault[]): string | null {
    const cell = row.cells[field];
    if (cell === null) return null;
    const given = cellText(cell);
    if (given === undefined) faults.push(cellFault(this.#mapping, row, field, cell, "text"));
    else faults.push(...givenFaults(textSchemas[field], given, fieldName(this.#mapping, field)));
    return given ?? null;
  }

  /** `Actual, aggregate` is `actual_aggregate`. */
  #flagOf(row: MatchedRow, faults: Fault[]): PriceFlag | null {
    const cell = row.cells.price_flag;
    if (cell === null) return null;
    const words = (cellText(cell) ?? "").toLowerCase().match(/[a-z]+/g) ?? [];
    const flag = priceFlags.find((known) => known === words.join("_"));
    if (flag !== undefined) return flag;
    faults.push(cellFault(this.#mapping, row, "price_flag", cell, `one of ${priceFlags.join(", ")}`));
    return null;
  }
}

/** A product has noise behind the digits that both factors have: 4.35 × 100 is 435. */
function scaled(price: number, scale: number): number {
  return scale === 1 ? price : Number((price * scale).toPrecision(significantDigits));
}
