/**
 * Mutual exclusion between processes. The lock is an exclusive transaction on an empty SQLite file: the operating
 * system drops it with the process that held it, so a killed holder leaves no lock behind, and SQLite does the waiting.
 * It needs a local file system, because network file systems do not always pass POSIX locks on. Source:
 * sqlite.org/faq.html#q5.
 */
import { accessSync, constants, opendirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ForeseenError } from "../model/foreseen-error.ts";
import { isSystemError, NotRegularFileError, regularFileExists } from "./read-regular-file.ts";

/** SQLite's result code for "another connection holds the lock", source: sqlite.org/rescode.html. */
const sqliteBusy = 5;

/** Another process held the lock for longer than the caller waits. */
export class LockHeldError extends ForeseenError {
  constructor(path: string, waitMilliseconds: number, options?: ErrorOptions) {
    super(`${path}: held by another process for more than ${waitMilliseconds} ms, expected it to be free`, options);
  }
}

/** The lock's file is no regular file, or this user cannot create or write it, so it excludes no other process. */
export class LockUnusableError extends ForeseenError {
  constructor(path: string, found: string, options?: ErrorOptions) {
    super(`${path}: ${found}, expected a file this user may write in a folder that exists`, options);
  }
}

/**
 * Takes a lock, which is released when it is disposed of.
 *
 * @param path The lock's file; created when missing, always empty, safe to delete while the lock is free.
 * @param waitMilliseconds The longest wait for another holder. Waiting blocks the thread, so a process that requests a
 *   lock it holds deadlocks until the time is over.
 * @throws {LockHeldError} when the lock did not become free in time.
 * @throws {LockUnusableError} when the lock's file cannot be created or written.
 */
export async function takeExclusiveLock(path: string, waitMilliseconds: number): Promise<Disposable> {
  // SQLite would block on a FIFO, and read and write a device.
  await orUnusable(path, () => regularFileExists(path));
  using opened = new DisposableStack();
  const database = await orUnusable(path, () => new DatabaseSync(path, { timeout: waitMilliseconds }));
  opened.defer(() => database.close());
  // SQLite opens a read-only file as well, but an exclusive transaction on it excludes no other process.
  await orUnusable(path, () => accessSync(path, constants.W_OK));
  try {
    // With its journal in memory a killed holder leaves no journal file behind; nothing is ever written.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    if (isBusy(error)) throw new LockHeldError(path, waitMilliseconds, { cause: error });
    throw error;
  }
  return opened.move();
}

async function orUnusable<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const found = error instanceof NotRegularFileError ? `found ${error.found}` : "cannot be opened for writing";
    const code = isSystemError(error) ? error.code : reasonOf(path);
    throw new LockUnusableError(path, code === undefined ? found : `${found} (${code})`, { cause: error });
  }
}

/**
 * Why SQLite, which does not say, could not open a file; undefined where the reason is gone. The file itself is not
 * opened for it: closing it would release the locks that this process holds on it.
 */
function reasonOf(path: string): string | undefined {
  try {
    opendirSync(dirname(path)).closeSync();
    accessSync(dirname(path), constants.W_OK);
    accessSync(path, constants.W_OK);
  } catch (error) {
    if (isSystemError(error)) return error.code;
    throw error;
  }
  return undefined;
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === sqliteBusy;
}
