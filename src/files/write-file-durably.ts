import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Replaces a file in one instant: a reader sees the old content or the new, whole, also after a power cut.
 * The content goes to `<path>.tmp`, is flushed, renamed over the file, and the folder is flushed.
 *
 * Two writers of one file must hold a lock (see exclusive-lock.ts), for they share the temporary name; sharing it is
 * what lets the next writer clear away what a killed one left.
 *
 * @param mode Permissions of the file, for example 0o600.
 * @param beforeRename Called when the content is on the disk and still bears its temporary name.
 */
export async function writeFileDurably(
  path: string,
  content: string,
  mode: number,
  beforeRename?: () => void | Promise<void>,
): Promise<void> {
  const temporary = temporaryPath(path);
  await rm(temporary, { force: true });
  const file = await open(temporary, "wx", mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await beforeRename?.();
  await rename(temporary, path);
  await flushDirectory(dirname(path));
}

/** Where the content of a file lies until it is renamed; a killed writer leaves it there. */
export function temporaryPath(path: string): string {
  return `${path}.tmp`;
}

/** Makes the names in a folder durable: a created or renamed file is found again after a power cut. */
export async function flushDirectory(path: string): Promise<void> {
  // Windows cannot open a folder; its file system journals renames by itself.
  if (process.platform === "win32") return;
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
