/**
 * What the schemas cannot say of fields that depend on one another, and accepted input as questions of the query room.
 */
import type { Day } from "../../../domain/calendar-day.ts";
import type { Grouping } from "../../../domain/vocabulary.ts";
import type { StatisticsSelection } from "../../../export/statistics-table.ts";
import type { ForeignMeasure } from "../../../query/price-statistics.ts";
import type { LatestPrices, PriceSearch, PriceStatistics } from "../../../query/questions.ts";
import type { PriceSelection } from "../../../query/walk-prices.ts";
import { type ApiError, type FieldProblem, wrongText } from "../../errors.ts";
import { pageOf } from "../../input/schema.ts";
import { answerChunkBytes, latestLimitDefault, latestLimitMax, listItemsMax } from "../../limits.ts";
import { dayOf, marketConditions, marketListConditions, productUuidsOf, uuidOf } from "../filters.ts";
import {
  groupingDefault,
  type LatestPricesInput,
  type PriceExportQuery,
  type PriceSearchBody,
  type PriceStatisticsBody,
  type StatisticsExportQuery,
} from "./schemas.ts";

/** What is wrong with a search although each field is right: days or prices the wrong way round. */
export function searchProblems(body: PriceSearchBody | PriceExportQuery): FieldProblem[] {
  const { min_price: priceMin, max_price: priceMax } = body;
  const problems = daysProblems(body);
  if (priceMin !== undefined && priceMax !== undefined && priceMin > priceMax) {
    const message = `min_price is ${priceMin}, expected at most max_price, ${priceMax}.`;
    problems.push({ field: "min_price", message, received: priceMin });
  }
  return problems;
}

/** What is wrong with a range of days although each day exists. */
export function daysProblems({ start_date: first, end_date: last }: Partial<StatisticsFields>): FieldProblem[] {
  if (first === undefined || last === undefined || first <= last) return [];
  const message = `start_date is ${first}, expected a day up to end_date, ${last}.`;
  return [{ field: "start_date", message, received: first }];
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

/** Prices of a product, and groups of statistics, that about fill a chunk. */
const latestPricesOfChunk = answerChunkBytes / 200;
const groupsOfChunk = answerChunkBytes / 160;

/** Whether the answer to a request for latest prices is probably long. */
export function isLongLatest({ product_uuids: uuids, limit = latestLimitDefault }: LatestPricesInput): boolean {
  return limit * (uuids?.length ?? listItemsMax) > latestPricesOfChunk;
}

/** About how many days a group is of. */
const daysOfGroup: Readonly<Record<Grouping, number>> = {
  day: 1,
  week: 7,
  month: 30,
  quarter: 91,
  year: 365,
  market: Infinity,
  county: Infinity,
};

/** Whether the answer to a request for statistics is probably long. */
export function isLongStatistics(body: PriceStatisticsBody): boolean {
  const { dayFirst, dayLast, grouping } = statisticsQuestion(body);
  return (dayLast - dayFirst) / daysOfGroup[grouping] > groupsOfChunk;
}

/** The question a search asks. */
export function searchQuestion(body: PriceSearchBody): PriceSearch {
  const { min_price: priceMin, max_price: priceMax } = body;
  const [productUuid] = productUuidsOf(body) ?? [];
  const filter = {
    ...commonFilter(body),
    productUuid,
    priceMin,
    priceMax,
  };
  return { filter, ...pageOf(body) };
}

/** The prices an export holds. */
export function priceSelection(query: PriceExportQuery): PriceSelection {
  const { min_price: priceMin, max_price: priceMax } = query;
  return {
    ...commonFilter(query),
    ...marketListConditions(query),
    productUuids: productUuidsOf(query),
    priceMin,
    priceMax,
  };
}

/** The question a request for latest prices asks. */
export function latestQuestion(input: LatestPricesInput): LatestPrices {
  return {
    ...marketConditions(input),
    productUuids: input.product_uuids?.map(uuidOf),
    limit: input.limit ?? latestLimitDefault,
    recordedSince: dayOf(input.recorded_since),
    onePerMarket: input.one_per_market ?? false,
  };
}

/** The question a request for statistics asks. */
export function statisticsQuestion(body: PriceStatisticsBody): PriceStatistics {
  const { group_by: grouping = groupingDefault } = body;
  return { ...statisticsFields(body), grouping, productUuid: uuidOf(body.product_uuid) };
}

/** The statistics an export holds. */
export function statisticsSelection(query: StatisticsExportQuery): StatisticsSelection {
  const { group_by: grouping = groupingDefault } = query;
  const lists = marketListConditions(query);
  return { ...statisticsFields(query), ...lists, grouping, productUuids: productUuidsOf(query) };
}

type StatisticsFields = Omit<PriceStatisticsBody, "product_uuid" | "group_by">;

function statisticsFields(body: StatisticsFields): Omit<PriceStatistics, "productUuid" | "grouping"> {
  return {
    ...commonFilter(body),
    dayFirst: dayOf(body.start_date) as Day,
    dayLast: dayOf(body.end_date) as Day,
    unit: body.unit,
    currency: body.currency,
  };
}

type CommonFilter = Omit<PriceSearch["filter"], "productUuid" | "priceMin" | "priceMax">;

function commonFilter(body: Partial<StatisticsFields>): CommonFilter {
  return {
    ...marketConditions(body),
    priceFlag: body.price_flag,
    isSuspicious: body.suspicious,
    dayFirst: dayOf(body.start_date),
    dayLast: dayOf(body.end_date),
  };
}

/**
 * The error of a unit or currency that the statistics of a product cannot have.
 *
 * @param product What the message calls the product.
 */
export function foreignMeasureError(
  given: Pick<PriceStatisticsBody, "unit" | "currency">,
  { field, allowed }: ForeignMeasure,
  product: string,
): ApiError {
  // A product without prices has no currency.
  const wanted = allowed.length === 0 ? `no ${field}` : `one of ${allowed.join(", ")}`;
  return wrongText(field, given[field] ?? "", `${wanted} for ${product}`);
}
