import { listCropCategories, listCrops } from "../../query/find-crops.ts";
import { listAnswer } from "../answer-schema.ts";
import { type Answer, type Endpoint, endpoint, type HandlerInput } from "../endpoint.ts";
import { type NoInput, noInput } from "../input.ts";
import { presentCrop, presentCropCategory } from "./present.ts";
import { type CropListQuery, cropAnswer, cropCategoryAnswer, cropListQuery } from "./schemas.ts";

export const cropEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/crops",
    access: "public",
    summary: "Crops, by id",
    params: noInput,
    query: cropListQuery,
    body: noInput,
    answer: listAnswer(cropAnswer),
    handle: answerCrops,
  }),
  endpoint({
    method: "GET",
    path: "/crops/categories",
    access: "public",
    summary: "Crop categories with their sub-categories and crops, by name",
    params: noInput,
    query: noInput,
    body: noInput,
    answer: listAnswer(cropCategoryAnswer),
    handle: ({ store }) => ({ data: listCropCategories(store).map(presentCropCategory) }),
  }),
];

function answerCrops({ store, query }: HandlerInput<NoInput, CropListQuery, NoInput>): Answer {
  return { data: listCrops(store, query).map(presentCrop) };
}
