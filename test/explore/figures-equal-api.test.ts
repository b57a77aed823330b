/** Each table of a page names the requests to the interface that give its figures. Here they are sent, and must. */

import fc from "fast-check";
import { mean, median } from "simple-statistics";
import t, { type Test } from "tap";
import type { Dataset } from "../../src/domain/dataset.ts";
import type { ApiRequest } from "../../src/explore/api-request.ts";
import { comparePage } from "../../src/explore/compare-page.ts";
import { compareParameter } from "../../src/explore/compare-series.ts";
import { dataPage } from "../../src/explore/data-page.ts";
import type { DataTable } from "../../src/explore/data-table.ts";
import { marketPage } from "../../src/explore/market-page.ts";
import type { Page } from "../../src/explore/page.ts";
import { countyPlace, wholeCountry } from "../../src/explore/place.ts";
import { productPage } from "../../src/explore/product-page.ts";
import { startPage } from "../../src/explore/start-page.ts";
import { placesOfProduct } from "../../src/query/places-of-product.ts";
import { buildStore } from "../../src/store/build-store.ts";
import type { Store } from "../../src/store/store.ts";
import { explorerRequest, finish } from "../support/explorer-request.ts";
import { runsOf } from "../support/fixed-seed.ts";
import { agree } from "../support/naive-queries.ts";
import { randomDataset } from "../support/random-dataset.ts";
import { type RunningApp, startApp } from "../support/start-app.ts";
import { tinyDataset } from "../support/tiny-dataset.ts";

type Row = Readonly<Record<string, unknown>>;

interface Scene {
  readonly app: RunningApp;
  readonly store: Store;
}

/** The rows of a table as its CSV has them. */
function rowsOf(page: Page, name: string): { readonly table: DataTable; readonly rows: Row[] } | undefined {
  const table = page.sections.map((section) => section.table).find((one) => one?.name === name);
  if (table === undefined) return undefined;
  const rows = table.rows.map((row) =>
    Object.fromEntries(
      table.columns.flatMap(({ name: column, cell }) => (column && cell ? [[column, cell(row)]] : [])),
    ),
  );
  return { table, rows };
}

async function send({ app }: Scene, { method, path, body }: ApiRequest): Promise<{ data: unknown; text: string }> {
  const answer = method === "POST" ? await app.signedPost(path, body) : await app.signedGet(path);
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return { data: (answer.body as { data: unknown } | undefined)?.data, text: answer.text };
}

/** The groups of all statistics requests of a table, one after the other. */
async function statisticsRows(scene: Scene, { requests }: DataTable): Promise<Row[]> {
  const rows: Row[] = [];
  for (const request of requests) {
    const { statistics } = (await send(scene, request)).data as { statistics: Row[] };
    rows.push(...statistics);
  }
  return rows;
}

/** Of some rows the columns of some names. */
function only(rows: readonly Row[], names: readonly string[]): Row[] {
  return rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])));
}

const figureNames = ["median_price", "min_price", "max_price", "sample_count"];

async function checkMonths(t: Test, scene: Scene, page: Page): Promise<void> {
  const found = rowsOf(page, "months");
  if (found === undefined) return;
  const names = ["period", ...figureNames, "average_price"];
  t.strictSame(only(found.rows, names), only(await statisticsRows(scene, found.table), names), "months");
}

async function checkCounties(t: Test, scene: Scene, page: Page): Promise<void> {
  const found = rowsOf(page, "counties");
  if (found === undefined) return;
  const answered = await statisticsRows(scene, found.table);
  t.strictSame(only(found.rows, figureNames), only(answered, figureNames), "counties");
  t.strictSame(
    found.rows.map((row) => row["county_id"]),
    answered.map((row) => (row["county"] as { id: number }).id),
  );
}

/**
 * Medians of years as the interface has them, and of these the plain mean where three of the last five years have one.
 */
async function checkSeason(t: Test, scene: Scene, page: Page): Promise<void> {
  const found = rowsOf(page, "season");
  if (found === undefined) return;
  const medians = new Map(
    (await statisticsRows(scene, found.table)).map((row) => [row["period"], row["median_price"]]),
  );
  const years = found.table.columns.flatMap(({ name }) => /^median_(\d+)$/.exec(name ?? "")?.[1] ?? []);
  t.equal(years.length, 6);
  for (const row of found.rows) {
    const month = String(row["month"]).padStart(2, "0");
    const ofYears = years.map((year) => medians.get(`${year.padStart(4, "0")}-${month}`) ?? null);
    t.strictSame(
      years.map((year) => row[`median_${year}`]),
      ofYears,
    );
    const before = ofYears.slice(0, -1).filter((value) => value !== null) as number[];
    t.equal(row["years"], before.length);
    if (before.length < 3) t.strictSame([row["average_of_medians"], row["least_median"]], [null, null]);
    else t.ok(agree(row["average_of_medians"] as number, mean(before), 1), "the mean of the medians");
  }
}

async function checkSeries(t: Test, scene: Scene, page: Page): Promise<void> {
  const found = rowsOf(page, "series");
  if (found === undefined) return;
  const answered = (await send(scene, found.table.requests[0] as ApiRequest)).data as Row[];
  const utcOffset = scene.store.snapshot.utcOffset;
  t.strictSame(
    found.rows.map((row) => [
      ...[row["product_uuid"], row["market_uuid"], row["unit"], row["currency"], row["latest_price"]],
      ...[row["latest_price_per_base_unit"], row["price_count"], row["last_day"]],
    ]),
    answered.map((row) => [
      ...[(row["product"] as Row)["uuid"], (row["market"] as Row)["uuid"], row["unit"], row["currency"]],
      ...[row["latest_price"], row["latest_price_per_base_unit"], row["price_count"]],
      new Date(Date.parse(row["last_recorded_at"] as string) + utcOffset).toISOString().slice(0, 10),
    ]),
    "series",
  );
}

async function checkSources(t: Test, scene: Scene, page: Page): Promise<void> {
  const dataset = (await send(scene, { method: "GET", path: "/api/v1/dataset" })).data as { readonly sources: Row[] };
  const utcOffset = scene.store.snapshot.utcOffset;
  const wanted = dataset.sources.map((row) => {
    const day = new Date(Date.parse(row["last_recorded_at"] as string) + utcOffset).toISOString().slice(0, 10);
    return `${day} ${row["source"]} ${row["price_count"]}`;
  });
  const rows = rowsOf(page, "sources")?.rows ?? [];
  const shown = rows.map((row) => `${row["day"]} ${row["source"]} ${row["price_count"]}`);
  t.strictSame(shown.toSorted(), wanted.sort());
  const days = rows.map((row) => String(row["day"]));
  t.strictSame(days, days.toSorted().reverse(), "newest first");
}

/** The first move against the prices that its two exports give. */
async function checkMoves(t: Test, scene: Scene, page: Page): Promise<void> {
  const found = rowsOf(page, "moves");
  const [first] = found?.rows ?? [];
  if (found === undefined || first === undefined) throw new Error("no moves");
  for (const [at, suffix] of ["_before", ""].entries()) {
    const { text } = await send(scene, found.table.requests[at] as ApiRequest);
    const [head = "", ...lines] = text.trimEnd().split("\r\n");
    const names = head.split(",");
    const values: number[] = lines
      .map((line) => Object.fromEntries(line.split(",").map((cell, column) => [names[column] ?? "", cell])))
      .filter((row) => row["base_unit"] === first["unit"] && row["currency"] === first["currency"])
      .map((row) => Number(row["price_per_base_unit"]));
    t.equal(first[`sample_count${suffix}`], values.length);
    t.ok(agree(first[`median_price${suffix}`] as number, median(values), 1), "the median of the exported prices");
  }
}

async function checkData(t: Test, scene: Scene, page: Page): Promise<void> {
  const dataset = (await send(scene, { method: "GET", path: "/api/v1/dataset" })).data as Readonly<
    Record<string, Row[]>
  >;
  const counts = (rows: readonly Row[] | undefined, name: string): unknown[] =>
    rows?.map((row) => [row[name], row["price_count"]]) ?? [];
  t.strictSame(counts(rowsOf(page, "sources")?.rows, "name"), counts(dataset["sources"], "source"));
  t.strictSame(counts(rowsOf(page, "types")?.rows, "name"), counts(dataset["market_types"], "type"));
  const coverage = rowsOf(page, "coverage");
  if (coverage === undefined) return;
  const series = (await send(scene, coverage.table.requests[0] as ApiRequest)).data as Row[];
  const byProduct = Map.groupBy(series, (row) => (row["product"] as Row)["uuid"]);
  for (const row of coverage.rows) {
    const ofSeries = byProduct.get(row["product_uuid"]) ?? [];
    const total = ofSeries.reduce((sum, one) => sum + (one["price_count"] as number), 0);
    t.equal(row["price_count"], total);
    const ofYears = Object.entries(row).filter(([name]) => /^prices_\d+$/.test(name));
    t.equal(
      ofYears.reduce((sum, [, count]) => sum + (count as number), 0),
      total,
    );
  }
  t.equal(coverage.rows.length, byProduct.size);
}

/** The addresses of a product that choose place, unit, period and type; by any of its prices. */
function productTargets(dataset: Dataset, store: Store, code: number): string[] {
  const { record } = store.catalogue.products[code] as Store["catalogue"]["products"][number];
  const path = `/products/${record.uuid}`;
  const { types, counties, markets } = placesOfProduct(store, code);
  const market = store.catalogue.markets[markets[0] ?? 0]?.record.uuid;
  const unit = dataset.unitCategories.flatMap(({ units }) => units);
  const own = unit.find(({ name }) => name === store.measures[code]?.unit);
  const other = unit.find(({ baseUnit, name }) => baseUnit === own?.baseUnit && name !== own?.name);
  return [
    path,
    ...counties.slice(0, 1).map((id) => `${path}?county=${id}&period=all`),
    ...(market === undefined ? [] : [`${path}?market=${market}&period=10y`]),
    ...types.slice(-1).map((type) => `${path}?type=${type}&period=1y&unit=${encodeURIComponent(other?.name ?? "")}`),
  ];
}

t.test("the figures of every page are those that the interface answers", async (t) => {
  const app = await startApp(t);
  let pages = 0;
  await fc.assert(
    fc.asyncProperty(randomDataset({ priceCountMin: 1, priceCountMax: 120 }), async (dataset) => {
      app.swap(dataset);
      const store = buildStore(dataset);
      const scene = { app, store };
      for (const code of store.catalogue.products.keys()) {
        for (const target of productTargets(dataset, store, code)) {
          const request = explorerRequest(store, target);
          const page = finish(productPage(request, request.path.split("/").at(-1) ?? ""));
          await checkMonths(t, scene, page);
          await checkSeason(t, scene, page);
          await checkCounties(t, scene, page);
          await checkSeries(t, scene, page);
          pages++;
        }
      }
      for (const { record } of store.catalogue.markets.slice(0, 2)) {
        const page = finish(marketPage(explorerRequest(store, `/markets/${record.uuid}`), record.uuid));
        await checkSeries(t, scene, page);
      }
      await checkMonths(t, scene, finish(comparePage(explorerRequest(store, compareTarget(store)))));
      await checkSources(t, scene, finish(startPage(explorerRequest(store, ""))));
      await checkData(t, scene, finish(dataPage(explorerRequest(store, "/data"))));
    }),
    { numRuns: runsOf(12, 60) },
  );
  t.ok(pages > 50, `${pages} pages of products`);
});

/** Up to three series of each of the first two products. */
function compareTarget(store: Store): string {
  const series = [0, 1]
    .filter((code) => store.catalogue.products[code] !== undefined)
    .flatMap((code) => {
      const { types, counties } = placesOfProduct(store, code);
      const productUuid = store.catalogue.products[code]?.record.uuid;
      if (productUuid === undefined) return [];
      const places = [wholeCountry, ...counties.slice(0, 1).map((id) => countyPlace(store, id))];
      return types
        .slice(0, 1)
        .flatMap((marketType) => places.map((place) => compareParameter({ productUuid, marketType, place })));
    });
  return `/compare?period=all&${series.map((one) => `series=${one}`).join("&")}`;
}

t.test("what moved most is what the exported prices of both sides come to", async (t) => {
  const days = ["2026-03-20", "2026-03-25", "2026-04-01", "2026-04-20", "2026-04-29", "2026-04-30"];
  const dataset = tinyDataset({
    prices: days.flatMap((day, at) =>
      [40, 42, 50].flatMap((price) => [
        { market: 0, price: price + 10 * at, recordedAt: `${day}T09:00:00+03:00` },
        { market: 0, price: 90 * (price + 5), unit: "90 kg bag", recordedAt: `${day}T10:00:00+03:00` },
        { market: 1, price: price + at, recordedAt: `${day}T09:00:00+03:00` },
      ]),
    ),
  });
  const app = await startApp(t, dataset);
  const store = buildStore(dataset);
  const page = finish(startPage(explorerRequest(store, "")));
  await checkMoves(t, { app, store }, page);
  const moves = rowsOf(page, "moves")?.rows.map((row) => [row["product"], row["market_type"]]);
  t.strictSame(moves, [
    ["Maize", "Wholesale"],
    ["Maize", "Retail"],
  ]);
});
