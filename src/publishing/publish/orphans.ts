/** What killed publishers leave in a dataset directory. Only the holder of the lock knows that none is at work. */
import { rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { namesIn } from "../../engine/files/list-folder.ts";
import { temporaryPath } from "../../engine/files/write-file-durably.ts";
import { pinName } from "../../engine/snapshots/pin.ts";
import { pendingName } from "../../engine/snapshots/push-pending.ts";
import { announcementName, currentName, draftsPath, snapshotsPath } from "../../engine/snapshots/snapshot-layout.ts";
import { followedName } from "../transfer/followed-origin.ts";
import type { Cleaning } from "./cleaning.ts";
import { stagingPrefix } from "./stage-snapshot.ts";

/** Snapshots that are being removed. */
export const removedPrefix = ".removed-";

/** Files that are replaced under the lock: a killed publisher leaves their new content under a temporary name. */
const temporaryNames = [currentName, announcementName, pendingName, pinName, followedName].map(temporaryPath);

/** The paths of folders half filled or half removed, and of files that were never renamed. */
export async function findOrphans(dataDirectory: string): Promise<string[]> {
  const among = async (folder: string, isOrphan: (name: string) => boolean): Promise<string[]> =>
    (await namesIn(folder))
      .filter(isOrphan)
      .sort()
      .map((name) => join(folder, name));
  const isUnfinished = (name: string): boolean => name.startsWith(stagingPrefix) || name.startsWith(removedPrefix);
  return [
    ...(await among(snapshotsPath(dataDirectory), isUnfinished)),
    ...(await among(snapshotsPath(draftsPath(dataDirectory)), isUnfinished)),
    ...(await among(dataDirectory, (name) => temporaryNames.includes(name))),
  ];
}

/**
 * Removes orphaned folders and files; one that cannot be removed stops nothing.
 *
 * @returns Those that are removed, as paths inside the dataset directory.
 */
export async function removeOrphans(dataDirectory: string, cleaning: Cleaning, paths: string[]): Promise<string[]> {
  const removed: string[] = [];
  for (const path of paths) {
    const isRemoved = await cleaning.attempt(() => rm(path, { recursive: true, force: true }));
    if (isRemoved) removed.push(relative(dataDirectory, path));
  }
  return removed;
}
