import type { Uuid } from "../../domain/ids.ts";
import { findProducts, listProductCategories, listProducts } from "../../query/find-products.ts";
import { recordAt } from "../../store/catalogue.ts";
import { listAnswer, oneAnswer, pageAnswer } from "../answer-schema.ts";
import { type Answer, type Endpoint, endpoint, type HandlerInput } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import { type NoInput, noInput, type UuidParams, uuidParams } from "../input.ts";
import { pageOf, presentPage } from "../pagination.ts";
import { presentFoundProduct, presentListedProduct, presentProductCategory, presentProductDetail } from "./present.ts";
import {
  type ProductListQuery,
  type ProductSearchBody,
  productCategoryAnswer,
  productDetailAnswer,
  productListAnswer,
  productListQuery,
  productSearchAnswer,
  productSearchBody,
} from "./schemas.ts";

export const productEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/products",
    access: "public",
    summary: "Products, by name, page by page",
    params: noInput,
    query: productListQuery,
    body: noInput,
    answer: pageAnswer(productListAnswer),
    handle: answerProducts,
  }),
  endpoint({
    method: "POST",
    path: "/products/search",
    access: "public",
    summary: "Products that match a text, categories or activity, by name",
    params: noInput,
    query: noInput,
    body: productSearchBody,
    answer: productSearchAnswer,
    handle: answerProductSearch,
  }),
  endpoint({
    method: "GET",
    path: "/products/categories",
    access: "public",
    summary: "Product categories with the number of their products, by name",
    params: noInput,
    query: noInput,
    body: noInput,
    answer: listAnswer(productCategoryAnswer),
    handle: ({ store }) => ({ data: listProductCategories(store).map(presentProductCategory) }),
  }),
  endpoint({
    method: "GET",
    path: "/products/:uuid",
    access: "public",
    summary: "One product",
    params: uuidParams,
    query: noInput,
    body: noInput,
    answer: oneAnswer(productDetailAnswer),
    handle: answerProduct,
  }),
];

function answerProducts({ store, query }: HandlerInput<NoInput, ProductListQuery, NoInput>): Answer {
  const { page, pageSize } = pageOf(query);
  const categories = query.category === undefined ? undefined : [query.category];
  const { entries, total } = listProducts(store, { categories, text: query.search }, page, pageSize);
  return { data: entries.map(presentListedProduct), meta: presentPage(page, pageSize, total) };
}

function answerProductSearch({ store, body }: HandlerInput<NoInput, NoInput, ProductSearchBody>): Answer {
  const { query, categories, sub_categories: subCategories, is_active: isActive = true } = body;
  const products = findProducts(store, { text: query, categories, subCategories, isActive });
  return { data: products.map(presentFoundProduct), meta: { total: products.length } };
}

function answerProduct({ store, params }: HandlerInput<UuidParams, NoInput, NoInput>): Answer {
  const code = store.catalogue.productCodes.get(params.uuid.toLowerCase() as Uuid);
  if (code === undefined) throw new ApiError("NOT_FOUND", `No product has the uuid ${params.uuid}.`);
  return { data: presentProductDetail(recordAt(store.catalogue.products, code)) };
}
