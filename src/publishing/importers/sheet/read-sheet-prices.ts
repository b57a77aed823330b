/** A table → its prices: columns → rows with fields → prices, compared with what the table states. */
import { getOrInsert } from "../../../engine/model/get-or-insert.ts";
import type { Fault, ProblemList } from "../../../engine/snapshots/problem.ts";
import { ImportRefusedError } from "../import-refused.ts";
import { type LeftOutRows, leaveOut } from "../left-out-rows.ts";
import { dayOf } from "./date-cell.ts";
import { fieldRows, type LeftOutReason, type PricelessRow } from "./field-rows.ts";
import { findColumns } from "./header-rows.ts";
import type { Mapping } from "./mapping.ts";
import { otherPriceColumns } from "./price-column.ts";
import { type PriceFact, priceIdentifier } from "./price-identity.ts";
import { type PriceRow, priceRows, type RowsReading } from "./price-rows.ts";
import { type Title, titleFault } from "./row-kinds.ts";
import type { Table } from "./sheet-table.ts";
import {
  contradictions,
  currenciesOf,
  type PlacedStatement,
  type PriceKind,
  refuseUnexplained,
  statementsOfNote,
  statementsOfTable,
} from "./stated-values.ts";

/** A table and what its rows are read with. */
export interface SheetReading extends RowsReading {
  readonly table: Table;
  /** Receives what is wrong with rows. */
  readonly problems: ProblemList;
  /** Receives what looks wrong with prices that are read. */
  readonly warnings: ProblemList;
}

export interface PricesReading {
  /** Rows below the headings that are not empty. */
  readonly rowCount: number;
  /** In order of the table. */
  readonly facts: readonly PriceFact[];
  readonly leftOut: ReadonlyMap<LeftOutReason, LeftOutRows>;
}

/**
 * Reads all rows below the headings. A row with a problem, or with a name that stands for nothing, gives no price; the
 * rest of it is checked all the same, so that one pass shows everything.
 *
 * Cost: one pass over the rows, of which one at a time is in memory, and memory for every price.
 * @throws {ImportRefusedError} when the headings are not those of the mapping, or too many names stand for nothing.
 * @throws {DatasetError} when there are more problems than `problems` takes.
 */
export function readPrices(reading: SheetReading): PricesReading {
  const { table, mapping } = reading;
  const columns = findColumns(table, mapping);
  refuseUnexplained(table.file, mapping, columns.wide);
  refuseOtherColumns(table.file, otherPriceColumns(columns.headings, mapping), mapping);
  const statements = statementsOfTable(table, mapping, columns.wide);
  return collectPrices(
    priceRows(fieldRows(table, columns, mapping), reading, currenciesOf(statements)),
    reading,
    statements,
  );
}

/** @throws {ImportRefusedError} when other columns have prices, and the mapping does not say what tells them apart. */
function refuseOtherColumns(file: string, others: readonly string[], mapping: Mapping): void {
  if (mapping.header_row === 0 || mapping.heading_in_key !== undefined || others.length === 0) return;
  const named = others.map((heading) => JSON.stringify(heading)).join(", ");
  const found = `found prices in ${named} as well as in ${JSON.stringify(mapping.columns.price)}`;
  const wanted = `expected "heading_in_key" in the mapping, true where both count, or "ignored": [${named}]`;
  throw new ImportRefusedError(`${file}:${mapping.header_row}: ${found}, ${wanted}`);
}

/**
 * Goes through all rows once. Rows that repeat the key of an earlier one are warned of. A title above prices is a
 * problem, as is a statement that contradicts the mapping or a price.
 *
 * @throws {DatasetError} when there are more problems than `problems` takes.
 */
export function collectPrices(
  rows: Iterable<PriceRow | PricelessRow>,
  { table, mapping, resolver, problems, warnings }: SheetReading,
  statements: readonly PlacedStatement[],
): PricesReading {
  const { file } = table;
  const facts: PriceFact[] = [];
  const leftOut = new Map<LeftOutReason, LeftOutRows>();
  const identify = priceIdentifier(mapping);
  let [rowCount, line] = [0, 0];
  /** Titles that no row of prices has followed yet. */
  let titlesAbove: { readonly line: number; readonly title: Title }[] = [];
  const notes: PlacedStatement[] = [];
  const kinds = new Map<string, PriceKind>();
  for (const row of rows) {
    if (row.line !== line) rowCount++;
    ({ line } = row);
    if ("leftOut" in row) {
      leaveOut(leftOut, row.leftOut, line);
      const { note, title } = row;
      if (title !== undefined) titlesAbove.push({ line, title });
      if (note !== undefined) notes.push(...statementsOfNote(note, line, mapping));
      continue;
    }
    if (!("isEnd" in row)) {
      for (const { line, title } of titlesAbove) problems.add({ file, line, ...titleFault(title) });
      titlesAbove = [];
    }
    if ("faults" in row) {
      for (const fault of row.faults) problems.add({ file, line, ...fault });
      continue;
    }
    const { fact, first } = identify(row.price);
    facts.push(fact);
    const { unit, currency, recordedAt } = fact;
    const kind = { line, marketType: row.marketType, unit, currency, day: dayOf(recordedAt) };
    getOrInsert(kinds, [kind.marketType, unit, currency, kind.day].join("\n"), () => kind);
    if (first !== undefined) warnings.add({ file, line, ...repeatedPrice(fact, first) });
  }
  const stated = [...statements, ...notes];
  const comparison = { mapping, kinds: [...kinds.values()], unitOf: (text: string) => resolver.unitOf(text) };
  for (const fault of contradictions(stated, comparison)) problems.add({ file, ...fault });
  if (mapping.scale !== 1 && !stated.some(({ kind }) => kind === "scale")) {
    const wanted = "1 in the mapping, unless the prices of this table, which states none, have the same scale";
    warnings.add({ file, kind: "value", field: "scale", found: String(mapping.scale), wanted });
  }
  return { rowCount, facts, leftOut };
}

function repeatedPrice(fact: PriceFact, first: PriceFact): Fault {
  const same = first.price === fact.price ? "and price " : "";
  const found = `the market, product, unit, currency, grade, day ${same}of line ${first.line} again`;
  return { kind: "duplicate", found, wanted: "one row; it is a price of its own" };
}
