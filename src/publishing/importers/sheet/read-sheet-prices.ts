/** A table → its prices: columns → rows with fields → matched rows → prices. Each step is a file of its own. */
import type { Day } from "../../../engine/model/calendar.ts";
import type { ProblemList } from "../../../engine/snapshots/problem.ts";
import { ImportRefusedError } from "../import-refused.ts";
import { type CollectedPrices, collectPrices } from "./collect-prices.ts";
import { fieldRows } from "./field-rows.ts";
import { findColumns } from "./header-rows.ts";
import type { Mapping } from "./mapping.ts";
import { matchRows } from "./match-rows.ts";
import { choosePriceColumn, type PriceColumn } from "./price-column.ts";
import type { NameResolver } from "./resolve-names.ts";
import type { Table } from "./sheet-table.ts";
import { currenciesOf, refuseUnexplained, statementsOfTable } from "./stated-values.ts";
import { valueRows } from "./value-rows.ts";

/** A table and what its rows are read with. */
export interface SheetReading {
  readonly table: Table;
  readonly mapping: Mapping;
  readonly resolver: NameResolver;
  /** The last day, in Kenya, on which a price can have been recorded. */
  readonly today: Day;
  /** Receives what is wrong with rows. */
  readonly problems: ProblemList;
  /** Receives what looks wrong with prices that are read. */
  readonly warnings: ProblemList;
}

export interface PricesReading extends CollectedPrices {
  readonly priceColumn: PriceColumn;
}

/**
 * Reads all rows below the headings. A row with a problem, or with a name that stands for nothing, gives no price; the
 * rest of it is checked all the same, so that one pass shows everything.
 *
 * Cost: one pass over the rows, of which one at a time is in memory, and memory for every price.
 * @throws {ImportRefusedError} when the headings are not those of the mapping, or too many names stand for nothing.
 * @throws {DatasetError} when there are more problems than `problems` takes.
 */
export function readPrices({ table, mapping, resolver, today, problems, warnings }: SheetReading): PricesReading {
  const columns = findColumns(table, mapping);
  const priceColumn = choosePriceColumn(columns.headings, mapping);
  refuseUnexplained(table.file, mapping, columns.wide);
  refuseOtherColumns(table.file, priceColumn, mapping);
  const statements = statementsOfTable(table, mapping, columns.wide);
  const withFields = fieldRows(table, columns, mapping);
  const matched = matchRows(withFields, mapping, resolver);
  const withValues = valueRows(matched, { mapping, epoch: table.epoch, currencies: currenciesOf(statements), today });
  const keyParts = { heading: priceColumn.keyHeading, hasTime: mapping.time_in_key === true };
  const unitOf = (text: string): string | undefined => {
    const resolution = resolver.lookUp("unit", text);
    return typeof resolution === "object" ? resolution.id : undefined;
  };
  const collection = { file: table.file, mapping, statements, unitOf, keyParts, problems, warnings };
  const collected = collectPrices(withValues, collection);
  return { ...collected, priceColumn };
}

/** @throws {ImportRefusedError} when other columns have prices, and the mapping does not say what tells them apart. */
function refuseOtherColumns(file: string, { others }: PriceColumn, mapping: Mapping): void {
  if (mapping.header_row === 0 || mapping.heading_in_key !== undefined || others.length === 0) return;
  const named = others.map((heading) => JSON.stringify(heading)).join(", ");
  const found = `found prices in ${named} as well as in ${JSON.stringify(mapping.columns.price)}`;
  const wanted = `expected "heading_in_key" in the mapping, true where both count, or "ignored": [${named}]`;
  throw new ImportRefusedError(`${file}:${mapping.header_row}: ${found}, ${wanted}`);
}
