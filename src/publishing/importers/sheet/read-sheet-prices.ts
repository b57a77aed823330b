/** A table → its prices: columns → rows with fields → matched rows → prices. Each step is a file of its own. */
import type { Day } from "../../../engine/model/calendar.ts";
import type { ProblemList } from "../../../engine/snapshots/problem.ts";
import { type CollectedPrices, collectPrices } from "./collect-prices.ts";
import { fieldRows } from "./field-rows.ts";
import { columnTexts, findColumns } from "./header-rows.ts";
import type { Mapping } from "./mapping.ts";
import { matchRows } from "./match-rows.ts";
import { choosePriceColumn, type PriceColumn } from "./price-column.ts";
import type { NameResolver } from "./resolve-names.ts";
import type { Table } from "./sheet-table.ts";
import { statementsOfTable } from "./stated-currency.ts";
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
  const [priceHeading] = mapping.header_row === 0 ? [] : columnTexts(mapping.columns.price);
  const currencies = statementsOfTable(table, mapping, priceHeading);
  const withFields = fieldRows(table, columns, mapping);
  const matched = matchRows(withFields, mapping, resolver);
  const withValues = valueRows(matched, { mapping, epoch: table.epoch, currencies, today });
  const { keyHeading } = priceColumn;
  const collected = collectPrices(withValues, { file: table.file, mapping, keyHeading, problems, warnings });
  return { ...collected, priceColumn };
}
