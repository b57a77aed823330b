import type { Static } from "typebox";
import type { Uuid } from "../../domain/ids.ts";
import { instantText } from "../../domain/instant.ts";
import type { ProductRecord } from "../../domain/records.ts";
import { productTable } from "../../export/small-tables.ts";
import { blocksOf } from "../../export/table.ts";
import {
  findProducts,
  listProductCategories,
  listProducts,
  type ProductCategory,
  type ProductFilter,
} from "../../query/find-products.ts";
import { recordAt } from "../../store/catalogue.ts";
import { jsonText } from "../byte-text.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import { whiteMaize } from "../example-values.ts";
import { exportEndpoints } from "../export-endpoint.ts";
import { answerText, byStore, listText, pageText, textsByRecord } from "../json-text.ts";
import * as s from "../schema.ts";

const productText = s.optional(
  s.matchText("Words, each of them part of the name or description, in any order, case and accents ignored."),
);

const productFilter = { category: s.optional(s.matchText("Category, case ignored.")), search: productText };

const productListQuery = s.exactly({ ...s.pageFields, ...productFilter });

const productExportQuery = s.exactly(productFilter);

const productSearchBody = s.exactly({
  query: productText,
  categories: s.optional(s.listOf(s.matchText("A category, case ignored."), "Any of these categories.")),
  sub_categories: s.optional(s.listOf(s.matchText("A sub-category, case ignored."), "Any of these sub-categories.")),
  is_active: s.optional(s.Type.Boolean({ default: true, description: "Whether the product is currently tracked." })),
});

const productFields = {
  uuid: s.uuid("Identifier of the product."),
  name: s.text("Name of the product."),
  category: s.text("Primary category."),
  sub_category: s.nullableText("Sub-category."),
  description: s.text("What the product is, with its Swahili name where it has one."),
  common_units: s.texts("Names of the units it is usually sold in."),
  is_active: s.boolean("Whether the product is currently tracked."),
};

const productSearchAnswer = s.exactly({
  data: s.list(s.named("FoundProduct", s.exactly(productFields), "A product, as a search has it."), {
    description: "Products, by name.",
  }),
  meta: s.named("Total", s.exactly({ total: s.integer("Products found.", "products") }), "How many were found."),
});

const listedProductAnswer = s.named(
  "ProductSummary",
  s.exactly({ ...productFields, ...s.timestamps }),
  "A product, as lists have it.",
);

const productDetailAnswer = s.named(
  "Product",
  s.exactly({
    ...productFields,
    alternative_names: s.nullable(s.texts("Other names, Swahili ones among them.")),
    season: s.nullableText("When it is harvested, as free text."),
    storage_requirements: s.nullableText("How it is stored, as free text."),
    metadata: s.nullable(
      s.Type.Object(
        {},
        { description: "Further facts, for example scientific_name; any fields.", additionalProperties: true },
      ),
    ),
    ...s.timestamps,
  }),
  "A product.",
);

const productCount = s.integer("Products in it.", "products");

const productCategoryAnswer = s.named(
  "ProductCategory",
  s.exactly({
    name: s.text("Category."),
    product_count: productCount,
    sub_categories: s.list(
      s.named(
        "ProductSubCategory",
        s.exactly({ name: s.text("Sub-category."), product_count: productCount }),
        "A sub-category of products.",
      ),
      { description: "Its sub-categories, by name." },
    ),
  }),
  "A category of products with its sub-categories.",
);

export const productEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/products",
    access: "public",
    summary: "Products, by name, page by page",
    operation: {
      id: "listProducts",
      group: "Products",
      description:
        "`search` finds words of the name and of the description, which has the usual Swahili name: each must be part of one of them. `alternative_names` are not searched.",
      example: { query: { search: "mahindi", page_size: 2 } },
    },
    query: productListQuery,
    answer: s.pageAnswer(listedProductAnswer, "Products, by name."),
    handle({ store, query }) {
      const { page, pageSize } = s.pageOf(query);
      const { entries, total } = listProducts(store, listFilter(query), page, pageSize);
      return answerText(listText(entries, listedProductTexts(store)), pageText(page, pageSize, total));
    },
  }),
  endpoint({
    method: "POST",
    path: "/products/search",
    access: "public",
    summary: "Products that match a text, categories or activity, by name",
    operation: {
      id: "searchProducts",
      group: "Products",
      description:
        "As the list, but by several categories and not in pages; products that are no longer tracked only when asked for.",
      example: { body: { query: "white maize", categories: ["Cereals and Tubers"] } },
    },
    body: productSearchBody,
    answer: productSearchAnswer,
    handle({ store, body }) {
      const { query, categories, sub_categories: subCategories, is_active: isActive = true } = body;
      const products = findProducts(store, { text: query, categories, subCategories, isActive });
      return answerText(listText(products, foundProductTexts(store)), jsonText({ total: products.length }));
    },
  }),
  endpoint({
    method: "GET",
    path: "/products/categories",
    access: "public",
    summary: "Product categories with the number of their products, by name",
    operation: {
      id: "listProductCategories",
      group: "Products",
      description: "The categories that products are sorted into, with the number of products in each.",
      example: {},
    },
    answer: s.listAnswer(productCategoryAnswer, "Categories, by name."),
    handle: ({ store }) => answerText(categoriesText(store)),
  }),
  endpoint({
    method: "GET",
    path: "/products/:uuid",
    access: "public",
    summary: "One product",
    operation: {
      id: "getProduct",
      group: "Products",
      description: "One product with all that is known of it.",
      example: { params: { uuid: whiteMaize } },
    },
    params: s.uuidParams,
    isKept: false,
    answer: s.oneAnswer(productDetailAnswer),
    handle({ store, params }) {
      const { catalogue } = store;
      const code = catalogue.productCodes.get(params.uuid.toLowerCase() as Uuid);
      if (code === undefined) throw new ApiError("NOT_FOUND", `No product has the uuid ${params.uuid}.`);
      return answerText(productDetailTexts(store)(recordAt(catalogue.products, code)));
    },
  }),
  ...exportEndpoints({
    table: "products",
    rowName: "ExportedProduct",
    access: "public",
    summary: "All products that match a filter, by name",
    example: { search: "maize" },
    description: "All products that match.",
    query: productExportQuery,
    columns: productTable,
    rows: (store, query) => blocksOf(findProducts(store, listFilter(query))),
  }),
];

function listFilter({ category, search }: Static<typeof productExportQuery>): ProductFilter {
  return { categories: category === undefined ? undefined : [category], text: search };
}

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

const foundProductTexts = textsByRecord(presentFoundProduct);

const listedProductTexts = textsByRecord((product: ProductRecord) => ({
  ...presentFoundProduct(product),
  ...presentTimestamps(product),
}));

const productDetailTexts = textsByRecord((product: ProductRecord) => ({
  ...presentFoundProduct(product),
  alternative_names: product.alternativeNames,
  season: product.season,
  storage_requirements: product.storageRequirements,
  metadata: product.metadata,
  ...presentTimestamps(product),
}));

const categoriesText = byStore((store) => jsonText(listProductCategories(store).map(presentProductCategory)));

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
