/** The endpoints of prices: search, latest, statistics, exports, and a price by its uuid. */

import { type Endpoint, endpoint } from "../../../../contract/endpoint.ts";
import { ApiError } from "../../../../contract/errors.ts";
import { dryWhiteMaize, nairobiWholesale, whiteMaize } from "../../../../contract/example-values.ts";
import { listAnswer, oneAnswer, pageAnswer, uuidParams } from "../../../../contract/schema.ts";
import { priceTable } from "../../../../engine/export/price-table.ts";
import { findNotConvertible, statisticsRows, statisticsTable } from "../../../../engine/export/statistics-table.ts";
import { findRow } from "../../../../engine/model/ids.ts";
import { latestPrices } from "../../../../engine/query/latest-prices.ts";
import { priceStatistics } from "../../../../engine/query/price-statistics.ts";
import { searchPrices } from "../../../../engine/query/search-prices.ts";
import { walkPrices } from "../../../../engine/query/walk-prices.ts";
import type { Store } from "../../../../engine/store/store.ts";
import { answerText, type JsonText, pageText } from "../../answer/json-text.ts";
import { exportEndpoints } from "../export-endpoint.ts";
import { conditionProblems, conditionsOf } from "../filters.ts";
import { presentFoundPrices, presentLatest, presentPriceDetail } from "./present-prices.ts";
import {
  isLongLatest,
  isLongStatistics,
  latestProblems,
  latestQuestion,
  notConvertibleError,
  searchQuestion,
  statisticsQuestion,
  statisticsSelection,
} from "./price-questions.ts";
import {
  foundPriceAnswer,
  type LatestPricesInput,
  latestGroupAnswer,
  latestPricesInput,
  priceDetailAnswer,
  priceExportQuery,
  priceSearchBody,
  priceStatisticsBody,
  statisticsAnswer,
  statisticsExportQuery,
} from "./schemas.ts";
import { seriesEndpoint, seriesExportEndpoints } from "./series-endpoints.ts";
import { presentStatistics, presentStatisticsMeta } from "./statistics-text.ts";

export const priceEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/prices/search",
    access: "secret",
    summary: "Prices that match a filter, newest first, page by page",
    id: "searchPrices",
    task: "Search prices",
    description:
      "Prices as recorded, newest first, equal times by uuid. All filters are optional and are combined with and. " +
      "Wholesale and retail are different prices: `market_type` keeps them apart. A list longer than a few pages " +
      "is better taken as statistics. Send `X-Snapshot-Id` of the first page with all others, so that pages of two " +
      "snapshots never mix.",
    example: { body: { product_uuid: whiteMaize, ...nairobiWholesale, start_date: "2020-01-01", page_size: 2 } },
    body: priceSearchBody,
    check: ({ body }) => conditionProblems(body),
    answer: pageAnswer(foundPriceAnswer, "Prices, newest first."),
    *handleInSlices({ store, body }) {
      const question = searchQuestion(body);
      const { entries, total } = yield* searchPrices(store, question);
      const page = pageText(question.page, question.pageSize, total);
      return answerText(presentFoundPrices(store, entries, body.detail), page);
    },
  }),
  endpoint({
    path: "/prices/latest",
    access: "public",
    summary: "Newest prices of each product",
    id: "getLatestPrices",
    task: "Newest prices",
    description:
      "The newest prices of each product, by name of the product. `one_per_market` leaves one price of each market " +
      "and unit; `recorded_since` leaves out stale ones; `detail` adds age in days, currency, price per base unit, " +
      "notes, price flag and the market's county.",
    example: { query: { product_uuids: [dryWhiteMaize], market_type: "Wholesale", limit: 2, detail: true } },
    query: latestPricesInput,
    check: ({ query }) => latestProblems(query),
    isLong: ({ query }) => isLongLatest(query),
    answer: listAnswer(latestGroupAnswer, "Products with prices, by name."),
    handleInSlices: ({ store, query }) => answerLatest(store, query),
  }),
  endpoint({
    method: "POST",
    path: "/prices/latest",
    access: "public",
    summary: "Newest prices of each product",
    id: "queryLatestPrices",
    task: "Newest prices of many products",
    description: "The same as GET, with the fields in the body: for lists of products that are too long for a query.",
    example: { body: { product_uuids: [dryWhiteMaize, whiteMaize], county_id: 47, limit: 1 } },
    body: latestPricesInput,
    check: ({ body }) => latestProblems(body),
    isLong: ({ body }) => isLongLatest(body),
    answer: listAnswer(latestGroupAnswer, "Products with prices, by name."),
    handleInSlices: ({ store, body }) => answerLatest(store, body),
  }),
  endpoint({
    method: "POST",
    path: "/prices/statistics",
    access: "secret",
    summary: "Statistics of a product's prices by day, week, month, quarter, year, market or county",
    id: "getPriceStatistics",
    task: "Statistics of one product",
    description:
      "Mean, least, greatest, median and sample standard deviation of a product's prices by day, week, month, " +
      "quarter, year, market or county, exact and over records. All figures are in one unit and one currency: " +
      "prices per bag are converted where the weight of the bag is known; `currency` of USD converts each price by " +
      "the rate of its month. What cannot be converted is left out and counted in `meta.excluded_samples`.",
    example: {
      body: { product_uuid: whiteMaize, start_date: "2020-01-01", end_date: "2020-03-31", market_type: "Wholesale" },
    },
    errors: ["NOT_FOUND"],
    body: priceStatisticsBody,
    check: ({ body }) => conditionProblems(body),
    isLong: ({ body }) => isLongStatistics(body),
    answer: statisticsAnswer,
    *handleInSlices({ store, body, rollupTexts }) {
      const question = statisticsQuestion(body);
      const work = priceStatistics(store, question);
      if ("problem" in work) {
        if (work.problem === "not convertible") throw notConvertibleError(body, work, "this product");
        throw new ApiError("NOT_FOUND", `No product has the uuid ${question.productUuid}.`);
      }
      const answer = yield* work;
      return answerText(
        presentStatistics(store, body, question.grouping, answer, rollupTexts),
        presentStatisticsMeta(store, answer),
      );
    },
  }),
  seriesEndpoint,
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
      const refused = findNotConvertible(store, selection);
      if (refused !== undefined) throw notConvertibleError(query, refused, refused.product);
      return statisticsRows(store, selection);
    },
    pricesOf: statisticsSelection,
  }),
  ...seriesExportEndpoints,
];

/** Behind all fixed paths below `/prices`. */
export const priceRecordEndpoints: readonly Endpoint[] = [
  endpoint({
    path: "/prices/:uuid",
    access: "public",
    summary: "One price",
    id: "getPrice",
    task: "One price",
    description: "One price with all that is known of it.",
    example: { params: { uuid: "0324e499-541c-505b-9c89-9fe3d5bae728" } },
    params: uuidParams,
    isCached: false,
    answer: oneAnswer(priceDetailAnswer),
    handle({ store, params }) {
      const row = findRow(store.rowByUuid, store.prices.uuids, params.uuid);
      if (row === undefined) throw new ApiError("NOT_FOUND", `No price has the uuid ${params.uuid.toLowerCase()}.`);
      return answerText(presentPriceDetail(store, row));
    },
  }),
];

function* answerLatest(store: Store, input: LatestPricesInput): Generator<number, JsonText> {
  return answerText(presentLatest(store, yield* latestPrices(store, latestQuestion(input)), input.detail));
}
