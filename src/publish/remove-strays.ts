/** What a killed publisher can leave in a dataset directory, and how it is cleared away. */

import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { listCompiled } from "../compiled/compile-snapshot.ts";
import { currentPath, snapshotsPath } from "../dataset/snapshot-layout.ts";
import type { Instant } from "../domain/instant.ts";
import { namesIn } from "../files/names-in.ts";
import { temporaryPath } from "../files/write-file-durably.ts";
import { snapshotIds } from "./list-snapshots.ts";
import { ignoreSteps, type StepObserver } from "./publish-step.ts";

/** Folders that are being filled, beside the snapshots. */
export const stagingPrefix = ".staging-";

/** Snapshots that are being removed. */
export const removedPrefix = ".removed-";

/**
 * The paths of what dead publishers left: folders half filled or half removed, and a `CURRENT` that was never renamed.
 * Whoever removes them holds the lock, so nobody is at work on them; without it they may be a publisher's at work.
 */
export async function findStrays(dataDirectory: string): Promise<string[]> {
  const snapshots = snapshotsPath(dataDirectory);
  const strays = (await namesIn(snapshots))
    .filter((name) => name.startsWith(stagingPrefix) || name.startsWith(removedPrefix))
    .sort()
    .map((name) => join(snapshots, name));
  const pointer = temporaryPath(currentPath(dataDirectory));
  const isPointerThere = (await namesIn(dataDirectory)).includes(basename(pointer));
  return isPointerThere ? [...strays, pointer] : strays;
}

/** Who has written nothing to a compiled store for so long is dead; who lives writes every few milliseconds. */
export const deadWriterMilliseconds: number = 10 * 60_000;

/**
 * The paths of compiled stores that were left half written or have no snapshot. Not only publishers write them, but also
 * services, which hold no lock: what somebody may still be writing is none.
 *
 * @param now Of the clock that files get their times from.
 */
export async function findCompiledStrays(dataDirectory: string, now: Instant): Promise<string[]> {
  const ids: ReadonlySet<string> = new Set(await snapshotIds(dataDirectory));
  const files = await listCompiled(dataDirectory);
  return files
    .filter(({ id, writtenAt }) => (id === undefined ? now - writtenAt >= deadWriterMilliseconds : !ids.has(id)))
    .map(({ path }) => path);
}

/** Removes what dead publishers left. The caller holds the lock. */
export async function removeStrays(dataDirectory: string, onStep: StepObserver = ignoreSteps): Promise<void> {
  await removeAll(await findStrays(dataDirectory), onStep);
}

/** Removes strays by their paths. */
export async function removeAll(paths: readonly string[], onStep: StepObserver): Promise<void> {
  for (const path of paths) {
    await rm(path, { recursive: true, force: true });
    await onStep("stray-removed");
  }
}
