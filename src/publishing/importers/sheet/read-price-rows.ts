/** One pass over the rows of a table: prices with what their names stand for, and what is wrong with rows. */
import { type Fault, foundText } from "../../../engine/snapshots/problem.ts";
import { type LeftOutRows, leaveOut } from "../left-out-rows.ts";
import type { CurrencyMark } from "./currency.ts";
import { choosePriceColumn, type PriceColumn } from "./price-column.ts";
import { type PriceFact, PriceIdentifier, type UnnumberedFact } from "./price-identity.ts";
import { type Title, titleFault, titleOf } from "./row-kinds.ts";
import { type LeftOutReason, RowReader, type SheetReading } from "./row-reader.ts";
import { isEmptyRow } from "./sheet-table.ts";
import { currencyOfNote } from "./stated-currency.ts";
import { factBeyondTexts } from "./text-limits.ts";

export interface PricesReading {
  /** Rows below the headings that are not empty. */
  readonly rowCount: number;
  /** In order of the table. */
  readonly facts: readonly PriceFact[];
  readonly leftOut: ReadonlyMap<LeftOutReason, LeftOutRows>;
  readonly priceColumn: PriceColumn;
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
  const currencyNotes: { readonly line: number; readonly text: string; readonly mark: CurrencyMark }[] = [];
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
      const text = read === "no_price" ? titleOf(row)?.text : undefined;
      const mark = text === undefined ? undefined : currencyOfNote(text, mapping.currencies);
      if (text !== undefined && mark !== undefined) currencyNotes.push({ line: row.line, text, mark });
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
  for (const { line, text, mark } of currencyNotes) {
    const fact = facts.find(({ currency }) => !mark.codes.includes(currency));
    if (fact === undefined) continue;
    const found = `${JSON.stringify(mark.sign)} in ${foundText(text)}, but ${fact.currency} for line ${fact.line}`;
    problems.add({ file: table.file, line, kind: "line", found, wanted: "the same currency everywhere" });
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
