/** Puts the list of what a publication changes into the staging folder of its snapshot. */

import { join } from "node:path";
import type { RowChanges } from "../../contract/publication-report.ts";
import { regularFileExists } from "../../engine/files/read-regular-file.ts";
import { writeWholeFile } from "../../engine/files/write-whole-file.ts";
import type { Manifest } from "../../engine/snapshots/manifest.ts";
import { readManifestDecisions } from "../../engine/snapshots/price-decisions.ts";
import { changesFileName, type SnapshotId, snapshotPath } from "../../engine/snapshots/snapshot-layout.ts";
import type { Store } from "../../engine/store/store.ts";
import { changesFile, firstPublication, notCompared, uncomparedFile } from "./changes-file.ts";
import { openComparedStore, PublishedSnapshot } from "./open-published.ts";
import { findPriceChanges, type UuidWords } from "./price-changes.ts";
import type { Staging } from "./stage-snapshot.ts";

/** A snapshot and its store, beside the store of its parent as far as that can be read. */
export interface ComparedSnapshot {
  readonly manifest: Manifest;
  readonly store: Store;
  readonly before: Store | undefined;
  /** The uuids of all prices that may differ, where they are known. */
  readonly changed?: UuidWords | undefined;
}

/**
 * Writes the file of changes. The files of decisions are in the folder already.
 *
 * @returns The number of prices that differ; undefined where not all were compared.
 */
export async function stageChanges(
  staging: Staging,
  { manifest, store, before, changed }: ComparedSnapshot,
): Promise<RowChanges | undefined> {
  if (before === undefined) {
    const reason = manifest.parent === null ? firstPublication : notCompared;
    await staging.write(changesFileName, uncomparedFile(reason));
    return undefined;
  }
  const changes = findPriceChanges(before, store, changed);
  const { withdrawals } = await readManifestDecisions(staging.path, manifest);
  await staging.write(changesFileName, changesFile(before, store, changes, withdrawals));
  return changed === undefined ? changes.counts : undefined;
}

/**
 * Writes the file of changes of a snapshot that was fetched, whole or not at all, where it has none.
 *
 * @returns False where its parent cannot be read: then it gets none.
 * @throws {SnapshotUnavailableError} {DatasetError} when the snapshot itself cannot be read.
 */
export async function writeChangesOf(dataDirectory: string, id: SnapshotId): Promise<boolean> {
  const path = join(snapshotPath(dataDirectory, id), changesFileName);
  if (await regularFileExists(path)) return true;
  const snapshot = await PublishedSnapshot.read(dataDirectory, id);
  const { parent } = snapshot.manifest;
  const before = await openComparedStore(dataDirectory, parent);
  if (before === undefined) {
    if (parent === null) await writeWholeFile(path, uncomparedFile(firstPublication));
    return parent === null;
  }
  const store = await snapshot.openStore();
  const { withdrawals } = await snapshot.readDecisions();
  await writeWholeFile(path, changesFile(before, store, findPriceChanges(before, store), withdrawals));
  return true;
}
