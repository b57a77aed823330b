/**
 * One holder at a time, over processes. The lock is an exclusive transaction on an empty SQLite file: the operating
 * system drops it with the process that held it, so a killed holder never leaves a lock behind, and waiting is
 * SQLite's own.
 */
import { accessSync, constants } from "node:fs";
import { DatabaseSync } from "node:sqlite";

/** SQLite's result code for "another connection holds the lock", source: sqlite.org/rescode.html. */
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

/** The lock's file cannot be made or written by this user, so it excludes no other process. */
export class LockUnusableError extends Error {
  readonly path: string;

  constructor(path: string, options?: ErrorOptions) {
    super(
      `${path}: cannot be opened for writing, expected a file this user may write in a folder that exists`,
      options,
    );
    this.name = "LockUnusableError";
    this.path = path;
  }
}

/**
 * Does some work while holding the lock, and releases it however the work ends.
 *
 * @param path The lock's file; made when missing, always empty, safe to delete while it is not held.
 * @param waitMilliseconds How long to wait for another holder. Waiting blocks the thread, so a process must not ask for
 *   a lock that it holds: it would wait for itself, in vain.
 * @returns What the work returned.
 * @throws {LockHeldError} when the lock did not become free in time.
 * @throws {LockUnusableError} when the lock's file cannot be made or written.
 */
export async function withExclusiveLock<T>(path: string, waitMilliseconds: number, work: () => Promise<T>): Promise<T> {
  const database = orUnusable(path, () => new DatabaseSync(path, { timeout: waitMilliseconds }));
  try {
    // A file that may only be read was opened all the same, but an exclusive transaction on it excludes no other process.
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

function orUnusable<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new LockUnusableError(path, { cause: error });
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === sqliteBusy;
}
