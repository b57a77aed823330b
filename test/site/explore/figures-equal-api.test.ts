/** The CSV of a table has columns of the export that it names, with equal names and values; its requests give them. */

import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import type { Dataset } from "../../../src/engine/model/dataset.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { comparePage } from "../../../src/site/explore/compare-page.ts";
import { countyPage } from "../../../src/site/explore/county-page.ts";
import { dataPage } from "../../../src/site/explore/data-page.ts";
import type { DataTable } from "../../../src/site/explore/data-table.ts";
import type { Page } from "../../../src/site/explore/explorer-page.ts";
import { startPage } from "../../../src/site/explore/front-page.ts";
import { marketPage } from "../../../src/site/explore/market-page.ts";
import { productPage } from "../../../src/site/explore/product-page.ts";
import type { ApiRequest, PageRequest } from "../../../src/site/explore/request.ts";
import { bundledDataset } from "../../support/bundled-data.ts";
import { explorerRequest, finish } from "../../support/explorer-request.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { randomDataset } from "../../support/random-dataset.ts";
import { randomSeriesDataset } from "../../support/random-series-dataset.ts";
import { type RunningApp, startApp } from "../../support/start-app.ts";

type Row = Readonly<Record<string, string>>;

const makers: Readonly<Record<string, (request: PageRequest, id: string) => Generator<number, Page>>> = {
  products: productPage,
  markets: marketPage,
  counties: countyPage,
  compare: comparePage,
  data: dataPage,
};

function pageAt(store: Store, target: string): Page {
  const request = explorerRequest(store, target);
  const [, , kind = "", id = ""] = request.path.split("/");
  return finish((makers[kind] ?? startPage)(request, id));
}

/** The rows of a CSV without line ends in its cells. */
function rowsOf(text: string): Row[] {
  const cellsOf = (line: string): string[] =>
    [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].slice(0, -1).map(([, cell = ""]) => cell);
  const [head = "", ...lines] = text.trimEnd().split(/\r\n/);
  const names = head.split(",");
  return lines.map((line) => {
    const cells = [...cellsOf(`${line},`)];
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ""]));
  });
}

async function send(app: RunningApp, { path, body }: ApiRequest): Promise<string> {
  const answer = body === undefined ? await app.signedGet(path) : await app.signedPost(path, body);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer.text;
}

/** The rows that the requests of a table give, as its CSV has them: those of an export, or the groups of statistics. */
async function answeredRows(app: RunningApp, { requests }: DataTable): Promise<Row[]> {
  const rows: Row[] = [];
  for (const request of requests) {
    const text = await send(app, request);
    if (request.body === undefined) rows.push(...rowsOf(text));
    else {
      const { data } = JSON.parse(text) as { data: { statistics: Readonly<Record<string, unknown>>[] } };
      rows.push(
        ...data.statistics.map((group) =>
          Object.fromEntries(Object.entries(group).map(([name, cell]) => [name, String(cell)])),
        ),
      );
    }
  }
  return rows;
}

const figures = ["period", "min_price", "max_price", "median_price", "sample_count"];

/** Means, and prices that nobody paid. */
const never = /average|deviation|comparable|expected|component/;

/** @returns The number of rows that were compared. */
async function checkTables(app: RunningApp, store: Store, page: Page): Promise<number> {
  let compared = 0;
  for (const { id, table } of page.sections) {
    if (table?.csv === undefined) continue;
    const rows = rowsOf(table.csv.write(store));
    const [first] = rows;
    if (first === undefined) continue;
    const names = Object.keys(first);
    assert.ok(!names.some((name) => never.test(name)), `${id}: ${names}`);
    const answered = await answeredRows(app, table);
    const shared = table.csv.name === "statistics" ? figures : names;
    assert.ok(
      shared.every((name) => names.includes(name)),
      `${id}: ${names}`,
    );
    const keyOf = (row: Row): string => JSON.stringify(shared.map((name) => row[name]));
    const known = new Set(answered.map(keyOf));
    for (const row of rows) {
      if (!known.has(keyOf(row)))
        throw new Error(`${id}: ${keyOf(row)} is in no answer of ${JSON.stringify(table.requests)}`);
      compared++;
    }
  }
  return compared;
}

/** The pages of some products, markets and counties. @param count Of each. */
function targetsOf(dataset: Dataset, store: Store, count: number): string[] {
  const { products, markets, counties } = dataset;
  const some = <One>(all: readonly One[]): One[] => all.filter((_, at) => at % Math.ceil(all.length / count) === 0);
  const camps = markets.filter(({ setting }) => setting === "refugee_camp").slice(0, 1);
  const ofProducts = some(products).flatMap(({ uuid }) => [
    `/products/${uuid}`,
    `/products/${uuid}?period=all&county=${counties[0]?.id}`,
    ...[...camps, ...some(markets).slice(0, 1)].map((market) => `/products/${uuid}?market=${market.uuid}&period=all`),
  ]);
  return [
    "",
    "/data",
    ...ofProducts,
    ...[...some(markets), ...camps].map(({ uuid }) => `/markets/${uuid}`),
    ...some(counties).map(({ id }) => `/counties/${id}`),
    `/compare?series=${products[0]?.uuid}:Retail&series=${products[0]?.uuid}:Retail::camps`,
  ].filter((target) => target !== "" || store.prices.rowCount > 0);
}

t.test("of the bundled data", async (t) => {
  const dataset = await bundledDataset();
  const app = await startApp(t, dataset);
  const store = buildStore(dataset);
  let compared = 0;
  for (const target of targetsOf(dataset, store, runsOf(9, 60))) {
    compared += await checkTables(app, store, pageAt(store, target));
  }
  t.ok(compared > 500, `${compared} rows`);
});

for (const [name, datasets] of [
  ["any data", randomDataset()],
  ["long series with gaps and wrong prices", randomSeriesDataset()],
] as const) {
  t.test(`of ${name}`, async (t) => {
    const app = await startApp(t);
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(datasets, async (dataset) => {
        app.swap(dataset);
        const store = buildStore(dataset);
        // Texts of any characters may break the lines of a CSV.
        const isPlain = JSON.stringify([dataset.products, dataset.markets]).match(/\\[nr"]|\u2028/) === null;
        for (const target of isPlain ? targetsOf(dataset, store, 2) : []) {
          compared += await checkTables(app, store, pageAt(store, target));
        }
      }),
      { numRuns: runsOf(12, 100) },
    );
    t.ok(compared > 0, `${compared} rows`);
  });
}
