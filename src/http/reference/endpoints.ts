import { listAnswer } from "../answer-schema.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { noInput } from "../input.ts";
import { presentMarketType, presentUnitCategory } from "./present.ts";
import { marketTypeAnswer, unitCategoryAnswer } from "./schemas.ts";

export const referenceEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/reference/units",
    access: "public",
    summary: "Units of measurement by category",
    params: noInput,
    query: noInput,
    body: noInput,
    answer: listAnswer(unitCategoryAnswer),
    handle: ({ store }) => ({ data: store.catalogue.unitCategories.map(presentUnitCategory) }),
  }),
  endpoint({
    method: "GET",
    path: "/reference/market-types",
    access: "public",
    summary: "Market types with their characteristics",
    params: noInput,
    query: noInput,
    body: noInput,
    answer: listAnswer(marketTypeAnswer),
    handle: ({ store }) => ({ data: store.catalogue.marketTypes.map(presentMarketType) }),
  }),
];
