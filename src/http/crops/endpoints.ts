import type { CropRecord } from "../../domain/records.ts";
import { cropCategories } from "../../domain/vocabulary.ts";
import { listCropCategories, listCrops } from "../../query/find-crops.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { answerText, byStore, listText, textsByRecord } from "../json-text.ts";
import * as s from "../schema.ts";

const cropListQuery = s.exactly({
  category: s.optional(s.oneOfAnyCase(cropCategories, "Category, case ignored.")),
  season: s.optional(s.matchText("Part of the growing season, case ignored.")),
});

const cropAnswer = s.exactly({
  id: s.integer,
  name: s.text,
  scientific_name: s.nullableText,
  category: s.text,
  sub_category: s.nullableText,
  varieties: s.nullable(s.texts),
  growing_season: s.nullableText,
  maturity_period: s.nullableText,
  climate_requirements: s.nullable(
    s.exactly({ altitude: s.nullableText, rainfall: s.nullableText, temperature: s.nullableText }),
  ),
  major_growing_regions: s.nullable(s.texts),
});

const cropCategoryAnswer = s.exactly({
  category: s.text,
  sub_categories: s.list(s.exactly({ name: s.text, crops: s.texts })),
});

export const cropEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/crops",
    access: "public",
    summary: "Crops, by id",
    query: cropListQuery,
    answer: s.listAnswer(cropAnswer),
    handle: ({ store, query }) => answerText(listText(listCrops(store, query), cropTexts(store))),
  }),
  endpoint({
    method: "GET",
    path: "/crops/categories",
    access: "public",
    summary: "Crop categories with their sub-categories and crops, by name",
    answer: s.listAnswer(cropCategoryAnswer),
    handle: ({ store }) => answerText(categoriesText(store)),
  }),
];

const cropTexts = textsByRecord((crop: CropRecord) => ({
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
}));

const categoriesText = byStore((store) =>
  JSON.stringify(
    listCropCategories(store).map(({ category, subCategories }) => ({ category, sub_categories: subCategories })),
  ),
);
