import { groupByName, searchRuns, searchWords } from "../model/folded-text.ts";
import type { ProductRecord } from "../model/records.ts";
import type { NamedEntry, ProductEntry, ProductName } from "../store/catalogue.ts";
import type { Store } from "../store/store.ts";

/** Conditions on products; every one given must hold. */
export interface ProductFilter {
  /** One of these categories, in any case. */
  readonly categories?: readonly string[] | undefined;
  /** One of these sub-categories, in any case. */
  readonly subCategories?: readonly string[] | undefined;
  /** Words of which each is a part of name or description, by `searchKey`. */
  readonly text?: string | undefined;
  readonly isActive?: boolean | undefined;
}

/**
 * The products a filter selects: without a text by folded name, then uuid; with one in the order of `rankProducts`.
 *
 * Cost: a read of every product.
 */
export function findProducts(store: Store, filter: ProductFilter): ProductRecord[] {
  return selectProducts(store, filter).map(({ record }) => record);
}

function selectProducts({ catalogue }: Store, filter: ProductFilter): readonly ProductEntry[] {
  const { categories, subCategories, text, isActive } = filter;
  if ((categories ?? subCategories ?? text ?? isActive) === undefined) return catalogue.products;
  const words = text === undefined ? [] : searchWords(text);
  const isOfCategory = caselessTest(categories);
  const isOfSubCategory = caselessTest(subCategories);
  const found = catalogue.products.filter(
    (entry) =>
      isOfCategory(entry.record.category) &&
      isOfSubCategory(entry.record.subCategory) &&
      (isActive === undefined || entry.record.isActive === isActive) &&
      isMentioned(entry, words),
  );
  return text === undefined ? found : rankProducts(found, text);
}

/** Returns whether each of some `searchWords` is a part of the name or description. */
export function isMentioned(
  { searchName, searchDescription }: NamedEntry<ProductRecord>,
  words: readonly string[],
): boolean {
  return words.every((word) => searchName.includes(word) || searchDescription.includes(word));
}

/** Ranks of a query word: a word of a name; the beginning of one; neither. */
const ranks = [0, 1, 2] as const;

/**
 * Orders the results of a search: those first whose names have all words of the text, then those where a name's word
 * begins with one of them, then those that mention one elsewhere, so that "rice" finds rice before bananas, whose
 * description speaks of a price.
 *
 * @param products In the order of those of equal rank.
 */
export function rankProducts(products: readonly ProductEntry[], text: string): ProductEntry[] {
  const words = searchRuns(text);
  const byRank = Map.groupBy(products, ({ names }) => Math.max(0, ...words.map((word) => rankOf(names, word))));
  return ranks.flatMap((rank) => byRank.get(rank) ?? []);
}

function rankOf(names: readonly ProductName[], word: string): number {
  let rank = 2;
  for (const { words } of names) {
    if (words.includes(word)) return 0;
    if (rank > 1 && words.some((one) => one.startsWith(word))) rank = 1;
  }
  return rank;
}

/** Tests whether a text is one of some, in any case; every text is without them. */
function caselessTest(texts: readonly string[] | undefined): (text: string | null) => boolean {
  const wanted = new Set<string | undefined>(texts?.map((text) => text.toLowerCase()));
  return (text) => texts === undefined || wanted.has(text?.toLowerCase());
}

/** Number of products that a category and its sub-categories have. */
export interface ProductCategory {
  readonly name: string;
  /** Active or not, with sub-category or without. */
  readonly productCount: number;
  /** By folded name. */
  readonly subCategories: readonly { readonly name: string; readonly productCount: number }[];
}

/** Categories of all products, by folded name (equal ones by code unit). Cost: a read of every product. */
export function listProductCategories({ catalogue }: Store): ProductCategory[] {
  return groupByName(catalogue.products, ({ record }) => record.category).map(([name, products]) => ({
    name,
    productCount: products.length,
    subCategories: groupByName(products, ({ record }) => record.subCategory).map(([subName, { length }]) => {
      return { name: subName, productCount: length };
    }),
  }));
}
