import type { UnitCategoryRecord } from "../../domain/records.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { exactly, listAnswer, number, Type, text, texts } from "../schema.ts";

const unitCategoryAnswer = exactly({
  category: text,
  units: Type.Array(exactly({ name: text, abbreviation: text, base_unit: text, conversion_factor: number })),
});

const marketTypeAnswer = exactly({ type: text, description: text, characteristics: texts });

export const referenceEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/reference/units",
    access: "public",
    summary: "Units of measurement by category",
    answer: listAnswer(unitCategoryAnswer),
    handle: ({ store }) => ({ data: store.catalogue.unitCategories.map(presentUnitCategory) }),
  }),
  endpoint({
    method: "GET",
    path: "/reference/market-types",
    access: "public",
    summary: "Market types with their characteristics",
    answer: listAnswer(marketTypeAnswer),
    handle: ({ store }) => ({
      data: store.catalogue.marketTypes.map(({ type, description, characteristics }) => ({
        type,
        description,
        characteristics,
      })),
    }),
  }),
];

function presentUnitCategory({ category, units }: UnitCategoryRecord): object {
  return {
    category,
    units: units.map(({ name, abbreviation, baseUnit, conversionFactor }) => ({
      name,
      abbreviation,
      base_unit: baseUnit,
      conversion_factor: conversionFactor,
    })),
  };
}
