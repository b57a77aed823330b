import { type Day, dayFromText } from "../../domain/calendar-day.ts";
import type { CountyId, Uuid } from "../../domain/ids.ts";
import { findLatest } from "../../query/latest-prices.ts";
import { priceStatistics } from "../../query/price-statistics.ts";
import type { LatestPrices, PriceSearch, PriceStatistics } from "../../query/questions.ts";
import { andThen, runInSlices } from "../../query/run-in-slices.ts";
import { searchPrices } from "../../query/search-prices.ts";
import type { Store } from "../../store/store.ts";
import { findRow } from "../../store/uuid-index.ts";
import { type Endpoint, endpoint, type HandlerInput } from "../endpoint.ts";
import { ApiError, excerptOf, type FieldProblem, validationError } from "../errors.ts";
import { answerText, type JsonText, pageText } from "../json-text.ts";
import { latestLimitDefault, latestLimitMax } from "../limits.ts";
import { listAnswer, type NoInput, oneAnswer, pageAnswer, pageOf, type UuidParams, uuidParams } from "../schema.ts";
import {
  presentFoundPrices,
  presentLatest,
  presentPriceDetail,
  presentStatistics,
  presentStatisticsMeta,
} from "./present.ts";
import {
  foundPriceAnswer,
  groupingDefault,
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
    if (answer.problem === "unknown product") {
      throw new ApiError("NOT_FOUND", `No product has the uuid ${question.productUuid}.`);
    }
    const received = excerptOf(body.unit ?? "");
    const wanted = `one of ${answer.unitsAllowed.join(", ")} for this product`;
    const message = `unit is ${JSON.stringify(received)}, expected ${wanted}.`;
    throw validationError([{ field: "unit", message, received }]);
  });
}

function answerPrice({ store, params }: HandlerInput<UuidParams, NoInput, NoInput>): JsonText {
  const row = findRow(store.rowByUuid, store.prices.uuids, params.uuid);
  if (row === undefined) throw new ApiError("NOT_FOUND", `No price has the uuid ${params.uuid.toLowerCase()}.`);
  return answerText(presentPriceDetail(store, row));
}

// What the schemas cannot say of fields that depend on one another, and accepted input as questions of the query room.

/** What is wrong with a search although each field is right: days or prices the wrong way round. */
function searchProblems(body: PriceSearchBody): FieldProblem[] {
  const { min_price: priceMin, max_price: priceMax } = body;
  const problems = daysProblems(body);
  if (priceMin !== undefined && priceMax !== undefined && priceMin > priceMax) {
    const message = `min_price is ${priceMin}, expected at most max_price, ${priceMax}.`;
    problems.push({ field: "min_price", message, received: priceMin });
  }
  return problems;
}

/** What is wrong with a range of days although each day exists. */
function daysProblems({ start_date: first, end_date: last }: DayFields): FieldProblem[] {
  if (first === undefined || last === undefined || first <= last) return [];
  return [
    {
      field: "start_date",
      message: `start_date is ${first}, expected a day up to end_date, ${last}.`,
      received: first,
    },
  ];
}

/** What is wrong with a request for latest prices although each field is right: a limit too large for its kind. */
function latestProblems({ limit = latestLimitDefault, one_per_market: isWide }: LatestPricesInput): FieldProblem[] {
  if (limit <= latestLimitMax || isWide === true) return [];
  const message = `limit is ${limit}, expected an integer from 1 to ${latestLimitMax} without one_per_market.`;
  return [{ field: "limit", message, received: limit }];
}

/** The question a search asks. */
export function searchQuestion(body: PriceSearchBody): PriceSearch {
  const { min_price: priceMin, max_price: priceMax } = body;
  const filter = { ...commonFilter(body), productUuid: uuidOf(body.product_uuid), priceMin, priceMax };
  const { page, pageSize } = pageOf(body);
  return { filter, page, pageSize };
}

/** The question a request for latest prices asks. */
export function latestQuestion(input: LatestPricesInput): LatestPrices {
  return {
    productUuids: input.product_uuids?.map((uuid) => uuidOf(uuid) as Uuid),
    marketUuid: uuidOf(input.market_uuid),
    countyId: input.county_id as CountyId | undefined,
    marketType: input.market_type,
    limit: input.limit ?? latestLimitDefault,
    recordedSince: dayOf(input.recorded_since),
    onePerMarket: input.one_per_market ?? false,
  };
}

/** The question a request for statistics asks. */
export function statisticsQuestion(body: PriceStatisticsBody): PriceStatistics {
  return {
    ...commonFilter(body),
    productUuid: uuidOf(body.product_uuid) as Uuid,
    dayFirst: dayOf(body.start_date) as Day,
    dayLast: dayOf(body.end_date) as Day,
    grouping: body.group_by ?? groupingDefault,
    unit: body.unit,
  };
}

type DayFields = Pick<PriceSearchBody, "start_date" | "end_date">;

type CommonFields = DayFields & Pick<PriceSearchBody, "market_uuid" | "county_id" | "market_type">;

type CommonFilter = Pick<PriceSearch["filter"], "marketUuid" | "countyId" | "marketType" | "dayFirst" | "dayLast">;

function commonFilter(body: CommonFields): CommonFilter {
  return {
    marketUuid: uuidOf(body.market_uuid),
    countyId: body.county_id as CountyId | undefined,
    marketType: body.market_type,
    dayFirst: dayOf(body.start_date),
    dayLast: dayOf(body.end_date),
  };
}

/** Uuids are accepted in either case; the store has them in lower case. */
function uuidOf(text: string | undefined): Uuid | undefined {
  return text?.toLowerCase() as Uuid | undefined;
}

function dayOf(text: string | undefined): Day | undefined {
  return text === undefined ? undefined : dayFromText(text);
}
