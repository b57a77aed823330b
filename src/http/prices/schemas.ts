import type { Static } from "typebox";
import { type Grouping, groupings } from "../../domain/vocabulary.ts";
import { latestLimitDefault, latestLimitMax, latestLimitMaxOnePerMarket } from "../limits.ts";
import * as s from "../schema.ts";
import { productFilter } from "./product-filter.ts";

const marketFilter = {
  market_uuid: s.optional(s.uuidText("Market.")),
  county_id: s.optional(s.countyNumber),
  market_type: s.optional(s.marketTypeText),
};

const firstDay = s.dayText("First day, inclusive.");
const lastDay = s.dayText("Last day, inclusive.");

const withDetail = s.optional(
  s.Type.Boolean({
    default: false,
    description:
      "Adds to each price its currency, price per base unit, notes and times of entry, and the market's type and county.",
  }),
);

const priceFilter = {
  ...marketFilter,
  start_date: s.optional(firstDay),
  end_date: s.optional(lastDay),
  min_price: s.optional(s.Type.Number({ description: "Least price as recorded, inclusive." })),
  max_price: s.optional(s.Type.Number({ description: "Greatest price as recorded, inclusive." })),
};

export type PriceSearchBody = Static<typeof priceSearchBody>;
export const priceSearchBody = s.exactly({
  product_uuid: s.optional(s.uuidText("Product.")),
  ...priceFilter,
  detail: withDetail,
  ...s.pageFields,
});

export type PriceExportQuery = Static<typeof priceExportQuery>;
export const priceExportQuery = s.exactly({ ...productFilter, ...priceFilter });

/** The fields of latest prices, as query parameters of GET and as the body of POST. */
export type LatestPricesInput = Static<typeof latestPricesInput>;
export const latestPricesInput = s.exactly({
  product_uuids: s.optional(s.listOf(s.uuidText("A product."), "Products; all of them when absent.")),
  ...marketFilter,
  limit: s.optional(
    s.Type.Integer({
      minimum: 1,
      maximum: latestLimitMaxOnePerMarket,
      default: latestLimitDefault,
      description: `Most prices per product: up to ${latestLimitMax}, with one_per_market up to ${latestLimitMaxOnePerMarket}.`,
    }),
  ),
  one_per_market: s.optional(
    s.Type.Boolean({ default: false, description: "Only the newest price of each market and unit." }),
  ),
  recorded_since: s.optional(s.dayText("Only prices of this day or later ones.")),
  detail: withDetail,
});

export const groupingDefault: Grouping = "month";

const statisticsFields = {
  start_date: firstDay,
  end_date: lastDay,
  ...marketFilter,
  group_by: s.optional(s.oneOf(groupings, "How to group.", { default: groupingDefault })),
  unit: s.optional(
    s.matchText("Unit of the answer, which the product's base unit converts to; the base unit when absent."),
  ),
};

export type PriceStatisticsBody = Static<typeof priceStatisticsBody>;
export const priceStatisticsBody = s.exactly({ product_uuid: s.uuidText("Product."), ...statisticsFields });

export type StatisticsExportQuery = Static<typeof statisticsExportQuery>;
export const statisticsExportQuery = s.exactly({ ...productFilter, ...statisticsFields });

const reference = { uuid: s.uuid, name: s.text };

const priceFields = { uuid: s.uuid, price: s.number, unit: s.text, recorded_at: s.instant };
const provenance = { currency: s.text, source: s.text, quality_grade: s.nullableText };

const countyReference = s.exactly({ id: s.integer, name: s.text });

/** Only with `detail`. */
const addedToPrice = {
  price_per_base_unit: s.optional(s.nullable(s.number)),
  base_unit: s.optional(s.nullableText),
  notes: s.optional(s.nullableText),
  created_at: s.optional(s.instant),
  updated_at: s.optional(s.instant),
};

export const foundPriceAnswer = s.exactly({
  ...priceFields,
  ...provenance,
  ...addedToPrice,
  product: s.exactly({ ...reference, category: s.text }),
  market: s.exactly({ ...reference, type: s.text, county: s.optional(countyReference) }),
  county: s.nullable(countyReference),
});

export const priceDetailAnswer = s.exactly({
  ...priceFields,
  ...provenance,
  product: s.exactly({ ...reference, category: s.text, description: s.text }),
  market: s.exactly({ ...reference, type: s.text, county: s.text, sub_county: s.nullableText }),
  notes: s.nullableText,
  created_at: s.instant,
  updated_at: s.instant,
});

export const latestGroupAnswer = s.exactly({
  product: s.exactly(reference),
  prices: s.list(
    s.exactly({
      ...priceFields,
      currency: s.optional(s.text),
      ...addedToPrice,
      market: s.exactly({ ...reference, type: s.optional(s.text), county: s.optional(countyReference) }),
    }),
  ),
});

const figures = { average_price: s.number, min_price: s.number, max_price: s.number };

const groupFigures = {
  period: s.text,
  ...figures,
  median_price: s.number,
  sample_count: s.integer,
  std_deviation: s.number,
};

export const statisticsAnswer = s.exactly({
  data: s.exactly({
    product: s.exactly({ ...reference, unit: s.text }),
    period: s.exactly({ start_date: s.day, end_date: s.day }),
    statistics: s.list(
      s.Type.Union([
        s.exactly(groupFigures),
        s.exactly({ ...groupFigures, market: s.exactly(reference) }),
        s.exactly({ ...groupFigures, county: s.exactly({ id: s.integer, name: s.text }) }),
      ]),
    ),
    overall: s.exactly({ ...figures, total_samples: s.integer }),
  }),
  meta: s.exactly({
    converted_samples: s.integer,
    excluded_samples: s.integer,
    currency: s.nullableText,
    time_zone: s.text,
    snapshot: s.text,
    market_types: s.exactly({
      Wholesale: s.optional(s.integer),
      Retail: s.optional(s.integer),
      Rural: s.optional(s.integer),
      Urban: s.optional(s.integer),
    }),
  }),
});
