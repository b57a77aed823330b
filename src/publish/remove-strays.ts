/** What a killed publisher can leave in a dataset directory, and how it is cleared away. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { listCompiled } from "../compiled/compile-snapshot.ts";
import { currentPath, snapshotsPath } from "../dataset/snapshot-layout.ts";
import { temporaryPath } from "../files/write-file-durably.ts";
import { namesIn, snapshotIds } from "./list-snapshots.ts";
import { ignoreSteps, type StepObserver } from "./publish-step.ts";

/** Folders that are being filled, beside the snapshots. */
export const stagingPrefix = ".staging-";

/** Snapshots that are being removed. */
export const removedPrefix = ".removed-";

/**
 * The paths of what dead publishers left: folders half filled or half removed, compiled stores half written or without a
 * snapshot, and a `CURRENT` that was never renamed. The caller holds the lock, so no publisher is at work on them. A
 * service that compiles a snapshot just now loses what it has written; it can do without.
 */
export async function findStrays(dataDirectory: string): Promise<string[]> {
  const snapshots = snapshotsPath(dataDirectory);
  const strays = (await namesIn(snapshots))
    .filter((name) => name.startsWith(stagingPrefix) || name.startsWith(removedPrefix))
    .sort()
    .map((name) => join(snapshots, name));
  const ids: ReadonlySet<string> = new Set(await snapshotIds(dataDirectory));
  for (const { id, path } of await listCompiled(dataDirectory)) {
    if (id === undefined || !ids.has(id)) strays.push(path);
  }
  const pointer = temporaryPath(currentPath(dataDirectory));
  const isPointerThere = (await namesIn(dataDirectory)).some((name) => join(dataDirectory, name) === pointer);
  return isPointerThere ? [...strays, pointer] : strays;
}

/** Removes what dead publishers left. The caller holds the lock. */
export async function removeStrays(dataDirectory: string, onStep: StepObserver = ignoreSteps): Promise<void> {
  for (const path of await findStrays(dataDirectory)) {
    await rm(path, { recursive: true, force: true });
    await onStep("stray-removed");
  }
}
