/**
 * Opens files by name. Opening a FIFO waits for a writer and reading a device may never end, and a thread of Node's
 * pool that waits can neither be cancelled nor ended. So files are opened without waiting, and anything but a regular
 * file is refused before it is read.
 */
import { constants, type Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { ForeseenError } from "../model/foreseen-error.ts";

/** The path leads to something other than a regular file. */
export class NotRegularFileError extends ForeseenError {
  readonly code = "ERR_NOT_REGULAR_FILE";
  /** Its kind, with its article: `a FIFO`. */
  readonly found: string;

  constructor(path: string, found: string, options?: ErrorOptions) {
    super(`${path}: found ${found}, expected a regular file`, options);
    this.found = found;
  }
}

/** A file holds more bytes than its content ever needs. */
export class FileTooLargeError extends Error {
  override readonly name = "FileTooLargeError";
  readonly code = "ERR_FILE_TOO_LARGE_TO_READ";
  readonly bytesMax: number;

  constructor(path: string, bytesMax: number) {
    super(`${path}: found more than ${bytesMax} bytes, expected at most that`);
    this.bytesMax = bytesMax;
  }
}

export interface OpenOptions {
  /**
   * A link in the last part of the path is then an error, `ELOOP`, where the operating system can tell (not Windows).
   */
  readonly refusesLinks?: boolean;
}

/** The flags that Windows lacks are undefined there. It has no FIFOs in its file system either. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Opens a regular file for reading, without blocking.
 *
 * @returns The open file, for the caller to close.
 * @throws {NotRegularFileError} when the path leads to a FIFO, a device, a directory or a socket.
 * @throws the system's error when the file cannot be opened.
 */
export async function openRegularFile(path: string, { refusesLinks = false }: OpenOptions = {}): Promise<FileHandle> {
  let file: FileHandle;
  try {
    file = await open(path, refusesLinks ? flags | (constants.O_NOFOLLOW ?? 0) : flags);
  } catch (error) {
    throw await openingError(path, error);
  }
  try {
    // Examines the open file, not the path, which may lead elsewhere by now.
    const stats = await file.stat();
    if (!stats.isFile()) throw new NotRegularFileError(path, fileTypeOf(stats));
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Reads a regular file whole.
 *
 * @param bytesMax No more is read, and no more memory taken.
 * @throws {NotRegularFileError} see `openRegularFile`.
 * @throws {FileTooLargeError} when the file holds more than `bytesMax` bytes.
 */
export async function readRegularFile(path: string, bytesMax: number): Promise<Buffer> {
  const file = await openRegularFile(path);
  // `end` is inclusive, so a file that is too large yields one byte more. The stream closes the file.
  const content = Buffer.concat(await file.createReadStream({ end: bytesMax }).toArray());
  if (content.length > bytesMax) throw new FileTooLargeError(path, bytesMax);
  return content;
}

/**
 * Requires that a path leads to a regular file, without opening it; for files that a library opens.
 *
 * @returns True if there is one; false when there is nothing.
 * @throws {NotRegularFileError} see `openRegularFile`.
 * @throws the system's error when the path cannot be looked up.
 */
export async function regularFileExists(path: string): Promise<boolean> {
  const stats = await orMissing(stat(path));
  if (stats?.isFile() === false) throw new NotRegularFileError(path, fileTypeOf(stats));
  return stats !== undefined;
}

/** Sockets, and devices without a driver, cannot be opened at all; Windows opens no directory. */
async function openingError(path: string, error: unknown): Promise<unknown> {
  if (!["ENXIO", "ENODEV", "EISDIR", "EPERM"].includes(systemErrorCode(error))) return error;
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined || stats.isFile()) return error;
  return new NotRegularFileError(path, fileTypeOf(stats), { cause: error });
}

function fileTypeOf(stats: Stats): string {
  if (stats.isFIFO()) return "a FIFO";
  if (stats.isDirectory()) return "a directory";
  if (stats.isSocket()) return "a socket";
  return "a device";
}

/** Returns what reading gives; undefined where there is no such file. */
export async function orMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  return await reading.catch((error: unknown) => {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw error;
  });
}

const unreadableCodes: ReadonlySet<string> = new Set([
  "ENOENT",
  "ENOTDIR",
  "EACCES",
  "EPERM",
  "ELOOP",
  "ERR_NOT_REGULAR_FILE",
  "ERR_FILE_TOO_LARGE_TO_READ",
]);

/**
 * Returns what reading gives; undefined where there is no such file, where it is no regular file or too large, or where
 * this user may not read it. Other errors, such as that of too many open files, pass: reading may succeed later.
 */
export async function orUnreadable<T>(reading: Promise<T>): Promise<T | undefined> {
  return await reading.catch((error: unknown) => {
    if (unreadableCodes.has(systemErrorCode(error))) return undefined;
    throw error;
  });
}

/** Returns whether an error is one of the system, which carries a code. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException & { readonly code: string } {
  return error instanceof Error && "syscall" in error && "code" in error;
}

/** The code that an error carries, such as `ENOENT`; empty where it has none. */
export function systemErrorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
