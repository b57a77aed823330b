/** The announced snapshot of an origin in a dataset directory, for a program that reads it and serves nothing. */
import type { KeyObject } from "node:crypto";
import { announcementName, type SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import { hashManifest } from "../transfer/announcement.ts";
import { fetchSnapshot, removeUnfinished } from "../transfer/fetch-snapshot.ts";
import { openAnnouncement } from "../transfer/open-announcement.ts";
import type { Origin } from "../transfer/origin.ts";
import { TransferError } from "../transfer/transfer-error.ts";
import { holdsSnapshot } from "./open-published.ts";
import { takeLockOf } from "./publish-lock.ts";

export interface AnnouncedRequest {
  /** Files of the snapshots in it are linked instead of fetched. */
  readonly dataDirectory: string;
  readonly origin: Origin;
  /** The announcement must be signed with its private half; null where it need not be. */
  readonly publicKey: KeyObject | null;
}

/**
 * Fetches the snapshot that an origin announces, unless it is there. `CURRENT` stays as it is.
 *
 * @throws {TransferError} when it cannot be fetched, or its manifest is another one than is announced.
 * @throws {LockHeldError} while something is published into the directory.
 */
export async function fetchAnnounced({ dataDirectory, origin, publicKey }: AnnouncedRequest): Promise<SnapshotId> {
  const what = `${origin.name}/${announcementName}`;
  const found = await openAnnouncement(origin, announcementName, publicKey);
  if (typeof found !== "object") {
    throw new TransferError("status", `${what}: found status ${found}, expected an announcement`);
  }
  const { announcement } = found;
  const { snapshot, manifestSha256 } = announcement;
  using _lock = await takeLockOf(dataDirectory, 0);
  await removeUnfinished(dataDirectory, snapshot);
  if (!(await holdsSnapshot(dataDirectory, snapshot))) {
    await fetchSnapshot(announcement, { dataDirectory, origin, sharesFiles: true });
  } else if ((await hashManifest(dataDirectory, snapshot)) !== manifestSha256) {
    throw new TransferError(
      "hash",
      `${snapshot} in ${dataDirectory}: found another manifest, expected that of ${what}`,
    );
  }
  return snapshot;
}
