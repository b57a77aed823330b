/** One row of a table → what it says of a price, why it is none, or what is wrong with it. */
import { type Day, dayText, type Instant } from "../../../engine/model/calendar.ts";
import { type PriceFlag, priceFlags } from "../../../engine/model/vocabulary.ts";
import { hiddenCharacterFaults } from "../../../engine/snapshots/hidden-characters.ts";
import { type Fault, foundText, type ProblemList } from "../../../engine/snapshots/problem.ts";
import { type CsvRowForm, csvRowFaults } from "./csv-row-form.ts";
import type { CurrencyMark } from "./currency.ts";
import { DateReader, dayOf } from "./date-cell.ts";
import { type Columns, columnTexts, findColumns, otherHeadings, repeatsHeadings } from "./header-rows.ts";
import { type Field, fields } from "./headings.ts";
import type { Mapping } from "./mapping.ts";
import { skipWord } from "./matches-file.ts";
import type { Target } from "./name-index.ts";
import { unitKey } from "./name-key.ts";
import {
  isShownNumber,
  type PriceInCell,
  readPriceCell,
  splitPriceCell,
  splitUnitCell,
  withoutOtherText,
} from "./price-cell.ts";
import type { UnnumberedFact } from "./price-identity.ts";
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
  titleOf,
  withEmptyText,
} from "./row-kinds.ts";
import { type Cell, cellText, foundInCell, type Table, type TableRow } from "./sheet-table.ts";
import { CurrencyReader, statementsOfTable } from "./stated-currency.ts";

/** Why a row is no price and no problem, with the words for it in the report. */
export const leftOutReasons = {
  no_price: "no price in the row",
  skipped_row: 'its first text is one of "skip_rows" in the mapping',
  headings_again: "the headings again",
  skipped_name: 'has a name that matches.csv says to "skip"',
  withdrawn: "its price is withdrawn in the current snapshot",
} as const;

export type LeftOutReason = keyof typeof leftOutReasons;

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

/** Longest text that is looked up as a name. */
const nameLengthMax = 200;

/** Columns with which a row says all of its price, but for its type of market. */
const wholeRowFields = ["date", "market", "product", "unit"] as const satisfies Field[];

/** Reads the rows of one table, one after the other. */
export class RowReader {
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

  /**
   * The title that a row is, which may say something of the prices below it. Where each row has its own date, market,
   * product and unit, a title such as `CEREALS` adds nothing, nor does a type of market to a column of types.
   */
  titleOf(row: TableRow): Title | undefined {
    const title = titleOf(row);
    const { positions } = this.#columns;
    if (title === undefined) return undefined;
    if (title.hasType) return positions.has("market_type") ? undefined : title;
    if (wholeRowFields.every((field) => positions.has(field))) return undefined;
    const fieldsHere = fields.filter((field) => positions.get(field)?.includes(title.at));
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
      // A date may stand before "Total".
      return this.#isSkippedText(summary) ? "skipped_row" : [summaryFault(summary)];
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
    const { mapping } = this.#sheet;
    const { amount: priceWithText, unit: unitOfPrice } = splitPriceCell(cells.price);
    const { unit: unitCell, mark } = splitUnitCell(cells.unit, mapping.currencies);
    const unit = this.#resolve("unit", { ...cells, unit: unitCell ?? unitOfPrice }, row.line, faults);
    const other = isTarget(unit) ? this.#otherUnit(cells.price, unitOfPrice, unit, row.line) : undefined;
    const names = [county, marketType, market, product, unit, other];
    if (names.includes(skipWord)) return "skipped_name";

    const recordedAt = this.#dateOf(cells.date);
    if (typeof recordedAt === "object") faults.push({ ...recordedAt, field: this.called("date") });
    const { amount, text: otherText } = withoutOtherText(priceWithText, mapping.currencies);
    const price = readPriceCell(amount, mapping, mapping.currencies);
    if ("found" in price) faults.push({ ...withEmptyText(price, amount), field: this.called("price") });
    if (isTarget(unit) && isTarget(other) && other.id !== unit.id) {
      faults.push(this.#fault("price", cells.price, `a price per ${unit.id}, the unit of the row`));
    }
    const currency = this.#currencyOf(cells, price, mark);
    if (typeof currency === "object") faults.push(currency);
    const grade = this.#textOf("grade", cells, faults);
    const notes = this.#textOf("notes", cells, faults);
    const priceFlag = this.#flagOf(cells.price_flag, faults);

    if (faults.length > 0) return faults;
    if (!isTarget(market) || !isTarget(product) || !isTarget(unit)) return [];
    if (typeof recordedAt === "object" || "found" in price || typeof currency !== "string") return [];
    const isOther = unitCell !== null && unitOfPrice !== null && other === undefined && isShownNumber(cells.price);
    const shown = otherText ?? (isOther ? unitOfPrice : null);
    if (shown !== null) this.#warnOfText(shown, cells.price, unit, row.line);
    const texts = { market, product, unit: unit.id, grade, notes, priceFlag };
    return { line: row.line, recordedAt, currency, price: price.price, ...texts };
  }

  /**
   * The unit beside the price in its cell, where it is not written as that of the row. A word of a number format that
   * is no unit of the snapshot is none: formats show anything.
   */
  #otherUnit(price: Cell, text: string | null, unit: Target, line: number): Resolution {
    if (text === null || unitKey(text) === unitKey(unit.id)) return undefined;
    const { resolver } = this.#sheet;
    return isShownNumber(price) ? resolver.lookUp("unit", text) : resolver.resolve("unit", text, line);
  }

  /** Says that a text of a number format counts for nothing. */
  #warnOfText(text: string, price: Cell, unit: Target, line: number): void {
    const found = `${foundInCell(price)}, of which the number format shows ${foundText(text)}`;
    const wanted = `a currency or a unit; the number is read as a price per ${unit.id}`;
    const { table, warnings } = this.#sheet;
    warnings.add({ file: table.file, line, kind: "value", field: this.called("price"), found, wanted });
  }

  /** @param mark That before the unit, `KES/kg`. */
  #currencyOf(
    cells: Readonly<Record<Field, Cell>>,
    price: PriceInCell | Fault,
    mark: CurrencyMark | null,
  ): string | Fault | undefined {
    // A price that cannot be read may say its currency all the same.
    if ("found" in price && cells.currency === null) return undefined;
    const ofUnit = mark === null ? [] : [{ ...mark, place: `the unit ${foundInCell(cells.unit)}` }];
    return this.#currencies.read(
      cells.currency === null ? undefined : (cellText(cells.currency) ?? foundInCell(cells.currency)),
      [...("currencies" in price ? price.currencies : []), ...ofUnit],
    );
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
