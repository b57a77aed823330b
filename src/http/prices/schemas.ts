import type { TObject, TProperties, TSchema } from "typebox";
import { type Grouping, groupings, type MarketType } from "../../domain/vocabulary.ts";
import { day, exactly, instant, integer, nullable, nullableText, number, text, uuid } from "../answer-schema.ts";
import {
  closed,
  countyNumber,
  dayText,
  type InputSchema,
  inputSchema,
  listOf,
  marketTypeText,
  matchText,
  oneOf,
  pageNumber,
  pageSizeNumber,
  uuidText,
} from "../input.ts";
import { latestLimitDefault, latestLimitMax, latestLimitMaxOnePerMarket } from "../limits.ts";
import { Type } from "../schema-type.ts";

export interface PriceSearchBody {
  product_uuid?: string;
  market_uuid?: string;
  county_id?: number;
  market_type?: MarketType;
  start_date?: string;
  end_date?: string;
  min_price?: number;
  max_price?: number;
  page?: number;
  page_size?: number;
}

export const priceSearchBody: InputSchema<PriceSearchBody> = inputSchema(
  Type.Object(
    {
      product_uuid: Type.Optional(uuidText("Product.")),
      market_uuid: Type.Optional(uuidText("Market.")),
      county_id: Type.Optional(countyNumber()),
      market_type: Type.Optional(marketTypeText()),
      start_date: Type.Optional(dayText("First day, inclusive.")),
      end_date: Type.Optional(dayText("Last day, inclusive.")),
      min_price: Type.Optional(Type.Number({ description: "Least price as recorded, inclusive." })),
      max_price: Type.Optional(Type.Number({ description: "Greatest price as recorded, inclusive." })),
      page: Type.Optional(pageNumber()),
      page_size: Type.Optional(pageSizeNumber()),
    },
    closed,
  ),
);

/** The fields of latest prices, as query parameters of GET and as the body of POST. */
export interface LatestPricesInput {
  product_uuids?: string[];
  market_uuid?: string;
  county_id?: number;
  market_type?: MarketType;
  limit?: number;
  one_per_market?: boolean;
}

export const latestPricesInput: InputSchema<LatestPricesInput> = inputSchema(
  Type.Object(
    {
      product_uuids: Type.Optional(listOf(uuidText("A product."), "Products; all of them when absent.")),
      market_uuid: Type.Optional(uuidText("Market.")),
      county_id: Type.Optional(countyNumber()),
      market_type: Type.Optional(marketTypeText()),
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
    },
    closed,
  ),
);

export interface PriceStatisticsBody {
  product_uuid: string;
  start_date: string;
  end_date: string;
  market_uuid?: string;
  county_id?: number;
  market_type?: MarketType;
  group_by?: Grouping;
  unit?: string;
}

export const priceStatisticsBody: InputSchema<PriceStatisticsBody> = inputSchema(
  Type.Object(
    {
      product_uuid: uuidText("Product."),
      start_date: dayText("First day, inclusive."),
      end_date: dayText("Last day, inclusive."),
      market_uuid: Type.Optional(uuidText("Market.")),
      county_id: Type.Optional(countyNumber()),
      market_type: Type.Optional(marketTypeText()),
      group_by: Type.Optional(oneOf(groupings, "How to group; month when absent.")),
      unit: Type.Optional(matchText("Unit of the answer, of the same base unit as the product's own.")),
    },
    closed,
  ),
);

const reference = { uuid, name: text };

const priceFields = { uuid, price: number, unit: text, recorded_at: instant };
const provenance = { currency: text, source: text, quality_grade: nullableText };

export const foundPriceAnswer: TSchema = exactly({
  ...priceFields,
  ...provenance,
  product: exactly({ ...reference, category: text }),
  market: exactly({ ...reference, type: text }),
  county: nullable(exactly({ id: integer, name: text })),
});

export const priceDetailAnswer: TSchema = exactly({
  ...priceFields,
  ...provenance,
  product: exactly({ ...reference, category: text, description: text }),
  market: exactly({ ...reference, type: text, county: text, sub_county: nullableText }),
  notes: nullableText,
  created_at: instant,
  updated_at: instant,
});

export const latestGroupAnswer: TSchema = exactly({
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

export const statisticsAnswer: TSchema = exactly({
  data: exactly({
    product: exactly({ ...reference, unit: text }),
    period: exactly({ start_date: day, end_date: day }),
    statistics: Type.Array(
      Type.Union([
        exactly(groupFigures),
        groupedBy({ market: exactly(reference) }),
        groupedBy({ county: exactly({ id: integer, name: text }) }),
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

function groupedBy(place: TProperties): TObject {
  return exactly({ ...groupFigures, ...place });
}
