/** Changes of a dataset directory: one at a time, under a lock, in steps that an observer can follow. */
import { join } from "node:path";
import type { Instant } from "../domain/instant.ts";
import { withExclusiveLock } from "../files/exclusive-lock.ts";
import { readAnnouncement } from "../transfer/announcement.ts";
import { readFollowedOrigin } from "../transfer/followed-origin.ts";
import { readPublisherKey } from "../transfer/publisher-key.ts";
import { announceCurrent } from "./announce.ts";

/**
 * What publishing, appending, rolling back and collecting garbage do, in this order. Tests stop a process after a step
 * and examine what it leaves.
 */
export type PublishStep =
  /** The lock is held, nothing has changed. */
  | "locked"
  /** The accepted rows lie in a folder of their own (only with rejected rows). */
  | "quarantined"
  /** One more of the files to append lies in a folder of its own, to be checked there. */
  | "given-copied"
  /** The staging folder exists, empty. */
  | "folder-made"
  /** One more file of the snapshot lies in the staging folder, flushed. */
  | "file-copied"
  /** One more file is shared with the current snapshot. */
  | "file-shared"
  /** The manifest lies in the staging folder, flushed. */
  | "manifest-written"
  /** The staging folder is complete and durable. */
  | "staged"
  /** The store of the snapshot is compiled, beside the snapshots. */
  | "compiled"
  /** The staging folder has the snapshot's id as its name; `CURRENT` still names another one. */
  | "named"
  /** The snapshot to roll back to has been verified. */
  | "verified"
  /** The new `CURRENT` is written and flushed under a temporary name. */
  | "pointer-flushed"
  /** `CURRENT` names the snapshot. */
  | "activated"
  /** The announcement names what `CURRENT` names. */
  | "announced"
  /** One more orphaned folder or file is removed. */
  | "orphan-removed"
  /** One more snapshot to be removed has a name that no reader opens. */
  | "unnamed"
  /** The compiled store of an unnamed snapshot is removed. */
  | "compiled-removed"
  /** The files of an unnamed snapshot are removed. */
  | "removed";

/** Called after every step; the work continues when it returns. */
export type StepObserver = (step: PublishStep) => void | Promise<void>;

/** The default observer, a no-op. */
export function ignoreSteps(): void {}

const lockFileName = ".publish.lock";
const lockWaitMilliseconds = 10_000;

/** What every change of a dataset directory is asked for. */
export interface ChangeRequest {
  readonly dataDirectory: string;
  /** The time of the change; now, when absent. */
  readonly now?: Instant | undefined;
  /** The key that announcements are signed with; none are signed when absent. */
  readonly signingKeyFile?: string | undefined;
  /** The announcement has a sequence number above this one; then a damaged announcement is replaced. */
  readonly above?: number | undefined;
  readonly onStep?: StepObserver | undefined;
}

/**
 * Changes a dataset directory while no other process does, and announces what is current then. Readers need no lock:
 * published files never change, and `CURRENT` is replaced atomically.
 *
 * @throws {LockHeldError} when another publisher holds the lock for more than ten seconds.
 * @throws {LockUnusableError} when the dataset directory does not exist or cannot be written.
 * @throws {AnnouncementError} when the announcement that is there cannot be read.
 * @throws {PublisherKeyError} when the key cannot be used; nothing is changed.
 */
export async function withPublishLock<T>(request: ChangeRequest, work: () => Promise<T>): Promise<T> {
  const { dataDirectory, now = Date.now() as Instant, signingKeyFile, above, onStep = ignoreSteps } = request;
  return await withLockOf(dataDirectory, lockWaitMilliseconds, async () => {
    await onStep("locked");
    const key = signingKeyFile === undefined ? null : await readPublisherKey(signingKeyFile, dataDirectory);
    if (above === undefined) await readAnnouncement(dataDirectory);
    const result = await work();
    // What a directory announces that follows an origin comes from there.
    if ((await readFollowedOrigin(dataDirectory)) === undefined) {
      await announceCurrent({ dataDirectory, now, key, above });
      await onStep("announced");
    }
    return result;
  });
}

/** Holds the lock of a dataset directory while some work is done. @throws As `withExclusiveLock`. */
export async function withLockOf<T>(
  dataDirectory: string,
  waitMilliseconds: number,
  work: () => Promise<T>,
): Promise<T> {
  return await withExclusiveLock(join(dataDirectory, lockFileName), waitMilliseconds, work);
}
