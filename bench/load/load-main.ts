/**
 * One loading in a process of its own: `node load-main.ts ours|duckdb DIRECTORY`. Prints `LoadFigures` as one line of
 * JSON.
 */
import { join } from "node:path";
import { loadDataset } from "../../src/dataset/load-dataset.ts";
import { buildStoreOnThreads } from "../../src/store/build-store.ts";
import { loadDuckDb } from "../contenders/duckdb-api.ts";
import type { LoadFigures } from "./run-load-race.ts";
import { pricesFileName } from "./write-sample-snapshot.ts";

/** The columns of prices.ndjson in the types that come nearest to our columns. */
const duckDbColumns = {
  uuid: "UUID",
  product_uuid: "UUID",
  market_uuid: "UUID",
  price: "DOUBLE",
  unit: "VARCHAR",
  currency: "VARCHAR",
  recorded_at: "TIMESTAMP",
  source: "VARCHAR",
  quality_grade: "VARCHAR",
  notes: "VARCHAR",
  created_at: "TIMESTAMP",
  updated_at: "TIMESTAMP",
};

const [contender, directory = ""] = process.argv.slice(2);
const steps = contender === "ours" ? await stepsOfOurs(directory) : await stepsOfDuckDb(directory);
const loadSeconds = await secondsOf(steps.load);
const peakBytes = process.resourceUsage().maxRSS * 1024;
const indexSeconds = await secondsOf(steps.index);
const figures: LoadFigures = { loadSeconds, peakBytes, indexSeconds };
process.stdout.write(`${JSON.stringify(figures)}\n`);

interface Steps {
  readonly load: () => Promise<unknown>;
  readonly index: () => Promise<unknown>;
}

async function stepsOfOurs(path: string): Promise<Steps> {
  let dataset: Awaited<ReturnType<typeof loadDataset>>;
  return {
    load: async () => {
      dataset = await loadDataset(path);
    },
    index: async () => await buildStoreOnThreads(dataset),
  };
}

async function stepsOfDuckDb(path: string): Promise<Steps> {
  const { DuckDBInstance } = await loadDuckDb();
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const columns = Object.entries(duckDbColumns).map(([name, type]) => `${name}: '${type}'`);
  const file = join(path, pricesFileName).replaceAll("'", "''");
  return {
    load: () =>
      connection.run(`CREATE TABLE loaded AS SELECT * FROM read_ndjson('${file}', columns = {${columns.join(", ")}})`),
    index: async () => {
      await connection.run("CREATE TABLE prices AS SELECT * FROM loaded ORDER BY product_uuid, recorded_at DESC, uuid");
      await connection.run("CREATE UNIQUE INDEX by_uuid ON prices (uuid)");
    },
  };
}

async function secondsOf(step: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await step();
  return (performance.now() - started) / 1000;
}
