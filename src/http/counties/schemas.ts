import type { TSchema } from "typebox";
import { exactly, instant, integer, nullable, number, text, texts } from "../answer-schema.ts";
import { closed, countyNumber, type InputSchema, inputSchema } from "../input.ts";
import { Type } from "../schema-type.ts";

export interface CountyParams {
  id: number;
}

export const countyParams: InputSchema<CountyParams> = inputSchema(Type.Object({ id: countyNumber() }, closed));

const countyFields = {
  id: integer,
  code: text,
  name: text,
  capital: text,
  population: nullable(integer),
  area_sq_km: nullable(number),
};

const subCountyWithWards = exactly({ id: integer, name: text, wards: texts });

export const countySummaryAnswer: TSchema = exactly({
  ...countyFields,
  sub_counties: Type.Array(exactly({ id: integer, name: text })),
});

export const countyDetailAnswer: TSchema = exactly({
  ...countyFields,
  coordinates: nullable(exactly({ latitude: number, longitude: number })),
  sub_counties: Type.Array(subCountyWithWards),
  economy: nullable(exactly({ main_activities: texts, agricultural_products: texts })),
  created_at: instant,
  updated_at: instant,
});

export const subCountiesAnswer: TSchema = exactly({
  county: exactly({ id: integer, name: text }),
  sub_counties: Type.Array(subCountyWithWards),
});
