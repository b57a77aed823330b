/** Changes of a dataset directory: one at a time, under a lock, logged, and announced at their end. */
import type { KeyObject } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { takeExclusiveLock } from "../../engine/files/exclusive-lock.ts";
import { programVersion } from "../../engine/files/program-version.ts";
import { orMissing } from "../../engine/files/read-regular-file.ts";
import { faultText } from "../../engine/files/with-file.ts";
import { flushDirectory } from "../../engine/files/write-file-durably.ts";
import type { Instant } from "../../engine/model/calendar.ts";
import { ForeseenError } from "../../engine/model/foreseen-error.ts";
import { readCurrentIfAny } from "../../engine/snapshots/current-snapshot.ts";
import { type SnapshotId, snapshotPath } from "../../engine/snapshots/snapshot-layout.ts";
import {
  type Announcement,
  AnnouncementError,
  announcementPath,
  hashManifest,
  readAnnouncement,
  sequenceMax,
  writeAnnouncement,
} from "../transfer/announcement.ts";
import { readFollowedOrigin, requireOwnDirectory } from "../transfer/followed-origin.ts";
import { readPublisherKey, signAnnouncement } from "../transfer/publisher-key.ts";
import { Cleaning } from "./cleaning.ts";
import { findOrphans, removeOrphans } from "./orphans.ts";
import { notePendingPush } from "./pending-push.ts";
import { addToLog, type ChangeToLog, type Invocation, logLine } from "./publication-log.ts";
import { wholeSecond } from "./snapshot-id.ts";
import { pointCurrentAt } from "./stage-snapshot.ts";

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
  /** The key that announcements are signed with; none are signed when absent. */
  readonly signingKeyFile?: string | undefined;
  /**
   * The announcement has a sequence number above this one, at most `sequenceChosenMax`; then a damaged announcement is
   * replaced, and one that has the greatest number.
   */
  readonly above?: number | undefined;
  /** The place that announcements are pushed to, as `destinationOf` names it; none waits to be pushed when absent. */
  readonly pushTo?: string | undefined;
}

/** A step behind a change that is not done. */
export interface Unfinished {
  readonly step: "log" | "announcement" | "cleaning";
  /** True of an announcement that is there: it or the change is not flushed. */
  readonly isAnnounced?: boolean;
  readonly error: unknown;
  /** What failed, as part of a sentence. */
  readonly fault: string;
  /** True of what the next push completes. */
  readonly isOfPush?: boolean;
  /** The line that the log lacks. */
  readonly line?: string | undefined;
}

/** The end of a change. What is not done, the next command completes, but for the line of the log. */
export interface Finished {
  readonly unfinished: readonly Unfinished[];
}

/** A change of a dataset directory under way: no other process changes the directory meanwhile. */
export class Change {
  readonly now: Instant;
  readonly cleaning: Cleaning = new Cleaning();
  /** The snapshot that was current before. */
  readonly from: SnapshotId | null;
  readonly #request: ChangeRequest;
  /** Null leaves announcements without a signature. */
  readonly #key: KeyObject | null;
  /** False where the directory follows an origin: what it announces comes from there. */
  readonly #isOwn: boolean;
  #current: SnapshotId | null;
  #isAnnounced = false;
  #toLog: ChangeToLog | undefined;

  constructor(request: ChangeRequest, from: SnapshotId | null, key: KeyObject | null, isOwn: boolean) {
    this.now = request.now ?? (Date.now() as Instant);
    this.from = from;
    this.#current = from;
    this.#request = request;
    this.#key = key;
    this.#isOwn = isOwn;
  }

  /** Makes a snapshot current, whole or not at all. Nothing that may fail comes after it, but what `finish` does. */
  async makeCurrent(id: SnapshotId): Promise<void> {
    await pointCurrentAt(this.#request.dataDirectory, id);
    this.#current = id;
  }

  /** Keeps what the log is to say of the change, once it is done. */
  log(change: ChangeToLog): void {
    this.#toLog = change;
  }

  /**
   * Does all that comes behind a change, whatever fails of it: cleaning, which makes room, the line of the log, where a
   * command has called, and the announcement. Never throws.
   */
  async finish(): Promise<Finished> {
    const unfinished: Unfinished[] = [];
    const attempt = async (step: Unfinished["step"], work: () => Promise<void>, line?: string): Promise<void> => {
      await work().catch((error: unknown) => {
        const isAnnounced = step === "announcement" && this.#isAnnounced;
        unfinished.push({ step, error, fault: faultText(error), isAnnounced, line });
      });
    };
    const { dataDirectory, invocation } = this.#request;
    await attempt("cleaning", () => this.cleaning.finish());
    if (invocation !== undefined && this.#toLog !== undefined) {
      const line = logLine(invocation, this.now, { from: this.from, to: this.#current, ...this.#toLog });
      await attempt("log", () => addToLog(dataDirectory, line), line);
    }
    await attempt("announcement", () => this.#announce());
    return { unfinished };
  }

  /**
   * Flushes the change and announces what is current. It is the last step of every command, also of one that finds
   * nothing to do, so that the next command announces what a killed one did not.
   *
   * @throws {AnnouncementError} when the announcement that is there cannot be read.
   */
  async #announce(): Promise<void> {
    const { dataDirectory, pushTo: destination } = this.#request;
    const announcement = this.#isOwn
      ? await nextAnnouncement(this.#request, this.#current, this.now, this.#key)
      : undefined;
    this.#isAnnounced = announcement === undefined;
    await flushDirectory(dataDirectory);
    if (!this.#isOwn) return;
    if (announcement !== undefined) {
      if (destination !== undefined) {
        const { sequence, announcedAt: since } = announcement;
        await notePendingPush(dataDirectory, { destination, sequence, since, cause: null });
      }
      await writeAnnouncement(dataDirectory, announcement);
      this.#isAnnounced = true;
      await flushDirectory(dataDirectory);
    }
  }
}

/**
 * Changes a dataset directory under its lock: removes what killed publishers have left, does the work, and then
 * everything that comes behind it. Readers need no lock: published files never change, and `CURRENT` is replaced
 * atomically.
 *
 * @param work Throws where the change is not made.
 * @returns What the work returns, and what is not done of what comes behind it.
 * @throws {ForeignDirectoryError} when root begins it and the dataset directory is of another user.
 * @throws {LockHeldError} when another publisher holds the lock for more than ten seconds.
 * @throws {LockUnusableError} when the dataset directory does not exist or cannot be written.
 * @throws {AnnouncementError} when the announcement that is there cannot be read.
 * @throws {PublisherKeyError} when the key cannot be used; nothing is changed.
 */
export async function changeDirectory<Result extends object>(
  request: ChangeRequest,
  work: (change: Change, orphans: readonly string[]) => Promise<Result>,
): Promise<Result & Finished> {
  const { dataDirectory, signingKeyFile, above } = request;
  await refuseRootInForeignDirectory(dataDirectory);
  using _lock = await takeLockOf(dataDirectory, lockWaitMilliseconds);
  const key = signingKeyFile === undefined ? null : await readPublisherKey(signingKeyFile, dataDirectory);
  const isOwn = (await readFollowedOrigin(dataDirectory)) === undefined;
  if (above === undefined) requireNextSequence(dataDirectory, await readAnnouncement(dataDirectory), isOwn);
  const change = new Change(request, await readCurrentIfAny(dataDirectory), key, isOwn);
  const done = await removeOrphans(dataDirectory, change.cleaning, await findOrphans(dataDirectory))
    .then((orphans) => work(change, orphans))
    .catch(async (error: unknown) => {
      await change.cleaning.finish().catch(() => {}); // the next command removes what is left
      throw error;
    });
  return { ...done, ...(await change.finish()) };
}

/**
 * As `changeDirectory`, of a directory that announces its own snapshots.
 *
 * @throws {FollowsOriginError} when the dataset directory follows an origin.
 */
export async function changeOwnDirectory<Result extends object>(
  request: ChangeRequest,
  work: (change: Change) => Promise<Result>,
): Promise<Result & Finished> {
  return await changeDirectory(request, async (change) => {
    await requireOwnDirectory(request.dataDirectory);
    return await work(change);
  });
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
  current: SnapshotId | null,
  now: Instant,
  key: KeyObject | null,
): Promise<Announcement | undefined> {
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
    await flushDirectory(folder);
  }
  return announcement;
}

/** Takes the lock of a dataset directory. @throws As `takeExclusiveLock`. */
export async function takeLockOf(dataDirectory: string, waitMilliseconds: number): Promise<Disposable> {
  return await takeExclusiveLock(join(dataDirectory, lockFileName), waitMilliseconds);
}
