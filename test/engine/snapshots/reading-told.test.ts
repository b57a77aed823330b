/**
 * What the reading of a directory reports besides its records: how far it is, and how many rows it met before it was
 * refused.
 */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import t from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import { DatasetError } from "../../../src/engine/snapshots/problem.ts";
import { readCandidate } from "../../../src/engine/snapshots/read-candidate.ts";
import { recordKindOf } from "../../../src/engine/snapshots/snapshot-layout.ts";
import type { BytesObserver } from "../../../src/engine/snapshots/stored-file.ts";
import {
  ndjson,
  priceRow,
  priceRows,
  type TestFiles,
  writeRecords,
  writeSnapshot,
} from "../../support/snapshot-files.ts";

const now = Date.UTC(2026, 1, 1) as Instant;

interface Reported {
  readonly steps: readonly (readonly [done: number, total: number])[];
  readonly error: unknown;
}

async function reportedOf(directory: string): Promise<Reported> {
  const steps: [number, number][] = [];
  const onBytes: BytesObserver = (done, total) => steps.push([done, total]);
  const error = await readCandidate(directory, now, { onBytes }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { steps, error };
}

/** Bytes of the tables and of the prices files. */
async function sizesOf(directory: string): Promise<{ tables: number; prices: number }> {
  const sizes = { tables: 0, prices: 0 };
  for (const entry of await readdir(directory, { recursive: true })) {
    const kind = recordKindOf(entry);
    if (kind !== undefined)
      sizes[kind === "prices" ? "prices" : "tables"] += (await lstat(join(directory, entry))).size;
  }
  return sizes;
}

const manyPrices = ndjson(priceRows(3000));
const gzipped: TestFiles = { "prices.ndjson": null, "prices/a.ndjson.gz": gzipSync(manyPrices) };

for (const [name, files] of Object.entries({ plain: { "prices.ndjson": manyPrices }, gzipped })) {
  t.test(`every byte is reported once (${name})`, async (t) => {
    const directory = t.testdir({});
    await writeRecords(directory, {}, files);
    const { steps, error } = await reportedOf(directory);
    const { tables, prices } = await sizesOf(directory);
    const total = tables + prices;
    t.equal(error, undefined);
    t.same(steps.at(-1), [total, total]);
    t.equal(steps.filter(([done]) => done === total).length, 1, "the end is reported once");
    t.ok(steps.every(([done, all], at) => all === total && done > (steps[at - 1]?.[0] ?? 0)));
    t.ok(steps.length < 40, "never a line at a time");
  });
}

t.test("prices that a manifest counts, and prices with a fault, are read once as well", async (t) => {
  const directory = t.testdir({});
  await writeSnapshot(directory, { tables: { prices: priceRows(30) } });
  const claimed = await sizesOf(directory);
  t.same((await reportedOf(directory)).steps.at(-1), Array(2).fill(claimed.tables + claimed.prices));
  const faulty = t.testdir({});
  await writeRecords(faulty, { prices: [...priceRows(5), priceRow({ price: 0 })] });
  const { tables, prices } = await sizesOf(faulty);
  const { steps, error } = await reportedOf(faulty);
  t.type(error, DatasetError);
  t.same(steps.at(-1), [tables + prices, tables + prices]);
});

t.test("a refused directory reports the rows of each table, of unfinished files those that were met", async (t) => {
  const directory = t.testdir({});
  const cut = gzipSync(manyPrices.repeat(3)).subarray(0, -8);
  await writeRecords(
    directory,
    { prices: [...priceRows(5), priceRow({ price: 0 })] },
    { "crops.json": null, "markets.ndjson": "[]\n{}\n", "prices/cut.ndjson.gz": cut },
  );
  const { error } = await reportedOf(directory);
  t.type(error, DatasetError);
  const rows = Object.fromEntries((error as DatasetError).rows ?? []);
  const { prices, ...tables } = rows;
  t.same(tables, { counties: 1, units: 1, "market-types": 1, products: 1, markets: 2 });
  t.ok(Number(prices) > 6 && Number(prices) <= 6 + 9000, `${prices} rows`);
});

t.test("where no records were read no rows are reported", async (t) => {
  const directory = t.testdir({ "manifest.json": '{"files":[]}' });
  const { error } = await reportedOf(directory);
  t.type(error, DatasetError);
  t.equal((error as DatasetError).rows, undefined);
});
