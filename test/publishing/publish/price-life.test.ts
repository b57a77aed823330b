/** The life of a price, from the files of all snapshots. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import t from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import type { Uuid } from "../../../src/engine/model/ids.ts";
import { appendPrices } from "../../../src/publishing/publish/append-prices.ts";
import { decidePrices } from "../../../src/publishing/publish/decide-prices.ts";
import { readPriceLife } from "../../../src/publishing/publish/price-life.ts";
import { publishSnapshot } from "../../../src/publishing/publish/publish-snapshot.ts";
import { runCommand } from "../../cli/run-command.ts";
import { daysLater, publishedData } from "../../support/published-data.ts";
import { ndjson, priceRow, priceRows, testUuid, writeRecords } from "../../support/snapshot-files.ts";

const uuid = testUuid(900) as Uuid;

t.test("a price is published, corrected, withdrawn, reinstated, and gone", async (t) => {
  const root = t.testdir();
  const { data, ids } = await publishedData(root, 1);
  let day = 2;
  const append = async (price: number, name: string): Promise<string> => {
    const text = ndjson([priceRow({ uuid, price }), ...priceRows(2, 950 + 2 * day)]);
    const file = join(root, name);
    await writeFile(file, name.endsWith(".gz") ? gzipSync(text) : text);
    return (await appendPrices({ dataDirectory: data, files: [file], now: daysLater(day++), dryRun: false })).id;
  };
  const decide = async (decision: { reason: string; by: string | null } | undefined): Promise<string> => {
    const now = daysLater(day++) as Instant;
    const request = { dataDirectory: data, kind: "withdrawals" as const, uuids: [uuid], decision, now, dryRun: false };
    return (await decidePrices(request)).id;
  };
  const published = await append(50, "a.ndjson");
  const corrected = await append(55, "b.ndjson.gz");
  const withdrawn = await decide({ reason: "a typing error", by: "Akinyi" });
  const reinstated = await decide(undefined);
  await append(55, "c.ndjson");
  const { events, unreadable } = await readPriceLife(data, uuid);
  t.same(unreadable, []);
  t.match(events, [
    { kind: "published", snapshot: published, line: { file: "prices/a.ndjson", line: 1, record: { price: 50 } } },
    { kind: "replaced", snapshot: corrected, line: { file: "prices/b.ndjson.gz" }, changed: { price: [50, 55] } },
    { kind: "withdrawn", snapshot: withdrawn, decision: { reason: "a typing error", by: "Akinyi" } },
    { kind: "reinstated", snapshot: reinstated },
  ]);
  t.equal(events.length, 4, "the same line again changes nothing");

  const shown = await runCommand("snapshot", ["show", "--price", uuid], root, { DATA_DIR: data });
  t.match(shown, { code: 0, stdout: /price 50 → 55[\s\S]*withdrawn[\s\S]*a typing error \(Akinyi\)/ });
  const json = await runCommand("snapshot", ["show", "--price", uuid, "--json"], root, { DATA_DIR: data });
  t.match(JSON.parse(json.stdout), { ok: true, events: [{ kind: "published", file: "prices/a.ndjson", line: 1 }] });

  await rm(join(data, "snapshots", published), { recursive: true });
  t.match(
    (await readPriceLife(data, uuid)).events,
    [{ kind: "known", snapshot: corrected }],
    "no longer known since when",
  );
  await rm(join(data, "snapshots", corrected, "manifest.json"));
  t.same((await readPriceLife(data, uuid)).unreadable, [corrected]);
  const candidateDirectory = join(root, "candidate");
  await writeRecords(candidateDirectory, { prices: priceRows(30) });
  const last = await publishSnapshot({
    ...{ dataDirectory: data, candidateDirectory, now: daysLater(day++), dryRun: false },
    ...{ allowShrink: true, allowLoss: true },
  });
  t.match((await readPriceLife(data, uuid)).events.at(-1), { kind: "gone", snapshot: last.id });
  t.same((await readPriceLife(data, testUuid(555) as Uuid)).events, []);
  t.ok(ids.length === 1);
});

t.test("the command says what it needs", async (t) => {
  const root = t.testdir();
  const { data, ids } = await publishedData(root, 1);
  const show = (...args: string[]) => runCommand("snapshot", ["show", ...args], root, { DATA_DIR: data });
  const both = await show(ids[0] as string, "--price", uuid);
  for (const wrong of [await show(), both])
    t.match(wrong, { code: 2, stderr: /expected the id of a snapshot, or --price/ });
  t.match(await show("--price", uuid), { code: 1, stderr: /no snapshot there has the price/ });
  t.match(await show("--price", "x"), { code: 2, stderr: /--price is no uuid/ });
});
