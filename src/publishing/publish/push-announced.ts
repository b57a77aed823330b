/** Pushes what a dataset directory announces, and keeps the mark of what waits to be pushed. */
import { join } from "node:path";
import { LockHeldError, takeExclusiveLock } from "../../engine/files/exclusive-lock.ts";
import { isSystemError } from "../../engine/files/read-regular-file.ts";
import { faultText } from "../../engine/files/with-file.ts";
import { ForeseenError } from "../../engine/model/foreseen-error.ts";
import { removePendingPush } from "../../engine/snapshots/push-pending.ts";
import { readAnnouncement } from "../transfer/announcement.ts";
import { requireOwnDirectory } from "../transfer/followed-origin.ts";
import { type PushReport, type PushRequest, pushSnapshot } from "../transfer/push-snapshot.ts";
import { notePendingPush, readMark } from "./pending-push.ts";
import {
  type Finished,
  lockWaitMilliseconds,
  refuseRootInForeignDirectory,
  takeLockOf,
  type Unfinished,
} from "./publish-lock.ts";

const pushLockName = ".push.lock";

export interface AnnouncedPushRequest extends PushRequest {
  /** The place that is pushed to, as `destinationOf` names it. */
  readonly destination: string;
  /** The place that announcements wait for; undefined where none is named. */
  readonly pushTo: string | undefined;
  /** The longest wait for another push; ten seconds when absent. */
  readonly lockWaitMilliseconds?: number;
}

/** A push failed. What is published stays so, and the push can be repeated. */
export class PushFailedError extends ForeseenError {
  /** One line. */
  readonly reason: string;

  constructor(target: string, reason: string, options: ErrorOptions) {
    super(`not pushed to ${target}: ${reason}`, options);
    this.reason = reason;
  }
}

/**
 * Pushes the newest announcement, also where another command has made it meanwhile. The pushes of a dataset directory
 * come one after another, under a lock of their own, so that publishing need not wait for them, and none brings an
 * older announcement than the one before.
 *
 * Afterwards the mark of what waits is gone, or names the cause. Where another command holds the lock for too long, the
 * mark stays as it is: it then says at most that something waits that does not.
 *
 * @returns What was pushed; not cleaned is the mark that cannot be removed, or the target, of old snapshots.
 * @throws {PushFailedError} when the announcement is not there afterwards.
 * @throws {FollowsOriginError} when the dataset directory follows an origin.
 * @throws {ForeignDirectoryError} when root pushes and the dataset directory is of another user.
 */
export async function pushAnnounced(request: AnnouncedPushRequest): Promise<PushReport & Finished> {
  const { dataDirectory, lockWaitMilliseconds: wait = lockWaitMilliseconds } = request;
  await requireOwnDirectory(dataDirectory);
  await refuseRootInForeignDirectory(dataDirectory);
  try {
    using _lock = await takeExclusiveLock(join(dataDirectory, pushLockName), wait);
    let pushed = await pushSnapshot(request);
    while (((await readAnnouncement(dataDirectory))?.sequence ?? 0) > pushed.sequence) {
      pushed = await pushSnapshot(request);
    }
    const unfinished: Unfinished[] = [];
    const leave = (error: unknown): void => {
      unfinished.push({ step: "cleaning", error, fault: faultText(error), isOfPush: true });
    };
    await underLock(dataDirectory, () => settlePushed(request, pushed.sequence)).catch(leave);
    if (pushed.notRemoved !== undefined) leave(pushed.notRemoved);
    return { ...pushed, unfinished };
  } catch (error) {
    if (!(error instanceof ForeseenError || isSystemError(error))) throw error;
    const cause = error instanceof LockHeldError ? `another push is under way (${error.message})` : error.message;
    await underLock(dataDirectory, () => settleFailed(request, cause)).catch(() => {
      // The mark that was written before the announcement stays; the first error is the one to report.
    });
    throw new PushFailedError(request.target.name, cause, { cause: error });
  }
}

/** Removes the mark, unless it is of another place, or of a newer announcement. */
async function settlePushed({ dataDirectory, destination, pushTo }: AnnouncedPushRequest, sequence: number) {
  const mark = await readMark(dataDirectory);
  const isSettled = mark === undefined || mark.destination === destination || destination === pushTo;
  if (isSettled && (mark?.sequence ?? 0) <= sequence) await removePendingPush(dataDirectory);
}

/** Writes the cause into the mark, where announcements wait for this place. */
async function settleFailed(request: AnnouncedPushRequest, cause: string): Promise<void> {
  const { dataDirectory, destination, pushTo, now } = request;
  const mark = await readMark(dataDirectory);
  if (destination !== pushTo && destination !== mark?.destination) return;
  const sequence = (await readAnnouncement(dataDirectory))?.sequence;
  if (sequence !== undefined) await notePendingPush(dataDirectory, { destination, sequence, since: now, cause });
}

async function underLock(dataDirectory: string, work: () => Promise<void>): Promise<void> {
  try {
    using _lock = await takeLockOf(dataDirectory, lockWaitMilliseconds);
    await work();
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw error;
  }
}
