import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { loadDataset } from "../dataset/load-dataset.ts";
import { type Manifest, type ManifestFile, manifestText } from "../dataset/manifest.ts";
import { DatasetError, ProblemList } from "../dataset/problem.ts";
import { manifestFileName, pricesDirectoryName, snapshotsPath } from "../dataset/snapshot-layout.ts";
import { flushDirectory } from "../files/write-file-durably.ts";

const stagingPrefix = ".staging-";

/** Published files are never edited. */
const publishedMode = 0o444;

/**
 * Writes everything a snapshot consists of into a folder that nobody reads yet, and makes it durable. The caller holds
 * the lock of the dataset directory.
 *
 * @param candidateDirectory Where the manifest's files are copied from.
 * @returns Path of the staging folder, beside the snapshots, to be renamed.
 * @throws {DatasetError} when a file is no longer what it was when it was checked, or the copy does not load. The
 * staging folder is gone then.
 */
export async function stageSnapshot(
  dataDirectory: string,
  candidateDirectory: string,
  manifest: Manifest,
): Promise<string> {
  const staging = join(snapshotsPath(dataDirectory), `${stagingPrefix}${randomBytes(6).toString("hex")}`);
  await mkdir(staging);
  try {
    if (manifest.files.some((file) => dirname(file.name) === pricesDirectoryName)) {
      await mkdir(join(staging, pricesDirectoryName));
    }
    for (const file of manifest.files) await copyFile(candidateDirectory, staging, file);
    await writePublished(join(staging, manifestFileName), [Buffer.from(manifestText(manifest))]);
    if (manifest.files.some((file) => dirname(file.name) === pricesDirectoryName)) {
      await flushDirectory(join(staging, pricesDirectoryName));
    }
    await flushDirectory(staging);
    // What is made current must load, so it is loaded once from where it now lies.
    await loadDataset(staging, { id: manifest.id });
    return staging;
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw error;
  }
}

/** Removes what a killed publisher left behind. The caller holds the lock, so nobody is staging now. */
export async function removeAbandonedStages(dataDirectory: string): Promise<void> {
  const snapshots = snapshotsPath(dataDirectory);
  for (const name of await readdir(snapshots)) {
    if (name.startsWith(stagingPrefix)) await rm(join(snapshots, name), { recursive: true, force: true });
  }
}

async function copyFile(source: string, staging: string, file: ManifestFile): Promise<void> {
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

async function writePublished(path: string, content: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<void> {
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
