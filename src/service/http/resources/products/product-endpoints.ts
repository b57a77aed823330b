/** The endpoints of products and their categories. */

import { jsonText } from "../../../../contract/byte-text.ts";
import { type DeclaredEndpoint, endpoint } from "../../../../contract/endpoint.ts";
import { whiteMaize } from "../../../../contract/example-values.ts";
import { hintField, hintOf } from "../../../../contract/placeholder.ts";
import * as s from "../../../../contract/schema.ts";
import { productTable } from "../../../../engine/export/small-tables.ts";
import { blocksOf } from "../../../../engine/export/table-columns.ts";
import { objectOf, scalar, type ValueOf } from "../../../../engine/model/json-schema.ts";
import type { ProductRecord } from "../../../../engine/model/records.ts";
import { alsoReportedAs, alsoReportedMax } from "../../../../engine/query/also-reported.ts";
import { findProducts, listProductCategories, type ProductFilter } from "../../../../engine/query/find-products.ts";
import { pageOf } from "../../../../engine/query/page.ts";
import { recordedPrice } from "../../../../engine/query/recorded-price.ts";
import { suggestionsMax, suggestProducts } from "../../../../engine/query/suggest-products.ts";
import { type ProductCode, recordAt } from "../../../../engine/store/catalogue.ts";
import { rowsOf } from "../../../../engine/store/columns.ts";
import type { Store } from "../../../../engine/store/store.ts";
import { answerText, listText, pageText, textOfRecords, textsByRecord } from "../../answer/json-text.ts";
import type { JsonText } from "../../answer/json-writer.ts";
import { exportEndpoints } from "../export-endpoint.ts";
import { requireCode, sourceIds } from "../filters.ts";

const productText = s.searchText(
  "Words, each of them part of the name or description, in any order; case, accents and apostrophes ignored. The " +
    "best match comes first.",
);

const withDetail = s.flag(
  "Adds to each product its codes, its newest time and the names that it may also be reported as, to `meta` what the " +
    "search left out, and where nothing is found, what may be meant.",
);

const productFilter = s.optionalFields({ category: s.matchText("Category, case ignored."), search: productText });

const productListQuery = s.exactly({ ...s.pageFields, ...productFilter, detail: withDetail });

const productExportQuery = s.exactly(productFilter);

const productSearchBody = s.exactly({
  ...s.optionalFields({
    query: productText,
    categories: s.listOf(s.matchText("A category, case ignored."), "Any of these categories."),
    sub_categories: s.listOf(s.matchText("A sub-category, case ignored."), "Any of these sub-categories."),
    is_active: scalar("boolean", { default: true, description: "Whether the product is currently tracked." }),
  }),
  detail: withDetail,
});

const productFields = {
  ...s.productReference.properties,
  category: s.text("Primary category."),
  sub_category: s.nullableText("Sub-category."),
  description: s.text("What the product is, with its Swahili name where it has one."),
  common_units: s.texts("Names of the units it is usually sold in."),
  is_active: s.boolean("Whether the product is currently tracked."),
};

const productCodes = s.fieldsOfDetail({
  source_ids: sourceIds,
  scientific_name: s.nullableText("Scientific name of the crop that it comes from; null when unknown."),
  last_recorded_at: s.nullable(s.instant("When its newest price was recorded, in UTC; null without prices.")),
  also_reported_as: s.list(
    s.object("AlsoReported", "A product of the same category whose name begins with the same word.", {
      product: s.productReference,
      newest_month: s.object("NewestMonths", "The month of its newest price, such as 2026-03; null without any.", {
        refugee_camps: s.nullableText("At markets in refugee camps."),
        other_markets: s.nullableText("At all other markets."),
      }),
    }),
    `Products that may be the same good under another name, by name, at most ${alsoReportedMax}: a survey of refugee ` +
      "camps writes Maize, that of other markets Maize (white, dry).",
  ),
});

const productOrder = "Products: the best match of a text first, otherwise by name.";

/** Only with `detail`. */
const detailFields = s.optionalFields({
  inactive: s.integer("Only with detail: products that match but were left out because they are inactive.", "products"),
  suggestions: s.list(
    s.object("ProductSuggestion", "A product whose name resembles the text.", {
      ...s.productReference.properties,
      matched: s.text("The name of it that resembles the text: its own, or an alternative one."),
      is_active: s.boolean("Whether the product is currently tracked."),
    }),
    `Only with detail, where nothing is found: at most ${suggestionsMax} products with a name at ` +
      `a small edit distance from the text, the nearest first, whatever the other conditions.`,
  ),
  ...hintField,
});

const foundProductAnswer = s.object("FoundProduct", "A product, as a search has it.", {
  ...productFields,
  ...productCodes,
});

const productSearchAnswer = s.exactly({
  data: s.list(foundProductAnswer, productOrder),
  meta: s.object("Total", "How many were found.", { total: s.integer("Products found.", "products"), ...detailFields }),
});

const productPagination = s.object("ProductPagination", "Which page of how many.", {
  ...s.paginationFields,
  ...detailFields,
});

const listedProductAnswer = s.object("ProductSummary", "A product, as lists have it.", {
  ...productFields,
  ...s.timestamps,
  ...productCodes,
});

const productDetailAnswer = s.object("Product", "A product.", {
  ...productFields,
  alternative_names: s.nullable(s.texts("Other names, Swahili ones among them.")),
  season: s.nullableText("When it is harvested, as free text."),
  storage_requirements: s.nullableText("How it is stored, as free text."),
  metadata: s.nullable(
    objectOf(
      {},
      { description: "Further facts, for example scientific_name; any fields.", additionalProperties: true },
    ),
  ),
  ...s.timestamps,
  ...productCodes,
});

const productCount = s.integer("Products in it.", "products");

const productCategoryAnswer = s.object("ProductCategory", "A category of products with its sub-categories.", {
  name: s.text("Category."),
  product_count: productCount,
  sub_categories: s.list(
    s.object("ProductSubCategory", "A sub-category of products.", {
      name: s.text("Sub-category."),
      product_count: productCount,
    }),
    "Its sub-categories, by name.",
  ),
});

export const productEndpoints: readonly DeclaredEndpoint[] = [
  endpoint({
    path: "/products",
    access: "public",
    summary: "Products, the best match first or by name, page by page",
    id: "listProducts",
    task: "Find products",
    description:
      "`search` finds words of the name and of the description, which has the alternative names of the bundled " +
      "products: each must be part of one of them. Of what matches, products with the words in their name or in " +
      "`alternative_names` come first; `detail` suggests names where nothing is found.",
    example: { query: { search: "mahindi", page_size: 2 } },
    query: productListQuery,
    answer: s.pageAnswer(listedProductAnswer, productOrder, productPagination),
    handle: ({ store, query }, run) => run(listedProducts(store, query)),
  }),
  endpoint({
    method: "POST",
    path: "/products/search",
    access: "public",
    summary: "Products that match a text, categories or activity, the best match first or by name",
    id: "searchProducts",
    task: "Find products by several fields",
    description:
      "As the list, but by several categories and not in pages; products that are no longer tracked only when " +
      "asked for.",
    example: { body: { query: "white maize", categories: ["Cereals and Tubers"] } },
    body: productSearchBody,
    answer: productSearchAnswer,
    handle: ({ store, body }, run) => run(foundProducts(store, body)),
  }),
  endpoint({
    path: "/products/categories",
    access: "public",
    summary: "Product categories with the number of their products, by name",
    id: "listProductCategories",
    task: "Product categories",
    description: "The categories that products are sorted into, with the number of products in each.",
    answer: s.listAnswer(productCategoryAnswer, "Categories, by name."),
    handle: ({ store }) => answerText(categoriesText(store)),
  }),
  endpoint({
    path: "/products/:uuid",
    access: "public",
    summary: "One product",
    id: "getProduct",
    task: "One product",
    description: "One product with all that is known of it.",
    example: { params: { uuid: whiteMaize } },
    params: s.uuidParams,
    query: s.exactly({
      detail: s.flag("Adds its codes, its newest time and the names that it may also be reported as."),
    }),
    form: { kind: "record" },
    answer: s.oneAnswer(productDetailAnswer),
    handle({ store, params, query }) {
      const { catalogue } = store;
      const code = requireCode(catalogue.productCodes, "product", params.uuid);
      return answerText(productDetailTexts(store, query.detail)(recordAt(catalogue.products, code)));
    },
  }),
  ...exportEndpoints({
    table: "products",
    task: "Products",
    rowName: "ExportedProduct",
    access: "public",
    summary: "All products that match a filter, the best match first or by name",
    example: { search: "maize" },
    description: "All products that match.",
    query: productExportQuery,
    columns: productTable,
    rows: (store, query) => blocksOf(findProducts(store, listFilter(query))),
  }),
];

function* listedProducts(store: Store, query: ValueOf<typeof productListQuery>): Generator<number, JsonText> {
  const { page, pageSize } = s.requestedPage(query);
  const filter = listFilter(query);
  const { entries, total } = pageOf(findProducts(store, filter), page, pageSize);
  const detail = query.detail === true ? yield* detailOf(store, "search", filter, total) : undefined;
  const list = listText(entries, listedProductTexts(store, query.detail));
  return answerText(list, pageText(page, pageSize, total, detail));
}

function* foundProducts(store: Store, body: ValueOf<typeof productSearchBody>): Generator<number, JsonText> {
  const { query, categories, sub_categories: subCategories, is_active: isActive = true } = body;
  const filter = { text: query, categories, subCategories, isActive };
  const products = findProducts(store, filter);
  const total = products.length;
  const detail = body.detail === true ? yield* detailOf(store, "query", filter, total) : undefined;
  return answerText(listText(products, foundProductTexts(store, body.detail)), jsonText({ total, ...detail }));
}

function listFilter({ category, search }: ValueOf<typeof productExportQuery>): ProductFilter {
  return { categories: category === undefined ? undefined : [category], text: search };
}

/**
 * Returns the fields that `detail` adds to the meta of a search that found `total` products.
 *
 * @param name The field with the text.
 */
function* detailOf(store: Store, name: string, filter: ProductFilter, total: number): Generator<number, object> {
  const inactive = filter.isActive === true ? findProducts(store, { ...filter, isActive: false }).length : 0;
  if (total > 0) return { inactive };
  const suggestions = (yield* suggestProducts(store, filter.text ?? "")).map(({ product, matched }) => {
    const { uuid, name, isActive } = recordAt(store.catalogue.products, product);
    return { uuid, name, matched, is_active: isActive };
  });
  return { inactive, suggestions, ...hintOf(name, filter.text) };
}

/** Found only where an answer has it. */
function withAlsoReported(product: ProductRecord, store: Store): object {
  const code = store.catalogue.productCodes.get(product.uuid) as ProductCode;
  return {
    ...product,
    get lastRecordedAt() {
      const [newestRow] = rowsOf(store.rowsByProduct, code);
      return newestRow === undefined ? null : recordedPrice(store, newestRow).recordedAt;
    },
    get alsoReportedAs() {
      return alsoReportedAs(store, code);
    },
  };
}

const foundProductTexts = textsByRecord(foundProductAnswer, withAlsoReported);
const listedProductTexts = textsByRecord(listedProductAnswer, withAlsoReported);
const productDetailTexts = textsByRecord(productDetailAnswer, withAlsoReported);

const categoriesText = textOfRecords(productCategoryAnswer, listProductCategories);
