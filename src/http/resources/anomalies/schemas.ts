import type { Static } from "typebox";
import { anomalyLevels, anomalyOrders } from "../../../query/measures/find-anomalies.ts";
import { alpsClasses, anomalyMethod, notComputableReasons } from "../../../query/measures/judge-month.ts";
import * as s from "../../input/schema.ts";
import { anomaliesPageSizeMax } from "../../limits.ts";
import { marketFilter, productFilter } from "../filters.ts";

/** The class of those that have none, in `meta`. */
export const noClass = "not_computable";

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

export const anomalyQuery = s.exactly({ ...anomalyFields, ...s.pageFieldsUpTo(anomaliesPageSizeMax) });

export type AnomalyExportQuery = Static<typeof anomalyExportQuery>;
export const anomalyExportQuery = s.exactly(anomalyFields);

export type SeasonalityQuery = Static<typeof seasonalityQuery>;
export const seasonalityQuery = s.exactly({
  product_uuid: s.uuid("Product."),
  market_type: s.optional(s.marketTypeText),
  market_uuid: s.optional(s.uuid("Market; the whole country when neither it nor a county is given.")),
  county_id: s.optional(s.countyNumber),
});

const perUnit = "`currency` per `unit`";

const monthOf = (description: string) => s.text(`${description}, YYYY-MM.`);

const notComputable = s.object("NotComputable", "A measure that cannot be computed, and why.", {
  measure: s.oneOf(["year_before", "five_years", "alps", "seasonality"], "The measure."),
  reason: s.oneOf(notComputableReasons, "Why it cannot be computed."),
  found: s.number("What there is: prices, months, percent of the months, years, markets or deviation.", "by reason"),
  needed: s.number("What would be enough, in the same unit.", "by reason"),
});

const markets = s.optional(s.integer("Markets that it is the median of; for a county or the country only.", "markets"));

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
    median_price: s.optional(s.number("Its monthly value, for a market only.", perUnit)),
    change_percent: s.number("Change since then.", "percent"),
    markets,
  },
);

const fiveYears = s.object("FiveYears", "The month beside the same months of the five years before.", {
  usual_price: s.optional(s.number("Median of the values of the same month, for a market only.", perUnit)),
  years: s.optional(s.integer("Years of the five before that have a value, for a market only.", "years")),
  percent_of_usual: s.number("The month's value as a share of the usual price.", "percent"),
  markets,
});

const alps = s.object("Alps", "The Alert for Price Spikes: how far the month is from trend and season.", {
  value: s.number("Residual of the month in standard deviations of all residuals.", "standard deviations"),
  class: s.oneOf(alpsClasses, "Below 0.25 normal, below 1 stress, below 2 alert, else crisis."),
  expected_price: s.optional(s.number("What trend and season make expect, for a market only.", perUnit)),
  residual_deviation: s.optional(s.number("Standard deviation of the residuals, for a market only.", perUnit)),
  months: s.optional(s.integer("Months that the regression is of, for a market only.", "months")),
  markets,
});

export const anomalyAnswer = s.object("Anomaly", "How unusual a product's price is in a month.", {
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

export const anomalyMeta = s.object("AnomalyMeta", "Which page of how many, the method, and entries by class.", {
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

export const seasonalityAnswer = s.exactly({
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
