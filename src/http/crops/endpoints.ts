import type { CropRecord } from "../../domain/records.ts";
import { cropCategories } from "../../domain/vocabulary.ts";
import { listCropCategories, listCrops } from "../../query/find-crops.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import {
  exactly,
  integer,
  listAnswer,
  matchText,
  nullable,
  nullableText,
  oneOf,
  Type,
  text,
  texts,
} from "../schema.ts";

const cropListQuery = exactly({
  category: Type.Optional(oneOf(cropCategories, "Category, matched exactly.")),
  season: Type.Optional(matchText("Part of the growing season, case ignored.")),
});

const cropAnswer = exactly({
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

const cropCategoryAnswer = exactly({
  category: text,
  sub_categories: Type.Array(exactly({ name: text, crops: texts })),
});

export const cropEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/crops",
    access: "public",
    summary: "Crops, by id",
    query: cropListQuery,
    answer: listAnswer(cropAnswer),
    handle: ({ store, query }) => ({ data: listCrops(store, query).map(presentCrop) }),
  }),
  endpoint({
    method: "GET",
    path: "/crops/categories",
    access: "public",
    summary: "Crop categories with their sub-categories and crops, by name",
    answer: listAnswer(cropCategoryAnswer),
    handle: ({ store }) => ({
      data: listCropCategories(store).map(({ category, subCategories }) => ({
        category,
        sub_categories: subCategories,
      })),
    }),
  }),
];

function presentCrop(crop: CropRecord): object {
  return {
    id: crop.id,
    name: crop.name,
    scientific_name: crop.scientificName,
    category: crop.category,
    sub_category: crop.subCategory,
    varieties: crop.varieties,
    growing_season: crop.growingSeason,
    maturity_period: crop.maturityPeriod,
    climate_requirements: crop.climateRequirements,
    major_growing_regions: crop.majorGrowingRegions,
  };
}
