/** A new snapshot's way into a dataset directory: staged under a temporary name, compiled, named, made current. */
import { randomBytes } from "node:crypto";
import { type FileHandle, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream";
import { createGzip } from "node:zlib";
import { type Compilation, compileManifest } from "../../engine/compiled/compiled-folder.ts";
import { Digester, type FileDigest } from "../../engine/files/hash-file.ts";
import { makeFolders } from "../../engine/files/make-folders.ts";
import { openRegularFile } from "../../engine/files/read-regular-file.ts";
import { shareFile } from "../../engine/files/share-file.ts";
import { withFile, withPath } from "../../engine/files/with-file.ts";
import { flushDirectory, replaceFile } from "../../engine/files/write-file-durably.ts";
import { fixedUtcOffset, type Instant } from "../../engine/model/calendar.ts";
import type { PriceTable } from "../../engine/model/dataset.ts";
import { ifAvailable, readManifestOf } from "../../engine/snapshots/current-snapshot.ts";
import {
  contentHash,
  type Manifest,
  type ManifestFile,
  manifestText,
  readManifest,
} from "../../engine/snapshots/manifest.ts";
import { ProblemList } from "../../engine/snapshots/problem.ts";
import { splitLines } from "../../engine/snapshots/record-texts.ts";
import {
  currentPath,
  draftsPath,
  isGzipName,
  manifestFileName,
  pricesDirectoryName,
  publishedMode,
  type SnapshotId,
  snapshotPath,
  snapshotsPath,
} from "../../engine/snapshots/snapshot-layout.ts";
import { readStoredFile } from "../../engine/snapshots/stored-file.ts";
import type { Store } from "../../engine/store/store.ts";
import type { Cleaning } from "./cleaning.ts";
import { snapshotIds } from "./list-snapshots.ts";
import { nextPublication, refuseFutureId, refuseLeapingClock, wholeSecond } from "./snapshot-id.ts";

/** Folders beside the snapshots that a publisher fills. */
export const stagingPrefix = ".staging-";

const currentMode = 0o644;

/** The fields of a manifest but for what its publication gives it. */
export type NextContent = Omit<Manifest, "id" | "createdAt" | "utcOffset">;

/** The place and time at which a snapshot is published. */
export interface PublicationTime {
  readonly dataDirectory: string;
  readonly now: Instant;
  /** Publish although the clock does not fit the ids and prices there are. */
  readonly allowClock?: boolean | undefined;
}

/**
 * The manifest of a snapshot to publish now; its id is above those of all snapshots and drafts there are.
 *
 * @param content Its time zone must have a fixed offset.
 * @param newestPrice The time at which the newest of the input prices was recorded; null where none are given.
 * @throws {ClockError} when the clock does not fit the ids there are, or neither them nor the prices.
 */
export async function nextManifest(
  { dataDirectory, now, allowClock = false }: PublicationTime,
  content: NextContent,
  newestPrice: Instant | null,
): Promise<Manifest> {
  const { timeZone, parent } = content;
  const utcOffset = fixedUtcOffset(timeZone);
  if (utcOffset === undefined) throw new RangeError(`time zone is ${timeZone}, expected one that has been checked`);
  const snapshots = await snapshotIds(dataDirectory);
  const drafts = await snapshotIds(draftsPath(dataDirectory));
  const newest = [...snapshots, ...drafts, ...(parent === null ? [] : [parent])].sort().at(-1) ?? null;
  const publication = nextPublication(wholeSecond(now), newest, contentHash(content));
  if (newest !== null && !allowClock) {
    const remedy = `${removalOf(newest, parent, drafts)}, or publish with --allow-clock`;
    refuseFutureId(publication.id, now, `the next id, which is above ${newest}`, remedy);
    if (!(await isFirstAlone(dataDirectory, snapshots))) refuseLeapingClock(now, newest, newestPrice);
  }
  return { ...content, ...publication, utcOffset };
}

/** Says how an id from the future is removed, as part of a sentence. */
function removalOf(newest: SnapshotId, current: SnapshotId | null, drafts: readonly SnapshotId[]): string {
  if (drafts.includes(newest)) return `reject ${newest}`;
  return newest === current ? "go back with rollback and remove it with gc" : "remove it with gc";
}

/** Returns whether a directory has nothing but its first publication, or not even that: no other tells the time. */
async function isFirstAlone(dataDirectory: string, [first, ...others]: readonly SnapshotId[]): Promise<boolean> {
  if (first === undefined) return true;
  if (others.length > 0) return false;
  return ((await ifAvailable(readManifestOf(dataDirectory, first)))?.parent ?? null) === null;
}

/** Returns the time at which the newest of some prices was recorded; null where there are none. */
export function newestRecordedAt({ recordedAt, rowCount }: PriceTable): Instant | null {
  let newest = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < rowCount; row++) newest = Math.max(newest, recordedAt[row] as number);
  return rowCount === 0 ? null : (newest as Instant);
}

/**
 * A folder that is to become a snapshot, and is removed in the end unless it has been renamed. Its files are read-only,
 * and flushed.
 */
export class Staging {
  readonly path: string;

  constructor(path: string, cleaning: Cleaning) {
    this.path = path;
    cleaning.later(() => rm(path, { recursive: true, force: true }));
  }

  /** Writes a file. @returns Size and hash of it. */
  async write(name: string, content: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<FileDigest> {
    const digester = new Digester();
    const write = async (file: FileHandle): Promise<void> => {
      await file.writeFile(digester.pass(content));
      // Again, because the process's umask narrows the mode given to open.
      await file.chmod(publishedMode);
      await file.sync();
    };
    await withFile(await this.#makeRoom(name), "wx", write, publishedMode);
    return digester.digest();
  }

  /** Copies a file. @returns Size and hash of the copy. */
  async copy(source: string, name: string): Promise<FileDigest> {
    async function* content(): AsyncGenerator<Buffer> {
      try {
        const opened = await openRegularFile(source);
        // The stream closes the file.
        yield* opened.createReadStream() as AsyncIterable<Buffer>;
      } catch (error) {
        throw withPath(error, source);
      }
    }
    return await this.write(name, content());
  }

  /**
   * Copies a file that has been checked.
   *
   * @param file Its digest is that of the file when it was checked.
   * @param stored The name that it gets; its own when absent.
   * @throws {DatasetError} when it has changed since.
   */
  async copyChecked(
    directory: string,
    file: Pick<ManifestFile, "name" | "sha256">,
    stored: string = file.name,
  ): Promise<void> {
    const { sha256 } = await this.copy(join(directory, file.name), stored);
    const problems = new ProblemList();
    const wanted = `${file.sha256}, as when it was checked just before`;
    if (sha256 !== file.sha256) {
      problems.add({ file: file.name, kind: "checksum", found: `sha256 ${sha256}`, wanted });
    }
    problems.throwIfAny(directory);
  }

  /**
   * Writes some lines of a file as they stand there, compressed again where its name ends in `.gz`.
   *
   * @param isKept By line, counted from 1.
   * @returns Size and hash of the file written.
   */
  async writeLines(source: string, name: string, isKept: (line: number) => boolean): Promise<FileDigest> {
    async function* kept(): AsyncGenerator<Buffer> {
      for await (const lines of splitLines(readStoredFile(source).content)) {
        yield Buffer.concat(lines.filter(({ line }) => isKept(line)).map(({ bytes }) => bytes));
      }
    }
    // The callback is where pipeline reports; the same error reaches the reader of the result, which is destroyed too.
    const content = isGzipName(source) ? pipeline(kept, createGzip(), () => {}) : kept();
    return await this.write(name, content as AsyncIterable<Buffer>);
  }

  /** Shares a file that is never edited. */
  async share(source: string, name: string): Promise<void> {
    await shareFile(source, await this.#makeRoom(name));
  }

  /** @returns The path of a file, whose folder is there then. */
  async #makeRoom(name: string): Promise<string> {
    const path = join(this.path, name);
    await makeFolders(dirname(path));
    return path;
  }
}

/** Makes a staging folder beside the snapshots. The caller holds the lock of the dataset directory. */
export async function makeStaging(dataDirectory: string, cleaning: Cleaning): Promise<Staging> {
  const path = join(snapshotsPath(dataDirectory), `${stagingPrefix}${randomBytes(6).toString("hex")}`);
  await mkdir(path);
  return new Staging(path, cleaning);
}

/**
 * Writes the manifest into a staging folder that holds everything else, flushes the folder, and reads the manifest back
 * as readers do.
 *
 * @throws {DatasetError} when readers would refuse the manifest.
 */
export async function finishStaging(staging: Staging, manifest: Manifest): Promise<void> {
  const { path } = staging;
  await staging.write(manifestFileName, [Buffer.from(manifestText(manifest))]);
  const holdsPricesFolder = manifest.files.some(({ name }) => dirname(name) === pricesDirectoryName);
  if (holdsPricesFolder) await flushDirectory(join(path, pricesDirectoryName));
  await flushDirectory(path);
  await readManifest(path);
}

/**
 * Compiles the store of a staged snapshot, and renames its folder to its id. The store comes first, so that a service
 * that loads what `CURRENT` names finds it compiled. The caller holds the lock.
 *
 * @param isDraft True if it is kept among the drafts.
 * @returns The outcome of compiling. The snapshot is published without a compiled store as well.
 */
export async function nameStaged(
  dataDirectory: string,
  { path }: Staging,
  manifest: Manifest,
  store: Store,
  isDraft: boolean = false,
): Promise<Compilation> {
  const directory = isDraft ? draftsPath(dataDirectory) : dataDirectory;
  if (isDraft) await makeFolders(snapshotsPath(directory));
  const compilation = await compileManifest(directory, manifest, store);
  await nameSnapshot(directory, path, manifest.id);
  return compilation;
}

/** Renames a folder to a snapshot of a dataset directory, whole or not at all. */
export async function nameSnapshot(dataDirectory: string, folder: string, id: SnapshotId): Promise<void> {
  await rename(folder, snapshotPath(dataDirectory, id));
  await flushDirectory(snapshotsPath(dataDirectory));
}

/**
 * Makes a snapshot the current one. Renaming `CURRENT` is the atomic change: before it readers see the old snapshot,
 * after it the new one, so it is the last thing that fails. The caller holds the lock, and flushes the directory.
 */
export async function pointCurrentAt(dataDirectory: string, id: SnapshotId): Promise<void> {
  await replaceFile(currentPath(dataDirectory), `${id}\n`, currentMode);
}
