import type { UnitCategoryRecord } from "../../domain/records.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { answerText, byStore } from "../json-text.ts";
import * as s from "../schema.ts";

const unitCategoryAnswer = s.exactly({
  category: s.text,
  units: s.list(s.exactly({ name: s.text, abbreviation: s.text, base_unit: s.text, conversion_factor: s.number })),
});

const marketTypeAnswer = s.exactly({ type: s.text, description: s.text, characteristics: s.texts });

export const referenceEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/reference/units",
    access: "public",
    summary: "Units of measurement by category",
    answer: s.listAnswer(unitCategoryAnswer),
    handle: ({ store }) => answerText(unitCategoriesText(store)),
  }),
  endpoint({
    method: "GET",
    path: "/reference/market-types",
    access: "public",
    summary: "Market types with their characteristics",
    answer: s.listAnswer(marketTypeAnswer),
    handle: ({ store }) => answerText(marketTypesText(store)),
  }),
];

const unitCategoriesText = byStore(({ catalogue }) =>
  JSON.stringify(catalogue.unitCategories.map(presentUnitCategory)),
);

const marketTypesText = byStore(({ catalogue }) =>
  JSON.stringify(
    catalogue.marketTypes.map(({ type, description, characteristics }) => ({ type, description, characteristics })),
  ),
);

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
