/** The folder of compiled stores: writing one, reading it, listing them. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { namesIn } from "../files/list-folder.ts";
import { makeFolders } from "../files/make-folders.ts";
import { isSystemError } from "../files/read-regular-file.ts";
import { snapshotIdentity } from "../snapshots/load-dataset.ts";
import type { Manifest } from "../snapshots/manifest.ts";
import { compiledFolderPath, compiledIdOf, compiledPath, type SnapshotId } from "../snapshots/snapshot-layout.ts";
import type { Store } from "../store/store.ts";
import { partialNameEnd, readCompiledStore, writeCompiledStore } from "./compiled-file.ts";
import { CompiledStoreError } from "./compiled-store-error.ts";
import { storeSource } from "./file-layout.ts";

/** The outcome of an attempt to compile a snapshot: plain data, which other threads may be sent. */
export type Compilation =
  | { readonly written: true; readonly bytes: number; readonly milliseconds: number }
  /** The folder cannot be written, or the disk is full; `code` is that of the system, for example `EACCES`. */
  | { readonly written: false; readonly code: string; readonly message: string };

/** A file or folder that is made of a snapshot, such as a compiled store. */
export interface MadeOfSnapshot {
  readonly path: string;
  /** Undefined for what a writer at work, or one that was killed, has there. */
  readonly id: SnapshotId | undefined;
  /** Instant of the last writing, in milliseconds. */
  readonly writtenAt: number;
}

/**
 * Compiles a snapshot: writes its store to a file from which it can be read in a fraction of the time of building it. A
 * file that is there is replaced.
 *
 * @param store Built from the records of this snapshot.
 * @returns That a folder cannot be written is no error: the store is as good without the file.
 * @throws {RangeError} when the store is another snapshot's.
 */
export async function compileManifest(dataDirectory: string, manifest: Manifest, store: Store): Promise<Compilation> {
  if (store.snapshot.id !== manifest.id) {
    throw new RangeError(`the store is that of snapshot ${store.snapshot.id}, expected that of ${manifest.id}`);
  }
  const startedAt = performance.now();
  try {
    await makeFolders(compiledFolderPath(dataDirectory));
    const bytes = await writeCompiledStore(compiledPath(dataDirectory, manifest.id), store, storeSource(manifest));
    return { written: true, bytes, milliseconds: performance.now() - startedAt };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return { written: false, code: error.code, message: error.message };
  }
}

/**
 * Reads the compiled store of a snapshot and nothing else: no records, no rebuilding.
 *
 * @returns The store, or why there is none that can be used.
 */
export async function readCompiledSnapshot(
  dataDirectory: string,
  manifest: Manifest,
): Promise<Store | CompiledStoreError> {
  const path = compiledPath(dataDirectory, manifest.id);
  const reading = readCompiledStore(path, storeSource(manifest), snapshotIdentity(manifest));
  return await reading.catch((error: unknown) => {
    if (error instanceof CompiledStoreError) return error;
    throw error;
  });
}

/** Every compiled store of a dataset directory, and every file of a writer, by name. Other files are not listed. */
export async function listCompiled(dataDirectory: string): Promise<MadeOfSnapshot[]> {
  const folder = compiledFolderPath(dataDirectory);
  const files: MadeOfSnapshot[] = [];
  for (const name of (await namesIn(folder)).sort()) {
    const id = compiledIdOf(name);
    if (id === undefined && !isPartialName(name)) continue;
    const path = join(folder, name);
    const stats = await stat(path).catch(() => undefined); // renamed or removed since
    if (stats !== undefined) files.push({ path, id, writtenAt: stats.mtimeMs });
  }
  return files;
}

/** `<id>.store.<random>.partial` */
function isPartialName(name: string): boolean {
  const [id = "", end = ""] = name.split(".");
  return name.endsWith(partialNameEnd) && compiledIdOf(`${id}.${end}`) !== undefined;
}
