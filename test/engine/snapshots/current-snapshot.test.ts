import { appendFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { type Fallback, readCurrent } from "../../../src/engine/snapshots/current-snapshot.ts";
import { loadCurrentDataset } from "../../support/open-snapshots.ts";
import { priceRows, writeCurrentSnapshot } from "../../support/snapshot-files.ts";

const unavailable = { name: "SnapshotUnavailableError" };

function fail(fallback: Fallback): never {
  throw new Error(`fell back from ${fallback.broken}`);
}

/** Three snapshots, each the parent of the next; the last is current. */
async function writeThree(dataDirectory: string): Promise<[string, string, string]> {
  const first = await writeCurrentSnapshot(dataDirectory, { createdAt: "2026-02-01T08:30:00Z" });
  const tables = { prices: priceRows(2) };
  const second = await writeCurrentSnapshot(dataDirectory, {
    createdAt: "2026-02-02T08:30:00Z",
    parent: first,
    tables,
  });
  const third = await writeCurrentSnapshot(dataDirectory, {
    createdAt: "2026-02-03T08:30:00Z",
    parent: second,
    tables: { prices: priceRows(3) },
  });
  return [first, second, third];
}

t.test("CURRENT is one line, with or without its line end", async (t) => {
  const id = "20260201T083000Z-0123456789ab";
  for (const text of [id, `${id}\n`, `${id}\r\n`]) t.equal(await readCurrent(t.testdir({ CURRENT: text })), id);
});

t.test("a CURRENT that is missing, empty or no id is refused in one line", async (t) => {
  await t.rejects(readCurrent(t.testdir({})), {
    ...unavailable,
    message: /CURRENT: found no such file, expected the id/,
  });
  await t.rejects(readCurrent(t.testdir({ CURRENT: "" })), { ...unavailable, message: /found an empty file/ });
  const id = "20260201T083000Z-0123456789ab";
  for (const text of ["\n", "latest\n", ` ${id}\n`, `${id}\n\n`, `${id}\n${id}\n`, `../${id}\n`]) {
    await t.rejects(
      readCurrent(t.testdir({ CURRENT: text })),
      { ...unavailable, message: /^.*expected one line.*$/ },
      text,
    );
  }
  await t.rejects(readCurrent(t.testdir({ CURRENT: {} })), unavailable);
});

t.test("the current snapshot is loaded, without a word when it is whole", async (t) => {
  const dataDirectory = t.testdir({});
  const [, , third] = await writeThree(dataDirectory);
  const dataset = await loadCurrentDataset(dataDirectory, { onFallback: fail });
  t.equal(dataset.snapshot.id, third);
  t.equal(dataset.prices.rowCount, 3);
});

t.test("a broken snapshot gives way to its parent, and that to its own, each time with a word", async (t) => {
  const dataDirectory = t.testdir({});
  const [first, second, third] = await writeThree(dataDirectory);
  const reported: unknown[] = [];
  const onFallback = ({ broken, next, error }: Fallback): void => void reported.push([broken, next, error.name]);
  await appendFile(join(dataDirectory, "snapshots", third, "prices.ndjson"), "x");
  t.equal((await loadCurrentDataset(dataDirectory, { onFallback })).snapshot.id, second);
  t.same(reported.splice(0), [[third, second, "DatasetError"]]);
  await rm(join(dataDirectory, "snapshots", second, "crops.json"));
  t.equal((await loadCurrentDataset(dataDirectory, { onFallback })).snapshot.id, first);
  t.same(reported, [
    [third, second, "DatasetError"],
    [second, first, "DatasetError"],
  ]);
});

t.test("when no ancestor loads, one line says so", async (t) => {
  const dataDirectory = t.testdir({});
  const [first, second, third] = await writeThree(dataDirectory);
  for (const id of [first, second, third]) await rm(join(dataDirectory, "snapshots", id, "crops.json"));
  await t.rejects(loadCurrentDataset(dataDirectory, { onFallback: () => {} }), {
    ...unavailable,
    message: new RegExp(`^snapshot ${first} does not load and neither does any snapshot after it up to ${third}: .*$`),
  });
  await writeFile(join(dataDirectory, "CURRENT"), first);
  await t.rejects(loadCurrentDataset(dataDirectory, { onFallback: fail }), {
    ...unavailable,
    message: new RegExp(`^snapshot ${first} does not load and has no parent: .*$`),
  });
});

t.test("a manifest that cannot be read ends the search, for its parent is unknown", async (t) => {
  const dataDirectory = t.testdir({});
  const [, second, third] = await writeThree(dataDirectory);
  await writeFile(join(dataDirectory, "snapshots", third, "manifest.json"), "{}");
  await t.rejects(loadCurrentDataset(dataDirectory, { onFallback: fail }), {
    ...unavailable,
    message: new RegExp(`^the manifest of snapshot ${third} cannot be used: .*$`),
  });
  await writeFile(join(dataDirectory, "CURRENT"), "20260209T000000Z-0123456789ab\n");
  await t.rejects(loadCurrentDataset(dataDirectory, { onFallback: fail }), unavailable, "names nothing");
  const ofSecond = await readFile(join(dataDirectory, "snapshots", second, "manifest.json"));
  const misnamed = "20260209T000000Z-0123456789ab";
  await mkdir(join(dataDirectory, "snapshots", misnamed));
  await writeFile(join(dataDirectory, "snapshots", misnamed, "manifest.json"), ofSecond);
  await t.rejects(loadCurrentDataset(dataDirectory, { onFallback: fail }), {
    ...unavailable,
    message: new RegExp(`is that of ${second}$`),
  });
});
