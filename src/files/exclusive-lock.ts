/**
 * One holder at a time, over processes. The lock is an exclusive transaction on an empty SQLite file: the operating
 * system drops it with the process that held it, so a killed holder never leaves a lock behind, and waiting is
 * SQLite's own.
 */
import { accessSync, constants } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { NotRegularFileError, regularFileExists } from "./read-regular-file.ts";

/** SQLite's result code for "somebody else holds the lock", source: sqlite.org/rescode.html. */
const sqliteBusy = 5;

/** Somebody else held the lock for longer than the caller would wait. */
export class LockHeldError extends Error {
  readonly path: string;

  constructor(path: string, waitMilliseconds: number, options?: ErrorOptions) {
    super(`${path}: held by another process for more than ${waitMilliseconds} ms, expected it to be free`, options);
    this.name = "LockHeldError";
    this.path = path;
  }
}

/** The lock's file is no file, or cannot be made or written by this user, so nobody can be kept out with it. */
export class LockUnusableError extends Error {
  readonly path: string;

  constructor(path: string, found: string, options?: ErrorOptions) {
    super(`${path}: ${found}, expected a file this user may write in a folder that exists`, options);
    this.name = "LockUnusableError";
    this.path = path;
  }
}

/**
 * Does some work while holding the lock, and lets go of it however the work ends.
 *
 * @param path The lock's file; made when missing, empty for ever, safe to delete while nobody holds it.
 * @param waitMilliseconds How long to wait for another holder. Waiting blocks the thread, so a process must not ask for
 *   a lock that it holds: it would wait for itself, in vain.
 * @returns What the work returned.
 * @throws {LockHeldError} when the lock did not become free in time.
 * @throws {LockUnusableError} when the lock's file cannot be made or written.
 */
export async function withExclusiveLock<T>(path: string, waitMilliseconds: number, work: () => Promise<T>): Promise<T> {
  await requireRegularFile(path);
  const database = orUnusable(path, () => new DatabaseSync(path, { timeout: waitMilliseconds }));
  try {
    // A file that may only be read was opened all the same, but an exclusive transaction on it keeps nobody out.
    orUnusable(path, () => accessSync(path, constants.W_OK));
    try {
      // With its journal in memory a killed holder leaves no journal file behind; nothing is ever written anyway.
      database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    } catch (error) {
      if (isBusy(error)) throw new LockHeldError(path, waitMilliseconds, { cause: error });
      throw error;
    }
    return await work();
  } finally {
    database.close();
  }
}

/** SQLite would wait at a FIFO, and read and write a device. */
async function requireRegularFile(path: string): Promise<void> {
  try {
    await regularFileExists(path);
  } catch (error) {
    if (error instanceof NotRegularFileError) {
      throw new LockUnusableError(path, `found ${error.found}`, { cause: error });
    }
    throw new LockUnusableError(path, "cannot be opened for writing", { cause: error });
  }
}

function orUnusable<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new LockUnusableError(path, "cannot be opened for writing", { cause: error });
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === sqliteBusy;
}
