/** The tables of exports by name, and the conditions on their rows that a command can give. */
import { ForeseenError } from "../model/foreseen-error.ts";
import { findMarkets } from "../query/find-markets.ts";
import { findProducts } from "../query/find-products.ts";
import { findSeries, type SeriesFilter } from "../query/find-series.ts";
import { type PriceSelection, walkPrices } from "../query/walk-prices.ts";
import { canConvertTo, convertibleText } from "../store/price-conversion.ts";
import type { Store } from "../store/store.ts";
import { priceTable } from "./price-table.ts";
import { seriesRows, seriesTable } from "./series-table.ts";
import {
  continuationTable,
  countyTable,
  exchangeRateTable,
  marketContinuationTable,
  marketTable,
  productTable,
  unitRows,
  unitTable,
} from "./small-tables.ts";
import { findNotConvertible, type StatisticsSelection, statisticsRows, statisticsTable } from "./statistics-table.ts";
import { blocksOf, type Columns, type RowBlocks } from "./table-columns.ts";

export const tableNames = [
  "prices",
  "statistics",
  "series",
  "products",
  "markets",
  "counties",
  "units",
  "exchange-rates",
  "continuations",
  "market-continuations",
] as const;
export type TableName = (typeof tableNames)[number];

/** Every one given must hold. */
export interface TableFilter
  extends PriceSelection,
    SeriesFilter,
    Partial<Pick<StatisticsSelection, "grouping" | "currency">> {
  readonly category?: string | undefined;
  /** Words of a name, of products also of the description. */
  readonly text?: string | undefined;
}

const ofMarkets = ["marketUuid", "marketUuids", "countyId", "countyIds", "marketType", "refugeeCamps"] as const;
const ofDays = ["dayFirst", "dayLast"] as const;

/** The conditions that each table takes. */
export const filtersOfTables: Readonly<Record<TableName, readonly (keyof TableFilter)[]>> = {
  prices: ["productUuids", ...ofMarkets, ...ofDays, "priceMin", "priceMax", "priceFlag", "isSuspicious"],
  statistics: ["productUuids", ...ofMarkets, ...ofDays, "grouping", "unit", "currency", "priceFlag", "isSuspicious"],
  series: ["productUuids", ...ofMarkets, "unit", "currency", "recordedSince", "monthsMin", "gapMonthsMax"],
  products: ["category", "text"],
  markets: ["countyId", "marketType", "text"],
  counties: [],
  units: [],
  "exchange-rates": [],
  continuations: [],
  "market-continuations": [],
};

/** A filter asks for what is not there; the message says what was found and what was expected. */
export class ExportRefusedError extends ForeseenError {}

/**
 * Selects the rows of a table and hands them to `use` with their columns and, where the rows come in parts, the part of
 * a row.
 *
 * @throws {ExportRefusedError} for statistics in a unit or currency that a product cannot have, and series in an
 * unknown unit or currency.
 */
export function withTable<T>(
  store: Store,
  table: TableName,
  filter: TableFilter,
  use: <Row>(columns: Columns<Row>, blocks: RowBlocks<Row>, partOf?: (row: Row) => unknown) => T,
): T {
  switch (table) {
    case "prices":
      return use(priceTable, walkPrices(store, filter), (row) => store.prices.products[row]);
    case "statistics":
      return use(statisticsTable, statisticsRows(store, statisticsOf(store, filter)));
    case "series":
      requireUnit(store, filter.unit);
      requireConvertible(store, filter.currency);
      return use(seriesTable, seriesRows(store, findSeries(store, filter, "name"), filter.currency !== undefined));
    case "products": {
      const { category, text } = filter;
      const categories = category === undefined ? undefined : [category];
      return use(productTable, blocksOf(findProducts(store, { categories, text })));
    }
    case "markets":
      return use(marketTable, blocksOf(findMarkets(store, filter)));
    case "counties":
      return use(countyTable, blocksOf([...store.catalogue.counties.values()]));
    case "units":
      return use(unitTable, blocksOf(unitRows(store)));
    case "exchange-rates":
      return use(exchangeRateTable, blocksOf(store.catalogue.exchangeRates));
    case "continuations":
      return use(continuationTable, blocksOf(store.catalogue.continuations));
    case "market-continuations":
      return use(marketContinuationTable, blocksOf(store.catalogue.marketContinuations));
  }
}

/** A unit that is only misspelt would otherwise find nothing. */
function requireUnit({ catalogue }: Store, unit: string | undefined): void {
  if (unit === undefined || catalogue.units.has(unit)) return;
  const expected = [...catalogue.units.keys()].join(", ");
  throw new ExportRefusedError(`unit is ${JSON.stringify(unit)}, expected one of ${expected}`);
}

function requireConvertible({ catalogue }: Store, currency: string | undefined): void {
  if (currency === undefined || canConvertTo(catalogue, currency)) return;
  throw new ExportRefusedError(`currency is ${JSON.stringify(currency)}, expected ${convertibleText(catalogue)}`);
}

function statisticsOf(store: Store, filter: TableFilter): StatisticsSelection {
  const { grouping = "month" } = filter;
  const selection = { ...filter, grouping };
  const refused = findNotConvertible(store, selection);
  if (refused === undefined) return selection;
  const { product, field, allowed } = refused;
  const found = `${field} is ${JSON.stringify(filter[field])}`;
  throw new ExportRefusedError(`${found}, expected one of ${allowed.join(", ")} for ${product}`);
}
