import type { TSchema } from "typebox";
import type { MarketType } from "../../domain/vocabulary.ts";
import {
  boolean,
  exactly,
  instant,
  integer,
  nullable,
  nullableText,
  number,
  text,
  texts,
  uuid,
} from "../answer-schema.ts";
import {
  closed,
  countyNumber,
  type InputSchema,
  inputSchema,
  marketTypeText,
  matchText,
  pageNumber,
  pageSizeNumber,
} from "../input.ts";
import { Type } from "../schema-type.ts";

export interface MarketListQuery {
  page?: number;
  page_size?: number;
  county_id?: number;
  market_type?: MarketType;
  search?: string;
}

export const marketListQuery: InputSchema<MarketListQuery> = inputSchema(
  Type.Object(
    {
      page: Type.Optional(pageNumber()),
      page_size: Type.Optional(pageSizeNumber()),
      county_id: Type.Optional(countyNumber()),
      market_type: Type.Optional(marketTypeText()),
      search: Type.Optional(matchText("Part of the name, case and accents ignored.")),
    },
    closed,
  ),
);

const marketFields = { uuid, name: text, type: text };
const county = { id: integer, name: text };
const location = { latitude: number, longitude: number };

export const marketListAnswer: TSchema = exactly({
  ...marketFields,
  county: exactly(county),
  sub_county: nullableText,
  location: nullable(exactly(location)),
  operating_days: texts,
  is_active: boolean,
});

export const marketDetailAnswer: TSchema = exactly({
  ...marketFields,
  county: exactly({ ...county, code: text }),
  sub_county: nullableText,
  location: nullable(exactly({ ...location, address: nullableText })),
  operating_days: texts,
  operating_hours: nullableText,
  description: nullableText,
  facilities: nullable(texts),
  contact: nullable(exactly({ phone: nullableText, email: nullableText })),
  is_active: boolean,
  created_at: instant,
  updated_at: instant,
});
