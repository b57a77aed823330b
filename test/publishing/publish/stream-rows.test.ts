/** Rows for another database: those of the export, whatever the sizes of parts, or an error that names what is wrong. */
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import t, { type Test } from "tap";
import { priceTable } from "../../../src/engine/export/price-table.ts";
import { tableText } from "../../../src/engine/export/table-text.ts";
import { walkPrices } from "../../../src/engine/query/walk-prices.ts";
import { readCurrent, readManifestOf } from "../../../src/engine/snapshots/current-snapshot.ts";
import { openSnapshotStore } from "../../../src/publishing/publish/open-published.ts";
import { type RowsReport, streamedColumns, streamRows } from "../../../src/publishing/publish/stream-rows.ts";
import { problemsOf, reportsExactly } from "../../support/dataset-problems.ts";
import { ndjson, priceRows, writeCurrentSnapshot } from "../../support/snapshot-files.ts";

const golden = join(import.meta.dirname, "../../golden");

/** Sizes that cut files and parts in different places; the last are those of a program. */
const sizes = [{ partRows: 1, pieceBytes: 300 }, { partRows: 3, pieceBytes: 1000 }, { partRows: 7 }, {}] as const;

interface Streamed {
  readonly lines: readonly string[];
  readonly report: RowsReport;
}

async function stream(dataDirectory: string, options: object = {}): Promise<Streamed> {
  let text = "";
  const report = await streamRows({
    dataDirectory,
    ...options,
    write: async (lines) => {
      text += lines;
    },
  });
  return { lines: text.split("\n").slice(0, -1), report };
}

for (const name of ["three-counties", "appended-prices", "no-prices"]) {
  t.test(`the rows of ${name} are those of its export, but for what a whole series decides`, async (t) => {
    const dataDirectory = join(golden, name, "data");
    const store = await openSnapshotStore(dataDirectory, await readCurrent(dataDirectory));
    const exported = [...tableText(store, priceTable, walkPrices(store, {}), "ndjson")].join("");
    const wanted = exported.split("\n").slice(0, -1);
    const withoutJudgement = wanted.map((line) => {
      const { suspicious, suspicious_reason, ...row } = JSON.parse(line) as Record<string, unknown>;
      t.type(suspicious, "boolean");
      t.not(suspicious_reason, undefined);
      return JSON.stringify(row);
    });
    const { files } = await readManifestOf(dataDirectory, await readCurrent(dataDirectory));
    const replaced = files.reduce((sum, { replaces }) => sum + replaces, 0);
    for (const options of sizes) {
      const { lines, report } = await stream(dataDirectory, options);
      t.strictSame(lines.toSorted(), withoutJudgement.toSorted(), JSON.stringify(options));
      t.match(report, { rows: store.prices.rowCount, replaced, withheld: 0 });
    }
  });
}

t.test("the columns are those of the export, in its order, without two", async (t) => {
  const left = priceTable.filter((column) => !streamedColumns.includes(column)).map(({ name }) => name);
  t.strictSame(left, ["suspicious", "suspicious_reason"]);
});

t.test("the next rows are made when those before have been taken", async (t) => {
  const data = t.testdir({});
  await writeCurrentSnapshot(data, { tables: { prices: priceRows(50) } });
  let waiting = 0;
  let taken = 0;
  const write = async (lines: string): Promise<void> => {
    waiting++;
    t.equal(waiting, 1, "one text waits at a time");
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    taken += lines.split("\n").length - 1;
    waiting--;
  };
  const { rows } = await streamRows({ dataDirectory: data, partRows: 5, pieceBytes: 1000, write });
  t.strictSame([rows, taken], [50, 50]);
});

t.test("what the taker of the rows throws ends the reading, and is blamed on no file", async (t) => {
  const data = t.testdir({});
  await writeCurrentSnapshot(data, { tables: { prices: priceRows(50) } });
  const ofSystem = Object.assign(new Error("write EPIPE"), { code: "EPIPE", errno: -32, syscall: "write" });
  for (const error of [new RangeError("the other side has gone"), ofSystem]) {
    for (const partRows of [5, 100]) {
      let calls = 0;
      const write = async (): Promise<void> => {
        calls++;
        throw error;
      };
      const thrown = await streamRows({ dataDirectory: data, partRows, write }).catch((found: unknown) => found);
      t.equal(thrown, error);
      t.equal(calls, 1);
    }
  }
});

/** Writes a snapshot, changes a file of it, and returns what reading it reports. */
async function afterDamage(t: Test, file: string, damage: (content: string) => string): Promise<readonly string[]> {
  const data = t.testdir({});
  const id = await writeCurrentSnapshot(data, { tables: { prices: priceRows(20) } });
  const path = join(data, "snapshots", id, file);
  await writeFile(path, damage(await readFile(path, "utf8")));
  return await problemsOf(() => stream(data, { partRows: 3, pieceBytes: 900 }));
}

t.test("a file that differs from its manifest is refused with what is found and expected", async (t) => {
  const swapped = await afterDamage(t, "prices.ndjson", (content) => content.replaceAll('"unit":"kg"', '"unit":"kg" '));
  reportsExactly(t, swapped, [/^prices\.ndjson: found \d+ bytes, expected \d+, as the manifest says$/]);
  const changed = await afterDamage(t, "prices.ndjson", (content) => content.replace('"price":', '"price":1'));
  t.match(changed[0], /^prices\.ndjson: found \d+ bytes/);
  const digit = await afterDamage(t, "prices.ndjson", (content) => content.replace(/"price":\d/, '"price":9'));
  reportsExactly(t, digit, [
    /^prices\.ndjson: found sha256 [0-9a-f]{64}, expected [0-9a-f]{64}, as the manifest says$/,
  ]);
  const table = await afterDamage(t, "markets.ndjson", (content) => content.replace("Retail", "retail"));
  t.match(table[0], /^markets\.ndjson:1: "type" is "retail"/);
});

t.test("a broken line is named by file and line, also in a later part", async (t) => {
  const broken = await afterDamage(t, "prices.ndjson", (content) => {
    const lines = content.split("\n");
    lines[16] = String(lines[16]).replace('"currency":"KES"', '"currency":"Kes"');
    return lines.join("\n");
  });
  reportsExactly(t, broken, [/^prices\.ndjson:17: "currency" is "Kes"/]);
});

t.test("a file that is missing, or ends within a line, is named", async (t) => {
  const cut = await afterDamage(t, "prices.ndjson", (content) => `${content.slice(0, -1)}x`);
  reportsExactly(t, cut, [/^prices\.ndjson:20: found a file that ends in the middle of a line/]);
  const data = t.testdir({});
  const id = await writeCurrentSnapshot(data, { tables: { prices: priceRows(3) } });
  await rm(join(data, "snapshots", id, "prices.ndjson"));
  const missing = await problemsOf(() => stream(data));
  reportsExactly(t, missing, ["prices.ndjson: found no such file, expected a file"]);
  t.strictSame(await readdir(join(data, "snapshots")), [id], "nothing is written");
});

t.test("a manifest that counts replaced rows wrongly is refused, and a uuid twice in appended files", async (t) => {
  const data = t.testdir({});
  const tables = { prices: priceRows(3) };
  const files = { "prices/1.ndjson": ndjson(priceRows(2, 100)) };
  await writeCurrentSnapshot(data, { tables, files, entries: { "prices/1.ndjson": { sequence: 1, replaces: 1 } } });
  reportsExactly(t, await problemsOf(() => stream(data)), [
    "prices/1.ndjson: found 2 rows that others replace, expected 1, as the manifest says of all files",
  ]);
  const again = { "prices/1.ndjson": ndjson([...priceRows(1, 900), ...priceRows(1, 900)]) };
  const entries = { "prices/1.ndjson": { sequence: 1, replaces: 0 } };
  await writeCurrentSnapshot(data, { tables, files: again, entries });
  reportsExactly(t, await problemsOf(() => stream(data)), [
    "prices/1.ndjson: found 1 row that another replaces, expected 0, as the manifest says of all files",
  ]);
});
