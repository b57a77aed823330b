/** The endpoints of crops. */

import { type DeclaredEndpoint, endpoint } from "../../../../contract/endpoint.ts";
import * as s from "../../../../contract/schema.ts";
import { optional } from "../../../../engine/model/json-schema.ts";
import type { CropRecord } from "../../../../engine/model/records.ts";
import { cropCategories } from "../../../../engine/model/vocabulary.ts";
import { listCropCategories, listCrops } from "../../../../engine/query/find-crops.ts";
import { answerText, listText, textOfRecords, textsByRecord } from "../../answer/json-text.ts";

const cropListQuery = s.exactly({
  category: optional(s.oneOfAnyCase(cropCategories, "Category, case ignored.")),
  season: optional(s.matchText("Part of the growing season, case ignored.")),
});

const categoryText = s.choice("CropCategory", "Category of crops.", cropCategories);

const climateRequirements = s.object("ClimateRequirements", "What a crop needs of the climate.", {
  altitude: s.nullableText("Altitude at which the crop grows, with its unit, as free text."),
  rainfall: s.nullableText("Rain the crop needs, with its unit, as free text."),
  temperature: s.nullableText("Temperatures the crop needs, with their unit, as free text."),
});

const cropAnswer = s.object("Crop", "A crop that is grown in Kenya.", {
  id: s.identifier("Number of the crop."),
  name: s.text("Common name."),
  scientific_name: s.nullableText("Botanical name."),
  category: categoryText,
  sub_category: s.nullableText("Sub-category."),
  varieties: s.nullable(s.texts("Names of varieties.")),
  growing_season: s.nullableText("When it is planted and harvested, as free text."),
  maturity_period: s.nullableText("Time from planting to harvest, with its unit, as free text."),
  climate_requirements: s.nullable(climateRequirements),
  major_growing_regions: s.nullable(s.texts("Counties or regions that grow most of it.")),
});

const cropCategoryAnswer = s.object("CropCategoryEntry", "A category of crops with its sub-categories.", {
  category: categoryText,
  sub_categories: s.list(
    s.object("CropSubCategory", "A sub-category with its crops.", {
      name: s.text("Sub-category."),
      crops: s.texts("Common names of its crops."),
    }),
    "Its sub-categories, by name.",
  ),
});

export const cropEndpoints: readonly DeclaredEndpoint[] = [
  endpoint({
    path: "/crops",
    access: "public",
    summary: "Crops, by id",
    id: "listCrops",
    task: "All crops",
    description: "Crops are what is grown, products what is sold; names link them, nothing else does.",
    example: { query: { category: "Food Crops" } },
    query: cropListQuery,
    answer: s.listAnswer(cropAnswer, "Crops, by number."),
    handle: ({ store, query }) => answerText(listText(listCrops(store, query), cropTexts(store))),
  }),
  endpoint({
    path: "/crops/categories",
    access: "public",
    summary: "Crop categories with their sub-categories and crops, by name",
    id: "listCropCategories",
    task: "Crop categories",
    description: "The categories that crops are sorted into, with the names of their crops.",
    answer: s.listAnswer(cropCategoryAnswer, "Categories, by name."),
    handle: ({ store }) => answerText(categoriesText(store)),
  }),
];

const cropTexts = textsByRecord<CropRecord>(cropAnswer);

const categoriesText = textOfRecords(cropCategoryAnswer, listCropCategories);
