import { latestPrices } from "../../query/latest-prices.ts";
import { priceStatistics } from "../../query/price-statistics.ts";
import { andThen } from "../../query/run-in-slices.ts";
import { searchPrices } from "../../query/search-prices.ts";
import type { Store } from "../../store/store.ts";
import { findRow } from "../../store/uuid-index.ts";
import { type Answer, type Endpoint, endpoint, type HandlerInput, presentPage } from "../endpoint.ts";
import { ApiError, excerptOf, validationError } from "../errors.ts";
import { LazyList } from "../json-text.ts";
import { listAnswer, type NoInput, oneAnswer, pageAnswer, type UuidParams, uuidParams } from "../schema.ts";
import {
  presentFoundPrices,
  presentLatestGroup,
  presentPriceDetail,
  presentStatistics,
  presentStatisticsMeta,
} from "./present.ts";
import {
  daysProblems,
  latestProblems,
  latestQuestion,
  searchProblems,
  searchQuestion,
  statisticsQuestion,
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

export const priceEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/prices/search",
    access: "secret",
    summary: "Prices that match a filter, newest first, page by page",
    body: priceSearchBody,
    check: ({ body }) => searchProblems(body),
    answer: pageAnswer(foundPriceAnswer),
    handle: answerSearch,
  }),
  endpoint({
    method: "GET",
    path: "/prices/latest",
    access: "public",
    summary: "Newest prices of each product",
    query: latestPricesInput,
    check: ({ query }) => latestProblems(query),
    answer: listAnswer(latestGroupAnswer),
    handle: ({ store, query }) => answerLatest(store, query),
  }),
  endpoint({
    method: "POST",
    path: "/prices/latest",
    access: "public",
    summary: "Newest prices of each product",
    body: latestPricesInput,
    check: ({ body }) => latestProblems(body),
    answer: listAnswer(latestGroupAnswer),
    handle: ({ store, body }) => answerLatest(store, body),
  }),
  endpoint({
    method: "POST",
    path: "/prices/statistics",
    access: "secret",
    summary: "Statistics of a product's prices by day, week, month, market or county",
    body: priceStatisticsBody,
    check: ({ body }) => daysProblems(body),
    answer: statisticsAnswer,
    handle: answerStatistics,
  }),
  endpoint({
    method: "GET",
    path: "/prices/:uuid",
    access: "public",
    summary: "One price",
    params: uuidParams,
    answer: oneAnswer(priceDetailAnswer),
    handle: answerPrice,
  }),
];

function answerSearch({ store, body }: HandlerInput<NoInput, NoInput, PriceSearchBody>): Answer | Promise<Answer> {
  const question = searchQuestion(body);
  return andThen(searchPrices(store, question), ({ entries, total }) => ({
    data: presentFoundPrices(store, entries),
    meta: presentPage(question.page, question.pageSize, total),
  }));
}

function answerLatest(store: Store, input: LatestPricesInput): Answer {
  const groups = latestPrices(store, latestQuestion(input));
  return { data: new LazyList(groups.values().map((group) => presentLatestGroup(store, group))) };
}

function answerStatistics({
  store,
  body,
}: HandlerInput<NoInput, NoInput, PriceStatisticsBody>): Answer | Promise<Answer> {
  const question = statisticsQuestion(body);
  return andThen(priceStatistics(store, question), (answer) => {
    if (!("problem" in answer)) {
      return {
        data: presentStatistics(store, body, question.grouping, answer),
        meta: presentStatisticsMeta(store, answer),
      };
    }
    if (answer.problem === "unknown product") {
      throw new ApiError("NOT_FOUND", `No product has the uuid ${question.productUuid}.`);
    }
    const received = excerptOf(body.unit ?? "");
    const wanted = `one of ${answer.unitsAllowed.join(", ")} for this product`;
    const message = `unit is ${JSON.stringify(received)}, expected ${wanted}.`;
    throw validationError([{ field: "unit", message, received }]);
  });
}

function answerPrice({ store, params }: HandlerInput<UuidParams, NoInput, NoInput>): Answer {
  const row = findRow(store.rowByUuid, store.prices.uuids, params.uuid);
  if (row === undefined) throw new ApiError("NOT_FOUND", `No price has the uuid ${params.uuid.toLowerCase()}.`);
  return { data: presentPriceDetail(store, row) };
}
