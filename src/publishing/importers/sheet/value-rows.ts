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
import { fieldName, wideName } from "./header-rows.ts";
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
  /** See `FieldRow`. */
  readonly heading?: string | undefined;
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
  { mapping, epoch, currencies, today }: ValuesReading,
): Generator<PriceRow | PricelessRow> {
  const dates = new DateReader(mapping.date_formats, epoch);
  const readers = { mapping, today, dates, currencies: new CurrencyReader(currencies, mapping) };
  let line = 0;
  for (const row of rows) {
    ({ line } = row);
    yield "cells" in row ? priceRow(row, readers) : row;
  }
  const fault = dates.exchanged;
  if (fault !== undefined) yield { line, faults: [{ ...fault, field: fieldName(mapping, "date") }], isEnd: true };
}

interface Readers extends Pick<ValuesReading, "mapping" | "today"> {
  readonly dates: DateReader;
  readonly currencies: CurrencyReader;
}

function priceRow(row: MatchedRow, readers: Readers): PriceRow | PricelessRow {
  const { line, market, product, unit, marketType, heading } = row;
  const faults: Fault[] = [...row.faults];
  const taken = <T extends number | string | null | undefined>(value: T | Fault): T | undefined => {
    if (typeof value !== "object" || value === null) return value;
    faults.push(value);
    return undefined;
  };
  const inCell = readPriceCell(row.amount, readers.mapping, readers.mapping.currencies);
  const recordedAt = taken(dateOf(row, readers));
  const price = taken(amountOf(row, inCell, readers));
  const currency = taken(currencyOf(row, inCell, readers));
  const grade = taken(textOf("grade", row, readers)) ?? null;
  const notes = taken(textOf("notes", row, readers)) ?? null;
  const priceFlag = taken(flagOf(row, readers)) ?? null;
  const isRead = recordedAt !== undefined && price !== undefined && currency !== undefined;
  for (const [at, fault] of faults.entries()) {
    if (heading !== undefined && fault.field === wideName) faults[at] = { ...fault, field: heading };
  }
  if (faults.length > 0 || !isRead || !market || !product || !unit) return { line, faults };
  const values = { recordedAt, currency, price, grade, notes, priceFlag };
  return { line, price: { line, market, product, unit: unit.id, ...values }, marketType, heading };
}

/** A day that is to come is refused here, where the row is known. */
function dateOf(row: MatchedRow, { mapping, today, dates }: Readers): Instant | Fault {
  const cell = row.cells.date;
  if (cell === null) return cellFault(mapping, row, "date", cell, "a date");
  const recordedAt = dates.read(cell);
  if (typeof recordedAt === "object") return { ...recordedAt, field: fieldName(mapping, "date") };
  if (dayOf(recordedAt) <= today) return recordedAt;
  return cellFault(mapping, row, "date", cell, `a day up to today, ${dayText(today)} in Kenya`);
}

function amountOf(row: MatchedRow, inCell: PriceInCell | Fault, { mapping }: Readers): number | Fault {
  if ("found" in inCell) return { ...withEmptyText(inCell, row.amount), field: fieldName(mapping, "price") };
  const { scale } = mapping;
  // A product has noise behind the digits that both factors have: 4.35 × 100 is 435.
  const price = scale === 1 ? inCell.price : Number((inCell.price * scale).toPrecision(significantDigits));
  if (price <= priceMax) return price;
  const wanted = `at most ${priceMax.toLocaleString("en-US")}, with "scale" ${scale} of the mapping`;
  return cellFault(mapping, row, "price", row.cells.price, wanted);
}

/** Undefined where the price has a fault and nothing besides it states a currency. */
function currencyOf(
  { cells, currencyOfUnit }: MatchedRow,
  inCell: PriceInCell | Fault,
  { currencies }: Readers,
): string | Fault | undefined {
  // A price that cannot be read may state its currency all the same.
  if ("found" in inCell && cells.currency === null) return undefined;
  const ofUnit = currencyOfUnit === null ? [] : [{ ...currencyOfUnit, place: `the unit ${foundInCell(cells.unit)}` }];
  return currencies.read(
    cells.currency === null ? undefined : (cellText(cells.currency) ?? foundInCell(cells.currency)),
    [...("currencies" in inCell ? inCell.currencies : []), ...ofUnit],
  );
}

function textOf(field: "grade" | "notes", row: MatchedRow, { mapping }: Readers): string | null | Fault {
  const cell = row.cells[field];
  if (cell === null) return null;
  const given = cellText(cell);
  if (given === undefined) return cellFault(mapping, row, field, cell, "text");
  const [fault] = givenFaults(field === "grade" ? name : text, given, fieldName(mapping, field));
  return fault ?? given;
}

/** `Actual, aggregate` is `actual_aggregate`. */
function flagOf(row: MatchedRow, { mapping }: Readers): PriceFlag | null | Fault {
  const cell = row.cells.price_flag;
  if (cell === null) return null;
  const words =
    cellText(cell)
      ?.toLowerCase()
      .match(/[a-z]+/g) ?? [];
  const flag = priceFlags.find((known) => known === words.join("_"));
  return flag ?? cellFault(mapping, row, "price_flag", cell, `one of ${priceFlags.join(", ")}`);
}
