import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { median, sum } from "simple-statistics";
import t from "tap";
import { type DuckDbApi, loadDuckDb } from "../../../bench/contenders/duckdb-api.ts";
import { type TableName, withTable } from "../../../src/engine/export/select-table.ts";
import { tableParquet } from "../../../src/engine/export/table-parquet.ts";
import type { Dataset } from "../../../src/engine/model/dataset.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { isWhole } from "../../support/fixed-seed.ts";
import { naivePriceRows } from "../../support/naive-exports.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";

/** A table of a store as a Parquet file. */
function parquetOf(store: Store, table: TableName): ArrayBuffer {
  const filter = { dayFirst: 0, dayLast: 50_000 } as never;
  const pieces = withTable(store, table, filter, (...parts) => [...tableParquet(store, ...parts)]);
  return new Uint8Array(Buffer.concat(pieces)).buffer;
}

/** Prices of three products; every value that may be missing is there, and is missing. */
function pricesDataset(count: number): Dataset {
  const prices = Array.from({ length: count }, (_, at) => ({
    product: at % 3,
    market: at % 2,
    price: 1 + at / 8,
    unit: at % 5 === 0 ? "90 kg bag" : "kg",
    qualityGrade: at % 4 === 0 ? "A" : null,
    notes: at % 7 === 0 ? `“${at}”` : null,
  }));
  return tinyDataset({ products: [{ name: "Maize" }, { name: "Beans" }, { name: "Kale" }], prices });
}

t.test("a Parquet file holds the rows of a scan, with numbers, days and times of their types", async () => {
  const dataset = pricesDataset(500);
  const rows = await parquetReadObjects({ file: parquetOf(buildStore(dataset), "prices") });
  const wanted = naivePriceRows(dataset, {}).map((row) => ({
    ...row,
    date: new Date(String(row["date"])),
    recorded_at: new Date(String(row["recorded_at"])),
  }));
  assert.deepEqual(rows, wanted);
});

t.test("a row group ends with a product once it is long enough, and when it is full", async (t) => {
  const store = buildStore(pricesDataset(63_000));
  const { row_groups: groups, num_rows: rows } = parquetMetadata(parquetOf(store, "prices"));
  t.strictSame(
    groups.map((group) => Number(group.num_rows)),
    [21_000, 21_000, 21_000],
  );
  t.equal(Number(rows), 63_000);
  // A full one takes a second.
  if (!isWhole) return;
  const one = tinyDataset({ prices: Array.from({ length: 100_001 }, () => ({})) });
  const { row_groups: cut } = parquetMetadata(parquetOf(buildStore(one), "prices"));
  t.strictSame(
    cut.map((group) => Number(group.num_rows)),
    [100_000, 1],
  );
});

t.test("times are instants in UTC, and the file says whose data it has", async (t) => {
  const licence = { id: "CC BY 3.0 IGO", url: "https://creativecommons.org/licenses/by/3.0/igo/" };
  const details = { title: "World Food Programme", url: "https://wfp.example/", licence };
  const snapshot = {
    attribution: ["Prices: WFP", "Places: KNBS"],
    sources: { WFP: { ...details, generated: null } },
    periods: { WFP: "month" as const },
  };
  const store = buildStore(tinyDataset({ snapshot, prices: [{ source: "KAMIS" }, {}, {}] }));
  for (const table of ["prices", "series", "products", "markets"] as const) {
    const { schema, key_value_metadata: pairs = [] } = parquetMetadata(parquetOf(store, table));
    const times = schema.filter(({ type }) => type === "INT64");
    t.ok(times.length > 0, table);
    for (const { logical_type: type } of times) {
      t.match(type, { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" });
    }
    const origin = Object.fromEntries(pairs.map(({ key, value }) => [key, value]));
    const nothing = { title: null, url: null, licence: null };
    t.match(origin, {
      snapshot: store.snapshot.id,
      created_at: "2026-11-20T08:30:00.000Z",
      time_zone: "Africa/Nairobi",
      citation: /^World Food Programme, https:\/\/wfp\.example\/, CC BY 3\.0 IGO/,
    });
    t.strictSame(JSON.parse(origin["sources"] ?? ""), [
      { source: "WFP", period: "month", ...details },
      { source: "KAMIS", period: null, ...nothing },
    ]);
    t.strictSame(JSON.parse(origin["attribution"] ?? ""), snapshot.attribution);
  }
});

t.test("every table, also without rows", async (t) => {
  const full = buildStore(pricesDataset(10));
  const empty = buildStore(tinyDataset({ products: [], markets: [], prices: [] }));
  for (const table of ["prices", "statistics", "series", "products", "markets"] as const) {
    t.ok((await parquetReadObjects({ file: parquetOf(full, table) })).length > 0, table);
    const { num_rows: rows, schema } = parquetMetadata(parquetOf(empty, table));
    t.equal(Number(rows), 0);
    t.ok(schema.length > 10);
  }
  const [product] = await parquetReadObjects({ file: parquetOf(full, "products") });
  t.match(product, { name: "Beans", is_active: true, created_at: Date, common_units: "kg" });
});

/** DuckDB, where the benchmarks have installed it. */
const duckDb = await loadDuckDb().catch(() => undefined);

t.test(
  "DuckDB finds equal counts, sums and medians",
  { skip: duckDb === undefined && "it is not installed" },
  async (t) => {
    const dataset = pricesDataset(30_000);
    const path = join(t.testdir({}), "prices.parquet");
    await writeFile(path, new Uint8Array(parquetOf(buildStore(dataset), "prices")));
    const connection = await (await (duckDb as DuckDbApi).DuckDBInstance.create(":memory:")).connect();
    const query =
      "SELECT product, count(*)::DOUBLE, sum(price), median(price), count(notes)::DOUBLE, " +
      `min(date)::VARCHAR, epoch_ms(max(recorded_at))::DOUBLE FROM '${path}' GROUP BY product ORDER BY product`;
    const found = (await (await connection.prepare(query)).runAndReadAll()).getRows();
    const groups = Map.groupBy(naivePriceRows(dataset, {}), ({ product }) => product);
    const wanted = [...groups].map(([product, rows]) => {
      const prices = rows.map(({ price }) => price as number);
      const times = rows.map((row) => String(row["recorded_at"])).sort();
      const days = rows.map(({ date }) => date).sort();
      const last = Date.parse(times.at(-1) ?? "");
      const noted = rows.filter(({ notes }) => notes !== null).length;
      return [product, rows.length, sum(prices), median(prices), noted, days[0], last];
    });
    t.strictSame(found, wanted);
  },
);
