/** What must hold after every fault of a publisher. */
import type { Test } from "tap";
import { openCurrentSnapshot } from "../../src/engine/compiled/open-snapshot.ts";
import { verifyAnnouncement } from "../../src/publishing/publish/announce-snapshot.ts";
import { collectGarbage } from "../../src/publishing/publish/collect-garbage.ts";
import { listSnapshots } from "../../src/publishing/publish/list-snapshots.ts";
import { readLog } from "../../src/publishing/publish/publication-log.ts";
import { verifySnapshot } from "../../src/publishing/publish/verify-snapshot.ts";
import { readAnnouncement } from "../../src/publishing/transfer/announcement.ts";
import { type Scene, thoroughGarbage } from "./fault-scenes.ts";
import { doWork } from "./fault-work.ts";
import { currentOf, namesOf } from "./published-data.ts";

/**
 * Asserts that `CURRENT` names a complete snapshot, which services load whole; that the same work, done again,
 * succeeds; and that gc leaves nothing that does not belong there.
 *
 * @param at When the fault came, for messages.
 * @param isDone Whether the new snapshot must be current; undefined when either may be.
 */
export async function checkAfterFault(t: Test, scene: Scene, at: string, isDone: boolean | undefined): Promise<void> {
  const { work, data, before } = scene;
  const current = await currentOf(data);
  const isChanged = current !== before;
  if (isDone !== undefined && scene.after !== before) {
    t.equal(isChanged, isDone, `${at}: the ${isDone ? "new" : "old"} snapshot is current`);
  }
  await checkLoadsWhole(t, data, at);

  // What is done already is not done again; what is not, is.
  if (!(isChanged && ["append", "rollback"].includes(work.kind))) await doWork(work);
  const final = await currentOf(data);
  if (scene.after === undefined) t.not(final, before, `${at}: done again, the new snapshot is current`);
  else t.equal(final, scene.after, `${at}: done again, what should be current is`);
  await checkLoadsWhole(t, data, at);

  // Every command completes what a killed one has not announced.
  await collectGarbage(thoroughGarbage(data));
  t.equal((await readAnnouncement(data))?.snapshot, final, `${at}: what is current is announced`);
  t.equal(await verifyAnnouncement(data, null), undefined, `${at}: and as it is`);
  const snapshots = (await listSnapshots(data)).snapshots.map(({ id }) => id).sort();
  const compiled = snapshots.map((id) => `compiled/${id}.store`);
  const names = [
    "CURRENT",
    "announcement.json",
    "compiled",
    ...compiled,
    "snapshots",
    ...snapshots.map((id) => `snapshots/${id}`),
  ];
  t.same(await namesOf(data), names, `${at}: no orphaned file is left`);
  t.same(
    (await readLog(data)).faults.filter((fault) => !fault.includes("no such file")),
    [],
    `${at}: the log has whole lines`,
  );
  for (const id of snapshots)
    t.match(await verifySnapshot(data, id), { id, isCompiled: true }, `${at}: ${id} is whole`);
  if (work.kind === "gc") t.equal(snapshots.length, 2, `${at}: what was to be kept is there`);
}

/** Asserts that `CURRENT` names a snapshot that is complete, and that a service loads it as it stands. */
export async function checkLoadsWhole(t: Test, data: string, at: string): Promise<void> {
  const current = await currentOf(data);
  const { rows } = await verifySnapshot(data);
  const onFallback = (): void => void t.fail(`${at}: a service falls back`);
  const onCompiledRefused = (): void => void t.fail(`${at}: a torn compiled store bears a name`);
  const { store } = await openCurrentSnapshot(data, { onFallback, onCompiledRefused });
  t.equal(store.snapshot.id, current, `${at}: a service loads what CURRENT names`);
  t.equal(store.prices.rowCount, rows.prices, `${at}: with all its prices`);
}
