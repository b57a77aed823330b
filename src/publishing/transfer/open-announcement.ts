/** Reads the announcement of an origin, or that in the folder of one of its snapshots. */
import type { KeyObject } from "node:crypto";
import { announcementBytesMax } from "../../engine/snapshots/publisher-version.ts";
import { type Announcement, AnnouncementError, parseAnnouncement } from "./announcement.ts";
import { type Origin, type OriginObject, type ReadOptions, readObject } from "./origin.ts";
import { signatureFault } from "./publisher-key.ts";
import { TransferError } from "./transfer-error.ts";

/** An announcement that is signed as it must be. */
interface OpenedAnnouncement extends Pick<OriginObject, "etag"> {
  readonly announcement: Announcement;
}

/**
 * Opens, reads and checks an announcement.
 *
 * @param path Path inside the origin.
 * @param publicKey The announcement must be signed with its private half; null where it need not be.
 * @returns As `Origin.open`, with the announcement in place of its content.
 * @throws {TransferError} as `Origin.open`, when it is too long or no announcement, or is not signed as it must be.
 */
export async function openAnnouncement(
  origin: Origin,
  path: string,
  publicKey: KeyObject | null,
  options: Pick<ReadOptions, "etag" | "signal"> = {},
): Promise<OpenedAnnouncement | "not-modified" | "at-end" | number> {
  const found = await origin.open(path, { ...options, isSmall: true });
  if (typeof found !== "object") return found;
  const text = (await readObject(origin, path, found, announcementBytesMax)).toString();
  return { etag: found.etag, announcement: checkAnnouncement(text, `${origin.name}/${path}`, publicKey) };
}

/** @param what Its name in messages. */
function checkAnnouncement(text: string, what: string, publicKey: KeyObject | null): Announcement {
  let announcement: Announcement;
  try {
    announcement = parseAnnouncement(text);
  } catch (error) {
    if (!(error instanceof AnnouncementError)) throw error;
    throw new TransferError("announcement", `${what}: ${error.message}`, { cause: error });
  }
  const found = signatureFault(announcement, publicKey);
  if (found === undefined) return announcement;
  throw new TransferError("signature", `${what}: found ${found}, expected one of ORIGIN_PUBLIC_KEY`);
}
