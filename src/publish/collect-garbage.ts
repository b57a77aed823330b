import { rename, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { removeCompiled } from "../compiled/compile-snapshot.ts";
import { SnapshotUnavailableError } from "../dataset/load-current-dataset.ts";
import { type SnapshotId, snapshotPath, snapshotsPath } from "../dataset/snapshot-layout.ts";
import type { Instant } from "../domain/instant.ts";
import { flushDirectory } from "../files/write-file-durably.ts";
import { listSnapshots, type SnapshotEntry } from "./list-snapshots.ts";
import { withPublishLock } from "./publish-lock.ts";
import { ignoreSteps, type StepObserver } from "./publish-step.ts";
import { findCompiledStrays, findStrays, removeAll, removedPrefix } from "./remove-strays.ts";
import { timeOfId } from "./snapshot-id.ts";

export interface GarbageRequest {
  readonly dataDirectory: string;
  readonly now: Instant;
  /** How many of the current snapshot and its parents are kept, at least 1. */
  readonly keep: number;
  /** Whatever was published less than this long ago is kept too. */
  readonly ageMillisecondsMin: number;
  /** Tell what would be removed, and remove nothing. */
  readonly dryRun: boolean;
  readonly onStep?: StepObserver | undefined;
}

export interface GarbageReport {
  /** Newest first. */
  readonly removed: readonly SnapshotId[];
  /** Newest first. */
  readonly kept: readonly SnapshotId[];
  /** What dead publishers and services left, as paths inside the dataset directory. */
  readonly strays: readonly string[];
}

/**
 * Removes snapshots that nobody will go back to, and what dead publishers left. Kept are the current snapshot, as many of
 * its parents as asked for, and all that are young; of a parent that is gone, or whose manifest cannot be read, nobody knows
 * the parents, so everything older stays too.
 *
 * A snapshot first loses its name, so that it is there whole or not at all, and then its files. If this is interrupted,
 * the next one goes on.
 *
 * @throws {SnapshotUnavailableError} when nobody can tell what is current: then nothing is removed.
 * @throws {LockHeldError} when a publisher is at work for longer than ten seconds.
 */
export async function collectGarbage(request: GarbageRequest): Promise<GarbageReport> {
  const { dataDirectory, onStep = ignoreSteps } = request;
  if (request.dryRun) return await findGarbage(request);
  return await withPublishLock(dataDirectory, async () => {
    await onStep("locked");
    const garbage = await findGarbage(request);
    await removeAll(
      garbage.strays.map((path) => join(dataDirectory, path)),
      onStep,
    );
    for (const id of garbage.removed) {
      const setAside = join(snapshotsPath(dataDirectory), `${removedPrefix}${id}`);
      await rename(snapshotPath(dataDirectory, id), setAside);
      await flushDirectory(snapshotsPath(dataDirectory));
      await onStep("set-aside");
      await removeCompiled(dataDirectory, id);
      await onStep("compiled-removed");
      await rm(setAside, { recursive: true, force: true });
      await onStep("removed");
    }
    return garbage;
  });
}

async function findGarbage({ dataDirectory, now, keep, ageMillisecondsMin }: GarbageRequest): Promise<GarbageReport> {
  const { snapshots, current, currentFault } = await listSnapshots(dataDirectory);
  if (current === undefined) throw new SnapshotUnavailableError(currentFault ?? "CURRENT names nothing");
  const currentEntry = snapshots.find(({ id }) => id === current);
  if (currentEntry?.manifest === undefined) {
    const reason = currentEntry?.fault ?? "no such snapshot";
    throw new SnapshotUnavailableError(`the current snapshot ${current} cannot be read: ${reason}`);
  }
  // Behind a parent that cannot be read or is gone nobody knows who the next ones are.
  const chain = snapshots.filter(({ generation }) => generation !== undefined);
  const lastKnown = chain.find(
    ({ manifest }) => manifest?.parent !== null && !chain.some(({ id }) => id === manifest?.parent),
  );
  const isKept = ({ id, generation }: SnapshotEntry): boolean =>
    (generation !== undefined && generation < keep) ||
    now - timeOfId(id) < ageMillisecondsMin ||
    (lastKnown !== undefined && chain.length < keep + (lastKnown.manifest === undefined ? 1 : 0) && id < lastKnown.id);
  return {
    removed: snapshots.filter((entry) => !isKept(entry)).map(({ id }) => id),
    kept: snapshots.filter(isKept).map(({ id }) => id),
    strays: [...(await findStrays(dataDirectory)), ...(await findCompiledStrays(dataDirectory, now))].map((path) =>
      relative(dataDirectory, path),
    ),
  };
}
