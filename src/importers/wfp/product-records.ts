import type { Day } from "../../domain/calendar-day.ts";
import { compareTexts } from "../../domain/folded-text.ts";
import type { ProductRecord } from "../../domain/records.ts";
import type { CollectedFacts, CommodityFacts } from "./collect-facts.ts";
import type { PriceFact } from "./price-fact.ts";
import { referenceInstant } from "./recording-time.ts";
import { productCategories } from "./reference/product-categories.ts";
import { type ProductText, productTexts } from "./reference/product-texts.ts";
import { productUuid } from "./source-uuids.ts";

/**
 * One product for each commodity that has a price, in no particular order.
 *
 * @param isActive Tells whether a price of that day keeps its product active.
 */
export function productRecords(facts: CollectedFacts, isActive: (day: Day) => boolean): ProductRecord[] {
  const series = Map.groupBy(facts.prices.values(), ({ commodityId }) => commodityId);
  const textById = new Map(productTexts.map((text) => [text.commodityId, text]));
  return [...facts.commodities.values()].map((commodity): ProductRecord => {
    const prices = series.get(commodity.commodityId) ?? [];
    const text = textById.get(commodity.commodityId);
    const category = readableCategory(commodity.category);
    return {
      uuid: productUuid(commodity.commodityId),
      name: commodity.name,
      category,
      subCategory: text?.subCategory ?? null,
      description: text?.description ?? plainDescription(commodity, category),
      commonUnits: unitsByUse(prices),
      alternativeNames: text?.alternativeNames ?? null,
      season: null,
      storageRequirements: null,
      isActive: prices.some(({ day }) => isActive(day)),
      metadata: metadataOf(text),
      createdAt: referenceInstant,
      updatedAt: referenceInstant,
    };
  });
}

/** Words that stay small in a title. */
const smallWords = new Set(["and", "or", "of"]);

function readableCategory(category: string): string {
  if (category === "") return "Other";
  const inTitleCase = (word: string): string =>
    smallWords.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1);
  return productCategories.get(category.toLowerCase()) ?? category.replace(/[A-Za-z]+/g, inTitleCase);
}

/** For a commodity that is newer than product-texts.ts. */
function plainDescription({ name }: CommodityFacts, category: string): string {
  return `${name}, in the category ${category} of the food prices of the World Food Programme.`;
}

function metadataOf(text: ProductText | undefined): ProductRecord["metadata"] {
  return text?.scientificName === undefined ? null : { scientific_name: text.scientificName };
}

/** Unit names, the one with most prices first, equal ones by name. */
function unitsByUse(prices: readonly PriceFact[]): string[] {
  const groups = [...Map.groupBy(prices, ({ unit }) => unit.name)];
  groups.sort(([nameA, a], [nameB, b]) => b.length - a.length || compareTexts(nameA, nameB));
  return groups.map(([name]) => name);
}
