/** Random questions to a service and to ClickHouse, whose answers are compared column by column. */
import assert from "node:assert/strict";
import type { SignedClient } from "../../src/client/signed.ts";
import { type ClickHouseServer, type Row, readStatements } from "./clickhouse-server.ts";

export interface Sides {
  readonly client: SignedClient;
  readonly asked: ClickHouseServer;
  /** A number from 0 to 1 (exclusive). */
  readonly random: () => number;
}

/** The four questions that the tables are sorted for, by the file of their query. */
export const questionFiles = ["latest-prices.sql", "monthly-statistics.sql", "search-page.sql", "series.sql"] as const;
export type QuestionFile = (typeof questionFiles)[number];

/** One question with the answer of the service. */
interface Asked {
  readonly values: Readonly<Record<string, string | number>>;
  readonly wanted: readonly Row[];
}

/** The numbers of questions and rows, and the times of ClickHouse. */
export interface Compared {
  readonly questions: number;
  readonly rows: number;
  /** Ascending. */
  readonly milliseconds: readonly number[];
}

/** What two figures may differ by: the service rounds its own to 6 decimals. */
const differenceMax = 1e-6;
const countyMax = 47;
const marketTypes = ["Wholesale", "Retail", "Rural", "Urban"] as const;
const pageSizeMax = 100;

/** Asks both sides the same questions. @throws {AssertionError} at the first difference. */
export async function compareAnswers(sides: Sides, file: QuestionFile, questions: number): Promise<Compared> {
  const { data: products } = await sides.client.listProducts({ page_size: pageSizeMax });
  const uuids = products.map(({ uuid }) => uuid);
  const milliseconds: number[] = [];
  let rows = 0;
  for (let asked = 0; asked < questions; asked++) {
    const { values, wanted } = await askService[file](sides, uuids);
    const [query = ""] = await readStatements(file, values);
    const startedAt = performance.now();
    const found = await sides.asked.rows(query);
    milliseconds.push(performance.now() - startedAt);
    expectRows(`${file} with ${JSON.stringify(values)}`, found, wanted);
    rows += found.length;
  }
  assert.ok(rows > 0, `${file}: some of the answers have rows`);
  return { questions, rows, milliseconds: milliseconds.toSorted((a, b) => a - b) };
}

type AskService = (sides: Sides, products: readonly string[]) => Promise<Asked>;

const askService: Readonly<Record<QuestionFile, AskService>> = {
  "latest-prices.sql": async ({ client, random }, products) => {
    const product = pick(products, random);
    const limit = 1 + whole(random, pageSizeMax);
    const fields = { product_uuids: [product], one_per_market: true, limit, detail: true };
    const { data } = await client.getLatestPrices(fields);
    const prices = data.flatMap(({ prices }) => prices) as unknown as readonly (Row & { market: Row })[];
    return { values: { product, limit }, wanted: prices.map((row) => ({ ...row, market_uuid: row.market["uuid"] })) };
  },
  "monthly-statistics.sql": async ({ client, random }, products) => {
    const product = pick(products, random);
    const market_type = pick(marketTypes, random);
    const [first = "", last = ""] = [randomDay(random), randomDay(random)].sort();
    const days = { start_date: first, end_date: last };
    const fields = { product_uuid: product, market_type, group_by: "month", ...days } as const;
    const wanted: Row[] = await rowsOf(client.readExport("statistics", fields));
    const { currency = "KES", unit = "kg" } = wanted[0] ?? {};
    const values = { product, market_type, first, last, currency: String(currency), base_unit: String(unit) };
    return { values, wanted };
  },
  "search-page.sql": async ({ client, random }) => {
    const [county, market_type, first] = [1 + whole(random, countyMax), pick(marketTypes, random), randomDay(random)];
    const least = whole(random, 100);
    const most = least + whole(random, 1000);
    const [page, limit] = [1 + whole(random, 3), 1 + whole(random, pageSizeMax)];
    const range = { start_date: first, min_price: least, max_price: most };
    const fields = { county_id: county, market_type, ...range, page, page_size: limit };
    const { data } = await client.searchPrices({ ...fields, detail: true });
    const values = { county, market_type, first, least, most, offset: (page - 1) * limit, limit };
    const rows = data as unknown as readonly (Row & { product: Row })[];
    return { values, wanted: rows.map((row) => ({ ...row, product_uuid: row.product["uuid"] })) };
  },
  "series.sql": async ({ client, random }, products) => {
    const product = pick(products, random);
    const wanted: Row[] = await rowsOf(client.readExport("series", { product_uuid: product }));
    const keyOf = ({ market_uuid, unit, currency }: Row): string => `${market_uuid}|${unit}|${currency}`;
    return { values: { product }, wanted: wanted.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) };
  },
};

/** Compares every column that a query has, row by row. */
function expectRows(what: string, found: readonly Row[], wanted: readonly Row[]): void {
  assert.equal(found.length, wanted.length, `${what}: rows`);
  for (const [at, row] of found.entries()) {
    for (const [column, value] of Object.entries(row)) {
      const expected = wanted[at]?.[column];
      const isFigure = typeof value === "number" && typeof expected === "number";
      const isEqual = isFigure
        ? Math.abs(value - expected) <= differenceMax * Math.max(1, expected)
        : value === expected;
      assert.ok(isEqual, `${what}, row ${at + 1}: ${column} is ${value} in ClickHouse and ${expected} in the service`);
    }
  }
}

async function rowsOf(answer: AsyncIterable<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of answer) rows.push(row);
  return rows;
}

function whole(random: () => number, below: number): number {
  return Math.floor(random() * below);
}

function pick<T>(list: readonly T[], random: () => number): T {
  return list[whole(random, list.length)] as T;
}

/** A day from 2010 to 2026. */
function randomDay(random: () => number): string {
  return new Date(Date.UTC(2010, 0, 1 + whole(random, 17 * 365))).toISOString().slice(0, 10);
}
