/** What the servers are asked over HTTP: the same requests in the same order for all. */

import type { Access } from "../../src/contract/endpoint.ts";
import { apiPrefix } from "../../src/contract/paths.ts";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import { QuestionParameters } from "../questions/question-parameters.ts";
import { RandomChoice } from "../questions/random-choice.ts";

/** A request without key and signature. */
export interface PlainRequest {
  readonly method: "GET" | "POST";
  /** Path and query string. */
  readonly target: string;
  /** JSON; empty with GET. */
  readonly body: string;
  /** The kind of key it is asked with; a secret one signs. */
  readonly access: Access;
}

export interface HttpQuestion {
  /** As it stands in the tables. */
  readonly name: HttpQuestionName;
  readonly requests: readonly PlainRequest[];
}

export const httpQuestionNames = [
  "price by uuid",
  "products, page of 20",
  "latest of one product, 10 rows",
  "signed search of a product, 20 rows",
  "signed statistics, ten years by month",
  "mixed load",
] as const;
export type HttpQuestionName = (typeof httpQuestionNames)[number];

const seed = 1;
const variants = 12;
const uuidVariants = 120;
const pageSize = 20;
const latestLimit = 10;

/**
 * The mixed load: 35 % prices by uuid, 35 % latest prices, 20 % searches, 10 % statistics, in an order of no pattern.
 */
const mixedShares = [35, 0, 35, 20, 10] as const;
const mixedRequests = 1000;

/** The questions, fitted to a dataset. Equal datasets give equal questions. */
export function makeHttpQuestions(dataset: Dataset): HttpQuestion[] {
  const parameters = new QuestionParameters(dataset, seed);
  const single: readonly (readonly PlainRequest[])[] = [
    times(uuidVariants, () => get(`/prices/${parameters.anyPrice().uuid}`)),
    wholePages(dataset.products.length).map((page) => get(`/products?page=${page}&page_size=${pageSize}`)),
    times(variants, () => get(`/prices/latest?product_uuids=${parameters.anyPrice().product}&limit=${latestLimit}`)),
    times(variants, () => post("/prices/search", { product_uuid: parameters.anyPrice().product, page_size: pageSize })),
    times(variants, () =>
      post("/prices/statistics", {
        product_uuid: parameters.anyPrice().product,
        ...parameters.wholeMonths(),
        group_by: "month",
      }),
    ),
  ];
  return [...single, mixed(single)].map((requests, at) => ({
    name: httpQuestionNames[at] as HttpQuestionName,
    requests,
  }));
}

/** The first pages, counted from 1, that are full; the first one in any case. */
function wholePages(products: number): number[] {
  const count = Math.min(variants, Math.max(1, Math.floor(products / pageSize)));
  return Array.from({ length: count }, (_, at) => at + 1);
}

function mixed(single: readonly (readonly PlainRequest[])[]): PlainRequest[] {
  const random = new RandomChoice(seed);
  const lots = mixedShares.flatMap((share, question) => Array<number>(share).fill(question));
  return times(mixedRequests, () => random.of(single[random.of(lots)] as readonly PlainRequest[]));
}

function get(path: string): PlainRequest {
  return { method: "GET", target: apiPrefix + path, body: "", access: "public" };
}

function post(path: string, body: object): PlainRequest {
  return { method: "POST", target: apiPrefix + path, body: JSON.stringify(body), access: "secret" };
}

function times<Item>(count: number, make: () => Item): Item[] {
  return Array.from({ length: count }, make);
}
