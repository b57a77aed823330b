/**
 * Pushes the announced snapshot of a dataset directory to where others fetch it: files first, the manifest behind them,
 * the announcement last. A push that is killed can be repeated: what is there is not sent again.
 */
import { createReadStream, createWriteStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import { isSystemError, orMissing } from "../../engine/files/read-regular-file.ts";
import { withPath, withTemporaryFolder } from "../../engine/files/with-file.ts";
import { type Instant, instantFromText, instantText } from "../../engine/model/calendar.ts";
import { ForeseenError } from "../../engine/model/foreseen-error.ts";
import { parseObject } from "../../engine/model/json-object.ts";
import { SnapshotUnavailableError } from "../../engine/snapshots/current-snapshot.ts";
import { readManifest } from "../../engine/snapshots/manifest.ts";
import {
  announcementName,
  isGzipName,
  manifestFileName,
  type SnapshotId,
  snapshotPath,
  toSnapshotId,
} from "../../engine/snapshots/snapshot-layout.ts";
import {
  type Announcement,
  AnnouncementError,
  announcementText,
  hashManifest,
  parseAnnouncement,
  readAnnouncement,
} from "./announcement.ts";
import { compressedEnding } from "./fetch-snapshot.ts";
import type { PushedFile, PushTarget } from "./push-target.ts";
import { TransferError } from "./transfer-error.ts";

/** The times at which the snapshots of a target were replaced; beside its announcement. */
const replacedName = "replaced.json";

/** A snapshot that was replaced a moment ago may still be on its way to somebody. */
const replacedMillisecondsMin = 60 * 60_000;

export interface PushRequest {
  readonly dataDirectory: string;
  readonly target: PushTarget;
  readonly now: Instant;
  /** Number of snapshots that stay there; all when absent. */
  readonly keep?: number | undefined;
  /** Called with the bytes of files that are there, and of all. */
  readonly onBytes?: ((done: number, total: number) => void) | undefined;
}

export interface PushReport {
  readonly outcome: "pushed" | "already-there";
  readonly snapshot: SnapshotId;
  readonly sequence: number;
  /** Objects that were written, the announcement among them, and their bytes. */
  readonly written: number;
  readonly bytes: number;
  /** Snapshots that were removed from the target. */
  readonly removed: readonly string[];
  /** The error for which others were not; undefined without one. What is pushed is there all the same. */
  readonly notRemoved: unknown;
}

/**
 * Pushes what a dataset directory announces.
 *
 * @throws {SnapshotUnavailableError} when nothing is announced, or what is announced is not there.
 * @throws {TransferError} when the target announces a newer snapshot, or does not take what is sent.
 */
export async function pushSnapshot(request: PushRequest): Promise<PushReport> {
  const { dataDirectory, target, now, keep } = request;
  const announcement = await readAnnouncement(dataDirectory);
  if (announcement === undefined) {
    throw new SnapshotUnavailableError(`${dataDirectory}: found no announcement, expected one: snapshot announce`);
  }
  const { snapshot, sequence } = announcement;
  if ((await hashManifest(dataDirectory, snapshot)) !== announcement.manifestSha256) {
    throw new SnapshotUnavailableError(
      `${dataDirectory}: the manifest of ${snapshot} is not the one that is announced`,
    );
  }
  const before = await target.readText(announcementName);
  const text = announcementText(announcement);
  const isAnnounced = before?.text === text;
  // Somebody, or a rule of the bucket, may have removed what is announced there.
  const isThere = isAnnounced && (await target.readText(`snapshots/${snapshot}/${manifestFileName}`)) !== undefined;
  const sent: number[] = [];
  if (!isThere) {
    if (before !== undefined && !isAnnounced) requireOlder(target, before.text, sequence);
    sent.push(...(await pushFiles(request, snapshot)), Buffer.byteLength(text));
    if (!(await target.putText(announcementName, text, before))) {
      const found = "found another announcement than a moment ago, expected no other publisher";
      throw new TransferError("sequence", `${target.name}/${announcementName}: ${found}`);
    }
  }
  const removed: string[] = [];
  const removal = keep === undefined ? undefined : removeReplaced(target, snapshot, { keep, now, removed });
  const notRemoved = await removal?.catch((error: unknown) => {
    if (!(error instanceof ForeseenError || isSystemError(error))) throw error;
    return error;
  });
  const bytes = sent.reduce((sum, count) => sum + count, 0);
  const outcome = isThere ? "already-there" : "pushed";
  return { outcome, snapshot, sequence, written: sent.length, bytes, removed, notRemoved };
}

function requireOlder(target: PushTarget, text: string, sequence: number): void {
  const name = `${target.name}/${announcementName}`;
  const there = announcementAt(name, text);
  if (there.sequence < sequence) return;
  const found = `announcement ${there.sequence} of ${there.snapshot}`;
  const wanted = `one below ${sequence}, which is to be pushed: snapshot announce --above ${there.sequence}`;
  throw new TransferError("sequence", `${name}: found ${found}, expected ${wanted}`);
}

/** @throws {TransferError} when it is none. */
function announcementAt(name: string, text: string): Announcement {
  try {
    return parseAnnouncement(text);
  } catch (error) {
    if (!(error instanceof AnnouncementError)) throw error;
    const remedy = "remove it there, and followers that have taken it over need snapshot forget-sequence";
    throw new TransferError("announcement", `${name}: ${error.message}; ${remedy}`, { cause: error });
  }
}

/** @returns The size of each object that was written, in bytes; files that the target has are not written again. */
async function pushFiles({ dataDirectory, target, onBytes }: PushRequest, snapshot: SnapshotId): Promise<number[]> {
  const folder = snapshotPath(dataDirectory, snapshot);
  const targetFolder = `snapshots/${snapshot}`;
  const { files } = await readManifest(folder);
  const total = files.reduce((sum, file) => sum + file.bytes, 0);
  const sent: number[] = [];
  let done = 0;
  for (const { name, bytes, sha256 } of files) {
    const file = { path: join(folder, name), bytes, sha256, isPlain: true };
    const targetPath = `${targetFolder}/${name}`;
    if (!(await target.has(targetPath, file))) {
      await target.put(targetPath, file);
      sent.push(bytes);
    }
    if (!isGzipName(name)) sent.push(...(await pushCompressed(target, `${targetPath}${compressedEnding}`, file)));
    done += bytes;
    onBytes?.(done, total);
  }
  for (const name of [manifestFileName, announcementName]) {
    const text = await orMissing(readFile(join(folder, name), "utf8"));
    if (text === undefined) continue;
    await target.putText(`${targetFolder}/${name}`, text, null);
    sent.push(Buffer.byteLength(text));
  }
  return sent;
}

/** Pushes a zstd copy of a file. @returns As `pushFiles`. */
async function pushCompressed(target: PushTarget, targetPath: string, file: PushedFile): Promise<number[]> {
  const copy = { ...file, bytes: 0, isPlain: false };
  if (await target.has(targetPath, copy)) return [];
  return await withTemporaryFolder(join(tmpdir(), "push-"), async (folder) => {
    const path = join(folder, "copy");
    await pipeline(createReadStream(file.path), createZstdCompress(), createWriteStream(path)).catch((error) => {
      // The place that is pushed to has room.
      throw withPath(error, path);
    });
    const { size: bytes } = await stat(path);
    await target.put(targetPath, { ...copy, path, bytes });
    return [bytes];
  });
}

/**
 * Removes the oldest snapshots of a target beyond so many, none that was replaced less than an hour ago.
 *
 * @param announced Is never removed.
 * @param removed Receives the snapshots that are removed.
 */
async function removeReplaced(
  target: PushTarget,
  announced: string,
  { keep, now, removed }: { readonly keep: number; readonly now: Instant; readonly removed: string[] },
): Promise<void> {
  const ids = (await target.listSnapshots()).filter((name) => toSnapshotId(name) !== undefined);
  const others = ids.filter((id) => id !== announced).sort();
  // A file that is damaged knows no time: what it had counts as replaced now.
  const times = parseObject((await target.readText(replacedName))?.text ?? "") ?? {};
  const replaced = new Map(others.map((id) => [id, instantFromText(String(times[id])) ?? now]));
  const old = others
    .toReversed()
    .slice(keep - 1)
    .filter((id) => now - (replaced.get(id) ?? now) >= replacedMillisecondsMin);
  for (const id of old) {
    await target.removeSnapshot(id);
    replaced.delete(id);
    removed.push(id);
  }
  const texts = Object.fromEntries([...replaced].map(([id, time]) => [id, instantText(time)]));
  await target.putText(replacedName, `${JSON.stringify(texts, null, 2)}\n`, null);
}
