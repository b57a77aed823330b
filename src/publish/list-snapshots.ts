/** Which snapshots a dataset directory holds, whatever shape they are in. For people and for gc; readers never list. */
import { listCompiled } from "../compiled/compile-snapshot.ts";
import { readCurrent, readManifestOf, SnapshotUnavailableError } from "../dataset/load-current-dataset.ts";
import { type Manifest, tableRows } from "../dataset/manifest.ts";
import { type RecordKind, type SnapshotId, snapshotsPath, toSnapshotId } from "../dataset/snapshot-layout.ts";
import { compareTexts } from "../domain/folded-text.ts";
import { namesIn } from "../files/names-in.ts";
import { isIdOfTime } from "./snapshot-id.ts";

/** One snapshot of a dataset directory. */
export interface SnapshotEntry {
  readonly id: SnapshotId;
  /** Undefined when it cannot be read; then `fault` says why. */
  readonly manifest: Manifest | undefined;
  readonly fault: string | undefined;
  /** Number of records of each table; undefined without a manifest. */
  readonly rows: Readonly<Record<RecordKind, number>> | undefined;
  /** Size of all record files as stored; undefined without a manifest. Snapshots may share files on the disk. */
  readonly bytes: number | undefined;
  /** 0 for the current snapshot, 1 for its parent, 2 for the parent of that …; undefined for all others. */
  readonly generation: number | undefined;
  /** Whether its store lies ready beside the snapshots. */
  readonly isCompiled: boolean;
}

export interface SnapshotListing {
  /** Newest first. */
  readonly snapshots: readonly SnapshotEntry[];
  /** What `CURRENT` names, whether or not it is there; undefined when it names nothing. */
  readonly current: SnapshotId | undefined;
  /** Why `CURRENT` cannot be read. */
  readonly currentFault: string | undefined;
}

/** Lists all snapshots with what their manifests say. Cost: reads every manifest and no records. */
export async function listSnapshots(dataDirectory: string): Promise<SnapshotListing> {
  const { current, currentFault } = await currentOf(dataDirectory);
  const compiled = new Set((await listCompiled(dataDirectory)).map(({ id }) => id));
  const manifests = new Map<SnapshotId, Manifest | string>();
  for (const id of (await snapshotIds(dataDirectory)).toReversed()) {
    manifests.set(id, await manifestOrFault(dataDirectory, id));
  }
  const generations = generationsFrom(current, manifests);
  const snapshots = [...manifests].map(([id, found]): SnapshotEntry => {
    const manifest = typeof found === "string" ? undefined : found;
    return {
      id,
      manifest,
      fault: typeof found === "string" ? found : undefined,
      rows: manifest === undefined ? undefined : tableRows(manifest.files),
      bytes: manifest?.files.reduce((sum, file) => sum + file.bytes, 0),
      generation: generations.get(id),
      isCompiled: compiled.has(id),
    };
  });
  return { snapshots, current, currentFault };
}

/** The ids of all snapshots of a dataset directory, oldest first; none when there is no such directory. */
export async function snapshotIds(dataDirectory: string): Promise<SnapshotId[]> {
  const names = await namesIn(snapshotsPath(dataDirectory));
  return names
    .map(toSnapshotId)
    .filter((id) => id !== undefined)
    .filter(isIdOfTime)
    .sort(compareTexts);
}

/** The current snapshot is generation 0, its parent 1, and so on as far as manifests lead. */
function generationsFrom(
  current: SnapshotId | undefined,
  manifests: ReadonlyMap<SnapshotId, Manifest | string>,
): ReadonlyMap<SnapshotId, number> {
  const generations = new Map<SnapshotId, number>();
  let id: SnapshotId | null | undefined = current;
  // Ends, for a manifest is refused unless its parent's id is lower than its own.
  while (id !== undefined && id !== null && manifests.has(id)) {
    generations.set(id, generations.size);
    const manifest = manifests.get(id);
    id = manifest === undefined || typeof manifest === "string" ? undefined : manifest.parent;
  }
  return generations;
}

async function manifestOrFault(dataDirectory: string, id: SnapshotId): Promise<Manifest | string> {
  try {
    return await readManifestOf(dataDirectory, id);
  } catch (error) {
    if (error instanceof SnapshotUnavailableError) return error.message;
    throw error;
  }
}

async function currentOf(
  dataDirectory: string,
): Promise<{ current: SnapshotId | undefined; currentFault: string | undefined }> {
  try {
    return { current: await readCurrent(dataDirectory), currentFault: undefined };
  } catch (error) {
    if (error instanceof SnapshotUnavailableError) return { current: undefined, currentFault: error.message };
    throw error;
  }
}
