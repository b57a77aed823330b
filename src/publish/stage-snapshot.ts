/** A new snapshot's way into a dataset directory: staged under a temporary name, compiled, named, made current. */
import { createHash, randomBytes } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Compilation, compileManifest } from "../compiled/compiled-folder.ts";
import { contentHash, type Manifest, type ManifestFile, manifestText, readManifest } from "../dataset/manifest.ts";
import { DatasetError, ProblemList } from "../dataset/problem.ts";
import {
  currentPath,
  draftsPath,
  manifestFileName,
  pricesDirectoryName,
  rejectedFileName,
  type SnapshotId,
  snapshotPath,
  snapshotsPath,
} from "../dataset/snapshot-layout.ts";
import type { FileDigest } from "../dataset/stored-file.ts";
import { fixedUtcOffset } from "../domain/calendar-day.ts";
import type { Instant } from "../domain/instant.ts";
import { openRegularFile } from "../files/read-regular-file.ts";
import { flushDirectory, writeFileDurably } from "../files/write-file-durably.ts";
import type { Store } from "../store/store.ts";
import { snapshotIds } from "./list-snapshots.ts";
import type { StepObserver } from "./publish-steps.ts";
import { greatestId, nextPublication, wholeSecond } from "./snapshot-id.ts";

/** Folders beside the snapshots that a publisher fills. */
export const stagingPrefix = ".staging-";

/** Published files are never edited. */
const publishedMode = 0o444;
const currentMode = 0o644;

/**
 * The manifest of a snapshot to publish now; its id is above those of all snapshots and drafts there are.
 *
 * @param content Its time zone must have a fixed offset.
 */
export async function nextManifest(
  dataDirectory: string,
  now: Instant,
  content: Omit<Manifest, "id" | "createdAt" | "utcOffset">,
): Promise<Manifest> {
  const { timeZone, parent } = content;
  const utcOffset = fixedUtcOffset(timeZone);
  if (utcOffset === undefined) throw new RangeError(`time zone is ${timeZone}, expected one that has been checked`);
  const drafts = await snapshotIds(draftsPath(dataDirectory));
  const greatest = greatestId([...(await snapshotIds(dataDirectory)), ...drafts, ...(parent === null ? [] : [parent])]);
  return { ...nextPublication(wholeSecond(now), greatest, contentHash(content)), ...content, utcOffset };
}

/**
 * Makes a staging folder beside the snapshots for a publication, and removes it when the publication fails before it
 * has renamed the folder. The caller holds the lock of the dataset directory.
 *
 * @param publish Fills the folder, compiles and renames it.
 * @returns What `publish` returns.
 */
export async function withStagingFolder<T>(
  dataDirectory: string,
  onStep: StepObserver,
  publish: (staging: string) => Promise<T>,
): Promise<T> {
  const staging = join(snapshotsPath(dataDirectory), `${stagingPrefix}${randomBytes(6).toString("hex")}`);
  await mkdir(staging);
  try {
    await onStep("folder-made");
    return await publish(staging);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Copies the files of a snapshot into an empty staging folder.
 *
 * @param candidateDirectory Source of the manifest's files.
 * @param rejectedText Content of the file of rejected rows; no such file when empty.
 * @throws {DatasetError} when a file has changed since it was checked.
 */
export async function stageFiles(
  staging: string,
  candidateDirectory: string,
  { files }: Pick<Manifest, "files">,
  rejectedText: string,
  onStep: StepObserver,
): Promise<void> {
  if (holdsPricesFolder(files)) await mkdir(join(staging, pricesDirectoryName));
  for (const file of files) {
    await copyChecked(candidateDirectory, staging, file);
    await onStep("file-copied");
  }
  if (rejectedText !== "") {
    await writePublished(join(staging, rejectedFileName), [Buffer.from(rejectedText)]);
    await onStep("file-copied");
  }
}

/**
 * Writes the manifest into a staging folder that holds everything else, flushes the folder, and reads the manifest back
 * as readers do.
 *
 * @throws {DatasetError} when readers would refuse the manifest.
 */
export async function finishStaging(staging: string, manifest: Manifest, onStep: StepObserver): Promise<void> {
  await writePublished(join(staging, manifestFileName), [Buffer.from(manifestText(manifest))]);
  await onStep("manifest-written");
  if (holdsPricesFolder(manifest.files)) await flushDirectory(join(staging, pricesDirectoryName));
  await flushDirectory(staging);
  await readManifest(staging);
  await onStep("staged");
}

function holdsPricesFolder(files: readonly ManifestFile[]): boolean {
  return files.some((file) => dirname(file.name) === pricesDirectoryName);
}

/** Writes a read-only file and flushes it. */
export async function writePublished(path: string, content: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<void> {
  await using file = await open(path, "wx", publishedMode);
  await file.writeFile(content);
  // Again, because the process's umask narrows the mode given to open.
  await file.chmod(publishedMode);
  await file.sync();
}

/** Copies a file of record files into a staging folder, read-only and flushed. @returns What was copied. */
export async function copyPublished(source: string, target: string): Promise<FileDigest> {
  async function* content(): AsyncGenerator<Buffer> {
    const opened = await openRegularFile(source);
    // The stream closes the file.
    yield* opened.createReadStream() as AsyncIterable<Buffer>;
  }
  return await writeDigested(target, content());
}

/** Writes a read-only file and flushes it. @returns What was written. */
export async function writeDigested(
  path: string,
  content: Iterable<Buffer> | AsyncIterable<Buffer>,
): Promise<FileDigest> {
  const hash = createHash("sha256");
  let bytes = 0;
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const chunk of content) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  await writePublished(path, hashed());
  return { bytes, sha256: hash.digest("hex") };
}

/**
 * Copies a file that has been checked.
 *
 * @param file Its digest is that of the file when it was checked.
 * @param stored The name that it gets; its own when absent.
 * @throws {DatasetError} when it has changed since.
 */
export async function copyChecked(
  source: string,
  staging: string,
  file: Pick<ManifestFile, "name" | "sha256">,
  stored: string = file.name,
): Promise<void> {
  const { sha256 } = await copyPublished(join(source, file.name), join(staging, stored));
  if (sha256 === file.sha256) return;
  const problems = new ProblemList();
  const wanted = `${file.sha256}, as when it was checked just before`;
  problems.add({ file: file.name, kind: "checksum", found: `sha256 ${sha256}`, wanted });
  throw new DatasetError(source, problems);
}

/**
 * Compiles the store of a staged snapshot, renames its folder to its id, and makes it current. The store comes first,
 * so that a service that loads what `CURRENT` names finds it compiled. The caller holds the lock.
 *
 * @returns How compiling ended. The snapshot is published without a compiled store as well.
 */
export async function activateStaged(
  dataDirectory: string,
  staging: string,
  manifest: Manifest,
  store: Store,
  onStep: StepObserver,
): Promise<Compilation> {
  const compilation = await nameStaged(dataDirectory, staging, manifest, store, onStep);
  await pointCurrentAt(dataDirectory, manifest.id, onStep);
  return compilation;
}

/** As `activateStaged`, for a draft, which is not made current. @returns As there. */
export async function keepAsDraft(
  dataDirectory: string,
  staging: string,
  manifest: Manifest,
  store: Store,
  onStep: StepObserver,
): Promise<Compilation> {
  const drafts = draftsPath(dataDirectory);
  await mkdir(snapshotsPath(drafts), { recursive: true });
  await flushDirectory(drafts);
  await flushDirectory(dataDirectory);
  return await nameStaged(drafts, staging, manifest, store, onStep);
}

async function nameStaged(
  directory: string,
  staging: string,
  manifest: Manifest,
  store: Store,
  onStep: StepObserver,
): Promise<Compilation> {
  const compilation = await compileManifest(directory, manifest, store);
  await onStep("compiled");
  await nameSnapshot(directory, staging, manifest.id, onStep);
  return compilation;
}

/** Renames a folder to a snapshot of a dataset directory, whole or not at all. */
export async function nameSnapshot(
  dataDirectory: string,
  folder: string,
  id: SnapshotId,
  onStep: StepObserver,
): Promise<void> {
  await rename(folder, snapshotPath(dataDirectory, id));
  await flushDirectory(snapshotsPath(dataDirectory));
  await onStep("named");
}

/**
 * Makes a snapshot the current one. Renaming `CURRENT` is the atomic change: before it readers see the old snapshot,
 * after it the new one, also after a power cut. The caller holds the lock.
 */
export async function pointCurrentAt(dataDirectory: string, id: SnapshotId, onStep: StepObserver): Promise<void> {
  await writeFileDurably(currentPath(dataDirectory), `${id}\n`, currentMode, {
    beforeRename: () => onStep("pointer-flushed"),
  });
  await onStep("activated");
}
