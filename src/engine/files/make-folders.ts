/** Makes folders. */
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { orMissing } from "./read-regular-file.ts";
import { flushDirectory } from "./write-file-durably.ts";

/**
 * Makes a folder where there is none, and those above it. A folder that it makes is there after a power cut.
 *
 * The `recursive` of Node reports a read-only disk as ENOENT, and never ends where the system makes no folder in one
 * that is there, as in `/proc` (Node 26).
 *
 * @param onMade Called for each folder that it makes, from the top.
 * @throws the system's error for the first folder that cannot be made; EEXIST where something else has its name.
 */
export async function makeFolders(path: string, onMade?: (made: string) => Promise<void>): Promise<void> {
  const stats = await orMissing(stat(path));
  if (stats?.isDirectory()) return;
  const parent = dirname(path);
  if (stats === undefined && parent !== path) await makeFolders(parent, onMade);
  try {
    await mkdir(path);
  } catch (error) {
    // Another process may have made it meanwhile.
    if ((await orMissing(stat(path)))?.isDirectory() === true) return;
    throw error;
  }
  await onMade?.(path);
  await flushDirectory(parent);
}
