/** Accepted input → questions of the query room, and what the schemas cannot say of fields that depend on one another. */
import { type Day, dayFromText } from "../../domain/calendar-day.ts";
import type { CountyId, Uuid } from "../../domain/ids.ts";
import type { LatestPrices, PriceSearch, PriceStatistics } from "../../query/questions.ts";
import { pageOf } from "../endpoint.ts";
import type { FieldProblem } from "../errors.ts";
import { latestLimitDefault, latestLimitMax } from "../limits.ts";
import type { LatestPricesInput, PriceSearchBody, PriceStatisticsBody } from "./schemas.ts";

/** What is wrong with a search although each field is right: days or prices the wrong way round. */
export function searchProblems(body: PriceSearchBody): FieldProblem[] {
  const { min_price: priceMin, max_price: priceMax } = body;
  const problems = daysProblems(body);
  if (priceMin !== undefined && priceMax !== undefined && priceMin > priceMax) {
    const message = `min_price is ${priceMin}, expected at most max_price, ${priceMax}.`;
    problems.push({ field: "min_price", message, received: priceMin });
  }
  return problems;
}

/** What is wrong with a range of days although each day exists. */
export function daysProblems({ start_date: first, end_date: last }: DayFields): FieldProblem[] {
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
export function latestProblems({
  limit = latestLimitDefault,
  one_per_market: isWide,
}: LatestPricesInput): FieldProblem[] {
  if (limit <= latestLimitMax || isWide === true) return [];
  const message = `limit is ${limit}, expected an integer from 1 to ${latestLimitMax} without one_per_market.`;
  return [{ field: "limit", message, received: limit }];
}

/** The question a search asks. */
export function searchQuestion(body: PriceSearchBody): PriceSearch {
  const { min_price: priceMin, max_price: priceMax } = body;
  const filter = { ...commonFilter(body), productUuid: uuidOf(body.product_uuid), priceMin, priceMax };
  return { filter, ...pageOf(body) };
}

/** The question a request for latest prices asks. */
export function latestQuestion(input: LatestPricesInput): LatestPrices {
  return {
    productUuids: input.product_uuids?.map((uuid) => uuidOf(uuid) as Uuid),
    marketUuid: uuidOf(input.market_uuid),
    countyId: input.county_id as CountyId | undefined,
    marketType: input.market_type,
    limit: input.limit ?? latestLimitDefault,
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
    grouping: body.group_by ?? "month",
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
