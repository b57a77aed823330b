/** Durable writes: small files that are replaced as a whole and survive a power cut. */
import { type FileHandle, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { withFile } from "./with-file.ts";

export interface DurableWriteOptions {
  /** The owner that the file gets; the user who writes it, when absent. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
  /** Called when the content is flushed and still has its temporary name. */
  readonly beforeRename?: () => void | Promise<void>;
}

/**
 * Replaces a file atomically: readers see the old content or the new, whole, also after a power cut. The content goes
 * to `<path>.tmp`, is flushed, renamed over the file, and the folder is flushed.
 *
 * Writers of one file must hold a lock (see exclusive-lock.ts), because they share the temporary name: a writer
 * overwrites what a killed one left.
 *
 * @param mode Permissions of the file, for example 0o600; less those of the process's umask, unless the owner is given.
 * @throws the system's error when the file cannot be written or be given its owner; `path` is then as it was, unless
 *   the folder could not be flushed.
 */
export async function writeFileDurably(...args: Parameters<typeof replaceFile>): Promise<void> {
  await replaceFile(...args);
  await flushDirectory(dirname(args[0]));
}

/**
 * As `writeFileDurably`, but for the folder, which the caller flushes: until then a power cut may bring the old content
 * back. When this throws, readers see the old content.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  mode: number,
  { owner, beforeRename }: DurableWriteOptions = {},
): Promise<void> {
  const temporary = temporaryPath(path);
  await rm(temporary, { force: true });
  const write = async (file: FileHandle): Promise<void> => {
    if (owner !== undefined) {
      const { uid, gid } = await file.stat();
      // A system without owners, or a user who may not give files away, need not call for what is so already.
      if (uid !== owner.uid || gid !== owner.gid) await file.chown(owner.uid, owner.gid);
      await file.chmod(mode);
    }
    await file.writeFile(content);
    await file.sync();
  };
  try {
    await withFile(temporary, "wx", write, mode);
    await beforeRename?.();
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}

/** Returns the path at which the content of a file lies until it is renamed; a killed writer leaves it there. */
export function temporaryPath(path: string): string {
  return `${path}.tmp`;
}

/** Makes the names in a folder durable: a created or renamed file is there after a power cut. */
export async function flushDirectory(path: string): Promise<void> {
  // Windows cannot open a folder; its file system journals renames by itself.
  if (process.platform === "win32") return;
  await withFile(path, "r", (directory) => directory.sync());
}
