/**
 * The slow, obvious twins of the lists of products, markets and crops; see naive-queries.ts for those of the prices.
 */
import type { Dataset } from "../../src/engine/model/dataset.ts";
import { compareTexts } from "../../src/engine/model/folded-text.ts";
import type { CountyId, Uuid } from "../../src/engine/model/ids.ts";
import type { Coordinates, MarketRecord, ProductRecord } from "../../src/engine/model/records.ts";
import type { CropCategory, MarketType } from "../../src/engine/model/vocabulary.ts";
import { kilometresBetween } from "./naive-now.ts";
import { byFoldedNames, byName } from "./naive-queries.ts";

/** List of products: uuids, the best match first, then by name, all pages. */
export function naiveProducts(dataset: Dataset, question: { category?: string; search?: string } = {}): Uuid[] {
  const { category, search = "" } = question;
  return dataset.products
    .filter((product) => category === undefined || isInAnyCase(product.category, [category]))
    .filter((product) => mentions(product, search))
    .sort(bestMatchFirst(search))
    .map((product) => product.uuid);
}

/** Search of products: uuids, the best match first, then by name. */
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
    .sort(bestMatchFirst(query))
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

/** List of markets: uuids by distance from a point, equal ones by name, all pages. */
export function naiveMarkets(
  dataset: Dataset,
  question: { countyId?: CountyId; marketType?: MarketType; search?: string; near?: Coordinates } = {},
): Uuid[] {
  const { countyId, marketType, search = "", near } = question;
  // Two ways to compute a distance differ in its last digits.
  const far = ({ location }: MarketRecord): number =>
    near === undefined ? 0 : location === null ? 1e9 : Math.round(kilometresBetween(near, location) * 1000);
  return dataset.markets
    .filter((market) => countyId === undefined || market.countyId === countyId)
    .filter((market) => marketType === undefined || market.type === marketType)
    .filter((market) => holdsWords([market.name], search))
    .sort((a, b) => far(a) - far(b) || byName(a, b))
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

function bestMatchFirst(text: string): (a: ProductRecord, b: ProductRecord) => number {
  const rank = (product: ProductRecord): number =>
    Math.max(0, ...plainWords(text).map((word) => rankOf(product, word)));
  return (a, b) => rank(a) - rank(b) || byName(a, b);
}

function rankOf({ name, alternativeNames }: ProductRecord, word: string): number {
  const words = [name, ...(alternativeNames ?? [])].flatMap(plainWords);
  if (words.some((one) => one === word)) return 0;
  return words.some((one) => one.indexOf(word) === 0) ? 1 : 2;
}

function plainWords(text: string): string[] {
  return [...naiveSearchKey(text)]
    .map((letter) => (/[\p{L}\p{N}]/u.test(letter) ? letter : " "))
    .join("")
    .split(" ")
    .filter((word) => word !== "");
}

/**
 * Uuids of the products with a name of which neighbouring words are at a small edit distance from a text; nearest
 * first.
 */
export function naiveSuggestions(dataset: Dataset, text: string): Uuid[] {
  const wanted = plainWords(text).join("");
  if (wanted.length < 3) return [];
  const distanceOf = ({ name, alternativeNames }: ProductRecord): number => {
    const parts = [name, ...(alternativeNames ?? [])].flatMap((one) => {
      const words = plainWords(one);
      return words.flatMap((_, from) =>
        words.slice(from).map((_, count) => words.slice(from, from + count + 1).join("")),
      );
    });
    return Math.min(Number.POSITIVE_INFINITY, ...parts.map((part) => editDistance(part, wanted)));
  };
  return dataset.products
    .map((product) => ({ product, distance: distanceOf(product) }))
    .filter(({ distance }) => distance <= Math.max(1, Math.floor(wanted.length / 3)))
    .sort((a, b) => {
      const activeFirst = Number(b.product.isActive) - Number(a.product.isActive);
      return a.distance - b.distance || activeFirst || byName(a.product, b.product);
    })
    .slice(0, 5)
    .map(({ product }) => product.uuid);
}

/** Levenshtein distance by its definition, with a table of all prefixes. */
function editDistance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, at) => [at, ...Array<number>(b.length).fill(0)]);
  for (let at = 0; at <= b.length; at++) (table[0] as number[])[at] = at;
  const cell = (row: number, column: number): number => table[row]?.[column] as number;
  for (let row = 1; row <= a.length; row++) {
    for (let column = 1; column <= b.length; column++) {
      const change = cell(row - 1, column - 1) + Number(a[row - 1] !== b[column - 1]);
      (table[row] as number[])[column] = Math.min(cell(row - 1, column) + 1, cell(row, column - 1) + 1, change);
    }
  }
  return cell(a.length, b.length);
}

/** Characters that are left out, of those that the tests use: apostrophes and some that nobody sees. */
const leftOut = ["'", "`", "´", "‘", "’", "ʻ", "ʼ", "′", "\u200b", "\u00ad", "\ufeff"];

/** A text in compatibility forms without accents, apostrophes and case, character by character. */
function naiveSearchKey(text: string): string {
  return [...text]
    .filter((character) => !leftOut.includes(character))
    .flatMap((character) => [...character.normalize("NFKD")])
    .filter((character) => !leftOut.includes(character) && !/\p{M}/u.test(character))
    .join("")
    .toLowerCase();
}

/** Whether each word of a text is in one of the fields. */
function holdsWords(fields: readonly string[], text: string): boolean {
  const words = naiveSearchKey(text)
    .split(" ")
    .filter((word) => word !== "");
  return words.every((word) => fields.some((field) => naiveSearchKey(field).includes(word)));
}

function isInAnyCase(text: string | null, texts: readonly string[]): boolean {
  return text !== null && texts.some((one) => one.toLowerCase() === text.toLowerCase());
}

/** Texts that fold alike are ordered as they are written. */
function byFoldedText(a: string, b: string): number {
  return byFoldedNames(a, b) || compareTexts(a, b);
}

/** The different names that records carry, sorted; null is no name. */
function namesOf<T>(records: readonly T[], nameOf: (record: T) => string | null): string[] {
  const names = new Set(records.map(nameOf));
  return [...names].filter((name) => name !== null).sort(byFoldedText);
}
