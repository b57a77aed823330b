/**
 * Files and folders that are open for one piece of work. What closes or removes them never hides the error of the work,
 * and every error names its path.
 */
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { isSystemError } from "./read-regular-file.ts";

/**
 * Opens a file, works on it, and closes it.
 *
 * @returns What the work returns.
 * @throws the first error, as `withPath`.
 */
export async function withFile<T>(
  path: string,
  flags: string | number,
  work: (file: FileHandle) => Promise<T>,
  mode?: number,
): Promise<T> {
  try {
    const file = await open(path, flags, mode);
    const result = await work(file).catch(async (error: unknown) => {
      await file.close().catch(() => {});
      throw error;
    });
    await file.close();
    return result;
  } catch (error) {
    throw withPath(error, path);
  }
}

/** Works in a new temporary folder, and removes it. One that cannot be removed is left. */
export async function withTemporaryFolder<T>(prefix: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(prefix);
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

/** Adds the path to an error of the system on an open file, which has none. @returns The same error. */
export function withPath(error: unknown, path: string): unknown {
  if (isSystemError(error) && error.path === undefined) {
    error.path = path;
    error.message += ` '${path}'`;
  }
  return error;
}

/** What failed, as part of a sentence: `EIO at /data/CURRENT`, or the message of an error that is not the system's. */
export function faultText(error: unknown): string {
  if (!isSystemError(error)) return error instanceof Error ? error.message : String(error);
  const { code, syscall, path = syscall, dest = path } = error as typeof error & { readonly dest?: string };
  return `${code} at ${dest}`;
}
