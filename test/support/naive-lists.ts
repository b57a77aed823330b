/** The slow, obvious twins of the lists of products, markets and crops; see naive-queries.ts for those of the prices. */
import type { Dataset } from "../../src/domain/dataset.ts";
import { compareTexts, foldText } from "../../src/domain/folded-text.ts";
import type { CountyId, Uuid } from "../../src/domain/ids.ts";
import type { ProductRecord } from "../../src/domain/records.ts";
import type { CropCategory, MarketType } from "../../src/domain/vocabulary.ts";
import { byName } from "./naive-queries.ts";

/** List of products: uuids by name, all pages. */
export function naiveProducts(dataset: Dataset, question: { category?: string; search?: string } = {}): Uuid[] {
  const { category, search = "" } = question;
  return dataset.products
    .filter((product) => category === undefined || isInAnyCase(product.category, [category]))
    .filter((product) => mentions(product, search))
    .sort(byName)
    .map((product) => product.uuid);
}

/** Search of products: uuids by name. */
export function naiveProductSearch(
  dataset: Dataset,
  question: {
    query?: string;
    categories?: readonly string[];
    subCategories?: readonly string[];
    isActive?: boolean;
  } = {},
): Uuid[] {
  const { query = "", categories, subCategories, isActive = true } = question;
  return dataset.products
    .filter((product) => mentions(product, query))
    .filter((product) => categories === undefined || isInAnyCase(product.category, categories))
    .filter(({ subCategory }) => subCategories === undefined || isInAnyCase(subCategory, subCategories))
    .filter((product) => product.isActive === isActive)
    .sort(byName)
    .map((product) => product.uuid);
}

/** Categories of all products, active or not, by name; a product without sub-category counts in its category only. */
export function naiveProductCategories(
  dataset: Dataset,
): { name: string; productCount: number; subCategories: { name: string; productCount: number }[] }[] {
  return namesOf(dataset.products, (product) => product.category).map((name) => {
    const products = dataset.products.filter((product) => product.category === name);
    return {
      name,
      productCount: products.length,
      subCategories: namesOf(products, (product) => product.subCategory).map((subCategory) => ({
        name: subCategory,
        productCount: products.filter((product) => product.subCategory === subCategory).length,
      })),
    };
  });
}

/** List of markets: uuids by name, all pages. */
export function naiveMarkets(
  dataset: Dataset,
  question: { countyId?: CountyId; marketType?: MarketType; search?: string } = {},
): Uuid[] {
  const { countyId, marketType, search = "" } = question;
  return dataset.markets
    .filter((market) => countyId === undefined || market.countyId === countyId)
    .filter((market) => marketType === undefined || market.type === marketType)
    .filter((market) => holdsWords([market.name], search))
    .sort(byName)
    .map((market) => market.uuid);
}

/** List of crops: ids, ascending. */
export function naiveCrops(dataset: Dataset, question: { category?: CropCategory; season?: string } = {}): number[] {
  const { category, season } = question;
  return dataset.crops
    .filter((crop) => category === undefined || crop.category === category)
    .filter(
      ({ growingSeason }) =>
        season === undefined || growingSeason?.toLowerCase().includes(season.toLowerCase()) === true,
    )
    .map((crop) => crop.id)
    .sort((a, b) => a - b);
}

/** Categories of crops by name; a crop without sub-category is named in none. */
export function naiveCropCategories(
  dataset: Dataset,
): { category: string; subCategories: { name: string; crops: string[] }[] }[] {
  return namesOf(dataset.crops, (crop) => crop.category).map((category) => {
    const crops = dataset.crops.filter((crop) => crop.category === category);
    return {
      category,
      subCategories: namesOf(crops, (crop) => crop.subCategory).map((name) => ({
        name,
        crops: crops
          .filter((crop) => crop.subCategory === name)
          .map((crop) => crop.name)
          .sort(byFoldedText),
      })),
    };
  });
}

function mentions(product: ProductRecord, text: string): boolean {
  return holdsWords([product.name, product.description], text);
}

/** Whether each word of a text is in one of the fields. */
function holdsWords(fields: readonly string[], text: string): boolean {
  const words = text.split(" ").filter((word) => word !== "");
  return words.every((word) => fields.some((field) => foldText(field).includes(foldText(word))));
}

function isInAnyCase(text: string | null, texts: readonly string[]): boolean {
  return text !== null && texts.some((one) => one.toLowerCase() === text.toLowerCase());
}

/** Texts that fold alike are ordered as they are written. */
function byFoldedText(a: string, b: string): number {
  return compareTexts(foldText(a), foldText(b)) || compareTexts(a, b);
}

/** The different names that records carry, sorted; null is no name. */
function namesOf<T>(records: readonly T[], nameOf: (record: T) => string | null): string[] {
  const names = new Set(records.map(nameOf));
  return [...names].filter((name) => name !== null).sort(byFoldedText);
}
