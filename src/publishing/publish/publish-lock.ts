/** Changes of a dataset directory: one at a time, under a lock, announced at their end. */
import type { KeyObject } from "node:crypto";
import { join } from "node:path";
import { withExclusiveLock } from "../../engine/files/exclusive-lock.ts";
import { orMissing } from "../../engine/files/read-regular-file.ts";
import type { Instant } from "../../engine/model/calendar.ts";
import { readCurrentIfAny } from "../../engine/snapshots/current-snapshot.ts";
import { snapshotPath } from "../../engine/snapshots/snapshot-layout.ts";
import {
  type Announcement,
  AnnouncementError,
  announcementPath,
  hashManifest,
  readAnnouncement,
  sequenceMax,
  writeAnnouncement,
} from "../transfer/announcement.ts";
import { readFollowedOrigin } from "../transfer/followed-origin.ts";
import { readPublisherKey, signAnnouncement } from "../transfer/publisher-key.ts";
import { type ChangeToLog, type Invocation, logChange } from "./publication-log.ts";
import { ignoreSteps, type StepObserver } from "./publish-steps.ts";
import { wholeSecond } from "./snapshot-id.ts";

const lockFileName = ".publish.lock";
const lockWaitMilliseconds = 10_000;

/** The request of a change of a dataset directory. */
export interface ChangeRequest {
  readonly dataDirectory: string;
  /** The time of the change; now, when absent. */
  readonly now?: Instant | undefined;
  /** The command, for the log; nothing is logged when absent. */
  readonly invocation?: Invocation | undefined;
  /** Called with the reason where the log has no line on the change. */
  readonly onLogFault?: ((code: string) => void) | undefined;
  /** The key that announcements are signed with; none are signed when absent. */
  readonly signingKeyFile?: string | undefined;
  /**
   * The announcement has a sequence number above this one, at most `sequenceChosenMax`; then a damaged announcement is
   * replaced, and one that has the greatest number.
   */
  readonly above?: number | undefined;
  readonly onStep?: StepObserver | undefined;
}

/** The tools of a change. */
export interface Change {
  readonly now: Instant;
  readonly onStep: StepObserver;
  /** Logs what is done, where a command has called. */
  readonly log: (change: ChangeToLog) => Promise<void>;
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
export async function withPublishLock<T>(request: ChangeRequest, work: (change: Change) => Promise<T>): Promise<T> {
  const { dataDirectory, now = Date.now() as Instant, invocation, above, onStep = ignoreSteps } = request;
  const { signingKeyFile, onLogFault } = request;
  const log: Change["log"] = async (change) => {
    if (invocation === undefined) return;
    const fault = await logChange(dataDirectory, invocation, now, change);
    if (fault === undefined) await onStep("logged");
    else onLogFault?.(fault);
  };
  return await withLockOf(dataDirectory, lockWaitMilliseconds, async () => {
    await onStep("locked");
    const key = signingKeyFile === undefined ? null : await readPublisherKey(signingKeyFile, dataDirectory);
    // What a directory announces that follows an origin comes from there.
    const isOwn = (await readFollowedOrigin(dataDirectory)) === undefined;
    if (above === undefined) requireNextSequence(dataDirectory, await readAnnouncement(dataDirectory), isOwn);
    const result = await work({ now, onStep, log });
    if (isOwn) {
      await announceCurrent(dataDirectory, now, key, above);
      await onStep("announced");
    }
    return result;
  });
}

/** @throws {AnnouncementError} when a directory that announces its own snapshots has no sequence number left. */
function requireNextSequence(dataDirectory: string, before: Announcement | undefined, isOwn: boolean): void {
  if (!isOwn || before === undefined || before.sequence < sequenceMax) return;
  throw new AnnouncementError(
    `${announcementPath(dataDirectory)}: sequence is ${sequenceMax}, the greatest there is, expected a lower one: ` +
      "snapshot announce --above N begins again above N, and followers need snapshot forget-sequence",
  );
}

/**
 * Writes the announcement of the current snapshot, with the next sequence number, unless it is there already. So every
 * publishing command completes what a killed one has not announced. The caller holds the lock.
 *
 * @param key The key to sign with; null leaves announcements without a signature.
 * @param above The sequence number is above this one as well.
 * @throws {AnnouncementError} when the announcement that is there cannot be read.
 */
async function announceCurrent(
  dataDirectory: string,
  now: Instant,
  key: KeyObject | null,
  above: number | undefined,
): Promise<void> {
  const current = await readCurrentIfAny(dataDirectory);
  if (current === null) return;
  const found = await readAnnouncement(dataDirectory).catch((error: unknown) => {
    if (error instanceof AnnouncementError && above !== undefined) return undefined;
    throw error;
  });
  // Nothing comes after the greatest number; `requireNextSequence` lets only a chosen one replace it.
  const before = found?.sequence === sequenceMax ? undefined : found;
  // `CURRENT` may name a snapshot that is not there; the command has said so.
  const manifestSha256 = await orMissing(hashManifest(dataDirectory, current));
  if (manifestSha256 === undefined) return;
  const isAnnounced = before?.snapshot === current && before.manifestSha256 === manifestSha256;
  const isSigned =
    key === null || (before !== undefined && before.signature === signAnnouncement(before, key).signature);
  if (isAnnounced && isSigned && before.sequence > (above ?? 0)) return;
  const sequence = Math.max(before?.sequence ?? 0, above ?? 0) + 1;
  const content = { sequence, snapshot: current, manifestSha256, announcedAt: wholeSecond(now) };
  const announcement = signAnnouncement(content, key);
  // A signed announcement in its folder lets a snapshot be verified once it is no longer current.
  const folder = snapshotPath(dataDirectory, current);
  if (key !== null && (await readAnnouncement(folder)) === undefined) {
    await writeAnnouncement(folder, announcement);
  }
  await writeAnnouncement(dataDirectory, announcement);
}

/** Holds the lock of a dataset directory while some work is done. @throws As `withExclusiveLock`. */
export async function withLockOf<T>(
  dataDirectory: string,
  waitMilliseconds: number,
  work: () => Promise<T>,
): Promise<T> {
  return await withExclusiveLock(join(dataDirectory, lockFileName), waitMilliseconds, work);
}
