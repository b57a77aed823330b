/** Each table of a page names the requests to the interface that give its figures. Here they are sent, and must. */

import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { monthNumber, monthText } from "../../../src/engine/model/calendar.ts";
import type { Dataset } from "../../../src/engine/model/dataset.ts";
import type { JudgedSubject } from "../../../src/engine/query/measures/find-judged.ts";
import { placesOfProduct } from "../../../src/engine/query/places-of-product.ts";
import { stateOfPrices } from "../../../src/engine/query/state-of-prices.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { countyRecord, recordAt } from "../../../src/engine/store/catalogue.ts";
import { roundSigned } from "../../../src/engine/store/figures.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { comparePage } from "../../../src/site/explore/compare-page.ts";
import { countyPage } from "../../../src/site/explore/county-page.ts";
import { dataPage } from "../../../src/site/explore/data-page.ts";
import type { DataTable } from "../../../src/site/explore/data-table.ts";
import { type Page, renderRequests } from "../../../src/site/explore/explorer-page.ts";
import { startPage } from "../../../src/site/explore/front-page.ts";
import { marketPage } from "../../../src/site/explore/market-page.ts";
import { countyPlace, seriesParameter, wholeCountry } from "../../../src/site/explore/monthly-series.ts";
import { productPage } from "../../../src/site/explore/product-page.ts";
import type { ApiRequest, PageRequest } from "../../../src/site/explore/request.ts";
import { Markup } from "../../../src/site/pages/markup.ts";
import { wordsOf } from "../../../src/site/pages/words.ts";
import { explorerRequest, finish } from "../../support/explorer-request.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { randomDataset } from "../../support/random-dataset.ts";
import { randomSeriesDataset } from "../../support/random-series-dataset.ts";
import { type RunningApp, startApp } from "../../support/start-app.ts";
import { county, tinyDataset } from "../../support/tiny-dataset.ts";

type Row = Readonly<Record<string, unknown>>;

interface Scene {
  readonly app: RunningApp;
  readonly store: Store;
}

/** The rows of a table as its CSV has them. */
function rowsOf(page: Page, name: string): { readonly table: DataTable; readonly rows: Row[] } | undefined {
  const table = page.sections.find(({ id }) => id === name)?.table;
  if (table === undefined) return undefined;
  const rows = table.rows.map((row) =>
    Object.fromEntries(
      table.columns.flatMap(({ name: column, cell }) => (column && cell ? [[column, cell(row)]] : [])),
    ),
  );
  return { table, rows };
}

async function send({ app }: Scene, { path, body }: ApiRequest): Promise<{ data: unknown; text: string }> {
  const answer = body === undefined ? await app.signedGet(path) : await app.signedPost(path, body);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
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

/** Columns of some names of some rows. */
function only(rows: readonly Row[], names: readonly string[]): Row[] {
  return rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])));
}

const figureNames = ["median_price", "min_price", "max_price", "sample_count"];

async function checkMonths(scene: Scene, page: Page): Promise<void> {
  const found = rowsOf(page, "months");
  if (found === undefined) return;
  const names = ["period", ...figureNames, "average_price"];
  const requests = found.table.requests.filter(({ body }) => body !== undefined);
  assert.deepEqual(only(found.rows, names), only(await statisticsRows(scene, { ...found.table, requests }), names));
  const byLine = Map.groupBy(found.rows, ({ product_uuid, market_type, county_id, market_uuid }) =>
    JSON.stringify([product_uuid, market_type, county_id, market_uuid]),
  );
  const areas = [...byLine.values()].filter(([row]) => row?.["market_uuid"] === null);
  const asked = await indexAnswers(scene, found.table);
  assert.ok(asked.length >= areas.length, "each line of a county or the country has a request");
  for (const rows of areas) {
    const entries = entriesOf(asked, rows[0] ?? {});
    for (const row of rows) {
      const entry = entries.get(row["period"]);
      const { comparable_price = null, markets = null, component = null } = entry ?? {};
      const wanted = { comparable_price, markets, component };
      assert.deepEqual(only([row], Object.keys(wanted)), [wanted], `${row["period"]}`);
      if (entry !== undefined) comparable++;
    }
  }
}

let comparable = 0;

interface IndexAnswered {
  readonly asked: URLSearchParams;
  readonly entries: ReadonlyMap<unknown, Row>;
}

/** The comparable prices that the requests of a table answer, by month. */
async function indexAnswers(scene: Scene, { requests }: DataTable): Promise<IndexAnswered[]> {
  const answers: IndexAnswered[] = [];
  for (const request of requests.filter(({ path }) => path.startsWith("/api/v1/prices/index?"))) {
    const rows = (await send(scene, request)).data as Row[];
    const entries = new Map(rows.map((row) => [row["month"], row]));
    answers.push({ asked: new URLSearchParams(request.path.split("?")[1]), entries });
  }
  return answers;
}

/** The entries of the line of a row. */
function entriesOf(answers: readonly IndexAnswered[], row: Row): ReadonlyMap<unknown, Row> {
  const found = answers.find(
    ({ asked }) =>
      asked.get("product_uuid") === row["product_uuid"] &&
      asked.get("market_type") === row["market_type"] &&
      asked.get("county_id") === (row["county_id"] === null ? null : String(row["county_id"])),
  );
  if (found === undefined) throw new Error(`no request gives the comparable prices of ${JSON.stringify(row)}`);
  return found.entries;
}

/** The indexes of the usual year, as the interface has them. */
async function checkSeason(scene: Scene, page: Page): Promise<void> {
  const found = rowsOf(page, "season");
  if (found === undefined) return;
  const [seasonality] = found.table.requests;
  const usual = (await send(scene, seasonality as ApiRequest)).data as { months: Row[] };
  assert.deepEqual(
    found.rows.map((row) => [row["month"], row["index"], row["index_min"], row["index_max"], row["index_years"]]),
    usual.months.map(({ index, min, max, years }, at) => [at + 1, index, min, max, years]),
    "the usual year",
  );
}

/** The rows of the export that a request names. NDJSON has the rows of the CSV, with numbers as numbers. */
async function exportedRows(scene: Scene, table: string, request: ApiRequest | undefined): Promise<Row[]> {
  const path = request?.path ?? "";
  assert.ok(path.startsWith(`/api/v1/exports/${table}.csv`), path);
  const { text } = await send(scene, { path: path.replace(".csv", ".ndjson") });
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Row]));
}

/** A row of the export of anomalies with an object for each measure; null where it cannot be computed. */
function withMeasures(row: Row): Row {
  const measureOf = (prefix: string, figure: string): Row | null => {
    if (row[`${prefix}_${figure}`] === null) return null;
    const fields = Object.entries(row).filter(([name]) => name.startsWith(`${prefix}_`));
    return Object.fromEntries(fields.map(([name, value]) => [name.slice(prefix.length + 1), value]));
  };
  return {
    ...row,
    year_before: measureOf("year_before", "change_percent"),
    five_years: measureOf("five_years", "percent_of_usual"),
    alps: measureOf("alps", "value"),
  };
}

/** The entries that the requests of a table for anomalies answer, by subject and month. */
async function anomalyEntries(scene: Scene, { requests }: DataTable): Promise<Map<string, Row>> {
  const entries = new Map<string, Row>();
  for (const request of requests.filter(({ path }) => path.includes("/anomalies"))) {
    for (const entry of await entriesAt(scene, request.path)) {
      const market = entry["market_uuid"] ?? "";
      entries.set([entry["product_uuid"], market, entry["market_type"], entry["month"]].join(" "), entry);
    }
  }
  return entries;
}

/** What a page says of a measure, beside what the interface says of it in the month that the page names. */
function compareMeasure(
  { shown, month, of }: { shown: Row; month: unknown; of: (month: unknown) => Row | undefined },
  name: string,
): void {
  const entry = of(month)?.[name] as Row | null | undefined;
  if (month === null)
    assert.deepEqual(
      Object.values(shown).filter((value) => value !== null),
      [],
      name,
    );
  else {
    if (entry == null) throw new Error(`the interface has no ${name} in ${month}`);
    assert.deepEqual(
      shown,
      Object.fromEntries(Object.keys(shown).map((key) => [key, entry[key] ?? null])),
      `${name} in ${month}`,
    );
  }
}

/** The nearest markets have the figures that the interface has of them. */
async function checkNearest(scene: Scene, page: Page): Promise<void> {
  const found = rowsOf(page, "nearest");
  if (found === undefined) return;
  const entries = await anomalyEntries(scene, found.table);
  const names = ["median_price", "sample_count", "unit", "currency", "market_type"];
  for (const row of found.rows) {
    const isEntry = (entry: Row): boolean =>
      entry["market_uuid"] === row["market_uuid"] && entry["month"] === row["month"];
    const entry = [...entries.values()].find(isEntry);
    assert.deepEqual(only([row], names), only([entry ?? {}], names), "a market near by");
    near++;
  }
}

let near = 0;

let judgedEarlier = 0;

/** The judgements of a product page, or of the start page: each measure is that of the interface in its month. */
async function checkUnusual(scene: Scene, page: Page, product?: string): Promise<void> {
  const found = rowsOf(page, "unusual");
  if (found === undefined) return;
  const entries = await anomalyEntries(scene, found.table);
  const subjects = new Set([...entries.keys()].map((key) => key.split(" ").slice(0, -1).join(" ")));
  if (product !== undefined) assert.equal(found.rows.length, subjects.size, "every type of market");
  for (const row of found.rows) {
    const of = (month: unknown): Row | undefined => {
      const isEntry = (entry: Row): boolean =>
        entry["product_uuid"] === (product ?? row["product_uuid"]) &&
        entry["market_type"] === row["market_type"] &&
        entry["month"] === month;
      return [...entries.values()].find(isEntry);
    };
    const names = ["median_price", "sample_count", "suspicious_left_out", "unit", "currency"];
    assert.deepEqual(only([row], names), only([of(row["month"]) ?? {}], names), "the newest month");
    const change = { change_percent: row["change_percent"], matched_markets: row["change_matched_markets"] };
    compareMeasure({ shown: change, month: row["change_month"], of }, "year_before");
    const [percent, usualPrice] = [row["percent_of_usual"], row["usual_price"]];
    const usual = { percent_of_usual: percent, markets: row["usual_markets"], years: row["usual_years"] };
    compareMeasure({ shown: { ...usual, usual_price: usualPrice }, month: row["usual_month"], of }, "five_years");
    if (row["change_month"] !== null && row["change_month"] !== row["month"]) judgedEarlier++;
    if (row["alps"] === undefined) continue;
    const alps = { value: row["alps"], class: row["alps_class"], markets: row["alps_markets"] };
    compareMeasure({ shown: alps, month: row["alps_month"], of }, "alps");
  }
}

/** The change on a year before in the table of series, which its HTML alone has. */
async function checkChanges(scene: Scene, { table }: { readonly table: DataTable }): Promise<void> {
  const entries = await anomalyEntries(scene, table);
  for (const { product, market, judged } of (table.shown ?? []) as {
    readonly product: { readonly uuid: string };
    readonly market: { readonly uuid: string; readonly type: string };
    readonly judged?: JudgedSubject;
  }[]) {
    if (judged === undefined) continue;
    const of = (month: unknown): Row | undefined =>
      entries.get([product.uuid, market.uuid, market.type, month].join(" "));
    const { newest, yearBefore } = judged;
    if (yearBefore === undefined) {
      assert.equal(of(monthText(newest.month))?.["year_before"], null);
      continue;
    }
    const change = { change_percent: roundSigned(yearBefore.measure.changePercent) };
    compareMeasure({ shown: change, month: monthText(yearBefore.month), of }, "year_before");
  }
}

async function checkSuspicious(scene: Scene, page: Page): Promise<void> {
  const found = rowsOf(page, "suspicious");
  if (found === undefined) return;
  const { text } = await send(scene, found.table.requests[0] as ApiRequest);
  const lines = text.trimEnd().split("\r\n").slice(1);
  assert.equal(lines.length, found.rows.length);
  for (const { price_uuid: uuid, suspicious_reason: reason } of found.rows) {
    assert.ok(
      lines.some((line) => line.includes(String(uuid)) && line.includes(`,true,${reason}`)),
      `${uuid}`,
    );
  }
}

/** The day of a time, in the calendar of the snapshot. */
function dayAt({ store }: Scene, time: unknown): string {
  return new Date(Date.parse(time as string) + store.snapshot.utcOffset).toISOString().slice(0, 10);
}

/** The day of the newest price of a series. */
function lastDayOf(scene: Scene, series: Row): string {
  return dayAt(scene, series["last_recorded_at"]);
}

async function checkSeries(scene: Scene, page: Page): Promise<void> {
  const found = rowsOf(page, "series");
  if (found === undefined) return;
  const answered = await exportedRows(scene, "series", found.table.requests[0]);
  assert.deepEqual(
    found.rows.map((row) => [
      ...[row["product_uuid"], row["market_uuid"], row["unit"], row["currency"], row["latest_price"]],
      ...[row["latest_price_per_base_unit"], row["price_count"], row["last_day"]],
    ]),
    answered.map((row) => [
      ...[row["product_uuid"], row["market_uuid"], row["unit"], row["currency"], row["latest_price"]],
      ...[row["latest_price_per_base_unit"], row["price_count"], lastDayOf(scene, row)],
    ]),
    "series",
  );
  await checkChanges(scene, found);
}

/** The related products, each with the first and the last day and the number of the prices of its series. */
async function checkRelated(scene: Scene, page: Page): Promise<void> {
  const found = rowsOf(page, "related");
  if (found === undefined) return;
  const series = (
    await Promise.all(found.table.requests.map((request) => exportedRows(scene, "series", request)))
  ).flat();
  for (const row of found.rows) {
    const ofProduct = series.filter((one) => one["product_uuid"] === row["product_uuid"]);
    const days = ofProduct.map((one) => [dayAt(scene, one["first_recorded_at"]), lastDayOf(scene, one)] as const);
    assert.deepEqual(
      [row["first_day"], row["last_day"], row["price_count"]],
      [
        days.map(([first]) => first).sort()[0],
        days
          .map(([, last]) => last)
          .sort()
          .at(-1),
        ofProduct.reduce((sum, one) => sum + (one["price_count"] as number), 0),
      ],
      "related",
    );
    related++;
  }
}

let related = 0;

/** Entries of one level and of one month: the newest of each, where the month is undefined. */
async function entriesAt(scene: Scene, path: string, month?: unknown): Promise<Row[]> {
  const target = month === undefined ? path : `${path}&month=${month}`;
  return (await exportedRows(scene, "anomalies", { path: target })).map(withMeasures);
}

function isSame(entry: Row, row: Row, productUuid: unknown): boolean {
  return (
    entry["product_uuid"] === productUuid &&
    entry["market_type"] === row["market_type"] &&
    entry["county_id"] === (row["county_id"] ?? null)
  );
}

/** The map: each county has the median, prices and class of the interface, and as many markets as that has there. */
async function checkCounties(scene: Scene, page: Page): Promise<void> {
  const found = rowsOf(page, "counties");
  if (found === undefined) return;
  const [counties, markets] = ["level=county", "level=market"].map((level) =>
    found.table.requests.find(({ path }) => path.includes(level) && !path.includes("&month=")),
  ) as [ApiRequest, ApiRequest];
  const asked = new URLSearchParams(counties.path.split("?")[1]);
  const [productUuid, marketType] = [asked.get("product_uuid"), asked.get("market_type")];
  const newest = await entriesAt(scene, counties.path);
  const ofMarkets = await entriesAt(scene, markets.path);
  for (const row of found.rows) {
    const subject = { ...row, market_type: marketType };
    const entry = newest.find((each) => isSame(each, subject, productUuid)) ?? {};
    // In another unit of the same base, the page converts the median instead of the prices.
    if (entry["unit"] === row["unit"]) assert.equal(row["median_price"], entry["median_price"]);
    assert.deepEqual(only([row], ["month", "sample_count"]), only([entry], ["month", "sample_count"]), "county");
    const there = ofMarkets.filter((each) => isSame(each, subject, productUuid) && each["month"] === row["month"]);
    assert.equal(row["market_count"], there.length, "markets");
    const shown = { value: row["alps"], class: row["alps_class"], markets: row["alps_markets"] };
    const judged = row["alps_month"] === null ? [] : await entriesAt(scene, counties.path, row["alps_month"]);
    const of = (): Row | undefined => judged.find((each) => isSame(each, subject, productUuid));
    compareMeasure({ shown, month: row["alps_month"], of }, "alps");
    mapped++;
  }
  const medians = found.rows.map((row) => row["median_price"] as number);
  assert.deepEqual(
    medians,
    medians.toSorted((a, b) => a - b),
    "the cheapest first",
  );
}

let mapped = 0;

/** Entries of series without prices of the last months, too. */
const allOf = "recorded_since=0001-01-01";

/** The page of a county: its newest figures and those of the country. */
async function checkCounty(scene: Scene, page: Page, countyId: number): Promise<void> {
  const found = rowsOf(page, "sold");
  const inCounty = await entriesAt(
    scene,
    `/api/v1/exports/anomalies.csv?level=county&county_id=${countyId}&refugee_camps=include&${allOf}`,
  );
  const inCountry = await entriesAt(
    scene,
    `/api/v1/exports/anomalies.csv?level=country&refugee_camps=include&${allOf}`,
  );
  assert.equal(found?.rows.length ?? 0, inCounty.length);
  for (const row of found?.rows ?? []) {
    const entry = inCounty.find((each) => isSame(each, { ...row, county_id: countyId }, row["product_uuid"])) ?? {};
    const names = ["median_price", "month", "sample_count", "comparable_price", "markets", "unit", "currency"];
    assert.deepEqual(only([row], names), only([entry], names), "sold");
    const ofCountry = inCountry.find((each) => isSame(each, row, row["product_uuid"])) ?? {};
    assert.deepEqual(
      [row["country_median_price"], row["country_month"], row["country_sample_count"]],
      [ofCountry["median_price"], ofCountry["month"], ofCountry["sample_count"]],
    );
  }
}

/** The newest prices of the start page, and its sentence on the newest month. */
async function checkStart(scene: Scene, page: Page): Promise<void> {
  const state = finish(stateOfPrices(scene.store));
  const country = await entriesAt(scene, `/api/v1/exports/anomalies.csv?level=country&refugee_camps=include&${allOf}`);
  const rows = rowsOf(page, "products")?.rows ?? [];
  assert.equal(rows.length, country.length);
  for (const row of rows) {
    const entry = country.find((each) => isSame(each, row, row["product_uuid"])) ?? {};
    const names = ["median_price", "month", "sample_count", "comparable_price", "markets", "unit", "currency"];
    assert.deepEqual(only([row], names), only([entry], names), "newest prices");
  }
  await checkCourses(scene, page);
  if (state === undefined) return;
  const { month, prices, products, counties } = state.newest;
  const since = `${monthText(month)}-01`;
  const search = { path: "/api/v1/prices/search", body: { start_date: since, page_size: 1 } };
  const series = await exportedRows(scene, "series", { path: `/api/v1/exports/series.csv?recorded_since=${since}` });
  const countOf = (name: string): number => new Set(series.map((row) => row[name])).size;
  const { meta } = JSON.parse((await send(scene, search)).text) as { meta: { total: number } };
  assert.deepEqual([prices, products, counties], [meta.total, countOf("product_uuid"), countOf("county_id")]);
  const numbers = [prices, products, counties].map((count) => new RegExp(`\\b${count} (?:price|product|count)`));
  for (const number of numbers) assert.match(page.lead.text, number);
}

/** The small lines of the start page say their first and last price, which the export of comparable prices has. */
async function checkCourses(scene: Scene, page: Page): Promise<void> {
  const found = rowsOf(page, "products");
  if (found === undefined) return;
  const request = found.table.requests.find(({ path }) => path.includes("/exports/index.csv"));
  const entries = await exportedRows(scene, "index", request);
  const words = wordsOf("en");
  for (const [at, row] of found.rows.entries()) {
    const months = entries.filter((entry) => isSame(entry, row, row["product_uuid"]));
    const ends = [months[0], months.at(-1)].map(
      (entry) =>
        entry &&
        `${words.month(monthNumber(String(entry["month"])))}: ${words.price(entry["comparable_price"] as number)}`,
    );
    const drawn: unknown = found.table.columns.at(-1)?.show?.(found.table.rows[at]);
    const description = /<desc>(.*)<\/desc>/.exec(drawn instanceof Markup ? drawn.text : "")?.[1];
    assert.equal(description, months.length === 0 ? undefined : [...new Set(ends)].join(" – "));
    if (months.length > 1) courses++;
  }
}

let courses = 0;

async function checkData(scene: Scene, page: Page): Promise<void> {
  const dataset = (await send(scene, { path: "/api/v1/dataset" })).data as Readonly<Record<string, Row[]>>;
  const counts = (rows: readonly Row[] | undefined, name: string): unknown[] =>
    rows?.map((row) => [row[name], row["price_count"]]) ?? [];
  assert.deepEqual(counts(rowsOf(page, "sources")?.rows, "name"), counts(dataset["sources"], "source"));
  assert.deepEqual(
    rowsOf(page, "sources")?.rows.map((row) => row["last_day"]),
    dataset["sources"]?.map((row) => lastDayOf(scene, row)),
  );
  const priced = dataset["market_types"]?.filter((row) => row["price_count"] !== 0);
  assert.deepEqual(counts(rowsOf(page, "types")?.rows, "name"), counts(priced, "type"));
  const coverage = rowsOf(page, "coverage");
  if (coverage === undefined) return;
  const series = await exportedRows(scene, "series", coverage.table.requests[0]);
  const byProduct = Map.groupBy(series, (row) => row["product_uuid"]);
  const prices = await exportedRows(scene, "prices", coverage.table.requests[1]);
  const yearsOf = Map.groupBy(
    prices,
    (row) => `${row["product_uuid"]} ${dayAt(scene, row["recorded_at"]).slice(0, -6)}`,
  );
  for (const row of coverage.rows) {
    const ofSeries = byProduct.get(row["product_uuid"]) ?? [];
    const total = ofSeries.reduce((sum, one) => sum + (one["price_count"] as number), 0);
    assert.equal(row["price_count"], total);
    for (const [name, count] of Object.entries(row)) {
      const [, year] = /^prices_(\d+)$/.exec(name) ?? [];
      if (year === undefined) continue;
      const ofYear = yearsOf.get(`${row["product_uuid"]} ${year.padStart(4, "0")}`) ?? [];
      assert.equal(count, ofYear.length, name);
    }
  }
  assert.equal(coverage.rows.length, byProduct.size);
  const markets = new Set(series.map((row) => row["market_uuid"])).size;
  const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? "" : "s"}`;
  assert.match(
    page.lead.text,
    new RegExp(` of ${counted(byProduct.size, "product")} at ${counted(markets, "market")},`),
  );
  await checkFreshness(scene, page);
}

async function checkFreshness(scene: Scene, page: Page): Promise<void> {
  const freshness = rowsOf(page, "freshness");
  if (freshness === undefined) throw new Error("the page has prices and no section on how recent they are");
  const series = await exportedRows(scene, "series", freshness.table.requests[0]);
  const newestOf = (rows: readonly Row[]): string =>
    rows
      .map((row) => lastDayOf(scene, row))
      .sort()
      .at(-1) as string;
  const ageOf = (rows: readonly Row[]): number =>
    (Date.parse(newestOf(series)) - Date.parse(newestOf(rows))) / 86_400_000;
  const byCounty = Map.groupBy(series, (row) => row["county_id"]);
  const wanted = [...byCounty].map(([id, rows]) => {
    const byMarket = [...Map.groupBy(rows, (row) => row["market_uuid"]).values()];
    return {
      county_id: id,
      last_day: newestOf(rows),
      age_days: ageOf(rows),
      price_count: rows.reduce((sum, row) => sum + (row["price_count"] as number), 0),
      market_count: byMarket.length,
      silent_market_count: byMarket.filter((ofMarket) => ageOf(ofMarket) > 60).length,
    };
  });
  wanted.sort((a, b) => a.age_days - b.age_days || Number(a.county_id) - Number(b.county_id));
  const names = ["county_id", "last_day", "age_days", "price_count", "market_count", "silent_market_count"];
  assert.deepEqual(only(freshness.rows, names), wanted, "freshness");
}

/** The addresses of a product that choose place, unit, period and type; by any of its prices. */
function productTargets(dataset: Dataset, store: Store, code: number): string[] {
  const { record } = store.catalogue.products[code] as Store["catalogue"]["products"][number];
  const path = `/products/${record.uuid}`;
  const { types, counties, markets } = placesOfProduct(store, code);
  const market = store.catalogue.markets[markets[0] ?? 0]?.record.uuid;
  const unit = dataset.unitCategories.flatMap(({ units }) => units);
  const own = unit.find(({ name }) => name === store.statisticsUnits[code]?.unit);
  const other = unit.find(({ baseUnit, name }) => baseUnit === own?.baseUnit && name !== own?.name);
  return [
    path,
    ...counties.slice(0, 1).map((id) => `${path}?county=${id}&period=all`),
    ...(market === undefined ? [] : [`${path}?market=${market}&period=10y`]),
    ...(store.catalogue.exchangeRates.length === 0 ? [] : [`${path}?period=all&currency=USD`]),
    ...types.slice(-1).map((type) => `${path}?type=${type}&period=1y&unit=${encodeURIComponent(other?.name ?? "")}`),
  ];
}

t.test("the figures of the nearest markets are those that the interface answers", async (t) => {
  const app = await startApp(t);
  const dataset = tinyDataset({
    counties: [county(32, { coordinates: { latitude: -0.3, longitude: 36 } }), county(47)],
    products: [{ name: "Maize" }],
    markets: [1, 2, 3, 4].map((number) => {
      return { name: `Market ${number}`, location: { latitude: -1, longitude: 36 + number, address: null } };
    }),
    prices: [0, 1, 2, 3].map((market) => ({ market, price: 40 + market, unit: market === 1 ? "90 kg bag" : "kg" })),
  });
  app.swap(dataset);
  const store = buildStore(dataset);
  const [product] = store.catalogue.products;
  const request = explorerRequest(store, `/products/${product?.record.uuid}?county=32`);
  await checkNearest({ app, store }, finish(productPage(request, product?.record.uuid ?? "")));
  t.equal(near, 3);
});

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
          await checkMonths(scene, page);
          await checkUnusual(scene, page, store.catalogue.products[code]?.record.uuid);
          await checkSeason(scene, page);
          await checkSuspicious(scene, page);
          await checkCounties(scene, page);
          await checkSeries(scene, page);
          pages++;
        }
      }
      for (const { record } of store.catalogue.markets.slice(0, 2)) {
        const page = finish(marketPage(explorerRequest(store, `/markets/${record.uuid}`), record.uuid));
        await checkSeries(scene, page);
      }
      await checkMonths(scene, finish(comparePage(explorerRequest(store, compareTarget(store)))));
      const start = finish(startPage(explorerRequest(store, "")));
      await checkStart(scene, start);
      await checkCounties(scene, start);
      for (const id of store.catalogue.countiesByName.slice(0, 3)) {
        await checkCounty(scene, finish(countyPage(explorerRequest(store, `/counties/${id}`), String(id))), id);
      }
      await checkUnusual(scene, start);
      await checkData(scene, finish(dataPage(explorerRequest(store, "/data"))));
    }),
    { numRuns: runsOf(5, 60) },
  );
  t.ok(pages > runsOf(50), `${pages} pages of products`);
  t.ok(mapped > runsOf(50), `${mapped} counties in maps`);
  t.ok(comparable > runsOf(50), `${comparable} comparable prices`);
  t.ok(courses > runsOf(5), `${courses} small lines`);
});

t.test("the figures of related products are those of their series", async (t) => {
  const app = await startApp(t);
  const days = ["2024-01-15", "2025-03-15", "2026-02-15"];
  const dataset = tinyDataset({
    products: [{ name: "Maize" }, { name: "Maize (white)" }, { name: "Maize (yellow)" }],
    prices: days.flatMap((day, at) => [{ product: at, recordedAt: `${day}T09:00:00+03:00` }, { product: at }]),
  });
  app.swap(dataset);
  const store = buildStore(dataset);
  const { uuid } = recordAt(store.catalogue.products, 0);
  await checkRelated({ app, store }, finish(productPage(explorerRequest(store, `/products/${uuid}`), uuid)));
  t.equal(related, 2);
});

t.test("every request that a page names is answered", async (t) => {
  const app = await startApp(t);
  let sent = 0;
  await fc.assert(
    fc.asyncProperty(randomDataset({ priceCountMin: 1, priceCountMax: 60 }), async (dataset) => {
      app.swap(dataset);
      const store = buildStore(dataset);
      const requests = new Map<string, ApiRequest>();
      const curlOf = (named: ApiRequest): string => {
        requests.set(JSON.stringify(named), named);
        return "";
      };
      const collect = (target: string, make: (request: PageRequest, id: string) => Generator<number, Page>): void => {
        const request = explorerRequest(store, target, { curlOf });
        renderRequests(request, finish(make(request, request.path.split("/").at(-1) ?? "")));
      };
      for (const { record } of store.catalogue.products) collect(`/products/${record.uuid}`, productPage);
      for (const { record } of store.catalogue.markets) collect(`/markets/${record.uuid}`, marketPage);
      for (const id of store.catalogue.counties.keys()) collect(`/counties/${id}`, countyPage);
      collect("", startPage);
      collect("/data", dataPage);
      collect(compareTarget(store), comparePage);
      for (const request of requests.values()) await send({ app, store }, request);
      sent += requests.size;
    }),
    { numRuns: runsOf(4, 20) },
  );
  t.ok(sent > runsOf(4, 20), `${sent} requests`);
});

/** Up to three series of each of the first two products. */
function compareTarget(store: Store): string {
  const series = [0, 1]
    .filter((code) => store.catalogue.products[code] !== undefined)
    .flatMap((code) => {
      const { types, counties } = placesOfProduct(store, code);
      const product = recordAt(store.catalogue.products, code);
      const places = [
        wholeCountry,
        ...counties.slice(0, 1).map((id) => countyPlace(countyRecord(store.catalogue, id))),
      ];
      return types
        .slice(0, 1)
        .flatMap((marketType) => places.map((place) => seriesParameter({ product, marketType, place })));
    });
  return `/compare?period=all&${series.map((one) => `series=${one}`).join("&")}`;
}

t.test("judgements are those of the interface where series are long, with gaps and wrong prices", async (t) => {
  const app = await startApp(t);
  let judged = 0;
  let suspicious = 0;
  await fc.assert(
    fc.asyncProperty(randomSeriesDataset(), async (dataset) => {
      app.swap(dataset);
      const store = buildStore(dataset);
      const scene = { app, store };
      for (const target of productTargets(dataset, store, 0)) {
        const request = explorerRequest(store, target);
        const page = finish(productPage(request, request.path.split("/").at(-1) ?? ""));
        await checkUnusual(scene, page, store.catalogue.products[0]?.record.uuid);
        await checkSeason(scene, page);
        await checkSeries(scene, page);
        await checkSuspicious(scene, page);
        judged += rowsOf(page, "unusual")?.rows.filter((row) => row["alps"] !== null).length ?? 0;
        suspicious += rowsOf(page, "suspicious")?.rows.length ?? 0;
      }
      const start = finish(startPage(explorerRequest(store, "")));
      await checkUnusual(scene, start);
    }),
    { numRuns: runsOf(30, 200) },
  );
  t.ok(judged >= runsOf(6), `${judged} with ALPS`);
  t.ok(judgedEarlier >= runsOf(6), `${judgedEarlier} judged in an earlier month`);
  t.ok(suspicious >= runsOf(6), `${suspicious} suspicious prices`);
});
