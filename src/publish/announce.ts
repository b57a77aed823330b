/** Announces what `CURRENT` names, so that other machines know what to serve. */
import type { KeyObject } from "node:crypto";
import { readCurrentIfAny } from "../dataset/current-snapshot.ts";
import { snapshotPath } from "../dataset/snapshot-layout.ts";
import type { Instant } from "../domain/instant.ts";
import { orMissing } from "../files/read-regular-file.ts";
import { writeFileDurably } from "../files/write-file-durably.ts";
import {
  AnnouncementError,
  announcementPath,
  announcementText,
  hashManifest,
  readAnnouncement,
} from "../transfer/announcement.ts";
import { signAnnouncement } from "../transfer/publisher-key.ts";
import { wholeSecond } from "./snapshot-id.ts";

const announcementMode = 0o644;

/**
 * Writes the announcement of the current snapshot, with the next sequence number, unless it is there already. So every
 * publishing command completes what a killed one has not announced. The caller holds the lock.
 *
 * @param key The key to sign with; null leaves announcements without a signature.
 * @param above The sequence number is above this one as well.
 * @throws {AnnouncementError} when the announcement that is there cannot be read.
 */
export async function announceCurrent(
  dataDirectory: string,
  now: Instant,
  key: KeyObject | null,
  above: number | undefined,
): Promise<void> {
  const current = await readCurrentIfAny(dataDirectory);
  if (current === null) return;
  const before = await readAnnouncement(dataDirectory).catch((error: unknown) => {
    if (error instanceof AnnouncementError && above !== undefined) return undefined;
    throw error;
  });
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
  const text = announcementText(announcement);
  // A signed announcement in its folder vouches for a snapshot that is no longer current.
  const folder = snapshotPath(dataDirectory, current);
  if (key !== null && (await readAnnouncement(folder)) === undefined) {
    await writeFileDurably(announcementPath(folder), text, announcementMode);
  }
  await writeFileDurably(announcementPath(dataDirectory), text, announcementMode);
}
