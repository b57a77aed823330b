import { SnapshotUnavailableError } from "../dataset/current-snapshot.ts";
import { type Announcement, readAnnouncement } from "../transfer/announcement.ts";
import { requireOwnDirectory } from "../transfer/followed-origin.ts";
import { type ChangeRequest, withPublishLock } from "./publish-lock.ts";

/**
 * Announces the current snapshot, where it is not announced yet, or above a sequence number: after a backup was
 * restored, others have seen higher ones. With that number a damaged announcement is replaced as well.
 *
 * @throws {SnapshotUnavailableError} when there is no current snapshot to announce.
 * @throws {FollowsOriginError} when the dataset directory follows an origin.
 * @throws What `withPublishLock` throws.
 */
export async function announceSnapshot(request: ChangeRequest): Promise<Announcement> {
  const { dataDirectory } = request;
  await withPublishLock(request, async () => await requireOwnDirectory(dataDirectory));
  const announcement = await readAnnouncement(dataDirectory);
  if (announcement !== undefined) return announcement;
  throw new SnapshotUnavailableError(`${dataDirectory}: found no current snapshot, expected one to announce`);
}
