/** Rows with fields → prices: names stand for records, values are read strictly, in the forms of the mapping. */
import { type Day, dayText, type Instant } from "../../../engine/model/calendar.ts";
import { name, text } from "../../../engine/model/record-schema.ts";
import { priceMax } from "../../../engine/model/records.ts";
import { isLonger, lengthsMax } from "../../../engine/model/text-lengths.ts";
import { type PriceFlag, priceFlags } from "../../../engine/model/vocabulary.ts";
import { inputFaults } from "../../../engine/snapshots/input-values.ts";
import type { Fault } from "../../../engine/snapshots/problem.ts";
import { type Cell, cellText, foundInCell, significantDigits } from "./cells.ts";
import { DateReader, dayOf } from "./date-cell.ts";
import { cellFault, type FieldRow, type PricelessRow } from "./field-rows.ts";
import { fieldName, wideName } from "./header-rows.ts";
import type { Mapping } from "./mapping.ts";
import type { Resolution } from "./match-answers.ts";
import { type NameKind, skipWord } from "./matches-file.ts";
import type { Target } from "./name-index.ts";
import { type PriceInCell, readPriceCell, splitPriceCell, splitUnitCell } from "./price-cell.ts";
import type { UnnumberedFact } from "./price-identity.ts";
import type { Area, NameResolver } from "./resolve-names.ts";
import { withEmptyText } from "./row-kinds.ts";
import type { Table } from "./sheet-table.ts";
import { agreedCurrency, type CurrencyStatement, statedCurrency } from "./stated-currency.ts";

export interface PriceRow {
  readonly line: number;
  readonly price: UnnumberedFact;
  readonly marketType: string | undefined;
}

/** All that rows are read with. */
export interface RowsReading {
  readonly table: Pick<Table, "epoch">;
  readonly mapping: Mapping;
  readonly resolver: NameResolver;
  /** The last day, in Kenya, on which a price can have been recorded. */
  readonly today: Day;
}

interface Readers extends RowsReading {
  readonly dates: DateReader;
  /** Those that the table states for all prices. */
  readonly currencies: readonly CurrencyStatement[];
}

/**
 * Matches the names and reads the values of each row, and finds all of its faults at once. Rows that give no price stay
 * as they are.
 */
export function* priceRows(
  rows: Iterable<FieldRow | PricelessRow>,
  reading: RowsReading,
  currencies: readonly CurrencyStatement[],
): Generator<PriceRow | PricelessRow> {
  const { mapping, table } = reading;
  const dates = new DateReader(mapping.date_formats, table.epoch);
  const readers = { ...reading, dates, currencies };
  let line = 0;
  for (const row of rows) {
    ({ line } = row);
    yield "cells" in row ? priceRow(row, readers) : row;
  }
  const fault = dates.exchanged;
  if (fault !== undefined) yield { line, faults: [{ ...fault, field: fieldName(mapping, "date") }], isEnd: true };
}

function priceRow(row: FieldRow, readers: Readers): PriceRow | PricelessRow {
  const { line, cells, heading } = row;
  const { mapping } = readers;
  const faults: Fault[] = [];
  const { amount, unit: unitOfPrice } = splitPriceCell(cells.price);
  const names = namesOf(row, unitOfPrice, readers, faults);
  if (names === skipWord) return { line, leftOut: "skipped_name" };
  const taken = <T extends number | string | null | undefined>(value: T | Fault): T | undefined => {
    if (typeof value !== "object" || value === null) return value;
    faults.push(value);
    return undefined;
  };
  const inCell = readPriceCell(amount, mapping, mapping.currencies);
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
  const { market, product, unit, marketType } = names;
  if (faults.length > 0 || !isRead || !market || !product || !unit) return { line, faults };
  const values = { recordedAt, currency, price, grade, notes, priceFlag };
  return { line, price: { line, market, product, unit: unit.id, ...values }, marketType };
}

/**
 * Resolves the names of a row to records. A name without a match gives undefined, and the resolver lists it as
 * unmatched.
 *
 * @returns `skipWord` where matches.csv says to skip one of the names.
 * @param faults Receives names that are missing or too long, and a unit that the price contradicts.
 */
function namesOf(row: FieldRow, unitOfPrice: string | null, { mapping, resolver }: Readers, faults: Fault[]) {
  const { line, cells } = row;
  const resolve = (kind: NameKind, cell: Cell, area: Area = {}): Resolution => {
    const name = nameIn(cell);
    const sign = kind === "unit" ? undefined : /[²³¹⁰-₉①-⓿❶-➓]/u.exec(name ?? "")?.[0];
    if (sign !== undefined) {
      faults.push(cellFault(mapping, row, kind, cell, `a name without ${JSON.stringify(sign)}, as footnotes have it`));
      return undefined;
    }
    if (name !== undefined) return resolver.resolve(kind, name, line, area);
    const isOptional = kind === "county" || kind === "market_type";
    const wanted = `the name of a ${kind.replace("_", " ")}, at most ${lengthsMax.name} characters`;
    if (cell !== null || !isOptional) faults.push(cellFault(mapping, row, kind, cell, wanted));
    return undefined;
  };
  const county = resolve("county", cells.county);
  const type = resolve("market_type", cells.market_type);
  const isAreaKnown = (cells.county === null || county) && (cells.market_type === null || type);
  // Without its county and type a market would be looked up among others.
  const area = { county: targetOf(county), marketType: targetOf(type) };
  const market = isAreaKnown ? resolve("market", cells.market, area) : undefined;
  const product = resolve("product", cells.product);
  const ofProduct = { product: targetOf(product) };
  const unit = resolve("unit", splitUnitCell(cells.unit, mapping.currencies).unit ?? unitOfPrice, ofProduct);
  const otherUnit = unitOfPrice === null ? unit : resolve("unit", unitOfPrice, ofProduct);
  if ([county, type, market, product, unit, otherUnit].includes(skipWord)) return skipWord;
  if (typeof unit === "object" && typeof otherUnit === "object" && unit.id !== otherUnit.id) {
    faults.push(cellFault(mapping, row, "price", cells.price, `a price per ${unit.id}, the unit of the row`));
  }
  return {
    market: targetOf(market),
    product: targetOf(product),
    unit: targetOf(unit),
    /** Of the row, else of its market. */
    marketType: area.marketType?.id ?? targetOf(market)?.marketType,
  };
}

/** The text of a cell as a name; undefined where it can be none. */
function nameIn(cell: Cell): string | undefined {
  const text = cellText(cell);
  return text !== undefined && !isLonger(text, lengthsMax.name) ? text.replace(/\s+/g, " ") : undefined;
}

function targetOf(resolution: Resolution): Target | undefined {
  return typeof resolution === "object" ? resolution : undefined;
}

/** A day that is to come is refused here, where the row is known. */
function dateOf(row: FieldRow, { mapping, today, dates }: Readers): Instant | Fault {
  const cell = row.cells.date;
  if (cell === null) return cellFault(mapping, row, "date", cell, "a date");
  const recordedAt = dates.read(cell);
  if (typeof recordedAt === "object") return { ...recordedAt, field: fieldName(mapping, "date") };
  if (dayOf(recordedAt) <= today) return recordedAt;
  return cellFault(mapping, row, "date", cell, `a day up to today, ${dayText(today)} in Kenya`);
}

function amountOf(row: FieldRow, inCell: PriceInCell | Fault, { mapping }: Readers): number | Fault {
  if ("found" in inCell) return { ...withEmptyText(inCell, row.cells.price), field: fieldName(mapping, "price") };
  const { scale } = mapping;
  // A product has noise behind the digits that both factors have: 4.35 × 100 is 435.
  const price = scale === 1 ? inCell.price : Number((inCell.price * scale).toPrecision(significantDigits));
  if (price <= priceMax) return price;
  const wanted = `at most ${priceMax.toLocaleString("en-US")}, with "scale" ${scale} of the mapping`;
  return cellFault(mapping, row, "price", row.cells.price, wanted);
}

/** Undefined where the price has a fault and nothing besides it states a currency. */
function currencyOf(
  { cells }: FieldRow,
  inCell: PriceInCell | Fault,
  { mapping, currencies }: Readers,
): string | Fault | undefined {
  const cell = cells.currency === null ? undefined : (cellText(cells.currency) ?? foundInCell(cells.currency));
  // A price that cannot be read may state its currency all the same.
  if ("found" in inCell && cell === undefined) return undefined;
  const { mark } = splitUnitCell(cells.unit, mapping.currencies);
  const ofRow = [
    ...("currencies" in inCell ? inCell.currencies.map((mark) => ({ ...mark, place: "the cell" })) : []),
    ...(mark === null ? [] : [{ ...mark, place: `the unit ${foundInCell(cells.unit)}` }]),
  ];
  const own = cell === undefined ? [] : statedCurrency(cell, mapping);
  const agreed = "found" in own ? own : agreedCurrency([...ofRow, ...currencies, ...own]);
  if (typeof agreed === "string") return agreed;
  return { ...agreed, field: fieldName(mapping, ofRow.length === 0 ? "currency" : "price") };
}

function textOf(field: "grade" | "notes", row: FieldRow, { mapping }: Readers): string | null | Fault {
  const cell = row.cells[field];
  if (cell === null) return null;
  const content = cellText(cell);
  if (content === undefined) return cellFault(mapping, row, field, cell, "text");
  const [fault] = inputFaults(field === "grade" ? name : text, content, fieldName(mapping, field));
  return fault ?? content;
}

/** `Actual, aggregate` is `actual_aggregate`. */
function flagOf(row: FieldRow, { mapping }: Readers): PriceFlag | null | Fault {
  const cell = row.cells.price_flag;
  if (cell === null) return null;
  const words = (cellText(cell) ?? "").toLowerCase().match(/[a-z]+/g) ?? [];
  const flag = priceFlags.find((known) => known === words.join("_"));
  return flag ?? cellFault(mapping, row, "price_flag", cell, `one of ${priceFlags.join(", ")}`);
}
