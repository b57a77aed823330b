import type { Uuid } from "../../domain/ids.ts";
import { instantText } from "../../domain/instant.ts";
import type { ProductRecord } from "../../domain/records.ts";
import { findProducts, listProductCategories, listProducts, type ProductCategory } from "../../query/find-products.ts";
import { recordAt } from "../../store/catalogue.ts";
import { type Endpoint, endpoint, pageOf, presentPage } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import {
  boolean,
  exactly,
  instant,
  integer,
  listAnswer,
  listOf,
  matchText,
  nullable,
  nullableText,
  oneAnswer,
  pageAnswer,
  pageFields,
  Type,
  text,
  texts,
  uuid,
  uuidParams,
} from "../schema.ts";

const productText = Type.Optional(matchText("Part of the name or description, case and accents ignored."));

const productListQuery = exactly({
  ...pageFields,
  category: Type.Optional(matchText("Category, matched exactly.")),
  search: productText,
});

const productSearchBody = exactly({
  query: productText,
  categories: Type.Optional(listOf(matchText("A category, matched exactly."), "Any of these categories.")),
  sub_categories: Type.Optional(listOf(matchText("A sub-category, matched exactly."), "Any of these sub-categories.")),
  is_active: Type.Optional(Type.Boolean({ default: true, description: "Whether the product is currently tracked." })),
});

const productFields = {
  uuid,
  name: text,
  category: text,
  sub_category: nullableText,
  description: text,
  common_units: texts,
  is_active: boolean,
};

const timestamps = { created_at: instant, updated_at: instant };

const productSearchAnswer = exactly({ data: Type.Array(exactly(productFields)), meta: exactly({ total: integer }) });

const productDetailAnswer = exactly({
  ...productFields,
  alternative_names: nullable(texts),
  season: nullableText,
  storage_requirements: nullableText,
  metadata: nullable(Type.Object({})),
  ...timestamps,
});

const productCategoryAnswer = exactly({
  name: text,
  product_count: integer,
  sub_categories: Type.Array(exactly({ name: text, product_count: integer })),
});

export const productEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/products",
    access: "public",
    summary: "Products, by name, page by page",
    query: productListQuery,
    answer: pageAnswer(exactly({ ...productFields, ...timestamps })),
    handle({ store, query }) {
      const { page, pageSize } = pageOf(query);
      const categories = query.category === undefined ? undefined : [query.category];
      const { entries, total } = listProducts(store, { categories, text: query.search }, page, pageSize);
      return { data: entries.map(presentListedProduct), meta: presentPage(page, pageSize, total) };
    },
  }),
  endpoint({
    method: "POST",
    path: "/products/search",
    access: "public",
    summary: "Products that match a text, categories or activity, by name",
    body: productSearchBody,
    answer: productSearchAnswer,
    handle({ store, body }) {
      const { query, categories, sub_categories: subCategories, is_active: isActive = true } = body;
      const products = findProducts(store, { text: query, categories, subCategories, isActive });
      return { data: products.map(presentFoundProduct), meta: { total: products.length } };
    },
  }),
  endpoint({
    method: "GET",
    path: "/products/categories",
    access: "public",
    summary: "Product categories with the number of their products, by name",
    answer: listAnswer(productCategoryAnswer),
    handle: ({ store }) => ({ data: listProductCategories(store).map(presentProductCategory) }),
  }),
  endpoint({
    method: "GET",
    path: "/products/:uuid",
    access: "public",
    summary: "One product",
    params: uuidParams,
    answer: oneAnswer(productDetailAnswer),
    handle({ store: { catalogue }, params }) {
      const code = catalogue.productCodes.get(params.uuid.toLowerCase() as Uuid);
      if (code === undefined) throw new ApiError("NOT_FOUND", `No product has the uuid ${params.uuid}.`);
      return { data: presentProductDetail(recordAt(catalogue.products, code)) };
    },
  }),
];

/** The fields of a product that every answer has. */
function presentFoundProduct(product: ProductRecord): object {
  return {
    uuid: product.uuid,
    name: product.name,
    category: product.category,
    sub_category: product.subCategory,
    description: product.description,
    common_units: product.commonUnits,
    is_active: product.isActive,
  };
}

function presentListedProduct(product: ProductRecord): object {
  return { ...presentFoundProduct(product), ...presentTimestamps(product) };
}

function presentProductDetail(product: ProductRecord): object {
  return {
    ...presentFoundProduct(product),
    alternative_names: product.alternativeNames,
    season: product.season,
    storage_requirements: product.storageRequirements,
    metadata: product.metadata,
    ...presentTimestamps(product),
  };
}

function presentProductCategory({ name, productCount, subCategories }: ProductCategory): object {
  return {
    name,
    product_count: productCount,
    sub_categories: subCategories.map((sub) => ({ name: sub.name, product_count: sub.productCount })),
  };
}

function presentTimestamps({ createdAt, updatedAt }: ProductRecord): object {
  return { created_at: instantText(createdAt), updated_at: instantText(updatedAt) };
}
