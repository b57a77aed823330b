/** Prices: search, latest, one by its uuid, and the export. */
import { jsonText } from "../../../../contract/byte-text.ts";
import { type DeclaredEndpoint, endpoint } from "../../../../contract/endpoint.ts";
import { ApiError, type FieldProblem, wrongField } from "../../../../contract/errors.ts";
import { dryWhiteMaize, nairobiWholesale, whiteMaize } from "../../../../contract/example-values.ts";
import {
  answerChunkBytes,
  latestLimitDefault,
  latestLimitMax,
  latestLimitMaxOnePerMarket,
  listItemsMax,
} from "../../../../contract/limits.ts";
import * as s from "../../../../contract/schema.ts";
import { priceAnswerColumns, priceTable } from "../../../../engine/export/price-table.ts";
import { findRow } from "../../../../engine/model/ids.ts";
import { optional, scalar, unit, type ValueOf } from "../../../../engine/model/json-schema.ts";
import type { ProductRecord } from "../../../../engine/model/records.ts";
import { latestPrices } from "../../../../engine/query/latest-prices.ts";
import type { LatestPrices, PriceSearch } from "../../../../engine/query/questions.ts";
import { searchPrices } from "../../../../engine/query/search-prices.ts";
import { walkPrices } from "../../../../engine/query/walk-prices.ts";
import { recordAt } from "../../../../engine/store/catalogue.ts";
import type { Store } from "../../../../engine/store/store.ts";
import { answerText, listText, objectText, pageText, textsByRecord } from "../../answer/json-text.ts";
import { type JsonText, writeAnswer, writeList } from "../../answer/json-writer.ts";
import { detailWriters, rowWriter } from "../../answer/row-writer.ts";
import { exportEndpoints } from "../export-endpoint.ts";
import { type ConditionFields, conditionProblems, conditionsOf, dayOf, filters, populationMeta } from "../filters.ts";
import { fieldsOf, otherFields } from "../table-fields.ts";

// The requests.

const withDetail = s.flag(
  "Adds to each price its currency, price per base unit, notes, flag and times of entry, and the market's type and " +
    "county.",
);

const allFilters = { ...filters.markets, ...filters.rows, ...s.optionalFields(filters.days), ...filters.prices };

export type PriceSearchBody = ValueOf<typeof priceSearchBody>;
const priceSearchBody = s.exactly({
  product_uuid: optional(s.uuid("Product.")),
  ...allFilters,
  detail: withDetail,
  ...s.pageFields,
});

const priceExportQuery = s.exactly({ ...filters.products, ...allFilters, ...filters.marketLists });

/** The fields of latest prices, as query parameters of GET and as the body of POST. */
export type LatestPricesInput = ValueOf<typeof latestPricesInput>;
const latestPricesInput = s.exactly({
  product_uuids: optional(s.listOf(s.uuid("A product."), "Products; all of them when absent.")),
  ...filters.markets,
  limit: optional(
    scalar("integer", {
      minimum: 1,
      maximum: latestLimitMaxOnePerMarket,
      default: latestLimitDefault,
      [unit]: "prices",
      description:
        `Most prices per product: up to ${latestLimitMax}, with one_per_market up to ` +
        `${latestLimitMaxOnePerMarket}.`,
    }),
  ),
  one_per_market: s.flag("Only the newest price of each market and unit."),
  recorded_since: optional(s.day("Only prices of this day or later ones.")),
  detail: withDetail,
});

// The answers: their fields are columns of the table of prices.

const field = fieldsOf([...priceTable, ...priceAnswerColumns]);

const baseFields = {
  uuid: field("uuid"),
  price: field("price", s.price("The price as recorded.")),
  unit: field("unit"),
  recorded_at: field("recorded_at"),
};

const provenance = { currency: field("currency"), source: field("source"), quality_grade: field("quality_grade") };

const times = { created_at: field("created_at"), updated_at: field("updated_at") };

/** A column that is added to the table of prices is among them without more. */
const addedFields = s.fieldsOfDetail({ ...otherFields(priceTable, { ...baseFields, ...provenance }), ...times });

const productFields = { uuid: field("product_uuid"), name: field("product") };
const marketFields = { uuid: field("market_uuid"), name: field("market") };
const county = s.meaning(
  s.object("CountyReference", "A county.", { id: field("county_id"), name: field("county") }),
  "County of the market.",
);
const addedToMarket = s.fieldsOfDetail({
  county,
  county_pcode: field("county_pcode"),
  setting: field("setting"),
});

const foundPriceAnswer = s.object("FoundPrice", "A price, as a search has it.", {
  ...baseFields,
  ...provenance,
  ...addedFields,
  product: s.object("ProductOfFoundPrice", "A product with its category.", {
    ...productFields,
    category: field("category"),
  }),
  market: s.object("MarketOfFoundPrice", "A market with its type.", {
    ...marketFields,
    type: field("market_type"),
    ...addedToMarket,
  }),
  county: s.nullable(county),
});

const priceDetailAnswer = s.object("Price", "A price.", {
  ...baseFields,
  ...provenance,
  product: s.object("ProductOfPrice", "A product with category and description.", {
    ...productFields,
    category: field("category"),
    description: field("description"),
  }),
  market: s.object("MarketOfPrice", "A market with its type and where it is.", {
    ...marketFields,
    type: field("market_type"),
    county: field("county"),
    sub_county: field("sub_county"),
  }),
  notes: field("notes"),
  ...times,
});

const latestPriceAnswer = s.object("LatestPrice", "A price, as latest prices have it.", {
  ...baseFields,
  ...s.fieldsOfDetail({
    currency: field("currency"),
    age_days: field("age_days"),
    age_days_at_publication: field("age_days_at_publication"),
  }),
  ...addedFields,
  market: s.object("MarketOfLatestPrice", "A market.", {
    ...marketFields,
    ...s.fieldsOfDetail({ type: field("market_type") }),
    ...addedToMarket,
  }),
});

const latestGroupAnswer = s.object("LatestPrices", "The newest prices of a product.", {
  product: s.productReference,
  prices: s.list(latestPriceAnswer, "Its newest prices, newest first."),
});

const populationAsked = optional(s.meaning(populationMeta, `${populationMeta.description} Only with refugee_camps.`));
const searchMeta = s.object("PriceSearchMeta", "Which page of how many.", {
  ...s.paginationFields,
  refugee_camps: populationAsked,
});
const latestAnswer = s.exactly({
  data: s.list(latestGroupAnswer, "Products with prices, by name."),
  meta: optional(
    s.object("LatestPricesMeta", "Which markets; only with refugee_camps.", { refugee_camps: populationMeta }),
  ),
});

/** The order in which the fields of prices are written; those that are not named follow. */
const textOrder = ["uuid", "product", "market", "county", "price", "unit", "currency", "recorded_at"];
const latestTextOrder = ["uuid", "market", "price", "unit", "recorded_at", "currency"];

const foundWriters = detailWriters<number>(foundPriceAnswer, textOrder);
const latestWriters = detailWriters<number>(latestPriceAnswer, latestTextOrder);
const priceWriter = rowWriter<number>(priceDetailAnswer, { first: textOrder });

export const priceEndpoints: readonly DeclaredEndpoint[] = [
  endpoint({
    method: "POST",
    path: "/prices/search",
    access: "secret",
    summary: "Prices that match a filter, newest first, page by page",
    id: "searchPrices",
    task: "Search prices",
    description:
      "Prices as recorded, newest first, equal times by uuid. All filters are optional and are combined with and. " +
      "Wholesale and retail are different prices: `market_type` keeps them apart. A list longer than a few pages " +
      "is better taken as statistics. Send `X-Snapshot-Id` of the first page with all others, so that pages of two " +
      "snapshots never mix.",
    example: { body: { product_uuid: whiteMaize, ...nairobiWholesale, start_date: "2020-01-01", page_size: 2 } },
    body: priceSearchBody,
    check: ({ body }) => conditionProblems(body),
    answer: s.pageAnswer(foundPriceAnswer, "Prices, newest first.", searchMeta),
    handle: ({ store, body }, run) => run(foundPrices(store, body)),
  }),
  endpoint({
    path: "/prices/latest",
    access: "public",
    summary: "Newest prices of each product",
    id: "getLatestPrices",
    task: "Newest prices",
    description:
      "The newest prices of each product, by name of the product. `one_per_market` leaves one price of each market " +
      "and unit; `recorded_since` leaves out stale ones; `detail` adds age in days, currency, price per base unit, " +
      "notes, price flag and the market's county.",
    example: { query: { product_uuids: [dryWhiteMaize], market_type: "Wholesale", limit: 2, detail: true } },
    query: latestPricesInput,
    check: ({ query }) => latestProblems(query),
    isLong: ({ query }) => isLongLatest(query),
    answer: latestAnswer,
    handle: ({ store, query }, run) => run(answerLatest(store, query)),
  }),
  endpoint({
    method: "POST",
    path: "/prices/latest",
    access: "public",
    summary: "Newest prices of each product",
    id: "queryLatestPrices",
    task: "Newest prices of many products",
    description: "The same as GET, with the fields in the body: for lists of products that are too long for a query.",
    example: { body: { product_uuids: [dryWhiteMaize, whiteMaize], county_id: 47, limit: 1 } },
    body: latestPricesInput,
    check: ({ body }) => latestProblems(body),
    isLong: ({ body }) => isLongLatest(body),
    answer: latestAnswer,
    handle: ({ store, body }, run) => run(answerLatest(store, body)),
  }),
];

export const priceExportEndpoints: readonly DeclaredEndpoint[] = exportEndpoints({
  table: "prices",
  task: "Prices",
  rowName: "ExportedPrice",
  access: "exports",
  summary: "All prices that match a filter, by product, oldest first",
  example: { product_uuids: [whiteMaize, dryWhiteMaize], ...nairobiWholesale },
  description: "Prices by product, oldest first: the series that a search gives in pages, in one request.",
  query: priceExportQuery,
  check: conditionProblems,
  columns: priceTable,
  rows: (store, query) => walkPrices(store, conditionsOf(query)),
  pricesOf: conditionsOf,
});

/** Behind all fixed paths below `/prices`. */
export const priceRecordEndpoints: readonly DeclaredEndpoint[] = [
  endpoint({
    path: "/prices/:uuid",
    access: "public",
    summary: "One price",
    id: "getPrice",
    task: "One price",
    description: "One price with all that is known of it.",
    example: { params: { uuid: "0324e499-541c-505b-9c89-9fe3d5bae728" } },
    params: s.uuidParams,
    form: { kind: "record" },
    answer: s.oneAnswer(priceDetailAnswer),
    handle({ store, params }) {
      const row = findRow(store.rowByUuid, store.prices.uuids, params.uuid);
      if (row === undefined) throw new ApiError("NOT_FOUND", `No price has the uuid ${params.uuid.toLowerCase()}.`);
      const write = priceWriter(store);
      return writeAnswer((writer) => write(writer, row));
    },
  }),
];

function* foundPrices(store: Store, body: PriceSearchBody): Generator<number, JsonText> {
  const question = searchQuestion(body);
  const { entries, total } = yield* searchPrices(store, question);
  const page = pageText(question.page, question.pageSize, total, populationOf(body));
  return answerText(writeList(entries, foundWriters(store, body.detail)), page);
}

function* answerLatest(store: Store, input: LatestPricesInput): Generator<number, JsonText> {
  const { products } = store.catalogue;
  const productText = latestProducts(store);
  const write = latestWriters(store, input.detail);
  const groups = yield* latestPrices(store, latestQuestion(input));
  const population = populationOf(input);
  const data = listText(groups, ({ product, rows }) => {
    return objectText({ product: productText(recordAt(products, product)), prices: writeList(rows, write) });
  });
  return answerText(data, population && jsonText(population));
}

/** The population of an answer whose request names it; undefined for one without, whose form is the specified one. */
function populationOf({ refugee_camps: population }: ConditionFields): object | undefined {
  return population && { refugee_camps: population };
}

const latestProducts = textsByRecord<ProductRecord>(s.productReference);

/** Returns the problem of a request for latest prices whose limit is too large for its kind. */
function latestProblems(input: LatestPricesInput): FieldProblem[] {
  const { limit = latestLimitDefault, one_per_market: isWide = false } = input;
  if (limit <= latestLimitMax || isWide) return [];
  return [wrongField("limit", limit, `an integer from 1 to ${latestLimitMax} without one_per_market`)];
}

/** Prices of a product that about fill a chunk. */
const latestPricesOfChunk = answerChunkBytes / 200;

/** Returns whether the answer to a request for latest prices is probably long. */
function isLongLatest({ product_uuids: uuids, limit = latestLimitDefault }: LatestPricesInput): boolean {
  return limit * (uuids?.length ?? listItemsMax) > latestPricesOfChunk;
}

/** The question a search asks. */
export function searchQuestion(body: PriceSearchBody): PriceSearch {
  const { productUuids: [productUuid] = [], ...conditions } = conditionsOf(body);
  return { filter: { ...conditions, productUuid }, ...s.requestedPage(body) };
}

/** The question a request for latest prices asks. */
export function latestQuestion(input: LatestPricesInput): LatestPrices {
  return {
    ...conditionsOf(input),
    limit: input.limit ?? latestLimitDefault,
    recordedSince: dayOf(input.recorded_since),
    onePerMarket: input.one_per_market ?? false,
  };
}
