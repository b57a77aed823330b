/** The data that the program brings, for a first start in a folder without any. */
import { existsSync } from "node:fs";
import { cp, mkdir, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { systemErrorCode } from "./engine/files/read-regular-file.ts";
import { faultText } from "./engine/files/with-file.ts";
import { ForeseenError } from "./engine/model/foreseen-error.ts";
import { readCurrent } from "./engine/snapshots/current-snapshot.ts";
import { currentPath, snapshotPath } from "./engine/snapshots/snapshot-layout.ts";

/** The bundled data cannot be copied; the message names the folder and the reason. */
export class BundledDataError extends ForeseenError {}

const bundledData = join(import.meta.dirname, "../data");

/**
 * Copies the bundled snapshot to `data` in the working directory, where neither the environment nor that folder says
 * what to serve. The folder is there whole or not at all, also when two starts make it at once.
 *
 * @param from The dataset directory to copy the current snapshot of.
 * @returns A line for a person; undefined where nothing was copied.
 * @throws {BundledDataError} when it cannot be written.
 */
export async function copyBundledData(
  { DATA_DIR: named, ORIGIN: origin }: Readonly<Record<string, string | undefined>>,
  from: string = bundledData,
): Promise<string | undefined> {
  const to = resolve("data");
  if (named || origin || existsSync(to) || !existsSync(currentPath(from))) return undefined;
  const part = `${to}.part-${process.pid}-${performance.now()}`;
  try {
    const id = await readCurrent(from);
    await mkdir(part);
    await cp(snapshotPath(from, id), snapshotPath(part, id), { recursive: true });
    await cp(currentPath(from), currentPath(part));
    await rename(part, to);
    return `data: found no such folder and no DATA_DIR; made it in ${to}, with the bundled snapshot ${id}`;
  } catch (error) {
    // Another start has made it.
    if (["ENOTEMPTY", "EEXIST"].includes(systemErrorCode(error)) && existsSync(to)) return undefined;
    const expected = "expected a folder that can be written, or DATA_DIR";
    throw new BundledDataError(`${to}: cannot copy the bundled data there (${faultText(error)}), ${expected}`);
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}
