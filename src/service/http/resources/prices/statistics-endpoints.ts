/** Statistics of prices: the endpoint, its answer, and the export. */
import { type DeclaredEndpoint, endpoint, type RollupTextSource } from "../../../../contract/endpoint.ts";
import { ApiError, type FieldProblem, wrongField, wrongText } from "../../../../contract/errors.ts";
import { dryWhiteMaize, nairobiWholesale, whiteMaize } from "../../../../contract/example-values.ts";
import { answerChunkBytes } from "../../../../contract/limits.ts";
import * as s from "../../../../contract/schema.ts";
import {
  coverageColumns,
  findNotConvertible,
  groupColumns,
  type StatisticsSelection,
  statisticsRows,
  statisticsTable,
} from "../../../../engine/export/statistics-table.ts";
import { type Day, type MonthRange, monthOf } from "../../../../engine/model/calendar.ts";
import { advice, optional, type ValueOf } from "../../../../engine/model/json-schema.ts";
import { type Grouping, groupings, panelGroupings, splitGrouping } from "../../../../engine/model/vocabulary.ts";
import { type NotConvertible, priceStatistics } from "../../../../engine/query/price-statistics.ts";
import type { PriceStatistics } from "../../../../engine/query/questions.ts";
import type { Store } from "../../../../engine/store/store.ts";
import { answerText } from "../../answer/json-text.ts";
import type { JsonText } from "../../answer/json-writer.ts";
import { exportEndpoints } from "../export-endpoint.ts";
import { conditionProblems, conditionsOf, filters, populationMeta, uuidOf } from "../filters.ts";
import { answerFields, fieldsOf } from "../table-fields.ts";
import { presentStatistics, presentStatisticsMeta } from "./statistics-text.ts";

const groupingDefault: Grouping = "month";

const statisticsFields = {
  ...filters.markets,
  ...filters.rows,
  group_by: optional(s.choice("Grouping", "How to group prices.", groupings, { default: groupingDefault })),
  ...filters.conversion,
  same_markets: s.flag("Only the markets that have a price in each group of the answer; grouped by time."),
};

export type PriceStatisticsBody = ValueOf<typeof priceStatisticsBody>;
const priceStatisticsBody = s.exactly({
  product_uuid: s.uuid("Product."),
  ...filters.days,
  ...statisticsFields,
  detail: s.flag("Adds to each group the months and markets that its prices are of."),
});

type StatisticsExportQuery = ValueOf<typeof statisticsExportQuery>;
const statisticsExportQuery = s.exactly({
  ...filters.products,
  ...s.optionalFields(filters.days),
  ...statisticsFields,
  ...filters.marketLists,
  group_by: optional(
    s.choice(
      "ExportGrouping",
      "How to group prices: by a time, by a location, or by both in a panel, the time first.",
      [...groupings, ...panelGroupings],
      { default: groupingDefault, [advice]: "; a panel has one time and one location, the time first" },
    ),
  ),
});

const figure = fieldsOf(groupColumns);

/** Market and county are there where prices are grouped by them: one schema of a row, so that clients have one type. */
const statisticsRow = s.object("StatisticsRow", "Figures of one period, market or county.", {
  period: s.text(
    "2026-01-31, 2026-W05 (ISO 8601), 2026-01, 2026-Q1 or 2026; the name of the market or county where grouped by " +
      "these.",
  ),
  ...answerFields(groupColumns, {}),
  ...s.fieldsOfDetail(answerFields(coverageColumns, {})),
  market: optional(s.meaning(s.marketReference, "The market; only with group_by market.")),
  county: optional(s.meaning(s.countyReference, "The county; only with group_by county.")),
});

const coarserSamples = (period: string): ReturnType<typeof optional> =>
  optional(s.integer(`Prices in the figures that each stand for ${period}; absent when there are none.`, "prices"));

const statisticsAnswer = s.exactly({
  data: s.object("PriceStatistics", "Statistics of a product.", {
    product: s.object("ProductOfStatistics", "A product with the unit of its figures.", {
      ...s.productReference.properties,
      unit: s.text("Unit of all figures."),
    }),
    period: s.object("Period", "The days asked for.", filters.days),
    statistics: s.list(statisticsRow, "Figures by period, oldest first, or by place, by name."),
    overall: s.object("OverallStatistics", "Figures over all groups.", {
      average_price: figure("average_price"),
      min_price: figure("min_price"),
      max_price: figure("max_price"),
      total_samples: s.integer("Prices in the figures.", "prices"),
    }),
  }),
  meta: s.object("StatisticsMeta", "What the figures are of.", {
    converted_samples: s.integer("Prices in the figures that were recorded in another unit.", "prices"),
    excluded_samples: s.integer("Prices left out for their unit, currency or exchange rate.", "prices"),
    currency: s.nullableText("Currency of the figures, ISO 4217; null when the product has no prices."),
    time_zone: s.text("Time zone of the days, as in the IANA database."),
    snapshot: s.text("Identifier of the snapshot."),
    market_types: s.samplesByMarketType,
    suspicious_samples: s.integer("Prices in the figures that look wrong beside their neighbours.", "prices"),
    refugee_camps: populationMeta,
    refugee_camp_samples: s.integer("Prices in the figures that are of refugee camps.", "prices"),
    months_with_prices: optional(
      s.integer(
        "Calendar months with a price in the figures; only where grouped by quarter, year, market or county.",
        "months",
      ),
    ),
    months_in_period: optional(
      s.integer("Calendar months from `start_date` to `end_date`; only beside `months_with_prices`.", "months"),
    ),
    same_markets: optional(s.integer("Markets that have a price in each group; only with `same_markets`.", "markets")),
    exchange_rate: optional(
      s.object(
        "ExchangeRateOfStatistics",
        "How prices were converted; only where the currency asked for needs rates.",
        {
          from: s.texts("Currencies that were converted, each price by the rate of its month."),
          sources: s.texts("Where the rates come from."),
          months_without_rate: s.texts("Months whose prices are left out for lack of a rate, such as 2026-05."),
          samples_without_rate: s.integer("Prices left out for lack of a rate.", "prices"),
        },
      ),
    ),
    coarser_samples: optional(
      s.object(
        "CoarserSamples",
        "Prices in the figures that stand for a longer time than a period of the answer does; only where there " +
          "are any.",
        { month: coarserSamples("a month"), week: coarserSamples("a week") },
      ),
    ),
  }),
});

export const statisticsEndpoint: DeclaredEndpoint = endpoint({
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
  check: ({ body }) => statisticsProblems(body),
  isLong: ({ body }) => isLongStatistics(body),
  answer: statisticsAnswer,
  handle: ({ store, body, rollupTexts }, run) => run(answerStatistics(store, body, rollupTexts)),
});

export const statisticsExportEndpoints: readonly DeclaredEndpoint[] = exportEndpoints({
  table: "statistics",
  task: "Statistics",
  rowName: "ExportedStatistics",
  access: "exports",
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
  check: statisticsProblems,
  columns: statisticsTable,
  rows(store, query) {
    const selection = statisticsSelection(query);
    const refused = findNotConvertible(store, selection);
    if (refused !== undefined) throw notConvertibleError(query, refused, refused.product);
    return statisticsRows(store, selection);
  },
  pricesOf: statisticsSelection,
});

/** @throws {ApiError} NOT_FOUND, or VALIDATION_ERROR where the prices cannot be converted as is asked for. */
function* answerStatistics(
  store: Store,
  body: PriceStatisticsBody,
  rollupTexts: RollupTextSource | undefined,
): Generator<number, JsonText> {
  const question = statisticsQuestion(body);
  const work = priceStatistics(store, question);
  if ("problem" in work) {
    if (work.problem === "not convertible") throw notConvertibleError(body, work, "this product");
    throw new ApiError("NOT_FOUND", `No product has the uuid ${question.productUuid}.`);
  }
  const answer = yield* work;
  return answerText(
    presentStatistics(store, body, question.grouping, answer, rollupTexts),
    presentStatisticsMeta(store, question, answer, question.countsMonths === true ? monthsOfDays(question) : undefined),
  );
}

/** Groups of statistics that about fill a chunk. */
const groupsOfChunk = answerChunkBytes / 160;

/** Days of the groups that an answer may have so many of; months of so many would be 34 years. */
const daysOfGroup: Readonly<Partial<Record<Grouping, number>>> = { day: 1, week: 7 };

/** Returns whether the answer to a request for statistics is probably long. */
function isLongStatistics(body: PriceStatisticsBody): boolean {
  const days = daysOfGroup[body.group_by ?? groupingDefault];
  if (days === undefined) return false;
  const { dayFirst = 0, dayLast = 0 } = conditionsOf(body);
  return (dayLast - dayFirst) / days > groupsOfChunk;
}

/** The question a request for statistics asks. */
export function statisticsQuestion(body: PriceStatisticsBody): PriceStatistics {
  const { group_by: grouping = groupingDefault } = body;
  const selection = statisticsSelection(body);
  return {
    ...selection,
    grouping,
    productUuid: uuidOf(body.product_uuid),
    coverageWithin: body.detail === true ? monthsOfDays(selection) : undefined,
    countsMonths: monthsCounted.has(grouping),
  };
}

/** Groupings whose groups hold several months, some of which may be without a price. */
const monthsCounted: ReadonlySet<Grouping> = new Set(["quarter", "year", "market", "county"]);

/** The months of the days of a question, which a request always has. */
function monthsOfDays({ dayFirst, dayLast }: Pick<PriceStatistics, "dayFirst" | "dayLast">): MonthRange {
  return { first: monthOf(dayFirst as Day), last: monthOf(dayLast as Day) };
}

/** Returns the problems of a request whose fields are right one by one. */
function statisticsProblems(fields: Omit<StatisticsExportQuery, "formulas">): FieldProblem[] {
  const { group_by: grouping = groupingDefault, same_markets: isSame } = fields;
  const { time, location } = splitGrouping(grouping);
  const problems = conditionProblems(fields);
  if (isSame === true && (time === undefined || location === "market")) {
    const wanted = "group_by a time, or in exports a time and county";
    problems.push(wrongField("same_markets", isSame, wanted, `given with group_by ${grouping}`));
  }
  return problems;
}

/** The statistics an export holds. */
function statisticsSelection(query: StatisticsExportQuery): StatisticsSelection {
  return {
    ...conditionsOf(query),
    grouping: query.group_by ?? groupingDefault,
    unit: query.unit,
    currency: query.currency,
    sameMarkets: query.same_markets,
  };
}

/**
 * The error of a unit or currency that the statistics of a product cannot have.
 *
 * @param product The name of the product in the message.
 */
export function notConvertibleError(
  input: Pick<PriceStatisticsBody, "unit" | "currency">,
  { field, allowed }: NotConvertible,
  product: string,
): ApiError {
  // A product without prices has no currency.
  const wanted = allowed.length === 0 ? `no ${field}` : `one of ${allowed.join(", ")}`;
  return wrongText(field, input[field] ?? "", `${wanted} for ${product}`);
}
