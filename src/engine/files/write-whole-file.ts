/** Writes a new file that exists whole or not at all. */
import { lstat, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolders } from "./make-folders.ts";
import { type FilePieces, FolderTakenError, writeFlushed } from "./whole-folder.ts";
import { flushDirectory } from "./write-file-durably.ts";

/**
 * Writes a new file, whole or not at all: under `<path>.partial` until it is complete and flushed. A process that is
 * killed leaves that.
 *
 * Cost: memory for one piece, or for 64 KiB of small pieces; the next one is made when the disk has taken it.
 * @returns The number of bytes written.
 * @throws {FolderTakenError} when there is anything at the path.
 */
export async function writeWholeFile(path: string, pieces: FilePieces): Promise<number> {
  await requireFreeFile(path);
  await makeFolders(dirname(path));
  const partial = `${path}.partial`;
  await rm(partial, { force: true });
  let bytes: number;
  try {
    bytes = await writeFlushed(partial, pieces);
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {});
    throw error;
  }
  await rename(partial, path);
  await flushDirectory(dirname(path));
  return bytes;
}

/**
 * For work that takes long before there is something to write.
 *
 * @throws {FolderTakenError} when there is anything at the path.
 */
export async function requireFreeFile(path: string): Promise<void> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats !== undefined) throw new FolderTakenError(`${path}: is there already, expected a new file`);
}
