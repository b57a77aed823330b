import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Manifest, type ManifestFile, manifestText, readManifest } from "../dataset/manifest.ts";
import { DatasetError, ProblemList } from "../dataset/problem.ts";
import { manifestFileName, pricesDirectoryName, snapshotsPath } from "../dataset/snapshot-layout.ts";
import { flushDirectory } from "../files/write-file-durably.ts";
import { ignoreSteps, type StepObserver } from "./publish-step.ts";
import { stagingPrefix } from "./remove-strays.ts";

/** Published files are never edited. */
const publishedMode = 0o444;

/** A file that goes into the snapshot's folder and not into its manifest. */
export interface UnlistedFile {
  readonly name: string;
  readonly content: string;
}

/**
 * Writes everything a snapshot consists of into a folder that nobody reads yet, and makes it durable. The caller holds
 * the lock of the dataset directory.
 *
 * @param candidateDirectory Where the manifest's files are copied from.
 * @returns Path of the staging folder, beside the snapshots, to be renamed.
 * @throws {DatasetError} when a file is no longer what it was when it was checked, or the manifest does not hold. The
 * staging folder is gone then.
 */
export async function stageSnapshot(
  dataDirectory: string,
  candidateDirectory: string,
  manifest: Manifest,
  unlisted: readonly UnlistedFile[] = [],
  onStep: StepObserver = ignoreSteps,
): Promise<string> {
  const { staging } = await inStagingFolder(dataDirectory, onStep, async (staging) => {
    if (holdsPricesFolder(manifest.files)) await mkdir(join(staging, pricesDirectoryName));
    for (const file of manifest.files) {
      await copyChecked(candidateDirectory, staging, file);
      await onStep("file-copied");
    }
    for (const { name, content } of unlisted) {
      await writePublished(join(staging, name), [Buffer.from(content)]);
      await onStep("file-copied");
    }
    await finishStaging(staging, manifest, onStep);
  });
  return staging;
}

/**
 * Makes a staging folder and fills it; it is removed again when filling it fails.
 *
 * @returns Its path, and what filling it returned.
 */
export async function inStagingFolder<T>(
  dataDirectory: string,
  onStep: StepObserver,
  fill: (staging: string) => Promise<T>,
): Promise<{ readonly staging: string; readonly filled: T }> {
  const staging = join(snapshotsPath(dataDirectory), `${stagingPrefix}${randomBytes(6).toString("hex")}`);
  await mkdir(staging);
  try {
    await onStep("folder-made");
    return { staging, filled: await fill(staging) };
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Writes the manifest into a staging folder that holds everything else, flushes the folder, and reads the manifest back
 * as readers will.
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

/** Whether any file lies in the folder for prices. */
export function holdsPricesFolder(files: readonly ManifestFile[]): boolean {
  return files.some((file) => dirname(file.name) === pricesDirectoryName);
}

/** Writes a read-only file and flushes it. */
export async function writePublished(path: string, content: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<void> {
  const file = await open(path, "wx", publishedMode);
  try {
    await file.writeFile(content);
    // Once more, for the mode given to open is narrowed by the process's umask.
    await file.chmod(publishedMode);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function copyChecked(source: string, staging: string, file: ManifestFile): Promise<void> {
  const hash = createHash("sha256");
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(join(source, file.name)) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      yield chunk;
    }
  }
  await writePublished(join(staging, file.name), hashed());
  const sha256 = hash.digest("hex");
  if (sha256 === file.sha256) return;
  const problems = new ProblemList();
  const wanted = `${file.sha256}, as when it was checked just before`;
  problems.add({ file: file.name, kind: "checksum", found: `sha256 ${sha256}`, wanted });
  throw new DatasetError(source, problems);
}
