import { findLatest } from "../../query/latest-prices.ts";
import { priceStatistics } from "../../query/price-statistics.ts";
import { andThen, runInSlices } from "../../query/run-in-slices.ts";
import { searchPrices } from "../../query/search-prices.ts";
import type { Store } from "../../store/store.ts";
import { findRow } from "../../store/uuid-index.ts";
import { type Endpoint, endpoint, type HandlerInput } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import { answerText, type JsonText, pageText } from "../json-text.ts";
import { listAnswer, type NoInput, oneAnswer, pageAnswer, type UuidParams, uuidParams } from "../schema.ts";
import { priceExportEndpoints } from "./exports.ts";
import {
  presentFoundPrices,
  presentLatest,
  presentPriceDetail,
  presentStatistics,
  presentStatisticsMeta,
} from "./present.ts";
import {
  daysProblems,
  foreignUnitError,
  isLongLatest,
  isLongStatistics,
  latestProblems,
  latestQuestion,
  searchProblems,
  searchQuestion,
  statisticsQuestion,
  unknownProductError,
} from "./questions.ts";
import {
  foundPriceAnswer,
  type LatestPricesInput,
  latestGroupAnswer,
  latestPricesInput,
  type PriceSearchBody,
  type PriceStatisticsBody,
  priceDetailAnswer,
  priceSearchBody,
  priceStatisticsBody,
  statisticsAnswer,
} from "./schemas.ts";
import { seriesEndpoint } from "./series.ts";

export const priceEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/prices/search",
    access: "secret",
    summary: "Prices that match a filter, newest first, page by page",
    body: priceSearchBody,
    check: ({ body }) => searchProblems(body),
    answer: pageAnswer(foundPriceAnswer, "Prices, newest first."),
    handle: answerSearch,
  }),
  endpoint({
    method: "GET",
    path: "/prices/latest",
    access: "public",
    summary: "Newest prices of each product",
    query: latestPricesInput,
    check: ({ query }) => latestProblems(query),
    isLong: ({ query }) => isLongLatest(query),
    answer: listAnswer(latestGroupAnswer, "Products with prices, by name."),
    handle: ({ store, query }) => answerLatest(store, query),
  }),
  endpoint({
    method: "POST",
    path: "/prices/latest",
    access: "public",
    summary: "Newest prices of each product",
    body: latestPricesInput,
    check: ({ body }) => latestProblems(body),
    isLong: ({ body }) => isLongLatest(body),
    answer: listAnswer(latestGroupAnswer, "Products with prices, by name."),
    handle: ({ store, body }) => answerLatest(store, body),
  }),
  endpoint({
    method: "POST",
    path: "/prices/statistics",
    access: "secret",
    summary: "Statistics of a product's prices by day, week, month, market or county",
    body: priceStatisticsBody,
    check: ({ body }) => daysProblems(body),
    isLong: ({ body }) => isLongStatistics(body),
    answer: statisticsAnswer,
    handle: answerStatistics,
  }),
  seriesEndpoint,
  endpoint({
    method: "GET",
    path: "/prices/:uuid",
    access: "public",
    summary: "One price",
    params: uuidParams,
    isKept: false,
    answer: oneAnswer(priceDetailAnswer),
    handle: answerPrice,
  }),
  ...priceExportEndpoints,
];

function answerSearch({ store, body }: HandlerInput<NoInput, NoInput, PriceSearchBody>): JsonText | Promise<JsonText> {
  const question = searchQuestion(body);
  return andThen(searchPrices(store, question), ({ entries, total }) =>
    answerText(presentFoundPrices(store, entries, body.detail), pageText(question.page, question.pageSize, total)),
  );
}

function answerLatest(store: Store, input: LatestPricesInput): JsonText | Promise<JsonText> {
  const found = runInSlices(findLatest(store, latestQuestion(input)));
  return andThen(found, (groups) => answerText(presentLatest(store, groups, input.detail)));
}

function answerStatistics({
  store,
  body,
}: HandlerInput<NoInput, NoInput, PriceStatisticsBody>): JsonText | Promise<JsonText> {
  const question = statisticsQuestion(body);
  return andThen(priceStatistics(store, question), (answer) => {
    if (!("problem" in answer)) {
      return answerText(
        presentStatistics(store, body, question.grouping, answer),
        presentStatisticsMeta(store, answer),
      );
    }
    if (answer.problem === "unknown product") throw unknownProductError(question.productUuid);
    throw foreignUnitError(body.unit, answer.unitsAllowed, "this product");
  });
}

function answerPrice({ store, params }: HandlerInput<UuidParams, NoInput, NoInput>): JsonText {
  const row = findRow(store.rowByUuid, store.prices.uuids, params.uuid);
  if (row === undefined) throw new ApiError("NOT_FOUND", `No price has the uuid ${params.uuid.toLowerCase()}.`);
  return answerText(presentPriceDetail(store, row));
}
