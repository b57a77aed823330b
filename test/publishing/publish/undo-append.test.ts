/** Undo: the snapshot without one append, whatever was published on top of it. */
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import type { Uuid } from "../../../src/engine/model/ids.ts";
import { readManifest } from "../../../src/engine/snapshots/manifest.ts";
import type { SnapshotId } from "../../../src/engine/snapshots/snapshot-layout.ts";
import { type DecisionRequest, decidePrices } from "../../../src/publishing/publish/decide-prices.ts";
import { type UndoReport, type UndoRequest, undoAppend } from "../../../src/publishing/publish/undo-append.ts";
import { verifySnapshot } from "../../../src/publishing/publish/verify-snapshot.ts";
import { currentOf, daysLater } from "../../support/published-data.ts";
import { originRows, priceRow, priceRows, testUuid, unitCategoryRow } from "../../support/snapshot-files.ts";
import { type SourcesFixture, sourcesFixture } from "../../support/sources-fixture.ts";

const team = { source: "Field team" };

interface UndoFixture extends SourcesFixture {
  undo(named: string, request?: Partial<UndoRequest>): Promise<UndoReport>;
  decide(kind: DecisionRequest["kind"], numbers: readonly number[], isUndone?: boolean): Promise<{ id: SnapshotId }>;
  pricesFiles(): Promise<unknown[]>;
}

async function fixture(t: Test): Promise<UndoFixture> {
  const sources = await sourcesFixture(t);
  const common = { dataDirectory: sources.data, now: daysLater(3), dryRun: false };
  return {
    ...sources,
    undo: (named, request) => {
      const append = named.includes("ndjson") ? { file: named } : { id: named as SnapshotId };
      return undoAppend({ ...common, append, ...request });
    },
    decide(kind, numbers, isUndone = false) {
      const decision = isUndone ? undefined : { reason: "wrong", by: null };
      return decidePrices({ ...common, kind, uuids: numbers.map((number) => testUuid(number) as Uuid), decision });
    },
    async pricesFiles() {
      const { files } = await readManifest(join(sources.data, "snapshots", await currentOf(sources.data)));
      return files
        .filter(({ kind }) => kind === "prices" || kind === "origins")
        .map(({ name, sequence, replaces }) => [name, sequence, replaces]);
    },
  };
}

t.test("added prices go, corrected ones are as before, later files stay, and replaces is counted again", async (t) => {
  const { data, append, undo, pricesFiles } = await fixture(t);
  const units = [
    ...unitCategoryRow().units,
    { name: "g", abbreviation: "g", base_unit: "kg", conversion_factor: 0.001 },
  ];
  const first = await append({
    "a.ndjson": [priceRow({ price: 70 }), priceRow({ uuid: testUuid(101), price: 71 }), ...priceRows(2, 900, team)],
    "a.origins.ndjson": originRows(2, 900),
    "units.json": JSON.stringify([unitCategoryRow({ units })]),
  });
  await append({ "b.ndjson": [priceRow({ price: 80 }), priceRow({ ...team, uuid: testUuid(900), price: 81 })] });
  t.same((await pricesFiles()).at(-2), ["prices/b.ndjson", 2, 2]);
  t.match(await undo(first.id), {
    outcome: "published",
    undone: ["prices/a.ndjson"],
    ...{ gone: 1, restored: 1, stays: [testUuid(100), testUuid(900)], withdrawals: 0, acceptances: 0 },
    tables: [{ kind: "units", change: "added", name: "g", fields: { conversion_factor: [null, 0.001] } }],
    rows: { prices: 21 },
    changes: { rows: { prices: { gone: 1, changed: 1, added: 0 } } },
  });
  t.same(await pricesFiles(), [
    ["prices.ndjson", 0, 0],
    ["prices/b.ndjson", 2, 1],
  ]);
  await verifySnapshot(data);
  t.match(await append({ "a.ndjson": priceRows(2, 900, team) }), { outcome: "published" });
  t.match(await undo(first.id), { outcome: "already-current", undone: [] }, "the same table is another append");
});

t.test("a file is named where the snapshot of its append is removed", async (t) => {
  const { data, append, undo, publish, folder } = await fixture(t);
  const { id, parent } = await append({ "a.ndjson": priceRows(2, 900, team) });
  await append({ "b.ndjson": priceRows(2, 910, team) });
  await rm(join(data, "snapshots", String(parent)), { recursive: true });
  await t.rejects(undo(id), { message: /its parent .* is removed.*: undo FILE takes back/ });
  await rm(join(data, "snapshots", id), { recursive: true });
  await t.rejects(undo(id), { message: /cannot be read.*, undo FILE takes back/ });
  t.match(await undo("prices/a.ndjson"), { outcome: "published", gone: 2, tables: undefined });
  await verifySnapshot(data);
  // A snapshot whose only prices were appended.
  const whole = await folder("whole", {});
  for (const name of await readdir(join(data, "..", "candidate"))) {
    if (name !== "prices") await writeFile(join(whole, name), await readFile(join(data, "..", "candidate", name)));
  }
  await writeFile(join(whole, "prices.ndjson"), `${JSON.stringify(priceRow())}\n`);
  const second = await publish(whole, { allowShrink: true, allowLoss: true });
  await rm(join(data, "snapshots", String(second.parent)), { recursive: true });
  await t.rejects(undo(second.id), { message: /has no appended prices, expected an append: .* rollback ID goes/ });
});

t.test("acceptances are refused by name, also of a price that is accepted once more", async (t) => {
  const { append, undo, decide } = await fixture(t);
  const rows = [50, 52, 51, 49, 50, 500, 52, 51].map((price, month) => {
    const recorded_at = `2025-0${month + 1}-15T06:00:00Z`;
    return priceRow({ ...team, uuid: testUuid(200 + month), price, recorded_at });
  });
  await append({ "own.ndjson": rows });
  const first = await decide("accepted", [205]);
  const slip = await append({ "slip.ndjson": [{ ...rows[5], price: 5000 }] });
  const second = await decide("accepted", [205]);
  for (const { id } of [first, second])
    await t.rejects(undo(id), {
      message: /a decision, expected an append: accept-price UUID --undo or .* --reason takes it back/,
    });
  t.match(await undo(slip.id), {
    outcome: "published",
    restored: 1,
    acceptances: 1,
    lapsed: [{ uuid: testUuid(205) }],
  });
});
