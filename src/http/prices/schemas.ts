import type { Static } from "typebox";
import { groupings } from "../../domain/vocabulary.ts";
import { latestLimitDefault, latestLimitMax, latestLimitMaxOnePerMarket } from "../limits.ts";
import {
  countyNumber,
  day,
  dayText,
  exactly,
  instant,
  integer,
  listOf,
  marketTypeText,
  matchText,
  nullable,
  nullableText,
  number,
  oneOf,
  pageFields,
  Type,
  text,
  uuid,
  uuidText,
} from "../schema.ts";

const marketFilter = {
  market_uuid: Type.Optional(uuidText("Market.")),
  county_id: Type.Optional(countyNumber),
  market_type: Type.Optional(marketTypeText),
};

const firstDay = dayText("First day, inclusive.");
const lastDay = dayText("Last day, inclusive.");

export type PriceSearchBody = Static<typeof priceSearchBody>;
export const priceSearchBody = exactly({
  product_uuid: Type.Optional(uuidText("Product.")),
  ...marketFilter,
  start_date: Type.Optional(firstDay),
  end_date: Type.Optional(lastDay),
  min_price: Type.Optional(Type.Number({ description: "Least price as recorded, inclusive." })),
  max_price: Type.Optional(Type.Number({ description: "Greatest price as recorded, inclusive." })),
  ...pageFields,
});

/** The fields of latest prices, as query parameters of GET and as the body of POST. */
export type LatestPricesInput = Static<typeof latestPricesInput>;
export const latestPricesInput = exactly({
  product_uuids: Type.Optional(listOf(uuidText("A product."), "Products; all of them when absent.")),
  ...marketFilter,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: latestLimitMaxOnePerMarket,
      default: latestLimitDefault,
      description: `Most prices per product: up to ${latestLimitMax}, with one_per_market up to ${latestLimitMaxOnePerMarket}.`,
    }),
  ),
  one_per_market: Type.Optional(
    Type.Boolean({ default: false, description: "Only the newest price of each market and unit." }),
  ),
});

export type PriceStatisticsBody = Static<typeof priceStatisticsBody>;
export const priceStatisticsBody = exactly({
  product_uuid: uuidText("Product."),
  start_date: firstDay,
  end_date: lastDay,
  ...marketFilter,
  group_by: Type.Optional(oneOf(groupings, "How to group; month when absent.")),
  unit: Type.Optional(matchText("Unit of the answer, of the same base unit as the product's own.")),
});

const reference = { uuid, name: text };

const priceFields = { uuid, price: number, unit: text, recorded_at: instant };
const provenance = { currency: text, source: text, quality_grade: nullableText };

export const foundPriceAnswer = exactly({
  ...priceFields,
  ...provenance,
  product: exactly({ ...reference, category: text }),
  market: exactly({ ...reference, type: text }),
  county: nullable(exactly({ id: integer, name: text })),
});

export const priceDetailAnswer = exactly({
  ...priceFields,
  ...provenance,
  product: exactly({ ...reference, category: text, description: text }),
  market: exactly({ ...reference, type: text, county: text, sub_county: nullableText }),
  notes: nullableText,
  created_at: instant,
  updated_at: instant,
});

export const latestGroupAnswer = exactly({
  product: exactly(reference),
  prices: Type.Array(exactly({ ...priceFields, market: exactly(reference) })),
});

const figures = { average_price: number, min_price: number, max_price: number };

const groupFigures = {
  period: text,
  ...figures,
  median_price: number,
  sample_count: integer,
  std_deviation: number,
};

export const statisticsAnswer = exactly({
  data: exactly({
    product: exactly({ ...reference, unit: text }),
    period: exactly({ start_date: day, end_date: day }),
    statistics: Type.Array(
      Type.Union([
        exactly(groupFigures),
        exactly({ ...groupFigures, market: exactly(reference) }),
        exactly({ ...groupFigures, county: exactly({ id: integer, name: text }) }),
      ]),
    ),
    overall: exactly({ ...figures, total_samples: integer }),
  }),
  meta: exactly({
    converted_samples: integer,
    excluded_samples: integer,
    currency: nullableText,
    time_zone: text,
    snapshot: text,
  }),
});
