/** Changes of a dataset directory: one at a time, under a lock, logged, and announced at their end. */
import type { KeyObject } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { takeExclusiveLock } from "../../engine/files/exclusive-lock.ts";
import { programVersion } from "../../engine/files/program-version.ts";
import { orMissing } from "../../engine/files/read-regular-file.ts";
import type { Instant } from "../../engine/model/calendar.ts";
import { ForeseenError } from "../../engine/model/foreseen-error.ts";
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
import { notePendingPush } from "./pending-push.ts";
import { type ChangeToLog, type Invocation, logChange } from "./publication-log.ts";
import { ignoreSteps, type StepObserver } from "./publish-steps.ts";
import { wholeSecond } from "./snapshot-id.ts";

/** Root would change a dataset directory of another user, whose service could not read the change. */
export class ForeignDirectoryError extends ForeseenError {
  constructor(dataDirectory: string, owner: number) {
    super(
      `${dataDirectory}: found a directory of user ${owner} and root as the user of this command, expected user ` +
        `${owner}, whose service reads it: scripts/deploy/run-as-service.sh runs commands as the user of the service`,
    );
  }
}

const lockFileName = ".publish.lock";
/** The longest wait for another command of the same directory. */
export const lockWaitMilliseconds = 10_000;

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
  /** The place that announcements are pushed to, as `destinationOf` names it; none waits to be pushed when absent. */
  readonly pushTo?: string | undefined;
  readonly onStep?: StepObserver | undefined;
}

/** A change of a dataset directory under way: no other process changes the directory until it is disposed of. */
export class Change implements Disposable {
  readonly now: Instant;
  readonly onStep: StepObserver;
  readonly #request: ChangeRequest;
  readonly #lock: Disposable;
  /** Null leaves announcements without a signature. */
  readonly #key: KeyObject | null;
  /** False where the directory follows an origin: what it announces comes from there. */
  readonly #isOwn: boolean;

  constructor(request: ChangeRequest, lock: Disposable, key: KeyObject | null, isOwn: boolean) {
    const { now = Date.now() as Instant, onStep = ignoreSteps } = request;
    this.now = now;
    this.onStep = onStep;
    this.#request = request;
    this.#lock = lock;
    this.#key = key;
    this.#isOwn = isOwn;
  }

  [Symbol.dispose](): void {
    this.#lock[Symbol.dispose]();
  }

  /** Writes the line of the log on the change, where a command has called. */
  async log(change: ChangeToLog): Promise<void> {
    const { dataDirectory, invocation, onLogFault } = this.#request;
    if (invocation === undefined) return;
    const fault = await logChange(dataDirectory, invocation, this.now, change);
    if (fault === undefined) await this.onStep("logged");
    else onLogFault?.(fault);
  }

  /**
   * Announces what is current. It is the last step of every command, also of one that finds nothing to do, so that the
   * next command announces what a killed one did not.
   *
   * @throws {AnnouncementError} when the announcement that is there cannot be read.
   */
  async announce(): Promise<void> {
    if (!this.#isOwn) return;
    const { dataDirectory, pushTo: destination } = this.#request;
    const announcement = await nextAnnouncement(this.#request, this.now, this.#key);
    if (announcement !== undefined) {
      if (destination !== undefined) {
        const { sequence, announcedAt: since } = announcement;
        await notePendingPush(dataDirectory, { destination, sequence, since, cause: null });
        await this.onStep("push-noted");
      }
      await writeAnnouncement(dataDirectory, announcement);
    }
    await this.onStep("announced");
  }
}

/**
 * Begins a change: takes the lock, and reads the key and the announcement that there is. Readers need no lock:
 * published files never change, and `CURRENT` is replaced atomically.
 *
 * @throws {ForeignDirectoryError} when root begins it and the dataset directory is of another user.
 * @throws {LockHeldError} when another publisher holds the lock for more than ten seconds.
 * @throws {LockUnusableError} when the dataset directory does not exist or cannot be written.
 * @throws {AnnouncementError} when the announcement that is there cannot be read.
 * @throws {PublisherKeyError} when the key cannot be used; nothing is changed.
 */
export async function beginChange(request: ChangeRequest): Promise<Change> {
  const { dataDirectory, signingKeyFile, above, onStep = ignoreSteps } = request;
  await refuseRootInForeignDirectory(dataDirectory);
  using begun = new DisposableStack();
  begun.use(await takeLockOf(dataDirectory, lockWaitMilliseconds));
  await onStep("locked");
  const key = signingKeyFile === undefined ? null : await readPublisherKey(signingKeyFile, dataDirectory);
  const isOwn = (await readFollowedOrigin(dataDirectory)) === undefined;
  if (above === undefined) requireNextSequence(dataDirectory, await readAnnouncement(dataDirectory), isOwn);
  return new Change(request, begun.move(), key, isOwn);
}

/**
 * Only root can write into the directory of another user without permission. Where the program is of that user too,
 * nothing is refused: it is a clone of theirs that a container runs as root, with no service of another user.
 *
 * @param program A file of the program.
 * @throws {ForeignDirectoryError} when root runs this and the dataset directory is of another user.
 */
export async function refuseRootInForeignDirectory(
  dataDirectory: string,
  program: string = import.meta.filename,
): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  // The lock reports a directory that does not exist.
  const stats = await orMissing(stat(dataDirectory));
  if (stats === undefined || stats.uid === 0 || stats.uid === (await stat(program)).uid) return;
  throw new ForeignDirectoryError(dataDirectory, stats.uid);
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
 * The announcement of the current snapshot, with the next sequence number; undefined where it is there already. So
 * every publishing command completes what a killed one has not announced. The caller holds the lock.
 *
 * @param key The key to sign with; null leaves announcements without a signature.
 * @throws {AnnouncementError} when the announcement that is there cannot be read.
 */
async function nextAnnouncement(
  { dataDirectory, above }: ChangeRequest,
  now: Instant,
  key: KeyObject | null,
): Promise<Announcement | undefined> {
  const current = await readCurrentIfAny(dataDirectory);
  if (current === null) return undefined;
  const found = await readAnnouncement(dataDirectory).catch((error: unknown) => {
    if (error instanceof AnnouncementError && above !== undefined) return undefined;
    throw error;
  });
  // Nothing comes after the greatest number; `requireNextSequence` lets only a chosen one replace it.
  const before = found?.sequence === sequenceMax ? undefined : found;
  // `CURRENT` may name a snapshot that is not there; the command has said so.
  const manifestSha256 = await orMissing(hashManifest(dataDirectory, current));
  if (manifestSha256 === undefined) return undefined;
  const isAnnounced = before?.snapshot === current && before.manifestSha256 === manifestSha256;
  const isSigned =
    key === null || (before !== undefined && before.signature === signAnnouncement(before, key).signature);
  if (isAnnounced && isSigned && before.sequence > (above ?? 0)) return undefined;
  const sequence = Math.max(before?.sequence ?? 0, above ?? 0) + 1;
  const content = { sequence, snapshot: current, manifestSha256, announcedAt: wholeSecond(now) };
  const announcement = { ...signAnnouncement(content, key), publisher: programVersion() };
  // A signed announcement in its folder lets a snapshot be verified once it is no longer current.
  const folder = snapshotPath(dataDirectory, current);
  if (key !== null && (await readAnnouncement(folder)) === undefined) {
    await writeAnnouncement(folder, announcement);
  }
  return announcement;
}

/** Takes the lock of a dataset directory. @throws As `takeExclusiveLock`. */
export async function takeLockOf(dataDirectory: string, waitMilliseconds: number): Promise<Disposable> {
  return await takeExclusiveLock(join(dataDirectory, lockFileName), waitMilliseconds);
}
