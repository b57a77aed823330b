import { mkdir, mkdtemp, open, readdir, rename, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { ImportRefusedError } from "./import-refused-error.ts";
import { type RecordFile, recordFileNames } from "./record-files.ts";

/**
 * Refuses an output folder that must not be written to: one that holds anything, unless an earlier import is to be
 * replaced and the folder holds nothing else.
 *
 * @throws {ImportRefusedError} that says what the folder holds.
 */
export async function checkOutputFolder(path: string, replacesImport: boolean): Promise<void> {
  const names = await namesIn(path);
  if (names.length === 0) return;
  const foreign = names.find((name) => !recordFileNames.includes(name));
  if (foreign !== undefined) {
    throw new ImportRefusedError(`${path}: holds "${foreign}", expected an empty or a new folder`);
  }
  if (!replacesImport) {
    throw new ImportRefusedError(
      `${path}: holds an earlier import, expected an empty or a new folder (--force replaces it)`,
    );
  }
}

/**
 * Writes all files into a folder beside `path`, flushes them and only then gives the folder its name, so that `path`
 * never holds half an import. A killed import leaves a folder named `<path>.partial-…`, which may be deleted.
 *
 * @throws {ImportRefusedError} as `checkOutputFolder` does, looked at once more at the end.
 */
export async function writeRecordFolder(
  path: string,
  files: readonly RecordFile[],
  replacesImport: boolean,
): Promise<void> {
  const target = resolve(path);
  await mkdir(dirname(target), { recursive: true });
  const staging = await mkdtemp(join(dirname(target), `${basename(target)}.partial-`));
  try {
    const complete = join(staging, "complete");
    await mkdir(complete);
    for (const { name, pieces } of files) await writeFlushed(join(complete, name), pieces);
    await checkOutputFolder(path, replacesImport);
    await replaceFolder(target, complete, join(staging, "replaced"));
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function namesIn(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") return [];
    if (code === "ENOTDIR") throw new ImportRefusedError(`${path}: is a file, expected a folder`, { cause: error });
    throw error;
  }
}

async function writeFlushed(path: string, pieces: Iterable<string>): Promise<void> {
  const file = await open(path, "wx");
  try {
    await file.writeFile(blocksOf(pieces));
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Pieces joined to blocks of about 64 KiB, because every block is a call to the operating system. */
function* blocksOf(pieces: Iterable<string>): Generator<string> {
  let block = "";
  for (const piece of pieces) {
    block += piece;
    if (block.length < 65_536) continue;
    yield block;
    block = "";
  }
  yield block;
}

/** Two renames; should the second fail, the first is undone. */
async function replaceFolder(target: string, complete: string, replaced: string): Promise<void> {
  const holdsImport = (await namesIn(target)).length > 0;
  if (holdsImport) await rename(target, replaced);
  else await rmdir(target).catch(() => {}); // mostly there is none, and rename tells of anything worse
  try {
    await rename(complete, target);
  } catch (error) {
    if (holdsImport) await rename(replaced, target);
    throw error;
  }
}
