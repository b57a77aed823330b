/**
 * Random sequences of all commands that change what is served, and the changes between snapshots, against maps. `npm
 * test` takes more than 100 steps, `SEED=7 npm test` 2,000.
 */
import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import t from "tap";
import { readUuid, type Uuid } from "../../../src/engine/model/ids.ts";
import { loadManifestDataset } from "../../../src/engine/snapshots/load-dataset.ts";
import { readManifest } from "../../../src/engine/snapshots/manifest.ts";
import { readManifestDecisions } from "../../../src/engine/snapshots/price-decisions.ts";
import type { SnapshotId } from "../../../src/engine/snapshots/snapshot-layout.ts";
import { appendPrices } from "../../../src/publishing/publish/append-prices.ts";
import { approveDraft } from "../../../src/publishing/publish/approve-draft.ts";
import { collectGarbage } from "../../../src/publishing/publish/collect-garbage.ts";
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
import { isWhole, runsOf } from "../../support/fixed-seed.ts";
import {
  changeNaively,
  holdingOf,
  type NaiveChange,
  type NaiveSnapshot,
  shownRows,
  withheldCount,
} from "../../support/naive-decisions.ts";
import type { PriceLine } from "../../support/naive-feed.ts";
import { naiveSuspicious } from "../../support/naive-suspicious.ts";
import { currentOf, daysLater } from "../../support/published-data.ts";
import { ndjson, priceRow, testUuid, writeCurrentSnapshot, writeRecords } from "../../support/snapshot-files.ts";

const numbers = fc.integer({ min: 100, max: 107 });

/** Prices of one series, a month each. */
function rowsOf(sources: readonly string[], minLength: number = 1): fc.Arbitrary<ReadonlyMap<string, PriceLine>> {
  const row = fc.record({
    number: numbers,
    price: fc.constantFrom(60, 60, 61, 62, 600),
    source: fc.constantFrom(...sources),
  });
  return fc
    .uniqueArray(row, { selector: ({ number }) => number, minLength, maxLength: 8 })
    .map(
      (list) =>
        new Map(
          list.map(
            ({ number, ...own }) =>
              [testUuid(number), priceRow({ ...own, uuid: testUuid(number), recorded_at: dayOf(number) })] as const,
          ),
        ),
    );
}

function dayOf(number: number): string {
  return `2025-0${number - 99}-15T06:00:00Z`;
}

const uuids = fc.uniqueArray(numbers.map(testUuid), { minLength: 1, maxLength: 2 });

/** A change; what it goes back to is known when it comes to it. */
const drawnChange = fc.oneof(
  rowsOf(["WFP", "Field team"]).map((rows) => ({ kind: "append" as const, rows })),
  rowsOf(["WFP", "Field team"]).map((rows) => ({ kind: "append" as const, rows })),
  fc.record({
    kind: fc.constant("feed" as const),
    rows: rowsOf(["WFP"], 4),
    prefer: fc.constantFrom("own" as const, "feed" as const),
  }),
  rowsOf(["WFP", "Field team"], 5).map((rows) => ({ kind: "whole" as const, rows })),
  uuids.map((list) => ({ kind: "withdraw" as const, uuids: list })),
  uuids.map((list) => ({ kind: "withdraw" as const, uuids: list })),
  fc.record({ kind: fc.constant("reinstate" as const), uuids, isOfWithdrawn: fc.boolean() }),
  fc.record({ kind: fc.constant("rollback" as const), steps: fc.nat(7), isExact: fc.boolean() }),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("undo" as const),
      steps: fc.nat(7),
      isOfAppend: fc.constantFrom(true, true, false),
      isByFile: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("accept" as const),
      uuids,
      isOfMarked: fc.constantFrom(true, true, false),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("unaccept" as const),
      uuids,
      isOfAccepted: fc.constantFrom(true, true, false),
    }),
  },
  fc.record({ kind: fc.constant("gc" as const), keep: fc.integer({ min: 1, max: 4 }) }),
);

type Drawn = typeof drawnChange extends fc.Arbitrary<infer T> ? T : never;

t.test("what is withdrawn is in no answer until it is reinstated, and joined changes are what differs", async () => {
  const seen: Record<string, number> = {};
  let steps = 0;
  const property = fc.asyncProperty(
    rowsOf(["WFP"], 7),
    fc.array(fc.record({ drawn: drawnChange, isDraft: fc.boolean() }), { minLength: 10, maxLength: 14 }),
    async (base, changes) => {
      const root = await mkdtemp(join(tmpdir(), "withdrawals-"));
      try {
        const data = join(root, "data");
        await writeCurrentSnapshot(data, { tables: { prices: [...base.values()] } });
        let state: NaiveSnapshot = {
          ...{ layers: [{ sequence: 0, rows: base }], withdrawn: new Set(), accepted: new Map(), undone: new Set() },
        };
        let marked = await checkSnapshot(data, (await currentOf(data)) as SnapshotId, state);
        let isForgetful = false;
        let history: Published[] = [{ id: (await currentOf(data)) as SnapshotId, state, append: undefined }];
        for (const [day, { drawn, isDraft }] of changes.entries()) {
          const appends = history.filter(({ append }) => append !== undefined);
          const targets = drawn.kind === "undo" && drawn.isOfAppend && appends.length > 0 ? appends : history;
          const target = targets["steps" in drawn ? drawn.steps % targets.length : 0];
          assert.ok(target);
          const { change, file } = await resolve(drawn, state, { to: target, day, marked, data });
          const next = changeNaively(state, change);
          const served = await currentOf(data);
          const done = publish(root, change, { id: target.id, file }, day, isDraft);
          const refusal = { name: /^(DatasetError|UndoRefusedError)$/ };
          if (next === undefined) await assert.rejects(done, refusal);
          // What gc has removed does not tell what is undone already.
          else if (isForgetful && change.kind === "undo" && next === state) await done.catch(() => {});
          else await done;
          steps++;
          const outcome = `${change.kind}${file === undefined ? "" : " of a file"} ${next === undefined ? "refused" : "done"}`;
          seen[outcome] = (seen[outcome] ?? 0) + 1;
          const id = (await currentOf(data)) as SnapshotId;
          // Rows that are there already are published once.
          if (change.kind === "append" && next?.layers === state.layers) assert.equal(id, served);
          marked = await checkSnapshot(data, id, next ?? state);
          // Where nothing is published, what is served keeps its past.
          if (id !== history.findLast((one) => one.state === state)?.id) state = next ?? state;
          const append = change.kind === "append" ? change.append : undefined;
          if (!history.some((one) => one.id === id)) history.push({ id, state, append });
          if (change.kind !== "gc") continue;
          isForgetful = true;
          const there = await readdir(join(data, "snapshots"));
          history = history.filter((one) => there.includes(one.id));
        }
        await checkChanges(data, new Map(history.map((one) => [one.id, one.state])));
      } finally {
        await rm(root, { recursive: true, force: true });
      }
    },
  );
  // The steps of the least runs are more than 100.
  await fc.assert(property, { numRuns: runsOf(isWhole ? 45 : 30, 200) });
  t.comment(`${steps} steps: ${JSON.stringify(seen)}`);
  assert.ok(steps >= 100, `${steps} steps`);
  for (const kind of [
    ...["append", "feed", "whole", "withdraw", "reinstate", "rollback", "undo", "undo of a file"],
    ...["accept", "unaccept", "gc"],
  ]) {
    assert.ok((seen[`${kind} done`] ?? 0) > 0, `${kind}: ${JSON.stringify(seen)}`);
  }
  for (const kind of ["withdraw", "reinstate", "undo", "accept", "unaccept"])
    assert.ok((seen[`${kind} refused`] ?? 0) > 0, kind);
});

interface Published {
  readonly id: SnapshotId;
  readonly state: NaiveSnapshot;
  /** The append that it is of. */
  readonly append: number | undefined;
}

/** What a drawn change is resolved by. */
interface Circumstances {
  readonly to: Published;
  readonly day: number;
  /** The prices that are suspicious now. */
  readonly marked: ReadonlySet<string>;
  readonly data: string;
}

/** A change, and the file that an undo names instead of a snapshot. */
interface Resolved {
  readonly change: NaiveChange & { readonly keep?: number };
  readonly file?: string;
}

/** A drawn change of the snapshots that there are. */
async function resolve(drawn: Drawn, state: NaiveSnapshot, circumstances: Circumstances): Promise<Resolved> {
  const { to, day, marked, data } = circumstances;
  const someOf = (wanted: Iterable<string>, otherwise: readonly string[]): readonly string[] => {
    const some = [...wanted].slice(0, otherwise.length);
    return some.length === 0 ? otherwise : some;
  };
  switch (drawn.kind) {
    case "rollback":
      return { change: { ...drawn, to: to.state } };
    case "undo":
      return await resolveUndo(drawn, state, to, data);
    case "append":
      return { change: { ...drawn, append: day } };
    case "reinstate":
      return { change: { ...drawn, uuids: drawn.isOfWithdrawn ? someOf(state.withdrawn, drawn.uuids) : drawn.uuids } };
    case "accept":
      return { change: { ...drawn, marked, uuids: drawn.isOfMarked ? someOf(marked, drawn.uuids) : drawn.uuids } };
    case "unaccept": {
      const chosen = drawn.isOfAccepted ? someOf(state.accepted.keys(), drawn.uuids) : drawn.uuids;
      return { change: { ...drawn, uuids: chosen } };
    }
    default:
      return { change: drawn };
  }
}

async function resolveUndo(
  { steps, isOfAppend, isByFile }: Extract<Drawn, { kind: "undo" }>,
  { layers }: NaiveSnapshot,
  { id, append }: Published,
  data: string,
): Promise<Resolved> {
  const snapshots = join(data, "snapshots");
  if (isByFile) {
    const { files } = await readManifest(join(snapshots, await currentOf(data)));
    const all = files.filter(({ kind }) => kind === "prices");
    const appended = all.filter(({ sequence }) => sequence > 0);
    const prices = isOfAppend && appended.length > 0 ? appended : all;
    const { name, sequence } = prices[steps % prices.length] as (typeof prices)[number];
    const layer = layers.find((one) => one.sequence === sequence);
    return { change: { kind: "undo", append: layer?.append }, file: name };
  }
  const { parent } = await readManifest(join(snapshots, id));
  const isKnown = parent === null || (await readdir(snapshots)).includes(parent);
  return { change: { kind: "undo", append: isKnown ? append : undefined } };
}

/** The snapshot that a change names, or the file. */
interface Target {
  readonly id: SnapshotId;
  readonly file: string | undefined;
}

/** @param isDraft Publishes by a draft and its approval, where the command can. */
async function publish(
  root: string,
  change: Resolved["change"],
  target: Target,
  day: number,
  isDraft: boolean,
): Promise<void> {
  const dataDirectory = join(root, "data");
  const common = { dataDirectory, now: daysLater(1 + day), dryRun: false, isDraft };
  if (change.kind === "rollback") {
    await rollbackSnapshot({ dataDirectory, now: common.now, id: target.id, withoutWithdrawals: change.isExact });
    return;
  }
  if (change.kind === "gc") {
    const { keep = 1 } = change;
    await collectGarbage({ dataDirectory, now: common.now, keep, ageMillisecondsMin: 0, dryRun: false });
    return;
  }
  const { outcome, id } = await publishChange(root, common, change, target);
  if (outcome === "drafted") await approveDraft({ dataDirectory, id, now: common.now });
}

async function publishChange(
  root: string,
  common: PublicationRequest,
  change: Exclude<NaiveChange, { kind: "rollback" | "gc" }>,
  { id, file }: Target,
): Promise<PublicationReport> {
  if (change.kind === "withdraw" || change.kind === "reinstate") {
    const decision = change.kind === "withdraw" ? { reason: "wrong", by: null } : undefined;
    return await decidePrices({ ...common, kind: "withdrawals", uuids: change.uuids as Uuid[], decision });
  }
  if (change.kind === "accept" || change.kind === "unaccept") {
    const decision = change.kind === "accept" ? { reason: "seen", by: null } : undefined;
    return await decidePrices({ ...common, kind: "accepted", uuids: change.uuids as Uuid[], decision });
  }
  if (change.kind === "undo") return await undoAppend({ ...common, append: file === undefined ? { id } : { file } });
  if (change.kind === "append") {
    const path = join(root, "day.ndjson");
    await writeFile(path, ndjson([...change.rows.values()]));
    return await appendPrices({ ...common, files: [path] });
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
    const { parent }: { parent: SnapshotId | null } = await readManifest(join(data, "snapshots", from));
    // Beyond it gc has removed them.
    from = parent !== null && states.has(parent) ? parent : null;
  }
}

/**
 * Compares what readers see, and the numbers and lists of the snapshot, with the twin.
 *
 * @returns The prices that are marked.
 */
async function checkSnapshot(data: string, id: SnapshotId, state: NaiveSnapshot): Promise<ReadonlySet<string>> {
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
  assert.deepEqual(decisions.accepted.map(({ uuid, price }) => [uuid, price]).sort(), [...state.accepted].sort());
  const dataset = await loadManifestDataset(folder, manifest);
  const marked = new Set<string>(naiveSuspicious(dataset, holdingOf(state) as ReadonlySet<Uuid>).keys());
  const found = Array.from(store.suspicious.rows, (row) => readUuid(store.prices.uuids, row) as string);
  assert.deepEqual(found.sort(), [...marked].sort());
  return marked;
}
