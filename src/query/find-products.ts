import { compareNames, foldedWords } from "../domain/folded-text.ts";
import type { ProductRecord } from "../domain/records.ts";
import type { NamedEntry } from "../store/catalogue.ts";
import type { Store } from "../store/store.ts";
import { type Page, pageBounds } from "./page.ts";

/** Conditions on products; every one given must hold. */
export interface ProductFilter {
  /** One of these categories, in any case. */
  readonly categories?: readonly string[] | undefined;
  /** One of these sub-categories, in any case. */
  readonly subCategories?: readonly string[] | undefined;
  /** Words of which each is a part of name or description, without case and accents. */
  readonly text?: string | undefined;
  readonly isActive?: boolean | undefined;
}

/** The products a filter selects, by folded name, then uuid. Cost: one look at every product. */
export function findProducts(store: Store, filter: ProductFilter): ProductRecord[] {
  return selectProducts(store, filter).map(({ record }) => record);
}

function selectProducts({ catalogue }: Store, filter: ProductFilter): readonly NamedEntry<ProductRecord>[] {
  const { categories, subCategories, text, isActive } = filter;
  if ((categories ?? subCategories ?? text ?? isActive) === undefined) return catalogue.products;
  const words = text === undefined ? [] : foldedWords(text);
  const wantedCategories = categories && lowerCaseSet(categories);
  const wantedSubCategories = subCategories && lowerCaseSet(subCategories);
  return catalogue.products.filter(
    ({ record, foldedName, foldedDescription }) =>
      (wantedCategories === undefined || wantedCategories.has(record.category.toLowerCase())) &&
      (wantedSubCategories === undefined ||
        (record.subCategory !== null && wantedSubCategories.has(record.subCategory.toLowerCase()))) &&
      (isActive === undefined || record.isActive === isActive) &&
      words.every((word) => foldedName.includes(word) || foldedDescription.includes(word)),
  );
}

function lowerCaseSet(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.map((text) => text.toLowerCase()));
}

/** One page of `findProducts`, with the total. Cost: the page alone where the filter is empty. */
export function listProducts(
  store: Store,
  filter: ProductFilter,
  page: number,
  pageSize: number,
): Page<readonly ProductRecord[]> {
  const products = selectProducts(store, filter);
  const { from, to } = pageBounds(products.length, page, pageSize);
  return { entries: products.slice(from, to).map(({ record }) => record), total: products.length };
}

/** How many products a category and its sub-categories have. */
export interface ProductCategory {
  readonly name: string;
  /** Active or not, with sub-category or without. */
  readonly productCount: number;
  /** By folded name. */
  readonly subCategories: readonly { readonly name: string; readonly productCount: number }[];
}

/** Categories of all products, by folded name (equal ones by code unit). Cost: one look at every product. */
export function listProductCategories({ catalogue }: Store): ProductCategory[] {
  const categories = Map.groupBy(catalogue.products, ({ record }) => record.category);
  return [...categories]
    .sort(([a], [b]) => compareNames(a, b))
    .map(([name, products]) => {
      const subCategories = Map.groupBy(products, ({ record }) => record.subCategory);
      const named = [...subCategories].filter((entry): entry is [string, typeof products] => entry[0] !== null);
      return {
        name,
        productCount: products.length,
        subCategories: named
          .sort(([a], [b]) => compareNames(a, b))
          .map(([subName, { length }]) => ({ name: subName, productCount: length })),
      };
    });
}
