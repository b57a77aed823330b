/** Writes folders of files that exist whole or not at all. */
import type { Dirent } from "node:fs";
import { lstat, mkdir, readdir, realpath, rename, rmdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { ForeseenError } from "../model/foreseen-error.ts";
import { namesIn } from "./list-folder.ts";
import { makeFolders } from "./make-folders.ts";
import { systemErrorCode } from "./read-regular-file.ts";
import { withFile, withTemporaryFolder } from "./with-file.ts";
import { flushDirectory } from "./write-file-durably.ts";

/** The content of a file, text or bytes, in pieces that are generated as they are written. */
export type FilePieces = Iterable<string | Uint8Array> | AsyncIterable<Uint8Array>;

/** Follows, in the name of a folder that is being written, that of the folder it becomes. */
const partialMark = ".partial-";

/** One file to write. */
export interface FolderFile {
  readonly name: string;
  readonly pieces: FilePieces;
}

/** A folder to write, and what it may replace. */
export interface FolderClaim {
  readonly path: string;
  /** The names of all files that this kind of folder can hold. */
  readonly fileNames: readonly string[];
  /**
   * A file that every such folder has. A folder without it, or with anything but files, is a person's and not replaced;
   * without this name, one with nothing but these names is replaced whatever they are.
   */
  readonly signName?: string;
  /** The name of such a folder in messages, with its article: `an import`. */
  readonly called: string;
  /** Such a folder may be replaced; anything else never. Absent where no `--force` can say so. */
  readonly replaces?: boolean;
}

/** The path holds something that must not be replaced. */
export class FolderTakenError extends ForeseenError {}

/**
 * Refuses a path that holds anything, unless it is such a folder itself and may be replaced.
 *
 * @throws {FolderTakenError} that says what the path holds.
 */
export async function requireFreeFolder(claim: FolderClaim): Promise<void> {
  const { path, fileNames, signName, called, replaces } = claim;
  const entries = await readdir(path, { withFileTypes: true }).catch(async (error) => {
    const code = systemErrorCode(error);
    if (code === "ENOTDIR") throw new FolderTakenError(`${path}: is a file, expected a folder`, { cause: error });
    if (code !== "ENOENT") throw error;
    const isLink = (await lstat(resolve(path)).catch(() => undefined))?.isSymbolicLink() === true;
    if (isLink) throw new FolderTakenError(`${path}: is a link to nothing, expected a folder`, { cause: error });
    return [];
  });
  if (entries.length === 0) return;
  const isOwn = (entry: Dirent): boolean =>
    fileNames.includes(entry.name) && (signName === undefined || entry.isFile());
  const foreign = entries.find((entry) => !isOwn(entry));
  const wanted = "expected an empty or a new folder";
  if (foreign !== undefined) throw new FolderTakenError(`${path}: holds "${foreign.name}", ${wanted}`);
  if (signName !== undefined && !entries.some(({ name }) => name === signName)) {
    throw new FolderTakenError(`${path}: holds files and no "${signName}", which ${called} has, ${wanted}`);
  }
  const remedy = replaces === undefined ? "" : " (--force replaces it)";
  if (!replaces) throw new FolderTakenError(`${path}: holds ${called} already, ${wanted}${remedy}`);
}

/**
 * Writes files into a folder beside `path`, flushes them and only then renames the folder to `path`. Where `path` is a
 * link, all of it happens at the link's target. A process that is killed leaves a folder named `<path>.partial-…`,
 * which may be deleted.
 *
 * Cost: memory for one piece, or for 64 KiB of small pieces; the next one is generated when the disk has taken it.
 * @returns The number of bytes written.
 * @throws {FolderTakenError} as `requireFreeFolder`, which is called once more before the rename.
 */
export async function writeWholeFolder(claim: FolderClaim, files: readonly FolderFile[]): Promise<number> {
  const target = await realpath(claim.path).catch((error) => {
    if (systemErrorCode(error) === "ENOENT") return resolve(claim.path);
    throw error;
  });
  await makeFolders(dirname(target));
  return await withTemporaryFolder(join(dirname(target), basename(target) + partialMark), async (staging) => {
    const complete = join(staging, "complete");
    await mkdir(complete);
    let bytes = 0;
    for (const { name, pieces } of files) bytes += await writeFlushed(join(complete, name), pieces);
    await flushDirectory(complete);
    await requireFreeFolder(claim);
    await replaceFolder(target, complete, join(staging, "replaced"));
    await flushDirectory(dirname(target));
    return bytes;
  });
}

/** The folders in `folder` that are being written, or that killed writers have left. */
export async function partialFolders(folder: string): Promise<string[]> {
  return (await namesIn(folder)).filter((name) => name.includes(partialMark)).map((name) => join(folder, name));
}

/** Writes a new file and flushes it. @returns Its bytes. */
export async function writeFlushed(path: string, pieces: FilePieces): Promise<number> {
  return await withFile(path, "wx", async (file) => {
    await file.writeFile(Symbol.asyncIterator in pieces ? pieces : blocksOf(pieces));
    await file.sync();
    return (await file.stat()).size;
  });
}

/** Joins small texts to blocks of about 64 KiB, because every block costs a system call. */
export function* blocksOf(pieces: Iterable<string | Uint8Array>): Generator<string | Uint8Array> {
  let block = "";
  for (const piece of pieces) {
    if (typeof piece === "string") block += piece;
    if (block.length >= 65_536 || typeof piece !== "string") {
      yield block;
      block = "";
    }
    if (typeof piece !== "string") yield piece;
  }
  yield block;
}

/** Two renames; should the second fail, the first is undone. */
async function replaceFolder(target: string, complete: string, replaced: string): Promise<void> {
  const holdsFiles = (await namesIn(target)).length > 0;
  if (holdsFiles) await rename(target, replaced);
  else await rmdir(target).catch(() => {}); // usually there is none, and rename reports anything worse
  try {
    await rename(complete, target);
  } catch (error) {
    if (holdsFiles) await rename(replaced, target);
    throw error;
  }
}
