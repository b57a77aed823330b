/** The tables of exports by name, and the conditions on their rows that a command can give. */
import { findMarkets } from "../query/find-markets.ts";
import { findProducts } from "../query/find-products.ts";
import { findSeries, type SeriesFilter } from "../query/find-series.ts";
import { type PriceSelection, walkPrices } from "../query/walk-prices.ts";
import type { Store } from "../store/store.ts";
import { priceTable, seriesTable } from "./price-table.ts";
import { marketTable, productTable } from "./small-tables.ts";
import { findForeignUnit, type StatisticsSelection, statisticsRows, statisticsTable } from "./statistics-table.ts";
import { blocksOf, type Columns, type RowBlocks } from "./table.ts";

export const tableNames = ["prices", "statistics", "series", "products", "markets"] as const;
export type TableName = (typeof tableNames)[number];

/** Every one given must hold. */
export interface TableFilter extends PriceSelection, SeriesFilter, Partial<Pick<StatisticsSelection, "grouping">> {
  readonly category?: string | undefined;
  /** Words of a name, of products also of the description. */
  readonly text?: string | undefined;
}

const ofPlaces = ["marketUuid", "countyId", "marketType"] as const;
const ofDays = ["dayFirst", "dayLast"] as const;

/** The conditions that each table takes. */
export const filtersOfTables: Readonly<Record<TableName, readonly (keyof TableFilter)[]>> = {
  prices: ["productUuids", ...ofPlaces, ...ofDays, "priceMin", "priceMax", "priceFlag", "isSuspicious"],
  statistics: ["productUuids", ...ofPlaces, ...ofDays, "grouping", "unit", "priceFlag", "isSuspicious"],
  series: ["productUuids", ...ofPlaces, "unit", "recordedSince"],
  products: ["category", "text"],
  markets: ["countyId", "marketType", "text"],
};

/** What a filter asks for that is not there; the message says what was found and what was expected. */
export class ExportRefusedError extends Error {
  override readonly name = "ExportRefusedError";
}

/**
 * Selects the rows of a table and hands them to `use` with their columns and, where the rows come in parts, the part of
 * a row.
 *
 * @throws {ExportRefusedError} for statistics without days or in a unit that a product cannot have, and series in an
 * unknown unit.
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
      return use(seriesTable, blocksOf(findSeries(store, filter, "name")));
    case "products": {
      const { category, text } = filter;
      const categories = category === undefined ? undefined : [category];
      return use(productTable, blocksOf(findProducts(store, { categories, text })));
    }
    case "markets":
      return use(marketTable, blocksOf(findMarkets(store, filter)));
    default:
      throw new TypeError(`the table is ${table satisfies never}, expected one of ${tableNames.join(", ")}`);
  }
}

/** A unit that is only misspelt would otherwise find nothing. */
function requireUnit({ catalogue }: Store, unit: string | undefined): void {
  if (unit === undefined || catalogue.units.has(unit)) return;
  const expected = [...catalogue.units.keys()].join(", ");
  throw new ExportRefusedError(`unit is ${JSON.stringify(unit)}, expected one of ${expected}`);
}

function statisticsOf(store: Store, filter: TableFilter): StatisticsSelection {
  const { dayFirst, dayLast, grouping = "month" } = filter;
  if (dayFirst === undefined || dayLast === undefined) {
    throw new ExportRefusedError("the table of statistics needs the first and the last day");
  }
  const selection = { ...filter, dayFirst, dayLast, grouping };
  const foreign = findForeignUnit(store, selection);
  if (foreign === undefined) return selection;
  const { product, unitsAllowed } = foreign;
  const found = `unit is ${JSON.stringify(filter.unit)}`;
  throw new ExportRefusedError(`${found}, expected one of ${unitsAllowed.join(", ")} for ${product}`);
}
