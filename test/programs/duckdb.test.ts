/** The page about DuckDB: each query, run as it is printed, gives what it shows and what the service answers. */
import { readFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { basename, join } from "node:path";
import t, { type Test } from "tap";
import { loadDuckDb } from "../../bench/contenders/duckdb-api.ts";
import type { SnapshotId } from "../../src/engine/snapshots/snapshot-layout.ts";
import { makeDownloads } from "../../src/publishing/publish/make-downloads.ts";
import { bundledDataset, bundledFolder } from "../support/bundled-data.ts";
import { startApp } from "../support/start-app.ts";
import { projectFolder } from "../support/test-files.ts";

type Row = Readonly<Record<string, unknown>>;

interface Question {
  readonly query: string;
  /** The first lines of its answer as CSV; none where the page shows none. */
  readonly shown: readonly string[];
}

const page = readFileSync(join(projectFolder, "scripts/scale-out/DUCKDB.md"), "utf8");
const questions = [...page.matchAll(/```sql\n(.*?)```\n(?:\n```\n(.*?)```)?/gs)].map(
  ([, query = "", shown = ""]): Question => ({ query, shown: shown.split("\n").slice(0, -1) }),
);
const product = "8279063d-b290-5e29-a97f-e7b9ef6a7e2a";

t.test("the queries of the page give the service's answers", async (t) => {
  const duckDb = await loadDuckDb().catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    t.comment("DuckDB is not installed beside the benchmarks (npm ci --prefix bench): its queries are not run");
  });
  if (duckDb === undefined) return;
  const dataset = await bundledDataset();
  const place = t.testdir({});
  await cp(bundledFolder, join(place, "data"), {
    recursive: true,
    filter: (path) => basename(path) !== "downloads",
  });
  await makeDownloads(join(place, "data"), dataset.snapshot.id as SnapshotId);
  const connection = await (await duckDb.DuckDBInstance.create(":memory:")).connect();
  await connection.run(`SET file_search_path = '${place}'`);
  const answers: Row[][] = [];
  for (const { query, shown } of questions) {
    const reader = await (await connection.prepare(query)).runAndReadAll();
    const [names, rows] = [reader.columnNames(), reader.getRows()];
    const texts = [names, ...rows].map((row) => row.map(String));
    t.strictSame(
      shown,
      texts.slice(0, shown.length).map((row) => row.join(",")),
    );
    answers.push(rows.map((row) => Object.fromEntries(row.map((value, at) => [names[at], plain(value)]))));
  }
  const [latest = [], statistics = [], search = [], series = []] = answers;
  t.equal(answers.length, 4);

  const app = await startApp(t, dataset);
  const rowsOf = async (path: string): Promise<Row[]> => {
    const { status, text } = await app.signedGet(path);
    t.equal(status, 200, path);
    return text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Row);
  };
  const ofProduct = `product_uuids=${product}&market_type=Wholesale`;
  const { body } = await app.signedGet(`/api/v1/prices/latest?${ofProduct}&one_per_market=true&limit=100`);
  const [{ prices }] = (body as { data: [{ prices: (Row & { market: { name: string } })[] }] }).data;
  const keyOf = ({ market, unit, price }: Row): string => `${market} ${unit} ${price}`;
  t.strictSame(latest.map(keyOf).sort(), prices.map((row) => keyOf({ ...row, market: row.market.name })).sort());
  const days = "start_date=2015-01-01&end_date=2020-12-31";
  const months = await rowsOf(`/api/v1/exports/statistics.ndjson?${ofProduct}&${days}&group_by=month`);
  expectColumns(t, statistics, months);
  const place47 = { county_id: 47, market_type: "Retail", start_date: "2020-01-01", min_price: 100, max_price: 500 };
  const found = await app.signedPost("/api/v1/prices/search", { ...place47, page_size: 20 });
  const data = (found.body as { data: (Row & { product: Row; market: Row })[] }).data;
  expectColumns(
    t,
    search,
    data.map((row) => ({ ...row, product: row.product["name"], market: row.market["name"] })),
  );
  const ofNairobi = await rowsOf("/api/v1/exports/series.ndjson?county_id=47");
  const inOrder = (rows: readonly Row[]): Row[] => rows.toSorted((a, b) => (seriesKey(a) < seriesKey(b) ? -1 : 1));
  const dayOf = (instant: unknown): string =>
    new Date(Date.parse(String(instant)) + dataset.snapshot.utcOffset).toISOString().slice(0, 10);
  const wanted = ofNairobi.map((row) => {
    return { ...row, first_day: dayOf(row["first_recorded_at"]), last_day: dayOf(row["last_recorded_at"]) };
  });
  expectColumns(t, inOrder(series), inOrder(wanted));
});

function seriesKey({ product, market_uuid, unit, currency }: Row): string {
  return [product, market_uuid, unit, currency].join("|");
}

/** A value of DuckDB as the service has it: counts are bigints there, days objects. */
function plain(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  return typeof value === "object" && value !== null ? String(value) : value;
}

/** Every column of the query, row by row; the service rounds figures to 6 decimals. */
function expectColumns(t: Test, found: readonly Row[], wanted: readonly Row[]): void {
  t.ok(found.length > 0);
  t.equal(found.length, wanted.length);
  const different = found.flatMap((row, at) =>
    Object.entries(row)
      .filter(([column, value]) => {
        const expected = wanted[at]?.[column];
        const isFigure = typeof value === "number" && typeof expected === "number";
        return isFigure ? Math.abs(value - expected) > 1e-6 : value !== expected;
      })
      .map(([column, value]) => `row ${at}: ${column} is ${value}, expected ${wanted[at]?.[column]}`),
  );
  t.strictSame(different, []);
}
