/** Whether prices are unusual: measures of a month, and the usual course of a year. */

import { type Endpoint, endpoint } from "../../../../contract/endpoint.ts";
import { type FieldProblem, validationError, wrongField } from "../../../../contract/errors.ts";
import { whiteMaize } from "../../../../contract/example-values.ts";
import { anomaliesPageSizeMax } from "../../../../contract/limits.ts";
import * as s from "../../../../contract/schema.ts";
import { anomalyRows, anomalyTable } from "../../../../engine/export/anomaly-table.ts";
import { monthNumber } from "../../../../engine/model/calendar.ts";
import { optional, type ValueOf } from "../../../../engine/model/json-schema.ts";
import type { MarketType } from "../../../../engine/model/vocabulary.ts";
import {
  type AnomalyQuestion,
  anomalyLevels,
  anomalyOrders,
  findAnomalies,
} from "../../../../engine/query/measures/find-anomalies.ts";
import { findSeasonality } from "../../../../engine/query/measures/find-seasonality.ts";
import { alpsClasses, anomalyMethod, notComputableReasons } from "../../../../engine/query/measures/judge-month.ts";
import { recordAt } from "../../../../engine/store/catalogue.ts";
import { exportEndpoints } from "../export-endpoint.ts";
import { conditionProblems, conditionsOf, dayOf, marketFilter, productFilter, requireCode } from "../filters.ts";
import { noClass, presentAnomalies, presentSeasonality } from "./present-anomalies.ts";

const anomalyFields = {
  ...productFilter,
  ...marketFilter,
  ...s.optionalFields({
    market_uuid: s.uuid("Market; with level market only."),
    level: s.choice(
      "AnomalyLevel",
      "What an entry is about: a product at a market, or at all markets of a type in a county or in the country.",
      anomalyLevels,
      { default: "market" },
    ),
    month: s.monthText("Month to judge; the newest month of each entry when absent."),
    class: s.listOf(s.oneOf(alpsClasses, "A class."), "Only entries of these classes."),
    recorded_since: s.day("The newest price of the entry is of this day or a later one."),
    sort: s.choice(
      "AnomalyOrder",
      "By names of product and market or county; or by a measure, highest first, entries without it last.",
      anomalyOrders,
      { default: "name" },
    ),
  }),
};

const anomalyQuery = s.exactly({ ...anomalyFields, ...s.pageFieldsUpTo(anomaliesPageSizeMax) });

type AnomalyExportQuery = ValueOf<typeof anomalyExportQuery>;
const anomalyExportQuery = s.exactly(anomalyFields);

type SeasonalityQuery = ValueOf<typeof seasonalityQuery>;
const seasonalityQuery = s.exactly({
  product_uuid: s.uuid("Product."),
  market_type: optional(s.marketTypeText),
  market_uuid: optional(s.uuid("Market; the whole country when neither it nor a county is given.")),
  county_id: optional(s.countyNumber),
});

const perUnit = "`currency` per `unit`";

const monthOf = (description: string) => s.text(`${description}, YYYY-MM.`);

const notComputable = s.object("NotComputable", "A measure that cannot be computed, and why.", {
  measure: s.oneOf(["year_before", "five_years", "alps", "seasonality"], "The measure."),
  reason: s.oneOf(notComputableReasons, "Why it cannot be computed."),
  found: s.number("What there is: prices, months, percent of the months, years, markets or deviation.", "by reason"),
  needed: s.number("What would be enough, in the same unit.", "by reason"),
});

const markets = optional(s.integer("Markets that it is the median of; for a county or the country only.", "markets"));

const subject = {
  product: s.object("ProductOfAnomaly", "A product.", s.productFields),
  market: s.nullable(s.object("MarketOfAnomaly", "A market.", s.marketFields)),
  county: s.nullable(s.countyReference),
  market_type: s.marketTypeText,
  unit: s.text("Unit of the prices, that of `/prices/statistics`."),
  currency: s.text("Currency of the prices, ISO 4217."),
};

const yearBefore = s.object(
  "YearBefore",
  "The change on the same month a year before; of a county or the country the median over the same markets.",
  {
    month: monthOf("The same month a year before"),
    median_price: optional(s.number("Its monthly value, for a market only.", perUnit)),
    change_percent: s.number("Change since then.", "percent"),
    markets,
  },
);

const fiveYears = s.object("FiveYears", "The month beside the same months of the five years before.", {
  usual_price: optional(s.number("Median of the values of the same month, for a market only.", perUnit)),
  years: optional(s.integer("Years of the five before that have a value, for a market only.", "years")),
  percent_of_usual: s.number("The month's value as a share of the usual price.", "percent"),
  markets,
});

const alps = s.object("Alps", "The Alert for Price Spikes: how far the month is from trend and season.", {
  value: s.number("Residual of the month in standard deviations of all residuals.", "standard deviations"),
  class: s.oneOf(alpsClasses, "Below 0.25 normal, below 1 stress, below 2 alert, else crisis."),
  expected_price: optional(s.number("What trend and season make expect, for a market only.", perUnit)),
  residual_deviation: optional(s.number("Standard deviation of the residuals, for a market only.", perUnit)),
  months: optional(s.integer("Months that the regression is of, for a market only.", "months")),
  markets,
});

const anomalyAnswer = s.object("Anomaly", "How unusual a product's price is in a month.", {
  ...subject,
  month: monthOf("The judged month"),
  median_price: s.number("Median of all prices of the month that are not suspicious.", perUnit),
  sample_count: s.integer("How many prices these are.", "prices"),
  year_before: s.nullable(yearBefore),
  five_years: s.nullable(fiveYears),
  alps: s.nullable(alps),
  suspicious_left_out: s.integer("Suspicious prices up to the month, which no measure uses.", "prices"),
  not_computable: s.list(notComputable, "The measures that are null, and why."),
});

const classCounts = alpsClasses.map((name) => [name, s.integer(`Entries of class ${name}.`, "entries")] as const);

const anomalyMeta = s.object("AnomalyMeta", "Which page of how many, the method, and entries by class.", {
  ...s.paginationFields,
  method: s.oneOf([anomalyMethod], "Version of the method; another method has another name."),
  snapshot: s.text("Snapshot that the measures are computed from."),
  classes: s.object("EntriesByClass", "Entries by class, whatever `class` asks for.", {
    ...Object.fromEntries(classCounts),
    [noClass]: s.integer("Entries whose `alps` cannot be computed.", "entries"),
  }),
});

const seasonMonth = s.object("SeasonMonth", "A calendar month of the usual year.", {
  month: s.integer("Calendar month, 1 to 12.", s.noUnit),
  index: s.number("Usual price of the month; 100 is the mean of the twelve.", "percent"),
  years: s.integer("Years that it is the median of.", "years"),
  min: s.number("Least of these years.", "percent"),
  max: s.number("Greatest of these years.", "percent"),
});

const seasonalityAnswer = s.exactly({
  data: s.object("Seasonality", "The usual course of a product's price over the year.", {
    ...subject,
    currency: s.nullableText("Currency of the prices, ISO 4217; null for a product without prices."),
    first_month: s.nullable(monthOf("First month with a value")),
    last_month: s.nullable(monthOf("Last month with a value")),
    suspicious_left_out: s.integer("Suspicious prices, which are left out.", "prices"),
    months: s.nullable(s.list(seasonMonth, "The twelve calendar months.")),
    not_computable: s.list(notComputable, "Why `months` is null."),
  }),
  meta: s.object("SeasonalityMeta", "The method.", {
    method: s.oneOf([anomalyMethod], "Version of the method."),
    snapshot: s.text("Snapshot that it is computed from."),
  }),
});

const description =
  "How unusual the price of a product is in a month: the change on a year before, the share of the usual price of " +
  "the month, and ALPS, the distance from trend and season. What cannot be computed is null, with the reason. " +
  "Counties and the country are medians over the same markets. Suspicious prices are left out.";

const exampleQuery = {
  product_uuid: whiteMaize,
  market_type: "Wholesale",
  month: "2017-05",
  sort: "alps",
} as const;

export const anomalyEndpoints: readonly Endpoint[] = [
  endpoint({
    path: "/prices/anomalies",
    access: "secret",
    followsExportAccess: true,
    summary: "How unusual prices are for their season, by market, county or country",
    id: "listAnomalies",
    task: "Is a price unusual?",
    description: `${description} See [is it unusual?](/docs/anomalies).`,
    example: { query: { ...exampleQuery, page_size: 2 } },
    query: anomalyQuery,
    check: ({ query }) => anomalyProblems(query),
    answer: s.pageAnswer(anomalyAnswer, "Entries, in the order asked for.", anomalyMeta),
    *handleInSlices({ store, query }) {
      const { page, pageSize } = s.requestedPage(query);
      return presentAnomalies(store, yield* findAnomalies(store, anomalyQuestion(query)), page, pageSize);
    },
  }),
  endpoint({
    path: "/prices/seasonality",
    access: "secret",
    followsExportAccess: true,
    summary: "The usual course of a product's price over the year",
    id: "getSeasonality",
    task: "The usual year of a price",
    description:
      "For each calendar month the usual price as a share of the year's: the median ratio to the mean of the " +
      "twelve months around it. Needs a market or a type of market, because wholesale and retail are different prices.",
    example: { query: { product_uuid: whiteMaize, market_type: "Wholesale" } },
    errors: ["NOT_FOUND"],
    query: seasonalityQuery,
    check: ({ query }) => seasonalityProblems(query),
    answer: seasonalityAnswer,
    *handleInSlices({ store, query }) {
      const { catalogue } = store;
      const { market_uuid: uuid, market_type: given } = query;
      const product = requireCode(catalogue.productCodes, "product", query.product_uuid);
      const market = uuid === undefined ? undefined : requireCode(catalogue.marketCodes, "market", uuid);
      const ofMarket = market === undefined ? undefined : recordAt(catalogue.markets, market);
      const marketType = ofMarket?.type ?? (given as MarketType);
      if (given !== undefined && given !== marketType) {
        throw validationError([wrongField("market_type", given, `${marketType}, the type of the market`)]);
      }
      const { marketUuid, countyId } = conditionsOf(query);
      const subject = { product, market, countyId: ofMarket?.countyId ?? countyId, marketType };
      const found = yield* findSeasonality(store, { product, marketUuid, countyId, marketType });
      return presentSeasonality(store, subject, found);
    },
  }),
  ...exportEndpoints({
    table: "anomalies",
    task: "Unusual prices",
    rowName: "ExportedAnomaly",
    access: "secret",
    summary: "How unusual prices are for their season, all entries that match",
    example: exampleQuery,
    description: "All entries that match, as the list gives them in pages.",
    query: anomalyExportQuery,
    check: anomalyProblems,
    columns: anomalyTable,
    rows: (store, query) => anomalyRows(store, anomalyQuestion(query)),
    pricesOf: conditionsOf,
  }),
];

/** What is wrong with a request although each field is right. */
function anomalyProblems(query: AnomalyExportQuery): FieldProblem[] {
  const { level = "market", market_uuid: market, county_id: county } = query;
  const problems = conditionProblems(query);
  if (market !== undefined && level !== "market") {
    problems.push(wrongField("market_uuid", market, "level market", `given with level ${level}`));
  }
  if (county !== undefined && level === "country") {
    problems.push(wrongField("county_id", county, "level market or county", "given with level country"));
  }
  return problems;
}

function anomalyQuestion(query: AnomalyExportQuery): AnomalyQuestion {
  return {
    ...conditionsOf(query),
    level: query.level ?? "market",
    month: query.month === undefined ? undefined : monthNumber(query.month),
    classes: query.class,
    recordedSince: dayOf(query.recorded_since),
    order: query.sort ?? "name",
  };
}

function seasonalityProblems(query: SeasonalityQuery): FieldProblem[] {
  const { market_uuid: market, market_type: type, county_id: county } = query;
  if (market !== undefined && county !== undefined) {
    return [wrongField("county_id", county, "at most one of them", "given beside market_uuid")];
  }
  if (market !== undefined || type !== undefined) return [];
  return [wrongField("market_type", null, "it or market_uuid", "missing")];
}
