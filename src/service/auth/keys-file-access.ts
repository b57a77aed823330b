/** Owner and permissions of the keys file. The system answers; Windows knows neither owners nor modes. */
import type { Stats } from "node:fs";
import { lchown, lstat, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { systemErrorCode } from "../../engine/files/read-regular-file.ts";

/** `mode` is the permissions alone, such as 0o600. */
export type FileAccess = Pick<Stats, "uid" | "gid" | "mode">;

/** Only the owner may read or write. */
export const privateMode = 0o600;

/** Read and write permissions that let users in who need not know the keys' digests. */
const exposedBits = 0o066;

/**
 * A file of root's may be read by a group: a service that cannot change it then still reads it. As PostgreSQL has it.
 */
const exposedBitsOfRoot = 0o026;

/** @returns undefined when there is no file, or its folder cannot be searched. */
export async function readAccess(path: string): Promise<FileAccess | undefined> {
  try {
    const { uid, gid, mode } = await stat(path);
    return { uid, gid, mode: mode & 0o777 };
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EACCES"].includes(systemErrorCode(error))) return undefined;
    throw error;
  }
}

/**
 * Returns the owner and permissions that a keys file gets when it is written: those that it has. A new one belongs to
 * the user who makes it, and where that is root, to the owner of its folder, as whom the service runs.
 *
 * @returns undefined for a new file of another user than root.
 */
export async function accessWhenWritten(path: string): Promise<FileAccess | undefined> {
  const access = await readAccess(path);
  if (access !== undefined || process.geteuid?.() !== 0) return access;
  const { uid, gid } = await stat(dirname(path));
  return { uid, gid, mode: privateMode };
}

/**
 * Says what is wrong with a keys file that others than its owner may read or change.
 *
 * @returns A line for a person; undefined when nothing is wrong, or there is no such file.
 */
export async function keysFileExposure(path: string): Promise<string | undefined> {
  const access = await readAccess(path);
  if (access === undefined || process.platform === "win32") return undefined;
  const { uid, mode } = access;
  const exposed = mode & (uid === 0 ? exposedBitsOfRoot : exposedBits);
  if (exposed === 0) return undefined;
  const canWrite = (exposed & 0o022) !== 0;
  const canRead = (exposed & 0o044) !== 0;
  const actions = [canRead && "read", canWrite && "change"].filter(Boolean).join(" and ");
  const wanted = modeText(privateMode);
  return `${path}: found mode ${modeText(mode)}, which lets other users ${actions} it, expected ${wanted}`;
}

/**
 * Names those who may read a keys file, where that need not be the user of the service.
 *
 * @returns undefined when the file is of the user who asks, and not root: in a user's own folder that user runs the
 *   service. Otherwise words for a person, such as "root only, mode 0600".
 */
export function readersText({ uid, gid, mode }: FileAccess): string | undefined {
  const self = process.geteuid?.();
  if (self === undefined || (self !== 0 && self === uid) || (mode & 0o004) !== 0) return undefined;
  const owner = uid === 0 ? "root" : `user ${uid}`;
  const readers = (mode & 0o040) === 0 ? `${owner} only` : `${owner} and group ${gid} only`;
  return `${readers}, mode ${modeText(mode)}`;
}

/**
 * Gives a lock file that root has made to the owner of the keys file. Only an empty file of root's with one name: a
 * user who may write to the folder could have put something else there.
 *
 * The file is not opened: closing it would release the lock, source: man 2 fcntl.
 */
export async function giveLockToOwner(lock: string, { uid, gid }: FileAccess): Promise<void> {
  if (process.geteuid?.() !== 0 || uid === 0) return;
  const found = await lstat(lock);
  if (found.isFile() && found.uid === 0 && found.nlink === 1 && found.size === 0) await lchown(lock, uid, gid);
}

/** `0640` */
function modeText(mode: number): string {
  return mode.toString(8).padStart(4, "0");
}
