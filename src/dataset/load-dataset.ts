import { dayMilliseconds } from "../domain/calendar-day.ts";
import type { Dataset, SnapshotIdentity } from "../domain/dataset.ts";
import type { Instant } from "../domain/instant.ts";
import type { Manifest, ManifestFile } from "./manifest.ts";
import type { PriceFile } from "./prices/read-prices.ts";
import { foundText, ProblemList } from "./problem.ts";
import { readManifest } from "./read-manifest.ts";
import { type ReadingOptions, type RecordsReading, readRecords } from "./read-records.ts";
import type { TableFile } from "./read-tables.ts";
import { manifestFileName, type SnapshotId } from "./snapshot-layout.ts";

export interface LoadOptions {
  /** The id that the manifest must carry; any id when absent. */
  readonly id?: SnapshotId | undefined;
}

/**
 * Reads a snapshot: the only door from files to a `Dataset`. Every file that the manifest names is read once, verified
 * by size, number of rows and SHA-256, and its records are checked one by one and together.
 *
 * @param snapshotDirectory A folder with a manifest and the files it names.
 * @returns The records in the order of their files.
 * @throws {DatasetError} with every problem found.
 */
export async function loadDataset(snapshotDirectory: string, options: LoadOptions = {}): Promise<Dataset> {
  const manifest = await readManifest(snapshotDirectory);
  if (options.id !== undefined && manifest.id !== options.id) {
    const problems = new ProblemList();
    const found = foundText(manifest.id);
    problems.add({ file: manifestFileName, kind: "manifest", field: "id", found, wanted: foundText(options.id) });
    problems.throwIfAny(snapshotDirectory);
  }
  return loadManifestDataset(snapshotDirectory, manifest);
}

/** As `loadDataset`, for a manifest that has been read already. */
export async function loadManifestDataset(
  snapshotDirectory: string,
  manifest: Manifest,
  options?: Pick<ReadingOptions, "onBytes">,
): Promise<Dataset> {
  const { records } = await readManifestRecords(snapshotDirectory, manifest, options);
  return { snapshot: snapshotIdentity(manifest), ...records };
}

/**
 * Reads the records of a snapshot with the places they come from.
 *
 * @throws {DatasetError} with every problem found.
 */
export async function readManifestRecords(
  directory: string,
  manifest: Manifest,
  options?: ReadingOptions,
): Promise<RecordsReading> {
  return await readRecords(directory, manifest.files.map(toRecordFile), recordedAtMax(manifest.createdAt), options);
}

/** The last instant at which a price may be recorded in a snapshot of this time: a day later (inclusive). */
export function recordedAtMax(publishedAt: Instant): Instant {
  return (publishedAt + dayMilliseconds) as Instant;
}

/** What a store says of the snapshot it was made from. */
export function snapshotIdentity(manifest: Manifest): SnapshotIdentity {
  const { id, createdAt, timeZone, utcOffset, parent, note, attribution } = manifest;
  return { id, createdAt, timeZone, utcOffset, parent, note, attribution };
}

/** A file as it is read: held to what its manifest says. */
export function toRecordFile(file: ManifestFile): TableFile | PriceFile {
  const { name, kind, bytes, rows, sha256, sequence, replaces } = file;
  const claim = { bytes, rows, sha256 };
  return kind === "prices" ? { name, kind, claim, sequence, replaces } : { name, kind, claim };
}
