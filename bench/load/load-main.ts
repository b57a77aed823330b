/**
 * One loading in a process of its own: `node load-main.ts ours|duckdb DIRECTORY`. Prints `LoadFigures` as one line of
 * JSON.
 */
import { join } from "node:path";
import type { Dataset, PriceTable } from "../../src/engine/model/dataset.ts";
import { checkLinks } from "../../src/engine/snapshots/check-links.ts";
import { recordedAtMax, toListedFile } from "../../src/engine/snapshots/load-dataset.ts";
import { readManifest } from "../../src/engine/snapshots/manifest.ts";
import { readPrices, startPriceReaders } from "../../src/engine/snapshots/prices/read-prices.ts";
import { ProblemList } from "../../src/engine/snapshots/problem.ts";
import { readTables, recordsOfTables } from "../../src/engine/snapshots/read-tables.ts";
import { ReadingCounter } from "../../src/engine/snapshots/stored-file.ts";
import { buildStoreOnThreads } from "../../src/engine/store/build-store.ts";
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
const steps = contender === "ours" ? stepsOfOurs(directory) : stepsOfDuckDb(directory);
const prepareSeconds = await secondsOf(steps.prepare);
const loadSeconds = await secondsOf(steps.load);
const peakBytes = process.resourceUsage().maxRSS * 1024;
const indexSeconds = await secondsOf(steps.index);
const figures: LoadFigures = { prepareSeconds, loadSeconds, peakBytes, indexSeconds };
process.stdout.write(`${JSON.stringify(figures)}\n`);

interface Steps {
  /** What comes before the first price: threads, or an engine, and what prices refer to. */
  readonly prepare: () => Promise<unknown>;
  readonly load: () => Promise<unknown>;
  readonly index: () => Promise<unknown>;
}

function stepsOfOurs(path: string): Steps {
  const problems = new ProblemList();
  const counter = new ReadingCounter();
  let read: () => Promise<PriceTable | undefined>;
  let dataset: Dataset;
  let parts: Omit<Dataset, "prices">;
  return {
    prepare: async () => {
      const { files, ...snapshot } = await readManifest(path);
      const listed = files.map(toListedFile);
      const priceFiles = listed.filter((file) => file.kind === "prices");
      const readers = await startPriceReaders(path, priceFiles);
      const tables = await readTables({ directory: path, problems, counter }, listed);
      checkLinks(tables, problems);
      parts = { snapshot, ...recordsOfTables(tables) };
      const latest = recordedAtMax(snapshot.createdAt);
      read = async () => {
        const { table } = await readPrices({
          directory: path,
          files: priceFiles,
          tables,
          recordedAtMax: latest,
          problems,
          readers,
          counter,
        });
        await readers.end();
        return table;
      };
    },
    load: async () => {
      const prices = await read();
      problems.throwIfAny(path);
      dataset = { ...parts, prices: prices as PriceTable };
    },
    index: async () => await buildStoreOnThreads(dataset),
  };
}

function stepsOfDuckDb(path: string): Steps {
  let connection: Awaited<ReturnType<typeof connect>>;
  const columns = Object.entries(duckDbColumns).map(([name, type]) => `${name}: '${type}'`);
  const file = join(path, pricesFileName).replaceAll("'", "''");
  return {
    prepare: async () => {
      connection = await connect();
    },
    load: () =>
      connection.run(`CREATE TABLE loaded AS SELECT * FROM read_ndjson('${file}', columns = {${columns.join(", ")}})`),
    index: async () => {
      await connection.run("CREATE TABLE prices AS SELECT * FROM loaded ORDER BY product_uuid, recorded_at DESC, uuid");
      await connection.run("CREATE UNIQUE INDEX by_uuid ON prices (uuid)");
    },
  };
}

async function connect() {
  const { DuckDBInstance } = await loadDuckDb();
  return await (await DuckDBInstance.create(":memory:")).connect();
}

async function secondsOf(step: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await step();
  return (performance.now() - started) / 1000;
}
