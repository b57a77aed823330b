/** What the endpoints of prices accept and answer, as schemas. */

import { latestLimitDefault, latestLimitMax, latestLimitMaxOnePerMarket } from "../../../../contract/limits.ts";
import * as s from "../../../../contract/schema.ts";
import { advice, optional, scalar, unit, type ValueOf } from "../../../../engine/model/json-schema.ts";
import { type Grouping, groupings, panelGroupings, priceFlags } from "../../../../engine/model/vocabulary.ts";
import { suspiciousReasons } from "../../../../engine/store/suspicious-prices.ts";
import { dayFilter, marketFilter, marketListFilter, priceFilter, productFilter, rowFilter } from "../filters.ts";

const withDetail = s.flag(
  "Adds to each price its currency, price per base unit, notes, flag and times of entry, and the market's type and " +
    "county.",
);

const allFilters = { ...marketFilter, ...rowFilter, ...s.optionalFields(dayFilter), ...priceFilter };

export type PriceSearchBody = ValueOf<typeof priceSearchBody>;
export const priceSearchBody = s.exactly({
  product_uuid: optional(s.uuid("Product.")),
  ...allFilters,
  detail: withDetail,
  ...s.pageFields,
});

export const priceExportQuery = s.exactly({ ...productFilter, ...allFilters, ...marketListFilter });

/** The fields of latest prices, as query parameters of GET and as the body of POST. */
export type LatestPricesInput = ValueOf<typeof latestPricesInput>;
export const latestPricesInput = s.exactly({
  product_uuids: optional(s.listOf(s.uuid("A product."), "Products; all of them when absent.")),
  ...marketFilter,
  limit: optional(
    scalar("integer", {
      minimum: 1,
      maximum: latestLimitMaxOnePerMarket,
      default: latestLimitDefault,
      [unit]: "prices",
      description:
        `Most prices per product: up to ${latestLimitMax}, with one_per_market up to ` +
        `${latestLimitMaxOnePerMarket}.`,
    }),
  ),
  one_per_market: s.flag("Only the newest price of each market and unit."),
  recorded_since: optional(s.day("Only prices of this day or later ones.")),
  detail: withDetail,
});

export const currencyText = optional(
  s.matchText(
    "Currency of the answer: USD, which prices are converted to by the exchange rates of their months. As recorded " +
      "when absent.",
  ),
);

export const groupingDefault: Grouping = "month";

const statisticsFields = {
  ...dayFilter,
  ...marketFilter,
  ...rowFilter,
  group_by: optional(s.choice("Grouping", "How to group prices.", groupings, { default: groupingDefault })),
  unit: optional(
    s.matchText("Unit of the answer, which the product's base unit converts to; the base unit when absent."),
  ),
  currency: currencyText,
};

export type PriceStatisticsBody = ValueOf<typeof priceStatisticsBody>;
export const priceStatisticsBody = s.exactly({ product_uuid: s.uuid("Product."), ...statisticsFields });

export type StatisticsExportQuery = ValueOf<typeof statisticsExportQuery>;
export const statisticsExportQuery = s.exactly({
  ...productFilter,
  ...statisticsFields,
  ...marketListFilter,
  group_by: optional(
    s.choice(
      "ExportGrouping",
      "How to group prices: by a time, by a location, or by both in a panel, the time first.",
      [...groupings, ...panelGroupings],
      { default: groupingDefault, [advice]: "; a panel has one time and one location, the time first" },
    ),
  ),
});

export const productReference = s.object("ProductReference", "A product.", s.productFields);
const productCategory = s.text("Primary category of the product.");

const marketReference = s.object("MarketReference", "A market.", s.marketFields);

const priceFields = {
  uuid: s.uuid("Identifier of the price."),
  price: s.price("The price as recorded."),
  unit: s.text("Unit the price is for, by its name in /reference/units."),
  recorded_at: s.instant("When the price was recorded, in UTC."),
};
const currency = s.text("Currency of the price, ISO 4217; KES are Kenyan shillings.");
const provenance = {
  currency,
  source: s.text("Where the price comes from."),
  quality_grade: s.nullableText("Grade of the goods."),
};
const notes = s.nullableText("Remarks of the source.");

const addedToPrice = s.fieldsOfDetail({
  price_per_base_unit: s.nullable(
    s.number("The price, rounded to 6 decimals; null where the unit is unknown.", "`currency` per `base_unit`"),
  ),
  base_unit: s.nullableText("Unit that the unit converts to."),
  notes,
  price_flag: s.nullable(s.oneOf(priceFlags, "What the source says of how the price was made; null where nothing.")),
  suspicious: s.boolean("Whether it looks wrong beside its neighbours (suspicious-1)."),
  suspicious_reason: s.nullable(
    s.oneOf(
      suspiciousReasons,
      "Why it looks wrong: decimal_slip is 10 or 100 times too high or too low; null where it does not.",
    ),
  ),
  ...s.timestamps,
});
const addedCounty = s.fieldsOfDetail({
  county: s.meaning(s.countyReference, "County of the market."),
  county_pcode: s.nullableText("P-code of the county; null when unknown."),
});

export const foundPriceAnswer = s.object("FoundPrice", "A price, as a search has it.", {
  ...priceFields,
  ...provenance,
  ...addedToPrice,
  product: s.object("ProductOfFoundPrice", "A product with its category.", {
    ...s.productFields,
    category: productCategory,
  }),
  market: s.object("MarketOfFoundPrice", "A market with its type.", {
    ...s.marketFields,
    type: s.marketTypeText,
    ...addedCounty,
  }),
  county: s.nullable(s.meaning(s.countyReference, "County of the market.")),
});

export const priceDetailAnswer = s.object("Price", "A price.", {
  ...priceFields,
  ...provenance,
  product: s.object("ProductOfPrice", "A product with category and description.", {
    ...s.productFields,
    category: productCategory,
    description: s.text("What the product is."),
  }),
  market: s.object("MarketOfPrice", "A market with its type and where it is.", {
    ...s.marketFields,
    type: s.marketTypeText,
    county: s.text("Name of the county."),
    sub_county: s.nullableText("Name of the sub-county."),
  }),
  notes,
  ...s.timestamps,
});

export const latestGroupAnswer = s.object("LatestPrices", "The newest prices of a product.", {
  product: productReference,
  prices: s.list(
    s.object("LatestPrice", "A price, as latest prices have it.", {
      ...priceFields,
      ...s.fieldsOfDetail({
        currency,
        age_days: s.integer(
          "How many days before the publication of the snapshot it was recorded; over 365, it is older than a year.",
          "Kenyan days",
        ),
      }),
      ...addedToPrice,
      market: s.object("MarketOfLatestPrice", "A market.", {
        ...s.marketFields,
        ...s.fieldsOfDetail({ type: s.marketTypeText }),
        ...addedCounty,
      }),
    }),
    "Its newest prices, newest first.",
  ),
});

const perUnit = "`meta.currency` per `product.unit`";

const figures = {
  average_price: s.number("Arithmetic mean of the prices, rounded to 6 decimals.", perUnit),
  min_price: s.number("Least price.", perUnit),
  max_price: s.number("Greatest price.", perUnit),
};

/** Market and county are there where prices are grouped by them: one schema of a row, so that clients have one type. */
const statisticsRow = s.object("StatisticsRow", "Figures of one period, market or county.", {
  period: s.text(
    "2026-01-31, 2026-W05 (ISO 8601), 2026-01, 2026-Q1 or 2026; the name of the market or county where grouped by " +
      "these.",
  ),
  ...figures,
  median_price: s.number("Median of the prices; of an even count the mean of the two middle ones.", perUnit),
  sample_count: s.integer("Prices in the figures.", "prices"),
  std_deviation: s.number("Sample standard deviation (n − 1); 0 for one price.", perUnit),
  market: optional(s.meaning(marketReference, "The market; only with group_by market.")),
  county: optional(s.meaning(s.countyReference, "The county; only with group_by county.")),
});

const coarserSamples = (period: string): ReturnType<typeof optional> =>
  optional(s.integer(`Prices in the figures that each stand for ${period}; absent when there are none.`, "prices"));

export const statisticsAnswer = s.exactly({
  data: s.object("PriceStatistics", "Statistics of a product.", {
    product: s.object("ProductOfStatistics", "A product with the unit of its figures.", {
      ...s.productFields,
      unit: s.text("Unit of all figures."),
    }),
    period: s.object("Period", "The days asked for.", dayFilter),
    statistics: s.list(statisticsRow, "Figures by period, oldest first, or by place, by name."),
    overall: s.object("OverallStatistics", "Figures over all groups.", {
      ...figures,
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
