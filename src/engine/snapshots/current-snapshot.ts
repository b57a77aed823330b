/** The snapshot that `CURRENT` names, and its parents in case it is broken. */

import { stat } from "node:fs/promises";
import { orMissing, readRegularFile } from "../files/read-regular-file.ts";
import { ForeseenError } from "../model/foreseen-error.ts";
import { type Manifest, readManifest } from "./manifest.ts";
import { DatasetError, foundText } from "./problem.ts";
import { currentBytesMax, currentPath, idInCurrent, type SnapshotId, snapshotPath } from "./snapshot-layout.ts";
import { faultOfReading } from "./stored-file.ts";

/** No snapshot can be served. The message is one line that says what was read and what was found there. */
export class SnapshotUnavailableError extends ForeseenError {}

/** A snapshot was broken and the one before it is tried instead. */
export interface Fallback {
  readonly broken: SnapshotId;
  readonly error: DatasetError;
  /** The parent of the broken one, which is tried next. */
  readonly next: SnapshotId;
}

export interface LoadCurrentOptions {
  /** Called for every broken snapshot before its parent is tried. */
  readonly onFallback: (fallback: Fallback) => void;
}

/**
 * The id of the snapshot being served.
 *
 * @throws {SnapshotUnavailableError} when `CURRENT` is missing, empty, or not one line with an id.
 */
export async function readCurrent(dataDirectory: string): Promise<SnapshotId> {
  const path = currentPath(dataDirectory);
  let text: string;
  try {
    text = (await readRegularFile(path, currentBytesMax)).toString();
  } catch (error) {
    throw new SnapshotUnavailableError(`${path}: found ${faultOfReading(error).found}, expected the id of a snapshot`, {
      cause: error,
    });
  }
  const id = idInCurrent(text);
  if (id === undefined) {
    const found = text === "" ? "an empty file" : foundText(text);
    throw new SnapshotUnavailableError(`${path}: found ${found}, expected one line, the id of a snapshot`);
  }
  return id;
}

/**
 * Loads a snapshot; if its records are broken its parent, and so on.
 *
 * @param wanted Its id.
 * @param load Makes what is wanted of a snapshot; a `DatasetError` says that it is broken.
 * @returns The result of `load` for the first snapshot that loads.
 * @throws {SnapshotUnavailableError} when a manifest cannot be read, or no ancestor loads.
 */
export async function withSnapshotOrParent<T>(
  dataDirectory: string,
  wanted: SnapshotId,
  options: LoadCurrentOptions,
  load: (manifest: Manifest) => Promise<T>,
): Promise<T> {
  let id = wanted;
  for (;;) {
    const manifest = await readManifestOf(dataDirectory, id);
    try {
      return await load(manifest);
    } catch (error) {
      if (!(error instanceof DatasetError)) throw error;
      if (manifest.parent === null) {
        const which = id === wanted ? "and has no parent" : `and neither does any snapshot after it up to ${wanted}`;
        throw new SnapshotUnavailableError(`snapshot ${id} does not load ${which}: ${error.message}`, { cause: error });
      }
      options.onFallback({ broken: id, error, next: manifest.parent });
      // Ends, for a manifest is refused unless its parent's id is lower than its own.
      id = manifest.parent;
    }
  }
}

/**
 * The manifest of a snapshot of a dataset directory.
 *
 * @throws {SnapshotUnavailableError} when it cannot be read or is not that snapshot's.
 */
export async function readManifestOf(dataDirectory: string, id: SnapshotId): Promise<Manifest> {
  const path = snapshotPath(dataDirectory, id);
  const manifest = await readManifest(path).catch(async (error: unknown) => {
    if (!(error instanceof DatasetError)) throw error;
    const damage = `the manifest of snapshot ${id} cannot be used: ${error.message}`;
    const isMissing = (await orMissing(stat(path)).catch(() => null)) === undefined;
    const text = isMissing ? `snapshot ${id}: found no folder ${path}, expected one that list shows` : damage;
    throw new SnapshotUnavailableError(text, { cause: error });
  });
  if (manifest.id === id) return manifest;
  throw new SnapshotUnavailableError(`the manifest in ${path} is that of ${manifest.id}`);
}

/** The result of reading `CURRENT` or a manifest, or the error that says why it cannot be read. */
export async function orUnavailable<T>(reading: Promise<T>): Promise<T | SnapshotUnavailableError> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof SnapshotUnavailableError) return error;
    throw error;
  }
}

/** As `orUnavailable`, for a caller to whom the reason does not matter: undefined in place of the error. */
export async function ifAvailable<T>(reading: Promise<T>): Promise<T | undefined> {
  const found = await orUnavailable(reading);
  return found instanceof SnapshotUnavailableError ? undefined : found;
}

/** Reads the id that `CURRENT` names; null where it names nothing. */
export async function readCurrentIfAny(dataDirectory: string): Promise<SnapshotId | null> {
  return (await ifAvailable(readCurrent(dataDirectory))) ?? null;
}
