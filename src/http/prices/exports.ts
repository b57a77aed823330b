/** Exports of prices, statistics and series. */
import { priceTable, seriesTable } from "../../export/price-table.ts";
import { findForeignUnit, statisticsRows, statisticsTable } from "../../export/statistics-table.ts";
import { blocksOf } from "../../export/table.ts";
import { findSeries } from "../../query/find-series.ts";
import { walkPrices } from "../../query/walk-prices.ts";
import type { Endpoint } from "../endpoint.ts";
import { exportEndpoints } from "../export-endpoint.ts";
import { productProblems } from "./product-filter.ts";
import { daysProblems, foreignUnitError, priceSelection, searchProblems, statisticsSelection } from "./questions.ts";
import { priceExportQuery, statisticsExportQuery } from "./schemas.ts";
import { requireUnit, seriesExportQuery, seriesFilter, seriesOrderDefault } from "./series.ts";

export const priceExportEndpoints: readonly Endpoint[] = [
  ...exportEndpoints({
    table: "prices",
    rowName: "ExportedPrice",
    access: "secret",
    summary: "All prices that match a filter, by product, oldest first",
    query: priceExportQuery,
    check: (query) => [...productProblems(query), ...searchProblems(query)],
    columns: priceTable,
    rows: (store, query) => walkPrices(store, priceSelection(query)),
    pricesOf: priceSelection,
  }),
  ...exportEndpoints({
    table: "statistics",
    rowName: "ExportedStatistics",
    access: "secret",
    summary: "Statistics of one product, of several or of all, by day, week, month, market or county",
    query: statisticsExportQuery,
    check: (query) => [...productProblems(query), ...daysProblems(query)],
    columns: statisticsTable,
    rows(store, query) {
      const selection = statisticsSelection(query);
      const foreign = findForeignUnit(store, selection);
      if (foreign !== undefined) throw foreignUnitError(query.unit, foreign.unitsAllowed, foreign.product);
      return statisticsRows(store, selection);
    },
    pricesOf: statisticsSelection,
  }),
  ...exportEndpoints({
    table: "series",
    rowName: "ExportedSeries",
    access: "public",
    summary: "All series that match a filter",
    query: seriesExportQuery,
    check: productProblems,
    columns: seriesTable,
    rows(store, query) {
      requireUnit(store, query.unit);
      return blocksOf(findSeries(store, seriesFilter(query), query.sort ?? seriesOrderDefault));
    },
    pricesOf: seriesFilter,
  }),
];
