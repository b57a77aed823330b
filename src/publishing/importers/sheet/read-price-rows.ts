/** One pass over the rows of a table: prices with what their names stand for, and what is wrong with rows. */

import { type Day, dayOfInstant, dayText, kenyanOffset } from "../../../engine/model/calendar-day.ts";
import type { Instant } from "../../../engine/model/instant.ts";
import { type PriceFlag, priceFlags } from "../../../engine/model/vocabulary.ts";
import { hiddenCharacterFaults } from "../../../engine/snapshots/hidden-characters.ts";
import { type Fault, foundText, type ProblemList } from "../../../engine/snapshots/problem.ts";
import { type LeftOutRows, leaveOut } from "../left-out-rows.ts";
import { type CsvRowForm, csvRowFaults } from "./csv-row-form.ts";
import { DateReader } from "./date-cell.ts";
import { type Columns, columnTexts, findColumns, otherHeadings, repeatsHeadings } from "./header-rows.ts";
import { type Field, fields } from "./headings.ts";
import type { Mapping } from "./mapping.ts";
import { skipWord } from "./matches-file.ts";
import type { Target } from "./name-index.ts";
import { unitKey } from "./name-key.ts";
import { readPriceCell, splitPriceCell } from "./price-cell.ts";
import { choosePriceColumn, type PriceColumn } from "./price-column.ts";
import { type PriceFact, PriceIdentifier, type UnnumberedFact } from "./price-identity.ts";
import type { Area, NameResolver, Resolution } from "./resolve-names.ts";
import { RowCells } from "./row-cells.ts";
import {
  isTagRow,
  type RowTest,
  skipTest,
  summaryFault,
  summaryText,
  type Title,
  tagFault,
  titleFault,
  titleOf,
  withEmptyText,
} from "./row-kinds.ts";
import { type Cell, cellText, foundInCell, isEmptyRow, type Table, type TableRow } from "./sheet-table.ts";
import { CurrencyReader, statementsOfTable } from "./stated-currency.ts";
import { factBeyondTexts } from "./text-limits.ts";

/** Why a row is no price and no problem, with the words for it in the report. */
export const leftOutReasons = {
  no_price: "no price in the row",
  skipped_row: 'its first text is one of "skip_rows" in the mapping',
  headings_again: "the headings again",
  skipped_name: 'has a name that matches.csv says to "skip"',
  withdrawn: "its price is withdrawn in the current snapshot",
} as const;

export type LeftOutReason = keyof typeof leftOutReasons;

export interface PricesReading {
  /** Rows below the headings that are not empty. */
  readonly rowCount: number;
  /** In order of the table. */
  readonly facts: readonly PriceFact[];
  readonly leftOut: ReadonlyMap<LeftOutReason, LeftOutRows>;
  readonly priceColumn: PriceColumn;
}

/** The day in Kenya. */
export function dayOf(recordedAt: Instant): Day {
  return dayOfInstant(recordedAt, kenyanOffset);
}

/** A table and what its rows are read with. */
export interface SheetReading {
  readonly table: Table;
  readonly mapping: Mapping;
  readonly resolver: NameResolver;
  /** Receives what is wrong with rows. */
  readonly problems: ProblemList;
  /** Receives rows that have the key of an earlier one. */
  readonly warnings: ProblemList;
  /** The last day, in Kenya, on which a price can have been recorded. */
  readonly today: Day;
}

/**
 * Reads all rows below the headings. A row with a problem, or with a name that stands for nothing, gives no price; the
 * rest of it is checked all the same, so that one pass shows everything.
 *
 * @throws {ImportRefusedError} when the headings are not those of the mapping.
 * @throws {DatasetError} when there are more problems than `problems` takes.
 */
export function readPrices(sheet: SheetReading): PricesReading {
  const { table, mapping, problems, warnings } = sheet;
  const reader = new RowReader(sheet);
  const priceColumn = choosePriceColumn(reader.headings, mapping);
  const facts: PriceFact[] = [];
  const leftOut = new Map<LeftOutReason, LeftOutRows>();
  const identifier = new PriceIdentifier(mapping.source);
  let rowCount = 0;
  /** Titles that no row of prices has followed yet. */
  const titles: { readonly line: number; readonly title: Title }[] = [];
  for (const row of table.rows) {
    if (row.line <= reader.headingsLine || isEmptyRow(row)) continue;
    rowCount++;
    const otherTable = reader.otherTable(row);
    if (otherTable !== undefined) {
      problems.add({ file: table.file, line: row.line, ...otherTable });
      break;
    }
    const read = reader.read(row);
    if (typeof read === "string") {
      leaveOut(leftOut, read, row.line);
      const title = read === "no_price" ? reader.titleOf(row) : undefined;
      if (title !== undefined) titles.push({ line: row.line, title });
      continue;
    }
    for (const { line, title } of titles.splice(0)) problems.add({ file: table.file, line, ...titleFault(title) });
    if (Array.isArray(read)) {
      for (const fault of read) problems.add({ file: table.file, line: row.line, ...fault });
    } else {
      const { fact, first } = identifier.identify(read as UnnumberedFact, priceColumn.keyHeading);
      facts.push(fact);
      if (first !== undefined) warnings.add({ file: table.file, line: row.line, ...repeatedPrice(fact, first) });
    }
  }
  const beyond = factBeyondTexts(facts);
  if (beyond !== undefined) {
    const { fact, field, ...fault } = beyond;
    problems.add({ file: table.file, line: fact.line, kind: "value", field: reader.called(field), ...fault });
  }
  return { rowCount, facts, leftOut, priceColumn };
}

function repeatedPrice(fact: PriceFact, first: PriceFact): Fault {
  const same = first.price === fact.price ? "and price " : "";
  const found = `the market, product, unit, currency, grade, day ${same}of line ${first.line} again`;
  return { kind: "duplicate", found, wanted: "one row; it is a price of its own" };
}

/** Longest text that is looked up as a name. */
const nameLengthMax = 200;

/** Reads the rows of one table, one after the other. */
class RowReader {
  readonly #sheet: SheetReading;
  readonly #columns: Columns;
  /** Null for a workbook, whose cells have their places. */
  readonly #form: CsvRowForm | null;
  readonly #dates: DateReader;
  readonly #currencies: CurrencyReader;
  readonly #cells: RowCells;
  readonly #isSkippedText: RowTest;

  /** @throws {ImportRefusedError} when the headings are not those of the mapping. */
  constructor(sheet: SheetReading) {
    const { table, mapping } = sheet;
    this.#sheet = sheet;
    this.#columns = findColumns(table, mapping);
    const { positions, headings } = this.#columns;
    this.#form = table.text && {
      delimiter: table.text.delimiter,
      width: headings.length,
      headedWidth: headings.findLastIndex((heading) => heading !== undefined) + 1,
      trailingDelimiters: mapping.trailing_delimiters,
      positions,
    };
    this.#dates = new DateReader(mapping.date_formats, table.epoch);
    const [priceHeading] = mapping.header_row === 0 ? [] : columnTexts(mapping.columns.price);
    this.#currencies = new CurrencyReader(statementsOfTable(table, mapping, priceHeading), mapping, {
      currency: this.called("currency"),
      price: this.called("price"),
    });
    this.#cells = new RowCells(this.#columns.positions, mapping);
    this.#isSkippedText = skipTest(mapping.skip_rows);
  }

  /** The line of the last row of headings; 0 where there is none. */
  get headingsLine(): number {
    return this.#columns.lineLast;
  }

  /** What is wrong where other headings stand in a row: the rows below them have other columns. */
  otherTable(row: TableRow): Fault | undefined {
    if (repeatsHeadings(row, this.#columns) || this.#isSkipped(row)) return undefined;
    const texts = otherHeadings(row);
    if (texts.length === 0) return undefined;
    const isNext = this.headingsLine > 0 && row.line === this.headingsLine + 1;
    const named = texts.map((text) => foundText(text)).join(", ");
    const found = `headings again, others than those of the table: ${named}`;
    const wanted = isNext
      ? '"header_rows": 2 in the mapping, or one row of headings'
      : "one table in a file or sheet: save the table that begins here by itself";
    return { kind: "line", found, wanted };
  }

  /** The title that a row is, which may say something of the prices below it. */
  titleOf(row: TableRow): Title | undefined {
    const title = titleOf(row);
    if (title === undefined || title.hasType) return title;
    const fieldsHere = fields.filter((field) => this.#columns.positions.get(field)?.includes(title.at));
    return fieldsHere.some((field) => field === "notes" || this.#sheet.mapping.fill_down.includes(field))
      ? undefined
      : title;
  }

  /** Those of all columns, in order. */
  get headings(): readonly (string | undefined)[] {
    return this.#columns.headings;
  }

  read(row: TableRow): UnnumberedFact | LeftOutReason | readonly Fault[] {
    if (repeatsHeadings(row, this.#columns)) return "headings_again";
    if (this.#isSkipped(row)) return "skipped_row";
    if (isTagRow(row)) return [tagFault(row)];
    const formFaults = this.#form === null ? [] : csvRowFaults(row, this.#form);
    // Cells under other headings than their own would only give further problems, and names for matches.csv.
    if (formFaults.length > 0) return formFaults;
    const cells = this.#cells.read(row);
    if (cells.price === null) return "no_price";
    const summary = summaryText(row, this.#columns.positions);
    if (summary !== undefined && (cells.product === null || cells.market === null)) {
      return [summaryFault(summary)];
    }
    const faults: Fault[] = [];

    const county = this.#resolve("county", cells, row.line, faults);
    const marketType = this.#resolve("market_type", cells, row.line, faults);
    // A market is looked up once its county and type are known.
    const isAreaKnown =
      (cells.county === null || county !== undefined) && (cells.market_type === null || marketType !== undefined);
    const area = { county: asTarget(county), marketType: asTarget(marketType) };
    const isMissing = cellText(cells.market) === undefined;
    const market = isAreaKnown || isMissing ? this.#resolve("market", cells, row.line, faults, area) : undefined;
    const product = this.#resolve("product", cells, row.line, faults);
    const { amount, unit: unitOfPrice } = splitPriceCell(cells.price);
    const unit = this.#resolve("unit", { ...cells, unit: cells.unit ?? unitOfPrice }, row.line, faults);
    const names = [county, marketType, market, product, unit];
    if (names.includes(skipWord)) return "skipped_name";

    const recordedAt = this.#dateOf(cells.date);
    if (typeof recordedAt === "object") faults.push({ ...recordedAt, field: this.called("date") });
    const { mapping } = this.#sheet;
    const price = readPriceCell(amount, mapping, mapping.currencies);
    if ("found" in price) faults.push({ ...withEmptyText(price, amount), field: this.called("price") });
    if (unitOfPrice !== null && isTarget(unit) && unitKey(unitOfPrice) !== unitKey(unit.id)) {
      const other = this.#sheet.resolver.resolve("unit", unitOfPrice, row.line);
      if (isTarget(other) && other.id !== unit.id) {
        faults.push(this.#fault("price", cells.price, `a price per ${unit.id}, the unit of the row`));
      }
    }
    const stated = "currencies" in price ? price.currencies : [];
    const currency = this.#currencies.read(
      cells.currency === null ? undefined : (cellText(cells.currency) ?? foundInCell(cells.currency)),
      stated,
    );
    if (typeof currency === "object") faults.push(currency);
    const grade = this.#textOf("grade", cells, faults);
    const notes = this.#textOf("notes", cells, faults);
    const priceFlag = this.#flagOf(cells.price_flag, faults);

    if (faults.length > 0) return faults;
    if (!isTarget(market) || !isTarget(product) || !isTarget(unit)) return [];
    if (typeof recordedAt === "object" || "found" in price || typeof currency === "object") return [];
    const texts = { market, product, unit: unit.id, grade, notes, priceFlag };
    return { line: row.line, recordedAt, currency, price: price.price, ...texts };
  }

  /** Not by a type of market: "jumla" is a total, and wholesale as well. */
  #isSkipped({ cells }: TableRow): boolean {
    const position = cells.findIndex((cell) => cell !== null);
    if (this.#columns.positions.get("market_type")?.includes(position)) return false;
    const first = cellText(cells[position]);
    return first !== undefined && this.#isSkippedText(first);
  }

  /** What the name in a cell stands for. A name that is missing is a fault, but for county and type. */
  #resolve(
    field: "county" | "market_type" | "market" | "product" | "unit",
    cells: Readonly<Record<Field, Cell>>,
    line: number,
    faults: Fault[],
    area: Area = {},
  ): Resolution {
    const cell = cells[field];
    if (cell === null && (field === "county" || field === "market_type")) return undefined;
    const text = cellText(cell);
    if (text !== undefined && text.length <= nameLengthMax) {
      return this.#sheet.resolver.resolve(field, text.replace(/\s+/g, " "), line, area);
    }
    const wanted = `the name of a ${field.replace("_", " ")}, at most ${nameLengthMax} characters`;
    faults.push(this.#fault(field, cell, `${wanted}${this.#fillDownText(field, cell)}`));
    return undefined;
  }

  /** A day that is to come is refused here, where the row is known. */
  #dateOf(cell: Cell): Instant | Fault {
    if (cell === null) return this.#fault("date", cell, `a date${this.#fillDownText("date", cell)}`);
    const recordedAt = this.#dates.read(cell);
    const { today } = this.#sheet;
    if (typeof recordedAt === "object" || dayOf(recordedAt) <= today) return recordedAt;
    return this.#fault("date", cell, `a day up to today, ${dayText(today)} in Kenya`);
  }

  #textOf(field: "grade" | "notes", cells: Readonly<Record<Field, Cell>>, faults: Fault[]): string | null {
    const cell = cells[field];
    if (cell === null) return null;
    const text = cellText(cell);
    if (text === undefined) faults.push(this.#fault(field, cell, "text"));
    else faults.push(...hiddenCharacterFaults(text, this.called(field)));
    return text ?? null;
  }

  /** `Actual, aggregate` is `actual_aggregate`. */
  #flagOf(cell: Cell, faults: Fault[]): PriceFlag | null {
    if (cell === null) return null;
    const words = (cellText(cell) ?? "").toLowerCase().match(/[a-z]+/g) ?? [];
    const flag = priceFlags.find((known) => known === words.join("_"));
    if (flag === undefined) faults.push(this.#fault("price_flag", cell, `one of ${priceFlags.join(", ")}`));
    return flag ?? null;
  }

  /** Names the remedy for an empty cell that has a value above it. */
  #fillDownText(field: Field, cell: Cell): string {
    if (cell !== null || !this.#cells.hasAbove(field)) return "";
    return `; "fill_down": [${JSON.stringify(field)}] in the mapping takes the value above`;
  }

  #fault(field: Field, cell: Cell, wanted: string): Fault {
    return { kind: "value", field: this.called(field), found: foundInCell(cell), wanted };
  }

  /** What messages call a field: the heading of its column. */
  called(field: Field): string {
    return columnTexts(this.#sheet.mapping.columns[field]).join(", ") || `values.${field}`;
  }
}

function isTarget(resolution: Resolution): resolution is Target {
  return typeof resolution === "object";
}

function asTarget(resolution: Resolution): Target | undefined {
  return isTarget(resolution) ? resolution : undefined;
}
