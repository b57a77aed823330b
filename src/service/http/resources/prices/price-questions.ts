/**
 * What the schemas cannot say of fields that depend on one another, and accepted input as questions of the query room.
 */

import { type ApiError, type FieldProblem, wrongField, wrongText } from "../../../../contract/errors.ts";
import { answerChunkBytes, latestLimitDefault, latestLimitMax, listItemsMax } from "../../../../contract/limits.ts";
import { requestedPage } from "../../../../contract/schema.ts";
import type { StatisticsSelection } from "../../../../engine/export/statistics-table.ts";
import type { Day } from "../../../../engine/model/calendar.ts";
import type { Grouping } from "../../../../engine/model/vocabulary.ts";
import type { NotConvertible } from "../../../../engine/query/price-statistics.ts";
import type { LatestPrices, PriceSearch, PriceStatistics } from "../../../../engine/query/questions.ts";
import { conditionsOf, dayOf, uuidOf } from "../filters.ts";
import {
  groupingDefault,
  type LatestPricesInput,
  type PriceSearchBody,
  type PriceStatisticsBody,
  type StatisticsExportQuery,
} from "./schemas.ts";

/** What is wrong with a request for latest prices although each field is right: a limit too large for its kind. */
export function latestProblems(input: LatestPricesInput): FieldProblem[] {
  const { limit = latestLimitDefault, one_per_market: isWide = false } = input;
  if (limit <= latestLimitMax || isWide) return [];
  return [wrongField("limit", limit, `an integer from 1 to ${latestLimitMax} without one_per_market`)];
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
  const { product_uuid: product } = body;
  const productUuid = product === undefined ? undefined : uuidOf(product);
  return { filter: { ...conditionsOf(body), productUuid }, ...requestedPage(body) };
}

/** The question a request for latest prices asks. */
export function latestQuestion(input: LatestPricesInput): LatestPrices {
  return {
    ...conditionsOf(input),
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
  return { ...statisticsFields(query), grouping };
}

function statisticsFields(
  body: Omit<PriceStatisticsBody, "product_uuid" | "group_by">,
): Omit<StatisticsSelection, "grouping"> {
  return {
    ...conditionsOf(body),
    dayFirst: dayOf(body.start_date) as Day,
    dayLast: dayOf(body.end_date) as Day,
    unit: body.unit,
    currency: body.currency,
  };
}

/**
 * The error of a unit or currency that the statistics of a product cannot have.
 *
 * @param product What the message calls the product.
 */
export function notConvertibleError(
  given: Pick<PriceStatisticsBody, "unit" | "currency">,
  { field, allowed }: NotConvertible,
  product: string,
): ApiError {
  // A product without prices has no currency.
  const wanted = allowed.length === 0 ? `no ${field}` : `one of ${allowed.join(", ")}`;
  return wrongText(field, given[field] ?? "", `${wanted} for ${product}`);
}
