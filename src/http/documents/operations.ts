/**
 * What the documents say of each endpoint beside its schemas: its name, its group, how it is used, and a request that is
 * answered from the bundled data (examples.json has the answers).
 */
import type { Endpoint } from "../endpoint.ts";
import type { ApiErrorCode } from "../errors.ts";
import { endpointName } from "../router.ts";

/** A request by the values of its schemas. */
export interface ExampleRequest {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** The groups of operations, in the order of the documents. */
export const tags = {
  Prices: "Prices as recorded, the newest ones, statistics of them, and which series there are.",
  Products: "The catalogue of products.",
  Markets: "Trading centres.",
  Counties: "Counties with their sub-counties and wards.",
  Crops: "Crops and their categories.",
  Reference: "Units of measurement and types of markets.",
  Exports: "Whole tables as files, with no limit of rows, for data frames and spreadsheets.",
  Downloads: "Files that hold the whole of a snapshot and never change: Parquet, CSV, and a description of them.",
  Dataset: "The snapshot that is served: whose data it is, how much, how fresh, and how to cite it.",
} as const;

export interface Operation {
  /** Name of the method in a generated client. */
  readonly id: string;
  readonly tag: keyof typeof tags;
  /** What a reader should know before using it. */
  readonly description: string;
  readonly example: ExampleRequest;
  /** Codes of errors that neither its input nor its access explains. */
  readonly errors?: readonly ApiErrorCode[];
  /** Media types of its answers where they are files of several. */
  readonly mediaTypes?: readonly string[];
}

const whiteMaize = "8279063d-b290-5e29-a97f-e7b9ef6a7e2a";
const dryWhiteMaize = "63ee0850-d07b-5001-9007-7b8ec8242380";
const nairobiWholesale = { county_id: 47, market_type: "Wholesale" };

/** The snapshot that the project ships with, whose files the example of a download is one of. */
const bundledSnapshot = "20261123T013821Z-16a66572c07c";

const exported = {
  prices: {
    query: { product_uuids: [whiteMaize, dryWhiteMaize], ...nairobiWholesale },
    description: "Prices by product, oldest first: the series that a search gives in pages, in one request.",
  },
  statistics: {
    query: {
      product_uuids: [whiteMaize, dryWhiteMaize],
      start_date: "2020-01-01",
      end_date: "2021-12-31",
      ...nairobiWholesale,
    },
    description: "Statistics of up to 100 products, or of all, in one request; the fields are those of the POST form.",
  },
  series: { query: nairobiWholesale, description: "All series that match, as the list gives them in pages." },
  products: { query: { search: "maize" }, description: "All products that match." },
  markets: { query: nairobiWholesale, description: "All markets that match." },
} as const;

/** Each table is exported in each format. */
function exportOperations(): Record<string, Operation> {
  const operations: Record<string, Operation> = {};
  for (const [table, { query, description }] of Object.entries(exported)) {
    for (const format of ["csv", "ndjson"]) {
      operations[`GET /exports/${table}.${format}`] = {
        id: `export${capital(table)}${capital(format)}`,
        tag: "Exports",
        description: `${description} See [exports](/docs/exports).`,
        example: { query },
      };
    }
  }
  return operations;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

const operations: Readonly<Record<string, Operation>> = {
  ...exportOperations(),
  "POST /prices/search": {
    id: "searchPrices",
    tag: "Prices",
    description:
      "Prices as recorded, newest first, equal times by uuid. All filters are optional and are combined with and. " +
      "Wholesale and retail are different prices: `market_type` keeps them apart. A list longer than a few pages is better " +
      "taken as statistics. Send `X-Snapshot-Id` of the first page with all others, so that pages of two snapshots never mix.",
    example: { body: { product_uuid: whiteMaize, ...nairobiWholesale, start_date: "2020-01-01", page_size: 2 } },
  },
  "GET /prices/latest": {
    id: "getLatestPrices",
    tag: "Prices",
    description:
      "The newest prices of each product, by name of the product. `one_per_market` leaves one price of each market and unit; " +
      "`recorded_since` leaves out stale ones; `detail` adds age in days, currency, price per base unit, notes, price flag and the market's county.",
    example: { query: { product_uuids: [dryWhiteMaize], market_type: "Wholesale", limit: 2, detail: true } },
  },
  "POST /prices/latest": {
    id: "queryLatestPrices",
    tag: "Prices",
    description: "The same as GET, with the fields in the body: for lists of products that are too long for a query.",
    example: { body: { product_uuids: [dryWhiteMaize, whiteMaize], county_id: 47, limit: 1 } },
  },
  "POST /prices/statistics": {
    id: "getPriceStatistics",
    tag: "Prices",
    description:
      "Mean, least, greatest, median and sample standard deviation of a product's prices by day, week, month, market or " +
      "county, exact and over records. All figures are in one unit and one currency: prices per bag are converted where the " +
      "weight of the bag is known. What cannot be converted is left out and counted in `meta.excluded_samples`.",
    example: {
      body: { product_uuid: whiteMaize, start_date: "2020-01-01", end_date: "2020-03-31", market_type: "Wholesale" },
    },
    errors: ["NOT_FOUND"],
  },
  "GET /prices/series": {
    id: "listSeries",
    tag: "Prices",
    description:
      "A series is the prices of one product at one market in one unit and currency: prices that can be compared. Says how " +
      "many prices each has, from when to when, and its longest gap. A product that seems to end may go on under another name.",
    example: {
      query: {
        product_uuids: [whiteMaize, dryWhiteMaize],
        ...nairobiWholesale,
        sort: "last_recorded_at",
        page_size: 3,
      },
    },
  },
  "GET /prices/:uuid": {
    id: "getPrice",
    tag: "Prices",
    description: "One price with all that is known of it.",
    example: { params: { uuid: "0324e499-541c-505b-9c89-9fe3d5bae728" } },
  },
  "GET /products": {
    id: "listProducts",
    tag: "Products",
    description:
      "`search` finds words of the name and of the description, which has the alternative names of the bundled products: each must be part of one of them. Of what matches, products with the words in their name or in `alternative_names` come first.",
    example: { query: { search: "mahindi", page_size: 2 } },
  },
  "POST /products/search": {
    id: "searchProducts",
    tag: "Products",
    description:
      "As the list, but by several categories and not in pages; products that are no longer tracked only when asked for.",
    example: { body: { query: "white maize", categories: ["Cereals and Tubers"] } },
  },
  "GET /products/categories": {
    id: "listProductCategories",
    tag: "Products",
    description: "The categories that products are sorted into, with the number of products in each.",
    example: {},
  },
  "GET /products/:uuid": {
    id: "getProduct",
    tag: "Products",
    description: "One product with all that is known of it.",
    example: { params: { uuid: whiteMaize } },
  },
  "GET /markets": {
    id: "listMarkets",
    tag: "Markets",
    description: "Each market is of one type; a place with wholesale and retail trade has two markets.",
    example: { query: { county_id: 47, market_type: "Wholesale", page_size: 2 } },
  },
  "GET /markets/:uuid": {
    id: "getMarket",
    tag: "Markets",
    description: "One market with all that is known of it.",
    example: { params: { uuid: "e5832903-cb0a-540c-a9ce-fed7db5c3099" } },
  },
  "GET /counties": {
    id: "listCounties",
    tag: "Counties",
    description: "All counties with their sub-counties; their numbers are what `county_id` filters by.",
    example: {},
  },
  "GET /counties/:id": {
    id: "getCounty",
    tag: "Counties",
    description: "One county with its wards, its centre and what it lives on.",
    example: { params: { id: 47 } },
  },
  "GET /counties/:id/sub-counties": {
    id: "listSubCounties",
    tag: "Counties",
    description: "The sub-counties and wards of one county.",
    example: { params: { id: 47 } },
  },
  "GET /crops": {
    id: "listCrops",
    tag: "Crops",
    description: "Crops are what is grown, products what is sold; names link them, nothing else does.",
    example: { query: { category: "Food Crops" } },
  },
  "GET /crops/categories": {
    id: "listCropCategories",
    tag: "Crops",
    description: "The categories that crops are sorted into, with the names of their crops.",
    example: {},
  },
  "GET /reference/units": {
    id: "listUnits",
    tag: "Reference",
    description: "Units in which prices are recorded, and how many base units each is. See [units](/docs/units).",
    example: {},
  },
  "GET /reference/market-types": {
    id: "listMarketTypes",
    tag: "Reference",
    description: "What Wholesale, Retail, Rural and Urban markets are.",
    example: {},
  },
  "GET /downloads": {
    id: "listDownloads",
    tag: "Downloads",
    description:
      "The files of every snapshot that is kept, with rows, bytes and SHA-256 of each. Where those of the served snapshot are not there, this request begins to make them, and `state` says so. See [downloads](/docs/exports#downloads).",
    example: {},
  },
  "GET /downloads/:snapshot/:file": {
    id: "downloadFile",
    tag: "Downloads",
    description:
      "A file never changes: its ETag is its SHA-256, its Last-Modified is when the snapshot was published, and Range asks for a part of it. `X-Snapshot-Id` of the answer names the snapshot of the file. Where the files of the snapshot are not there, the first request begins to make them; until they are there the answer is SERVICE_UNAVAILABLE with Retry-After.",
    example: { params: { snapshot: bundledSnapshot, file: "series.csv" } },
    errors: ["PRECONDITION_FAILED", "RANGE_NOT_SATISFIABLE"],
    mediaTypes: ["application/vnd.apache.parquet", "application/gzip", "text/csv", "application/json"],
  },
  "GET /dataset": {
    id: "getDataset",
    tag: "Dataset",
    description:
      "What to name as the source, which snapshot an answer comes from, up to which day the prices go, of each source too, and which " +
      "products and markets are silent: without a price for the 60 days before the newest one. `GET /prices/series` with " +
      "`sort=last_recorded_at` has the last price of every series; with `recorded_since`, the series that go on.",
    example: {},
  },
};

/** What the documents say of an endpoint. @throws {Error} When they say nothing. */
export function operationOf(endpoint: Endpoint): Operation {
  const name = endpointName(endpoint);
  const operation = operations[name];
  if (operation === undefined)
    throw new Error(`${name} is not in documents/operations.ts, expected every endpoint to be`);
  return operation;
}

/** Path and query string of the example of an endpoint, below the prefix. */
export function exampleTarget(endpoint: Endpoint): string {
  const { params = {}, query = {} } = operationOf(endpoint).example;
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => String(params[name]));
  const texts = Object.entries(query).map(
    ([name, value]) => `${name}=${encodeURIComponent(String(value)).replaceAll("%2C", ",")}`,
  );
  return texts.length === 0 ? path : `${path}?${texts.join("&")}`;
}
