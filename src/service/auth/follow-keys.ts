/**
 * Follows the keys file of a running service. The file is polled twice a second rather than watched, because file
 * notifications are unreliable on network disks; it is read again when its time stamps, size or identity are not those
 * of the last good state, and at every poll while there is a problem. A file that is missing or invalid changes
 * nothing: the last good keys stay. A file that is missing at the start is no error: there are no keys until it is
 * created.
 */
import { stat } from "node:fs/promises";
import type { KeyRecord } from "./key-record.ts";
import { KeyRing } from "./key-ring.ts";
import { KeysFileError, keysDocumentText } from "./keys-document.ts";
import { readKeysFile } from "./keys-file.ts";

/** Between two polls: half of the second within which a change must take effect. */
export const keysPollMilliseconds = 500;

export interface KeysFollowerEvents {
  /** Other keys are in force, or the file is good again after a problem. What it throws is not caught. */
  onChange(ring: KeyRing): void;
  /**
   * The file cannot be used, and the last good keys stay in force. Emitted once, and again when the problem is another
   * one or comes back; nearly always a KeysFileError.
   */
  onProblem(error: Error): void;
}

export type KeysFollower = Awaited<ReturnType<typeof followKeys>>;

/**
 * Reads a keys file and follows it until closed; following alone does not keep the process alive.
 *
 * @returns A follower without keys when the file does not exist; `onChange` is called once it does.
 * @throws {KeysFileError} when the file is there and cannot be used. There is nothing to fall back on yet.
 */
export async function followKeys(
  path: string,
  events: KeysFollowerEvents,
  pollMilliseconds: number = keysPollMilliseconds,
) {
  let stamp = await fileStamp(path);
  /** The message of the last error; an event is emitted only for another one. */
  let problem: string | undefined;
  let records = await readKeysFile(path).catch((error: unknown): readonly KeyRecord[] => {
    if (!(error instanceof KeysFileError && error.code === "KEYS_FILE_MISSING")) throw error;
    problem = error.message;
    return [];
  });
  const startedWithoutFile = problem !== undefined;
  let ring = new KeyRing(records);
  let isClosed = false;
  let timer = startTimer();

  function startTimer(): NodeJS.Timeout {
    return setTimeout(poll, pollMilliseconds).unref();
  }

  async function poll(): Promise<void> {
    try {
      // The stamp is taken before the content: a change between the two shows at the next poll.
      const newStamp = await fileStamp(path);
      if (problem !== undefined || newStamp === undefined || newStamp !== stamp) {
        const read = await readKeysFile(path).catch(reportProblem);
        if (read !== undefined) {
          putInForce(read);
          stamp = newStamp;
        }
      }
    } finally {
      if (!isClosed) timer = startTimer();
    }
  }

  function reportProblem(error: Error): void {
    if (isClosed || error.message === problem) return;
    problem = error.message;
    events.onProblem(error);
  }

  function putInForce(newRecords: readonly KeyRecord[]): void {
    if (isClosed) return;
    if (problem === undefined && keysDocumentText(newRecords) === keysDocumentText(records)) return;
    problem = undefined;
    records = newRecords;
    ring = new KeyRing(records);
    events.onChange(ring);
  }

  return {
    /** True if there was no file when following began. */
    startedWithoutFile,
    /** The keys of the last good state of the file. */
    current: () => ring,
    /** Stops following; no event is emitted afterwards. */
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/**
 * A text that is another one after a change of the file. One that keeps its size and is made in place shows only where
 * the clock of the file system has gone on since (ext4: some milliseconds, FAT: two seconds); a renamed file always.
 *
 * @returns undefined when `stat` fails; reading the file then says why.
 */
async function fileStamp(path: string): Promise<string | undefined> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(":");
  } catch {
    return undefined;
  }
}
