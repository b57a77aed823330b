/** Makes the report on a published snapshot. */

import { requireFreeFile, writeWholeFile } from "../../engine/files/write-whole-file.ts";
import { readCurrent, readManifestOf, SnapshotUnavailableError } from "../../engine/snapshots/current-snapshot.ts";
import type { Manifest } from "../../engine/snapshots/manifest.ts";
import { DatasetError } from "../../engine/snapshots/problem.ts";
import { draftsPath, type SnapshotId, snapshotPath } from "../../engine/snapshots/snapshot-layout.ts";
import type { BytesObserver } from "../../engine/snapshots/stored-file.ts";
import type { Store } from "../../engine/store/store.ts";
import { nameOrigins, originsPaths } from "../../publishing/publish/find-origins.ts";
import { openSnapshotStore } from "../../publishing/publish/open-published.ts";
import { collectReport, type SnapshotReport } from "./collect-report.ts";
import { type ReportForm, renderReport } from "./render-report.ts";

export interface ReportRequest extends ReportForm {
  readonly dataDirectory: string;
  /** The current snapshot when absent. */
  readonly id: SnapshotId | undefined;
  /** The snapshot to compare with; the parent when absent, if there is one. */
  readonly against: SnapshotId | undefined;
  /** The page; none is written when absent. */
  readonly outputPath: string | undefined;
  readonly onBytes?: BytesObserver | undefined;
}

/**
 * Collects a report, and writes it as a page.
 *
 * @returns The report, and the size of the page; undefined where none was written.
 * @throws {FolderTakenError} when the path is taken.
 * @throws {SnapshotUnavailableError} {DatasetError} when one of the snapshots cannot be opened.
 */
export async function writeReport(
  request: ReportRequest,
): Promise<{ readonly report: SnapshotReport; readonly bytes: number | undefined }> {
  const { dataDirectory, outputPath, onBytes } = request;
  if (outputPath !== undefined) await requireFreeFile(outputPath);
  const id = request.id ?? (await readCurrent(dataDirectory));
  const directory = request.isDraft ? draftsPath(dataDirectory) : dataDirectory;
  const manifest = await readManifestOf(directory, id);
  const { before, reason } = await openAgainst(request, manifest);
  const store = await openSnapshotStore(directory, id, onBytes);
  const collected = await collectReport(store, before, reason);
  const origins = originsPaths(snapshotPath(directory, id), manifest);
  const report = { ...collected, warnings: await nameOrigins(collected.warnings, origins) };
  if (outputPath === undefined) return { report, bytes: undefined };
  return { report, bytes: await writeWholeFile(outputPath, [renderReport(report, request)]) };
}

/** Opens the snapshot to compare with. A parent that is gone or broken is no obstacle; one that was asked for is. */
async function openAgainst(
  { dataDirectory, against, onBytes }: ReportRequest,
  { parent }: Manifest,
): Promise<{ readonly before: Store | undefined; readonly reason: string }> {
  if (against !== undefined) return { before: await openSnapshotStore(dataDirectory, against, onBytes), reason: "" };
  if (parent === null)
    return { before: undefined, reason: "It is the first of its line: there is no snapshot before it." };
  try {
    return { before: await openSnapshotStore(dataDirectory, parent, onBytes), reason: "" };
  } catch (error) {
    if (!(error instanceof SnapshotUnavailableError || error instanceof DatasetError)) throw error;
    return { before: undefined, reason: `Its parent ${parent} cannot be opened: ${error.message}` };
  }
}
