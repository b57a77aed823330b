/** Removes snapshots that are no longer needed, and the orphaned files of killed publishers and services. */
import { readdir, rename, rm, stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { listCompiled, type MadeOfSnapshot } from "../../engine/compiled/compiled-folder.ts";
import { namesIn } from "../../engine/files/list-folder.ts";
import { flushDirectory } from "../../engine/files/write-file-durably.ts";
import type { Instant } from "../../engine/model/calendar.ts";
import { SnapshotUnavailableError } from "../../engine/snapshots/current-snapshot.ts";
import { readPin } from "../../engine/snapshots/pin.ts";
import {
  cardsFolderPath,
  cardsIdOf,
  compiledPath,
  downloadsFolderPath,
  downloadsPath,
  draftsPath,
  type SnapshotId,
  snapshotPath,
  snapshotsPath,
  toSnapshotId,
} from "../../engine/snapshots/snapshot-layout.ts";
import type { Cleaning } from "./cleaning.ts";
import { listSnapshots, type SnapshotEntry, snapshotIds } from "./list-snapshots.ts";
import { findOrphans, removedPrefix, removeOrphans } from "./orphans.ts";
import { type ChangeRequest, changeDirectory, type Finished } from "./publish-lock.ts";
import { isFutureId, timeOfId } from "./snapshot-id.ts";

/**
 * A compiled store that has not been written to for so long is orphaned; a live writer writes every few milliseconds.
 */
export const deadWriterMilliseconds: number = 10 * 60_000;

export interface GarbageRequest extends ChangeRequest {
  readonly now: Instant;
  /** Number of snapshots kept of the current one and its parents, at least 1. */
  readonly keep: number;
  /** Younger snapshots are kept too; none for its age where it is 0. */
  readonly ageMillisecondsMin: number;
  /** Drafts that are as old are removed; none are when absent. */
  readonly draftAgeMillisecondsMin?: number | undefined;
  /** Report what would be removed, and remove nothing. */
  readonly dryRun: boolean;
}

export interface GarbageReport {
  /** Newest first. */
  readonly removed: readonly SnapshotId[];
  /** Newest first. */
  readonly kept: readonly SnapshotId[];
  /** Drafts that are removed, newest first; absent where there are none. */
  readonly expired?: readonly SnapshotId[];
  /** Files and folders of killed publishers and services, as paths inside the dataset directory. */
  readonly orphans: readonly string[];
}

/**
 * Removes old snapshots and orphaned files. It keeps the current snapshot, a pinned one, as many of its parents as
 * requested, and all young ones. One whose id is more than a day ahead of the clock is not young, unless all are.
 * Beyond a parent that is missing or has an unreadable manifest the line of descent is unknown, so it keeps everything
 * older too.
 *
 * A snapshot first loses its name, so that it exists whole or not at all, and then its files. The next run completes an
 * interrupted one.
 *
 * @throws {SnapshotUnavailableError} when the current snapshot is unknown or unreadable; no snapshot is removed.
 * @throws {LockHeldError} when a publisher holds the lock for more than ten seconds.
 */
export async function collectGarbage(request: GarbageRequest): Promise<GarbageReport & Finished> {
  const { dataDirectory } = request;
  if (request.dryRun) return { ...(await findGarbage(request)), unfinished: [] };
  return await changeDirectory(request, async (change, left) => {
    const found = await findGarbage(request);
    const paths = found.orphans.map((path) => join(dataDirectory, path));
    const orphans = [...left, ...(await removeOrphans(dataDirectory, change.cleaning, paths))];
    const remove = async (directory: string, ids: readonly SnapshotId[]): Promise<SnapshotId[]> => {
      const removed: SnapshotId[] = [];
      for (const id of ids) {
        if (await change.cleaning.attempt(() => removeSnapshot(directory, id, change.cleaning))) removed.push(id);
      }
      return removed;
    };
    const removed = await remove(dataDirectory, found.removed);
    const expired = await remove(draftsPath(dataDirectory), found.expired ?? []);
    if (removed.length + expired.length + orphans.length > 0) {
      const counts = { removed: removed.length, drafts: expired.length, orphans: orphans.length };
      change.log({ counts, removed });
    }
    const kept = [...found.kept, ...found.removed.filter((id) => !removed.includes(id))].sort().toReversed();
    return { removed, kept, orphans, ...(expired.length === 0 ? {} : { expired }) };
  });
}

/**
 * Removes a snapshot: now its name, so that it exists whole or not at all, and its files in the end. The caller holds
 * the lock.
 */
export async function removeSnapshot(dataDirectory: string, id: SnapshotId, cleaning: Cleaning): Promise<void> {
  const unnamed = join(snapshotsPath(dataDirectory), `${removedPrefix}${id}`);
  await rename(snapshotPath(dataDirectory, id), unnamed);
  cleaning.later(async () => {
    await flushDirectory(snapshotsPath(dataDirectory));
    // A reader that has it open reads on.
    await rm(compiledPath(dataDirectory, id), { force: true });
    await rm(downloadsPath(dataDirectory, id), { recursive: true, force: true });
    for (const cards of await listCards(dataDirectory)) {
      if (cards.id === id) await rm(cards.path, { recursive: true, force: true });
    }
    await rm(unnamed, { recursive: true, force: true });
  });
}

async function findGarbage(request: GarbageRequest): Promise<GarbageReport> {
  const { dataDirectory, now, keep, ageMillisecondsMin, draftAgeMillisecondsMin = Number.POSITIVE_INFINITY } = request;
  const { snapshots, current, currentFault } = await listSnapshots(dataDirectory);
  if (current === undefined) throw new SnapshotUnavailableError(currentFault ?? "CURRENT names nothing");
  const currentEntry = snapshots.find(({ id }) => id === current);
  if (currentEntry?.manifest === undefined) {
    const reason = currentEntry?.fault ?? "no such snapshot";
    throw new SnapshotUnavailableError(`the current snapshot ${current} cannot be read: ${reason}`);
  }
  // Beyond a parent that is missing or unreadable the next parents are unknown.
  const chain = snapshots.filter(({ generation }) => generation !== undefined);
  const lastKnown = chain.find(
    ({ manifest }) => manifest?.parent !== null && !chain.some(({ id }) => id === manifest?.parent),
  );
  const pin = await readPin(dataDirectory);
  // If all of them are in the future, the clock is behind and tells the age of none.
  const isClockBehind = snapshots.every(({ id }) => isFutureId(id, now));
  const isYoung = (id: SnapshotId): boolean =>
    ageMillisecondsMin > 0 && now - timeOfId(id) < ageMillisecondsMin && (isClockBehind || !isFutureId(id, now));
  const isKept = ({ id, generation }: SnapshotEntry): boolean =>
    id === pin?.id ||
    (generation !== undefined && generation < keep) ||
    isYoung(id) ||
    (lastKnown !== undefined && chain.length < keep + (lastKnown.manifest === undefined ? 1 : 0) && id < lastKnown.id);
  const isExpired = (id: SnapshotId): boolean => now - timeOfId(id) >= draftAgeMillisecondsMin;
  const drafts = draftsPath(dataDirectory);
  const expired = (await snapshotIds(drafts)).filter(isExpired).toReversed();
  const orphans = [
    ...(await findOrphans(dataDirectory)),
    ...(await orphansAmong(await listCompiled(dataDirectory), dataDirectory, now)),
    ...(await orphansAmong(await listCompiled(drafts), drafts, now)),
    ...(await orphansAmong(await listFolders(downloadsFolderPath(dataDirectory), toSnapshotId), dataDirectory, now)),
    ...(await orphansAmong(await listCards(dataDirectory), dataDirectory, now)),
  ];
  return {
    removed: snapshots.filter((entry) => !isKept(entry)).map(({ id }) => id),
    kept: snapshots.filter(isKept).map(({ id }) => id),
    ...(expired.length === 0 ? {} : { expired }),
    orphans: orphans.map((path) => relative(dataDirectory, path)),
  };
}

/**
 * The paths of compiled stores, downloads and cards that are half written or have no snapshot, and of cards that former
 * code has drawn, where newer ones are there. Their writers hold no publish lock, so a recent one is no orphan.
 *
 * @param now The clock that sets the times of files.
 */
async function orphansAmong(copies: readonly MadeOfSnapshot[], dataDirectory: string, now: Instant): Promise<string[]> {
  const ids = new Set(await snapshotIds(dataDirectory));
  const isOrphan = ({ id, writtenAt }: MadeOfSnapshot): boolean => {
    if (id !== undefined && !ids.has(id)) return true;
    const isFormer = copies.some((other) => other.id === id && other.writtenAt > writtenAt);
    return (id === undefined || isFormer) && now - writtenAt >= deadWriterMilliseconds;
  };
  return copies.filter(isOrphan).map(({ path }) => path);
}

async function listCards(dataDirectory: string): Promise<MadeOfSnapshot[]> {
  return await listFolders(cardsFolderPath(dataDirectory), cardsIdOf);
}

/** The folders in a folder. @param idOf The snapshot by the name of its folder. */
async function listFolders(folder: string, idOf: (name: string) => SnapshotId | undefined): Promise<MadeOfSnapshot[]> {
  const paths = (await namesIn(folder)).sort().map((name) => join(folder, name));
  return await Promise.all(
    paths.map(async (path) => ({ path, id: idOf(basename(path)), writtenAt: await newestChange(path) })),
  );
}

/** Returns the time at which a file was last made or written to in a folder, or in one of its folders. */
async function newestChange(path: string): Promise<number> {
  const names = await readdir(path, { recursive: true }).catch(() => []);
  const paths = [path, ...names.map((name) => join(path, name))];
  const stats = await Promise.all(paths.map((file) => stat(file).catch(() => undefined)));
  return Math.max(0, ...stats.map((found) => found?.mtimeMs ?? 0));
}
