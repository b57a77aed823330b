/**
 * The announcement of a dataset directory: one small file beside `CURRENT` that says which snapshot others are to
 * serve. Its sequence number always rises, so that a machine that has seen one recognises an older one, such as that of
 * a stale cache, and a rollback is a new announcement.
 */

import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProgramVersion } from "../../engine/files/program-version.ts";
import { orMissing, readRegularFile } from "../../engine/files/read-regular-file.ts";
import { replaceFile } from "../../engine/files/write-file-durably.ts";
import { type Instant, instantFromText, instantText } from "../../engine/model/calendar.ts";
import { ForeseenError } from "../../engine/model/foreseen-error.ts";
import { announcementBytesMax, publisherIn } from "../../engine/snapshots/publisher-version.ts";
import {
  announcementName,
  manifestFileName,
  type SnapshotId,
  snapshotPath,
  toSnapshotId,
} from "../../engine/snapshots/snapshot-layout.ts";
import { faultOfReading } from "../../engine/snapshots/stored-file.ts";

const formatVersion = 1;

const fileMode = 0o644;

/** The greatest sequence number: one a second lasts for millions of years, and every language reads it exactly. */
export const sequenceMax: number = 2 ** 48;

/** Beyond it no number is chosen by hand, so that there is always room for the next publications. */
export const sequenceChosenMax: number = 2 ** 47;

/** The content that a signature covers. */
export interface Announced {
  /** From 1 to `sequenceMax`. */
  readonly sequence: number;
  readonly snapshot: SnapshotId;
  /** Hash of the bytes of `manifest.json`, lower-case hex; the manifest has the hashes of all other files. */
  readonly manifestSha256: string;
  readonly announcedAt: Instant;
}

export interface Announcement extends Announced {
  /** Ed25519, base64; null where the publisher has no key. */
  readonly signature: string | null;
  /** The version that announces, for people: no signature covers it. Absent where an older one has announced. */
  readonly publisher?: ProgramVersion | undefined;
}

/** An announcement is not one. The message says what was found and what was expected. */
export class AnnouncementError extends ForeseenError {}

/**
 * The file's text.
 *
 * @throws {AnnouncementError} when it could not be read again.
 */
export function announcementText(announcement: Announcement): string {
  const { sequence, snapshot, manifestSha256, announcedAt, signature, publisher } = announcement;
  const document = {
    format: formatVersion,
    sequence,
    snapshot,
    manifest_sha256: manifestSha256,
    announced_at: instantText(announcedAt),
    ...(signature === null ? {} : { signature }),
    ...(publisher && { publisher }),
  };
  const text = `${JSON.stringify(document, null, 2)}\n`;
  parseAnnouncement(text);
  return text;
}

/** The bytes that are signed: one line a value, so that no form of JSON matters. */
export function signedBytes({ sequence, snapshot, manifestSha256, announcedAt }: Announced): Buffer {
  const lines = ["announcement", formatVersion, sequence, snapshot, manifestSha256, instantText(announcedAt)];
  return Buffer.from(`${lines.join("\n")}\n`);
}

/**
 * Reads an announcement. Fields that it does not know are passed over.
 *
 * @throws {AnnouncementError} when it is none of this format.
 */
export function parseAnnouncement(text: string): Announcement {
  const document = parseObject(text);
  const publisher = publisherIn(document);
  const { format, sequence, snapshot, manifest_sha256: digest, announced_at: time, signature = null } = document;
  demand(format === formatVersion, "format", format, `${formatVersion}, the only version known here`);
  const isSequence = Number.isSafeInteger(sequence) && Number(sequence) >= 1 && Number(sequence) <= sequenceMax;
  demand(isSequence, "sequence", sequence, `a whole number from 1 to ${sequenceMax}`);
  const id = typeof snapshot === "string" ? toSnapshotId(snapshot) : undefined;
  demand(id !== undefined, "snapshot", snapshot, "the id of a snapshot");
  demand(typeof digest === "string" && /^[0-9a-f]{64}$/.test(digest), "manifest_sha256", digest, "64 hex digits");
  const announcedAt = typeof time === "string" ? instantFromText(time) : undefined;
  demand(announcedAt !== undefined, "announced_at", time, "a time in UTC");
  const isSignature = signature === null || (typeof signature === "string" && /^[\w+/]{86}==$/.test(signature));
  demand(isSignature, "signature", signature, "an Ed25519 signature in base64");
  return {
    sequence: sequence as number,
    snapshot: id as SnapshotId,
    manifestSha256: digest as string,
    announcedAt: announcedAt as Instant,
    signature: signature as string | null,
    ...(publisher && { publisher }),
  };
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  let cause: unknown;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch (error) {
    cause = error;
  }
  throw new AnnouncementError(`found ${excerpt(text)}, expected a JSON object`, { cause });
}

function demand(isRight: boolean, field: string, found: unknown, wanted: string): void {
  if (isRight) return;
  throw new AnnouncementError(`${field} is ${excerpt(JSON.stringify(found) ?? "missing")}, expected ${wanted}`);
}

function excerpt(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

export function announcementPath(dataDirectory: string): string {
  return join(dataDirectory, announcementName);
}

/**
 * Writes the announcement of a directory: of a dataset directory, or of the folder of a snapshot. The caller flushes
 * the directory.
 *
 * @throws {AnnouncementError} when it could not be read again.
 */
export async function writeAnnouncement(directory: string, announcement: Announcement): Promise<void> {
  await replaceFile(announcementPath(directory), announcementText(announcement), fileMode);
}

/**
 * The announcement of a dataset directory.
 *
 * @returns undefined where it has none.
 * @throws {AnnouncementError} when it cannot be read.
 */
export async function readAnnouncement(dataDirectory: string): Promise<Announcement | undefined> {
  const path = announcementPath(dataDirectory);
  try {
    const text = await orMissing(readRegularFile(path, announcementBytesMax));
    return text && parseAnnouncement(text.toString());
  } catch (error) {
    throw new AnnouncementError(`${path}: ${faultText(error)}`, { cause: error });
  }
}

function faultText(error: unknown): string {
  if (error instanceof AnnouncementError) return error.message;
  const { found, wanted } = faultOfReading(error);
  return `found ${found}, expected ${wanted}`;
}

/** The SHA-256 of the manifest of a snapshot, as `manifestSha256` has it. */
export async function hashManifest(dataDirectory: string, id: SnapshotId): Promise<string> {
  return hash("sha256", await readFile(join(snapshotPath(dataDirectory, id), manifestFileName)));
}
