/** Lists the snapshots of a dataset directory, broken ones too. For people and for gc; readers never list. */
import { join } from "node:path";
import { listCompiled } from "../../engine/compiled/compiled-folder.ts";
import { namesIn } from "../../engine/files/list-folder.ts";
import { openRegularFile, orMissing } from "../../engine/files/read-regular-file.ts";
import { compareTexts } from "../../engine/model/folded-text.ts";
import {
  orUnavailable,
  readCurrent,
  readManifestOf,
  SnapshotUnavailableError,
} from "../../engine/snapshots/current-snapshot.ts";
import { type Manifest, type TableRows, tableRows } from "../../engine/snapshots/manifest.ts";
import {
  rejectedFileName,
  type SnapshotId,
  snapshotPath,
  snapshotsPath,
  toSnapshotId,
} from "../../engine/snapshots/snapshot-layout.ts";
import { instantOfId } from "./snapshot-id.ts";

/** One snapshot of a dataset directory. */
export interface SnapshotEntry {
  readonly id: SnapshotId;
  /** Undefined when it cannot be read; then `fault` says why. */
  readonly manifest: Manifest | undefined;
  readonly fault: string | undefined;
  /** Number of records of each table; undefined without a manifest. */
  readonly rows: TableRows | undefined;
  /** Size of all record files as stored; undefined without a manifest. Snapshots may share files on the disk. */
  readonly bytes: number | undefined;
  /** 0 for the current snapshot, 1 for its parent, 2 for the parent of that …; undefined for all others. */
  readonly generation: number | undefined;
  /** True if it has a compiled store. */
  readonly isCompiled: boolean;
}

export interface SnapshotListing {
  /** Newest first. */
  readonly snapshots: readonly SnapshotEntry[];
  /** The id in `CURRENT`, whether or not that snapshot exists; undefined when there is none. */
  readonly current: SnapshotId | undefined;
  /** The reason why `CURRENT` cannot be read. */
  readonly currentFault: string | undefined;
}

/** Lists all snapshots with what their manifests say. Cost: reads every manifest and no records. */
export async function listSnapshots(dataDirectory: string): Promise<SnapshotListing> {
  const current = await orUnavailable(readCurrent(dataDirectory));
  const isNamed = !(current instanceof SnapshotUnavailableError);
  const compiled = new Set((await listCompiled(dataDirectory)).map(({ id }) => id));
  const manifests = new Map<SnapshotId, Manifest | SnapshotUnavailableError>();
  for (const id of (await snapshotIds(dataDirectory)).toReversed()) {
    manifests.set(id, await orUnavailable(readManifestOf(dataDirectory, id)));
  }
  const generations = new Map<SnapshotId | null, number>();
  // The current one, its parent, and so on as far as manifests lead; it ends, for each parent's id is lower.
  for (let id = isNamed ? current : null; id !== null && manifests.has(id); ) {
    generations.set(id, generations.size);
    const found = manifests.get(id);
    id = found === undefined || found instanceof SnapshotUnavailableError ? null : found.parent;
  }
  const snapshots = [...manifests].map(([id, found]): SnapshotEntry => {
    const manifest = found instanceof SnapshotUnavailableError ? undefined : found;
    return {
      id,
      manifest,
      fault: found instanceof SnapshotUnavailableError ? found.message : undefined,
      rows: manifest === undefined ? undefined : tableRows(manifest.files),
      bytes: manifest?.files.reduce((sum, file) => sum + file.bytes, 0),
      generation: generations.get(id),
      isCompiled: compiled.has(id),
    };
  });
  if (isNamed) return { snapshots, current, currentFault: undefined };
  return { snapshots, current: undefined, currentFault: current.message };
}

/** The ids of all snapshots of a dataset directory, oldest first; none when there is no such directory. */
export async function snapshotIds(dataDirectory: string): Promise<SnapshotId[]> {
  const ids = (await namesIn(snapshotsPath(dataDirectory))).map(toSnapshotId).filter((id) => id !== undefined);
  return ids.filter((id) => instantOfId(id) !== undefined).sort(compareTexts);
}

/** Returns the number of price rows that an earlier program rejected when it published a snapshot. */
export async function countRejectedRows(dataDirectory: string, id: SnapshotId): Promise<number> {
  await using file = await orMissing(openRegularFile(join(snapshotPath(dataDirectory, id), rejectedFileName)));
  return file === undefined ? 0 : (await file.readFile("utf8")).split("\n").length - 1;
}
