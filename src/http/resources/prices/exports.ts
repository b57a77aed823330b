/** Exports of prices, statistics and series. */

import { priceTable, seriesRows, seriesTable } from "../../../export/price-table.ts";
import { findForeignProduct, statisticsRows, statisticsTable } from "../../../export/statistics-table.ts";
import { findSeries } from "../../../query/find-series.ts";
import { walkPrices } from "../../../query/walk-prices.ts";
import type { Endpoint } from "../../endpoint.ts";
import { dryWhiteMaize, nairobiWholesale, whiteMaize } from "../example-values.ts";
import { exportEndpoints } from "../export-endpoint.ts";
import { conditionProblems, conditionsOf } from "../filters.ts";
import { foreignMeasureError, statisticsSelection } from "./questions.ts";
import { priceExportQuery, statisticsExportQuery } from "./schemas.ts";
import { requireDollars, requireUnit, seriesExportQuery, seriesFilter, seriesOrderDefault } from "./series.ts";

export const priceExportEndpoints: readonly Endpoint[] = [
  ...exportEndpoints({
    table: "prices",
    task: "Prices",
    rowName: "ExportedPrice",
    access: "secret",
    summary: "All prices that match a filter, by product, oldest first",
    example: { product_uuids: [whiteMaize, dryWhiteMaize], ...nairobiWholesale },
    description: "Prices by product, oldest first: the series that a search gives in pages, in one request.",
    query: priceExportQuery,
    check: conditionProblems,
    columns: priceTable,
    rows: (store, query) => walkPrices(store, conditionsOf(query)),
    pricesOf: conditionsOf,
  }),
  ...exportEndpoints({
    table: "statistics",
    task: "Statistics",
    rowName: "ExportedStatistics",
    access: "secret",
    summary: "Statistics of one product, of several or of all, by time, by market or county, or by both",
    example: {
      product_uuids: [whiteMaize, dryWhiteMaize],
      start_date: "2020-01-01",
      end_date: "2021-12-31",
      ...nairobiWholesale,
    },
    description:
      "Statistics of up to 100 products, or of all, in one request; the fields are those of the POST form. A panel, " +
      "such as `group_by=month,county`, has one row for each month of each county that has prices: by product and " +
      "county, oldest first, with the figures that the POST form gives for the county alone. `county_ids` and " +
      "`market_uuids` take up to 100 counties and markets.",
    query: statisticsExportQuery,
    check: conditionProblems,
    columns: statisticsTable,
    rows(store, query) {
      const selection = statisticsSelection(query);
      const foreign = findForeignProduct(store, selection);
      if (foreign !== undefined) throw foreignMeasureError(query, foreign, foreign.product);
      return statisticsRows(store, selection);
    },
    pricesOf: statisticsSelection,
  }),
  ...exportEndpoints({
    table: "series",
    task: "Series",
    rowName: "ExportedSeries",
    access: "public",
    summary: "All series that match a filter",
    example: nairobiWholesale,
    description: "All series that match, as the list gives them in pages.",
    query: seriesExportQuery,
    check: conditionProblems,
    columns: seriesTable,
    rows(store, query) {
      requireUnit(store, query.unit);
      requireDollars(store, query.currency);
      const positions = findSeries(store, seriesFilter(query), query.sort ?? seriesOrderDefault);
      return seriesRows(store, positions, query.currency !== undefined);
    },
    pricesOf: seriesFilter,
  }),
];
