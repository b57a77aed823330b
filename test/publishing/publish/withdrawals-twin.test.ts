/** Random sequences of publications, withdrawals, undos and rollbacks, and the changes between them, against maps. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import t from "tap";
import type { Uuid } from "../../../src/engine/model/ids.ts";
import { readManifest } from "../../../src/engine/snapshots/manifest.ts";
import { readManifestDecisions } from "../../../src/engine/snapshots/price-decisions.ts";
import type { SnapshotId } from "../../../src/engine/snapshots/snapshot-layout.ts";
import { appendPrices } from "../../../src/publishing/publish/append-prices.ts";
import { approveDraft } from "../../../src/publishing/publish/approve-draft.ts";
import { decidePrices } from "../../../src/publishing/publish/decide-prices.ts";
import { joinChanges } from "../../../src/publishing/publish/join-changes.ts";
import { openSnapshotStore } from "../../../src/publishing/publish/open-published.ts";
import type { PublicationReport, PublicationRequest } from "../../../src/publishing/publish/publication.ts";
import { publishSnapshot } from "../../../src/publishing/publish/publish-snapshot.ts";
import { replaceSource } from "../../../src/publishing/publish/replace-source.ts";
import { rollbackSnapshot } from "../../../src/publishing/publish/rollback-snapshot.ts";
import { streamRows } from "../../../src/publishing/publish/stream-rows.ts";
import { undoAppend } from "../../../src/publishing/publish/undo-append.ts";
import { verifySnapshot } from "../../../src/publishing/publish/verify-snapshot.ts";
import { storedPrice } from "../../engine/store/stored-prices.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import {
  changeNaively,
  type NaiveChange,
  type NaiveSnapshot,
  shownRows,
  withheldCount,
} from "../../support/naive-decisions.ts";
import type { PriceLine } from "../../support/naive-feed.ts";
import { currentOf, daysLater } from "../../support/published-data.ts";
import { ndjson, priceRow, testUuid, writeCurrentSnapshot, writeRecords } from "../../support/snapshot-files.ts";

const numbers = fc.integer({ min: 100, max: 107 });

function rowsOf(sources: readonly string[]): fc.Arbitrary<ReadonlyMap<string, PriceLine>> {
  const row = fc.record({ number: numbers, price: fc.constantFrom(60, 61), source: fc.constantFrom(...sources) });
  return fc
    .uniqueArray(row, { selector: ({ number }) => number, minLength: 1, maxLength: 8 })
    .map(
      (list) =>
        new Map(
          list.map(({ number, ...own }) => [testUuid(number), priceRow({ ...own, uuid: testUuid(number) })] as const),
        ),
    );
}

const uuids = fc.uniqueArray(numbers.map(testUuid), { minLength: 1, maxLength: 2 });

/** A change; what it goes back to is known when it comes to it. */
const drawnChange = fc.oneof(
  rowsOf(["WFP", "Field team"]).map((rows) => ({ kind: "append" as const, rows })),
  fc.record({
    kind: fc.constant("feed" as const),
    rows: rowsOf(["WFP"]),
    prefer: fc.constantFrom("own" as const, "feed" as const),
  }),
  rowsOf(["WFP", "Field team"]).map((rows) => ({ kind: "whole" as const, rows })),
  uuids.map((list) => ({ kind: "withdraw" as const, uuids: list })),
  uuids.map((list) => ({ kind: "withdraw" as const, uuids: list })),
  fc.record({ kind: fc.constant("reinstate" as const), uuids, isOfWithdrawn: fc.boolean() }),
  fc.record({ kind: fc.constant("rollback" as const), steps: fc.nat(7), isExact: fc.boolean() }),
  fc.record({ kind: fc.constant("undo" as const), steps: fc.nat(7), isOfAppend: fc.constantFrom(true, true, false) }),
);

type Drawn = typeof drawnChange extends fc.Arbitrary<infer T> ? T : never;

t.test("what is withdrawn is in no answer until it is reinstated, and joined changes are what differs", async () => {
  const seen: Record<string, number> = {};
  const property = fc.asyncProperty(
    rowsOf(["WFP"]),
    fc.array(fc.record({ drawn: drawnChange, isDraft: fc.boolean() }), { minLength: 4, maxLength: 9 }),
    async (base, changes) => {
      const root = await mkdtemp(join(tmpdir(), "withdrawals-"));
      try {
        const data = join(root, "data");
        await writeCurrentSnapshot(data, { tables: { prices: [...base.values()] } });
        let state: NaiveSnapshot = { layers: [{ sequence: 0, rows: base }], withdrawn: new Set(), undone: new Set() };
        const history: Published[] = [{ id: (await currentOf(data)) as SnapshotId, state, append: undefined }];
        for (const [day, { drawn, isDraft }] of changes.entries()) {
          const appends = history.filter(({ append }) => append !== undefined);
          const targets = drawn.kind === "undo" && drawn.isOfAppend && appends.length > 0 ? appends : history;
          const target = targets["steps" in drawn ? drawn.steps % targets.length : 0];
          assert.ok(target);
          const change = resolve(drawn, state, target, day);
          const next = changeNaively(state, change);
          const done = publish(root, change, target.id, day, isDraft);
          if (next === undefined) await assert.rejects(done, { name: /^(DatasetError|UndoRefusedError)$/ });
          else await done;
          const outcome = `${change.kind} ${next === undefined ? "refused" : "done"}`;
          seen[outcome] = (seen[outcome] ?? 0) + 1;
          const id = (await currentOf(data)) as SnapshotId;
          await checkSnapshot(data, id, next ?? state);
          // Where nothing is published, what is served keeps its past.
          if (id !== history.findLast((one) => one.state === state)?.id) state = next ?? state;
          const append = change.kind === "append" ? change.append : undefined;
          if (!history.some((one) => one.id === id)) history.push({ id, state, append });
        }
        await checkChanges(data, new Map(history.map((one) => [one.id, one.state])));
      } finally {
        await rm(root, { recursive: true, force: true });
      }
    },
  );
  await fc.assert(property, { numRuns: runsOf(60, 400) });
  for (const kind of ["append", "feed", "whole", "withdraw", "reinstate", "rollback", "undo"]) {
    assert.ok((seen[`${kind} done`] ?? 0) >= runsOf(2), `${kind}: ${JSON.stringify(seen)}`);
  }
  for (const kind of ["withdraw", "reinstate", "undo"]) assert.ok((seen[`${kind} refused`] ?? 0) > 0, kind);
});

interface Published {
  readonly id: SnapshotId;
  readonly state: NaiveSnapshot;
  /** The append that it is of. */
  readonly append: number | undefined;
}

/** A drawn change of the snapshots that there are. */
function resolve(drawn: Drawn, { withdrawn }: NaiveSnapshot, to: Published, day: number): NaiveChange {
  if (drawn.kind === "rollback") return { ...drawn, to: to.state };
  if (drawn.kind === "undo") return { kind: "undo", append: to.append };
  if (drawn.kind === "append") return { ...drawn, append: day };
  if (drawn.kind !== "reinstate" || !drawn.isOfWithdrawn || withdrawn.size === 0) return drawn;
  return { kind: "reinstate", uuids: [...withdrawn].slice(0, drawn.uuids.length) };
}

/** @param isDraft Publishes by a draft and its approval, where the command can. */
async function publish(
  root: string,
  change: NaiveChange,
  target: SnapshotId,
  day: number,
  isDraft: boolean,
): Promise<void> {
  const dataDirectory = join(root, "data");
  const common = { dataDirectory, now: daysLater(1 + day), dryRun: false, isDraft };
  if (change.kind === "rollback") {
    await rollbackSnapshot({ dataDirectory, now: common.now, id: target, withoutWithdrawals: change.isExact });
    return;
  }
  const { outcome, id } = await publishChange(root, common, change, target);
  if (outcome === "drafted") await approveDraft({ dataDirectory, id, now: common.now });
}

async function publishChange(
  root: string,
  common: PublicationRequest,
  change: Exclude<NaiveChange, { kind: "rollback" }>,
  id: SnapshotId,
): Promise<PublicationReport> {
  if (change.kind === "withdraw" || change.kind === "reinstate") {
    const decision = change.kind === "withdraw" ? { reason: "wrong", by: null } : undefined;
    return await decidePrices({ ...common, kind: "withdrawals", uuids: change.uuids as Uuid[], decision });
  }
  if (change.kind === "undo") return await undoAppend({ ...common, append: { id } });
  if (change.kind === "append") {
    const file = join(root, "day.ndjson");
    await writeFile(file, ndjson([...change.rows.values()]));
    return await appendPrices({ ...common, files: [file] });
  }
  const candidateDirectory = join(root, "candidate");
  await rm(candidateDirectory, { recursive: true, force: true });
  await writeRecords(candidateDirectory, { prices: [...change.rows.values()] });
  const flags = { ...common, candidateDirectory, allowShrink: true };
  if (change.kind === "whole") return await publishSnapshot({ ...flags, allowLoss: true });
  return await replaceSource({ ...flags, source: "WFP", prefer: change.prefer });
}

/** Compares the changes from each snapshot that the current one descends from with what differs for readers. */
async function checkChanges(data: string, states: ReadonlyMap<SnapshotId, NaiveSnapshot>): Promise<void> {
  const current = (await currentOf(data)) as SnapshotId;
  const shown = (id: SnapshotId): ReadonlyMap<string, PriceLine> => shownRows(states.get(id) as NaiveSnapshot);
  const after = shown(current);
  for (let from: SnapshotId | null = current; from !== null; ) {
    const before = shown(from);
    const uuids = [...new Set([...before.keys(), ...after.keys()])].sort();
    const expected = uuids.flatMap((uuid) => {
      const [was, is] = [before.get(uuid), after.get(uuid)];
      if (was?.price === is?.price && was?.source === is?.source) return [];
      const kind = was === undefined ? "added" : is === undefined ? "away" : "corrected";
      return [[uuid, kind, String(was?.price ?? ""), String(is?.price ?? "")]];
    });
    const { rows } = await joinChanges(data, from, current);
    const found = rows.map(({ uuid, change, price_before, price_after }) => {
      return [uuid, change === "withdrawn" || change === "gone" ? "away" : change, price_before, price_after];
    });
    assert.deepEqual(found, expected, `${from} → ${current}`);
    ({ parent: from } = await readManifest(join(data, "snapshots", from)));
  }
}

/** Compares what readers see, and the numbers and lists of the snapshot, with the twin. */
async function checkSnapshot(data: string, id: SnapshotId, state: NaiveSnapshot): Promise<void> {
  const store = await openSnapshotStore(data, id);
  const shown = shownRows(state);
  assert.equal(store.prices.rowCount, shown.size);
  for (const [uuid, { price, source }] of shown) {
    const stored = storedPrice(store, uuid as Uuid);
    assert.deepEqual([stored?.price, stored?.source], [price, source]);
  }
  // So few rows a part, and bytes a piece, that every file is cut.
  const written: string[] = [];
  const write = async (lines: string): Promise<void> => void written.push(lines);
  const streamed = await streamRows({ dataDirectory: data, id, partRows: 2, pieceBytes: 500, write });
  const rows = written
    .join("")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as PriceLine);
  const inOrder = (list: readonly PriceLine[]): string[] =>
    list.map(({ uuid, price, source }) => `${uuid} ${price} ${source}`).sort();
  assert.deepEqual(inOrder(rows), inOrder([...shown.values()]));
  assert.deepEqual([streamed.rows, streamed.withheld], [shown.size, withheldCount(state)]);
  const folder = join(data, "snapshots", id);
  const manifest = await readManifest(folder);
  const decisions = await readManifestDecisions(folder, manifest);
  assert.deepEqual(decisions.withdrawals.map(({ uuid }) => uuid as string).sort(), [...state.withdrawn].sort());
  const entry = manifest.files.find(({ kind }) => kind === "withdrawals");
  assert.equal(entry?.withheld ?? 0, withheldCount(state));
  // The store that was made step by step is the one that the files make.
  const verified = await verifySnapshot(data, id);
  assert.equal(verified.rows.prices, shown.size);
}
