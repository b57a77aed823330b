/** The folders of a dataset directory: there, folders, and readable, or one line that names the one that is not. */
import { opendir, stat } from "node:fs/promises";
import { makeFolders } from "../files/make-folders.ts";
import { isSystemError, orMissing } from "../files/read-regular-file.ts";
import { ForeseenError } from "../model/foreseen-error.ts";
import { draftsPath, snapshotsPath } from "./snapshot-layout.ts";
import { systemFaultText } from "./stored-file.ts";

/** The dataset directory cannot be used. The message is one line that names the folder and what was found there. */
export class DataDirectoryError extends ForeseenError {}

const wantedDirectory = "the dataset directory, which DATA_DIR or --data-dir names";

/**
 * Requires that a dataset directory can be read, before what lies in it is blamed. The folders in it may be missing.
 *
 * @param mayBeMissing True if the dataset directory may be missing too, because it is made.
 * @throws {DataDirectoryError} when it, or a folder of snapshots in it, is no folder or cannot be read.
 */
export async function requireDataDirectory(path: string, mayBeMissing: boolean = false): Promise<void> {
  await requireFolder(path, wantedDirectory, mayBeMissing);
  for (const folder of [snapshotsPath(path), snapshotsPath(draftsPath(path))]) {
    await requireFolder(folder, "a folder of snapshots", true);
  }
}

/**
 * Makes a dataset directory where there is none, with the folders above it.
 *
 * @throws {DataDirectoryError} when it cannot be made, or used.
 */
export async function provideDataDirectory(path: string): Promise<void> {
  try {
    await makeFolders(path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    // A file in its place has a text of its own.
    if (error.code !== "EEXIST") throw unusable(path, systemFaultText(error), "a folder that can be made", error);
  }
  await requireDataDirectory(path);
}

async function requireFolder(path: string, wanted: string, mayBeMissing: boolean): Promise<void> {
  try {
    const folder = await opendir(path);
    await folder.close();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (mayBeMissing && error.code === "ENOENT") return;
    throw unusable(path, await folderFaultText(path, error), wanted, error);
  }
}

async function folderFaultText(path: string, error: NodeJS.ErrnoException): Promise<string> {
  if (error.code === "ENOENT") return "no such folder";
  const isFile = error.code === "ENOTDIR" && (await orMissing(stat(path)).catch(() => undefined)) !== undefined;
  return isFile ? "a file" : systemFaultText(error);
}

function unusable(path: string, found: string, wanted: string, cause: unknown): DataDirectoryError {
  return new DataDirectoryError(`${path}: found ${found}, expected ${wanted}`, { cause });
}
