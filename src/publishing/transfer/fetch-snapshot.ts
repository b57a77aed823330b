/**
 * Takes a snapshot over from an origin: its manifest, then each file that no local snapshot has, into a staging folder
 * that gets the snapshot's id as its name when it is whole. Nothing is trusted but the hash of the manifest: every name
 * in it is one of the format, every file has the length and the hash that it states, and no more than that is ever
 * stored.
 */
import { createHash, hash, type KeyObject } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, type FileHandle, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { createZstdDecompress } from "node:zlib";
import { type FileDigest, hashFile } from "../../engine/files/hash-file.ts";
import { namesIn } from "../../engine/files/list-folder.ts";
import { makeFolders } from "../../engine/files/make-folders.ts";
import { systemErrorCode } from "../../engine/files/read-regular-file.ts";
import { shareFile } from "../../engine/files/share-file.ts";
import { withFile } from "../../engine/files/with-file.ts";
import { flushDirectory, replaceFile } from "../../engine/files/write-file-durably.ts";
import { ifAvailable, readManifestOf } from "../../engine/snapshots/current-snapshot.ts";
import { checkManifest, type Manifest, type ManifestFile } from "../../engine/snapshots/manifest.ts";
import { ProblemList } from "../../engine/snapshots/problem.ts";
import { parseRecord } from "../../engine/snapshots/record-texts.ts";
import {
  announcementName,
  manifestBytesMax,
  manifestFileName,
  pricesDirectoryName,
  publishedMode,
  type SnapshotId,
  snapshotPath,
  snapshotsPath,
  toSnapshotId,
} from "../../engine/snapshots/snapshot-layout.ts";
import { type Announcement, announcementText } from "./announcement.ts";
import { openAnnouncement } from "./open-announcement.ts";
import { type Origin, readObject } from "./origin.ts";
import { TransferError } from "./transfer-error.ts";

/** The ending of the compressed copy of a record file, where an origin has one. */
export const compressedEnding = ".zst";

/** A file is requested again so often after a cut, after this pause, which doubles each time. */
const attemptsMax = 5;
const firstPauseMilliseconds = 200;

/** The progress of a transfer. */
export interface TransferProgress {
  readonly snapshot: SnapshotId;
  /** Bytes of files that are whole, and of those that are on their way, as stored. */
  readonly bytes: number;
  readonly bytesTotal: number;
}

export interface FetchOptions {
  readonly dataDirectory: string;
  readonly origin: Origin;
  /** True if files that a local snapshot has are linked instead of fetched. */
  readonly sharesFiles: boolean;
  readonly onProgress?: ((progress: TransferProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A snapshot, with the hash of its manifest where that is known. */
interface Wanted {
  readonly snapshot: SnapshotId;
  readonly manifestSha256?: string;
}

const fetchingPrefix = ".fetching-";

/** The folder that a snapshot is fetched into. It keeps what is there for the next try, also of another process. */
function stagingPath(dataDirectory: string, id: SnapshotId): string {
  return join(snapshotsPath(dataDirectory), `${fetchingPrefix}${id}`);
}

/**
 * Fetches a snapshot that is not there. The caller holds the lock of the dataset directory.
 *
 * @returns Its manifest.
 * @throws {TransferError} with the reason. What is refused is removed; after a cut, what came stays for the next try.
 */
export async function fetchSnapshot(announced: Wanted | Announcement, options: FetchOptions): Promise<Manifest> {
  const { dataDirectory } = options;
  const { snapshot } = announced;
  const staging = stagingPath(dataDirectory, snapshot);
  const prices = join(staging, pricesDirectoryName);
  try {
    await makeFolders(prices);
    const { bytes, manifest } = await fetchManifest(announced, options);
    await fetchFiles(staging, manifest, options);
    await replaceFile(join(staging, manifestFileName), bytes, publishedMode);
    if ("signature" in announced && announced.signature !== null) {
      await replaceFile(join(staging, announcementName), announcementText(announced), publishedMode);
    }
    if ((await namesIn(prices)).length === 0) await rm(prices, { recursive: true });
    await flushDirectory(staging);
    await rename(staging, snapshotPath(dataDirectory, snapshot));
    await flushDirectory(snapshotsPath(dataDirectory));
    return manifest;
  } catch (error) {
    const failure = transferErrorOf(error);
    if (!isCut(failure)) await rm(staging, { recursive: true, force: true }).catch(() => {});
    throw failure;
  }
}

/** The conditions under which an announcement is believed. */
export interface FetchAnyOptions extends FetchOptions {
  /** The announcement in the snapshot's folder must be signed with its private half; null where none need be. */
  readonly publicKey: KeyObject | null;
}

/**
 * Fetches a snapshot that need not be announced now: the announcement of its own time lies in its folder. Without a
 * public key an origin may have none; then the id, which ends in the hash of the content, is what is checked.
 *
 * @throws {TransferError} as `fetchSnapshot`, and where the origin has no such snapshot.
 */
export async function fetchAnyOf(id: SnapshotId, { publicKey, ...options }: FetchAnyOptions): Promise<Manifest> {
  const { origin, signal } = options;
  const path = `snapshots/${id}/${announcementName}`;
  const found = await openAnnouncement(origin, path, publicKey, { signal });
  if (typeof found === "object") {
    const { announcement } = found;
    if (announcement.snapshot === id) return await fetchSnapshot(announcement, options);
    throw new TransferError("announcement", `${origin.name}/${path}: found that of ${announcement.snapshot}`);
  }
  if (publicKey === null) return await fetchSnapshot({ snapshot: id }, options);
  throw new TransferError("signature", `${origin.name}/${path}: found status ${found}, expected a signed announcement`);
}

/** Removes what was fetched of other snapshots than this one. */
export async function removeUnfinished(dataDirectory: string, kept: SnapshotId): Promise<void> {
  for (const name of await namesIn(snapshotsPath(dataDirectory))) {
    if (!name.startsWith(fetchingPrefix) || name === `${fetchingPrefix}${kept}`) continue;
    await rm(join(snapshotsPath(dataDirectory), name), { recursive: true, force: true });
  }
}

/** Returns whether an answer ended too soon: what came of it is right, and the next attempt goes on from there. */
function isCut({ reason }: TransferError): boolean {
  return reason === "unreachable" || reason === "slow";
}

/** Errors of the file system are the disk's. */
function transferErrorOf(error: unknown): TransferError {
  if (error instanceof TransferError) return error;
  const code = systemErrorCode(error);
  if (!/^E[A-Z0-9]+$/.test(code)) throw error;
  return new TransferError("disk", `the snapshot cannot be stored: ${(error as Error).message}`, { cause: error });
}

async function fetchManifest(
  { snapshot, manifestSha256 }: Wanted,
  { origin, signal }: FetchOptions,
): Promise<{ readonly bytes: Buffer; readonly manifest: Manifest }> {
  const path = `snapshots/${snapshot}/${manifestFileName}`;
  const what = `${origin.name}/${path}`;
  const found = await origin.open(path, { signal });
  if (typeof found !== "object")
    throw new TransferError("status", `${what}: found status ${found}, expected the manifest`);
  const bytes = await readObject(origin, path, found, manifestBytesMax);
  const digest = hash("sha256", bytes);
  if (manifestSha256 !== undefined && digest !== manifestSha256) {
    throw new TransferError("hash", `${what}: found sha256 ${digest}, expected ${manifestSha256}, as it was announced`);
  }
  const problems = new ProblemList();
  const { value, fault } = parseRecord(bytes.toString());
  if (fault !== undefined)
    throw new TransferError("manifest", `${what}: found ${fault.found}, expected ${fault.wanted}`);
  const manifest = checkManifest(value, problems);
  if (manifest === undefined) {
    const [first] = problems.problems;
    throw new TransferError("manifest", `${what}: ${first?.field} is ${first?.found}, expected ${first?.wanted}`);
  }
  if (manifest.id !== snapshot) {
    throw new TransferError("manifest", `${what}: found the manifest of ${manifest.id}, expected that of ${snapshot}`);
  }
  return { bytes, manifest };
}

async function fetchFiles(staging: string, manifest: Manifest, options: FetchOptions): Promise<void> {
  const { dataDirectory, sharesFiles, onProgress, signal } = options;
  const local = sharesFiles ? await localFiles(dataDirectory) : new Map<string, string>();
  const bytesTotal = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  let bytes = 0;
  for (const file of manifest.files) {
    signal?.throwIfAborted();
    const target = join(staging, file.name);
    const shared = local.get(file.sha256);
    if ((await sizeOf(target)) !== file.bytes) {
      if (shared === undefined || !(await isSharable(shared, file))) await fetchFile(staging, manifest, file, options);
      else {
        await rm(target, { force: true });
        await shareFile(shared, target);
      }
    }
    bytes += file.bytes;
    onProgress?.({ snapshot: manifest.id, bytes, bytesTotal });
  }
  await flushDirectory(join(staging, pricesDirectoryName));
}

/** The paths of all files of local snapshots, by hash. */
async function localFiles(dataDirectory: string): Promise<Map<string, string>> {
  const paths = new Map<string, string>();
  for (const name of await namesIn(snapshotsPath(dataDirectory))) {
    const id = toSnapshotId(name);
    if (id === undefined) continue;
    const manifest = await ifAvailable(readManifestOf(dataDirectory, id));
    for (const file of manifest?.files ?? []) {
      const path = join(snapshotPath(dataDirectory, id), file.name);
      if ((await sizeOf(path)) === file.bytes) paths.set(file.sha256, path);
    }
  }
  return paths;
}

/**
 * Returns whether a local file of the right length may be linked: no service reads origins, so these are checked here.
 */
async function isSharable(path: string, { kind, sha256 }: ManifestFile): Promise<boolean> {
  return kind !== "origins" || (await hashFile(path)) === sha256;
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size;
}

/** Fetches a file: its compressed copy where the origin has one, else itself. */
async function fetchFile(staging: string, { id }: Manifest, file: ManifestFile, options: FetchOptions): Promise<void> {
  const path = `snapshots/${id}/${file.name}`;
  const target = join(staging, file.name);
  const part = `${target}.part`;
  const compressed = `${part}${compressedEnding}`;
  // zstd makes nothing longer by more than a fraction of a per cent, and a few bytes.
  const compressedMax = file.bytes + Math.ceil(file.bytes / 100) + 1024;
  const isCompressed = (await download(`${path}${compressedEnding}`, compressed, compressedMax, options)) === true;
  const isThere = isCompressed || (await download(path, part, file.bytes, options));
  if (isThere !== true) {
    throw new TransferError("status", `${options.origin.name}/${path}: found status ${isThere}, expected the file`);
  }
  const found = await digestOf(isCompressed ? compressed : part, isCompressed ? part : undefined, file.bytes);
  await rm(compressed, { force: true });
  if (found.bytes !== file.bytes || found.sha256 !== file.sha256) {
    await rm(part, { force: true });
    const reason = found.bytes === file.bytes ? "hash" : "length";
    const length = found.bytes > file.bytes ? `more than ${file.bytes}` : String(found.bytes);
    const wanted = `${file.bytes} bytes, sha256 ${file.sha256}`;
    throw new TransferError(
      reason,
      `${options.origin.name}/${path}: found ${length} bytes, sha256 ${found.sha256}, expected ${wanted}`,
    );
  }
  await chmod(part, publishedMode);
  await rename(part, target);
}

/**
 * Downloads an object to a file; what is there of it already is not requested again.
 *
 * @param bytesMax One byte more is refused.
 * @returns True when it is there whole; otherwise the status that says that there is no such object.
 */
async function download(
  path: string,
  target: string,
  bytesMax: number,
  { origin, signal }: FetchOptions,
): Promise<true | number> {
  let etag: string | null = null;
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      let bytes = (await sizeOf(target)) ?? 0;
      const found = await origin.open(path, { from: bytes, etag, signal });
      if (typeof found === "number") return found;
      if (typeof found === "string") return true;
      using object = found;
      etag = object.etag;
      // An origin that cannot send a part, or has another version, begins again.
      bytes = object.from;
      await withFile(target, bytes === 0 ? "w" : "a", async (file) => {
        for await (const chunk of object.content) {
          signal?.throwIfAborted();
          if (bytes + chunk.length > bytesMax) {
            const wanted = `${origin.name}/${path}: found more than ${bytesMax} bytes, expected less`;
            throw new TransferError("length", wanted);
          }
          await file.writeFile(chunk);
          bytes += chunk.length;
        }
        await file.sync();
      });
      return true;
    } catch (error) {
      if (!(error instanceof TransferError)) throw error;
      if (error.reason === "length") await rm(target, { force: true });
      // A slow origin is shown and asked again by the next poll, with its pauses.
      if (error.reason !== "unreachable" || attempt === attemptsMax) throw error;
      await delay(firstPauseMilliseconds * 2 ** (attempt - 1), undefined, { signal });
    }
  }
}

/**
 * The length and the hash of a file, read once.
 *
 * @param target It takes the decompressed content, which is then measured; undefined for a plain file.
 * @param bytesMax Decompression ends after so many bytes and one more.
 */
async function digestOf(path: string, target: string | undefined, bytesMax: number): Promise<FileDigest> {
  const digest = createHash("sha256");
  const stored = createReadStream(path);
  const content = target === undefined ? stored : pipeline(stored, createZstdDecompress(), () => {});
  let bytes = 0;
  const measure = async (file?: FileHandle): Promise<void> => {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bytesMax) break;
      digest.update(chunk);
      await file?.writeFile(chunk);
    }
    await file?.sync();
  };
  try {
    await (target === undefined ? measure() : withFile(target, "w", measure));
  } catch (error) {
    if (!systemErrorCode(error).startsWith("ZSTD_")) throw error;
    throw new TransferError("hash", `${path}: found ${(error as Error).message}, expected zstd data`, { cause: error });
  }
  return { bytes, sha256: digest.digest("hex") };
}
