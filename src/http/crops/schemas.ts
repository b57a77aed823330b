import type { TSchema } from "typebox";
import { type CropCategory, cropCategories } from "../../domain/vocabulary.ts";
import { exactly, integer, nullable, nullableText, text, texts } from "../answer-schema.ts";
import { closed, type InputSchema, inputSchema, matchText, oneOf } from "../input.ts";
import { Type } from "../schema-type.ts";

export interface CropListQuery {
  category?: CropCategory;
  season?: string;
}

export const cropListQuery: InputSchema<CropListQuery> = inputSchema(
  Type.Object(
    {
      category: Type.Optional(oneOf(cropCategories, "Category, matched exactly.")),
      season: Type.Optional(matchText("Part of the growing season, case ignored.")),
    },
    closed,
  ),
);

export const cropAnswer: TSchema = exactly({
  id: integer,
  name: text,
  scientific_name: nullableText,
  category: text,
  sub_category: nullableText,
  varieties: nullable(texts),
  growing_season: nullableText,
  maturity_period: nullableText,
  climate_requirements: nullable(
    exactly({ altitude: nullableText, rainfall: nullableText, temperature: nullableText }),
  ),
  major_growing_regions: nullable(texts),
});

export const cropCategoryAnswer: TSchema = exactly({
  category: text,
  sub_categories: Type.Array(exactly({ name: text, crops: texts })),
});
