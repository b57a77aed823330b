/** Opens published snapshots to compare with, to extend, or to follow. */
import { lstat } from "node:fs/promises";
import { openSnapshot } from "../../engine/compiled/open-snapshot.ts";
import { orMissing } from "../../engine/files/read-regular-file.ts";
import {
  ifAvailable,
  readCurrent,
  readManifestOf,
  SnapshotUnavailableError,
} from "../../engine/snapshots/current-snapshot.ts";
import type { Manifest } from "../../engine/snapshots/manifest.ts";
import { type PriceDecisions, readManifestDecisions } from "../../engine/snapshots/price-decisions.ts";
import { DatasetError } from "../../engine/snapshots/problem.ts";
import { currentPath, type SnapshotId, snapshotPath } from "../../engine/snapshots/snapshot-layout.ts";
import type { BytesObserver } from "../../engine/snapshots/stored-file.ts";
import type { Store } from "../../engine/store/store.ts";

/**
 * The store of a published snapshot: its compiled store, or else built from its records. Writes nothing.
 *
 * @throws {SnapshotUnavailableError} when its manifest cannot be read.
 * @throws {DatasetError} when it has no usable compiled store and its records are broken.
 */
export async function openSnapshotStore(
  dataDirectory: string,
  id: SnapshotId,
  onBytes?: BytesObserver,
): Promise<Store> {
  return await (await PublishedSnapshot.read(dataDirectory, id)).openStore(onBytes);
}

/** Returns whether a dataset directory, or a folder of drafts, has a snapshot. */
export async function holdsSnapshot(dataDirectory: string, id: SnapshotId): Promise<boolean> {
  return (await orMissing(lstat(snapshotPath(dataDirectory, id)))) !== undefined;
}

/** As `openSnapshotStore`; undefined where there is none to compare with, or it cannot be read. */
export async function openComparedStore(dataDirectory: string, id: SnapshotId | null): Promise<Store | undefined> {
  if (id === null) return undefined;
  try {
    return await openSnapshotStore(dataDirectory, id);
  } catch (error) {
    if (error instanceof DatasetError || error instanceof SnapshotUnavailableError) return undefined;
    throw error;
  }
}

/** A snapshot and all those that it follows, newest first, as far as they are there. */
export async function readLine(dataDirectory: string, current: Manifest): Promise<Manifest[]> {
  const line = [current];
  for (let { parent } = current; parent !== null; ) {
    const manifest: Manifest | undefined = await ifAvailable(readManifestOf(dataDirectory, parent));
    if (manifest === undefined) break;
    line.push(manifest);
    ({ parent } = manifest);
  }
  return line;
}

/** A snapshot of a dataset directory. Its files are read when they are requested. */
export class PublishedSnapshot {
  readonly manifest: Manifest;
  /** The folder of its files. */
  readonly directory: string;
  /** The name of that folder in messages. */
  readonly folderName: string;
  readonly #dataDirectory: string;

  private constructor(dataDirectory: string, manifest: Manifest) {
    this.#dataDirectory = dataDirectory;
    this.manifest = manifest;
    this.directory = snapshotPath(dataDirectory, manifest.id);
    this.folderName = `snapshots/${manifest.id}`;
  }

  /** @throws {SnapshotUnavailableError} when there is no such snapshot, or its manifest cannot be read. */
  static async read(dataDirectory: string, id: SnapshotId): Promise<PublishedSnapshot> {
    return new PublishedSnapshot(dataDirectory, await readManifestOf(dataDirectory, id));
  }

  /** As `read`, of the snapshot that a command names, or else the current one. */
  static async readWanted(dataDirectory: string, id?: SnapshotId): Promise<PublishedSnapshot> {
    return await PublishedSnapshot.read(dataDirectory, id ?? (await readCurrent(dataDirectory)));
  }

  /** @throws {DatasetError} when a file of decisions is damaged. */
  async readDecisions(): Promise<PriceDecisions> {
    return await readManifestDecisions(this.directory, this.manifest);
  }

  /** Its store, as `openSnapshotStore` opens it. */
  async openStore(onBytes?: BytesObserver): Promise<Store> {
    return (await openSnapshot(this.#dataDirectory, this.manifest, { onBytes })).store;
  }
}

/** The snapshot that a new one would follow, as far as it can be read. */
export interface CurrentSnapshot {
  readonly id: SnapshotId;
  readonly snapshot: PublishedSnapshot | undefined;
  readonly store: Store | undefined;
  /** The reason why the manifest or the records cannot be read. */
  readonly error: SnapshotUnavailableError | DatasetError | undefined;
}

/**
 * Reads the current snapshot to compare another with it.
 *
 * @returns Undefined when there is no `CURRENT`, because no snapshot has been published yet.
 * @throws {SnapshotUnavailableError} when `CURRENT` exists and holds no id, so that the order of snapshots is unknown.
 */
export async function readCurrentSnapshot(
  dataDirectory: string,
  onBytes?: BytesObserver,
): Promise<CurrentSnapshot | undefined> {
  if ((await orMissing(lstat(currentPath(dataDirectory)))) === undefined) return undefined;
  const id = await readCurrent(dataDirectory);
  let snapshot: PublishedSnapshot | undefined;
  try {
    snapshot = await PublishedSnapshot.read(dataDirectory, id);
    return { id, snapshot, store: await snapshot.openStore(onBytes), error: undefined };
  } catch (error) {
    if (!(error instanceof DatasetError || error instanceof SnapshotUnavailableError)) throw error;
    return { id, snapshot, store: undefined, error };
  }
}
