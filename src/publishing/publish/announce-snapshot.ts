/** The announcement of a dataset directory: made where none is, and checked. */
import type { KeyObject } from "node:crypto";
import { lstat, unlink } from "node:fs/promises";
import { orMissing } from "../../engine/files/read-regular-file.ts";
import { ForeseenError } from "../../engine/model/foreseen-error.ts";
import { readCurrentIfAny, SnapshotUnavailableError } from "../../engine/snapshots/current-snapshot.ts";
import { announcementName } from "../../engine/snapshots/snapshot-layout.ts";
import {
  type Announcement,
  AnnouncementError,
  announcementPath,
  hashManifest,
  readAnnouncement,
} from "../transfer/announcement.ts";
import { readFollowedOrigin } from "../transfer/followed-origin.ts";
import { signatureFault } from "../transfer/publisher-key.ts";
import { type ChangeRequest, changeDirectory, changeOwnDirectory, type Finished } from "./publish-lock.ts";

/**
 * Announces the current snapshot, where it is not announced yet, or above a sequence number: after a backup was
 * restored, others have seen higher ones. With that number a damaged announcement is replaced as well.
 *
 * @throws {SnapshotUnavailableError} when there is no current snapshot to announce.
 * @throws {FollowsOriginError} when the dataset directory follows an origin.
 * @throws What `changeDirectory` throws.
 */
export async function announceSnapshot(request: ChangeRequest): Promise<Announcement & Finished> {
  const { dataDirectory } = request;
  const { unfinished } = await changeOwnDirectory(request, async () => ({}));
  const failed = unfinished.find(({ step, isAnnounced = false }) => step === "announcement" && !isAnnounced);
  if (failed !== undefined) throw failed.error;
  const announcement = await readAnnouncement(dataDirectory);
  if (announcement !== undefined) return { ...announcement, unfinished };
  throw new SnapshotUnavailableError(`${dataDirectory}: found no current snapshot, expected one to announce`);
}

/** A directory that follows no origin has taken over no announcement. */
export class NoOriginError extends ForeseenError {}

/**
 * Forgets which announcement of its origin a dataset directory has taken over last, so that the next is taken over
 * whatever its sequence number is. What is served stays until then. A service that follows the origin sees it with its
 * next poll.
 *
 * @returns The sequence number that is forgotten; undefined where there was none, or none that can be read.
 * @throws {NoOriginError} when the dataset directory follows no origin: its own sequence must go on.
 * @throws What `changeDirectory` throws.
 */
export async function forgetSequence(
  request: ChangeRequest,
): Promise<Finished & { readonly forgotten: number | undefined }> {
  const { dataDirectory } = request;
  // Above any number: an announcement that cannot be read is forgotten as well.
  return await changeDirectory({ ...request, above: 0 }, async (change) => {
    if ((await readFollowedOrigin(dataDirectory)) === undefined) {
      const wanted = "a directory that follows an origin; snapshot announce --above N raises the sequence of an origin";
      throw new NoOriginError(`${dataDirectory}: found no origin.json, expected ${wanted}`);
    }
    const path = announcementPath(dataDirectory);
    if ((await orMissing(lstat(path))) === undefined) return { forgotten: undefined };
    const taken = await readAnnouncement(dataDirectory).catch((error: unknown) => {
      if (error instanceof AnnouncementError) return undefined;
      throw error;
    });
    await unlink(path);
    change.log({ subject: taken?.snapshot, counts: {} });
    return { forgotten: taken?.sequence };
  });
}

/** Faults of the announcement of a dataset directory. */
export interface AnnouncementFault {
  /** One line. */
  readonly message: string;
  /** True if somebody may have changed it; otherwise the next publishing command repairs it. */
  readonly isForged: boolean;
}

/**
 * Checks the announcement of a dataset directory: whether it can be read, names what `CURRENT` names, has the hash of
 * that manifest, and is signed.
 *
 * @param publicKey The key it must be signed with; null where none is known.
 * @returns undefined where nothing is wrong, or nothing was ever announced.
 */
export async function verifyAnnouncement(
  dataDirectory: string,
  publicKey: KeyObject | null,
): Promise<AnnouncementFault | undefined> {
  try {
    const announcement = await readAnnouncement(dataDirectory);
    const current = await readCurrentIfAny(dataDirectory);
    if (announcement === undefined || current === null) return undefined;
    const { snapshot, manifestSha256 } = announcement;
    const found = signatureFault(announcement, publicKey);
    if (found !== undefined) {
      return { message: `${announcementName}: found ${found}, expected one of the publisher's key`, isForged: true };
    }
    if (snapshot !== current) {
      const wanted = `${current}, which is current: snapshot announce`;
      return { message: `${announcementName}: found ${snapshot}, expected ${wanted}`, isForged: false };
    }
    const hash = await hashManifest(dataDirectory, snapshot);
    if (hash === manifestSha256) return undefined;
    const message = `${announcementName}: manifest_sha256 is ${manifestSha256}, expected ${hash} of ${snapshot}`;
    return { message, isForged: true };
  } catch (error) {
    if (!(error instanceof AnnouncementError)) throw error;
    return { message: error.message, isForged: true };
  }
}
