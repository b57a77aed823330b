/** The report on a published snapshot or a draft, as values. */
import { join } from "node:path";
import type { PublicationReport } from "../../contract/publication-report.ts";
import type { PriceAcceptance } from "../../engine/model/records.ts";
import {
  ifAvailable,
  readCurrent,
  readManifestOf,
  SnapshotUnavailableError,
} from "../../engine/snapshots/current-snapshot.ts";
import type { Manifest } from "../../engine/snapshots/manifest.ts";
import { readWanted } from "../../engine/snapshots/pin.ts";
import { readManifestDecisions } from "../../engine/snapshots/price-decisions.ts";
import { DatasetError } from "../../engine/snapshots/problem.ts";
import { draftsPath, originsNameOf, type SnapshotId, snapshotPath } from "../../engine/snapshots/snapshot-layout.ts";
import type { BytesObserver } from "../../engine/snapshots/stored-file.ts";
import type { Store } from "../../engine/store/store.ts";
import { pricesOfStore, rowComparison } from "./compare-prices.ts";
import { holdsSnapshot, openSnapshotStore } from "./open-published.ts";
import { changesBetween } from "./snapshot-changes.ts";
import { changedRows, findWarnings } from "./warnings/find-warnings.ts";
import { withOrigins } from "./warnings/warning.ts";

/** Number of warnings of a kind that a report holds in full. */
const warningsPerKindMax = 200;

export interface ReportRequest {
  readonly dataDirectory: string;
  /** The current snapshot when absent. */
  readonly id: SnapshotId | undefined;
  /** True if it is a draft. */
  readonly isDraft: boolean;
  /** The snapshot to compare with; the parent when absent, if there is one. */
  readonly against: SnapshotId | undefined;
  readonly onBytes?: BytesObserver | undefined;
}

/**
 * Compares a snapshot with the one before it.
 *
 * Cost: some passes over the prices of both.
 * @throws {SnapshotUnavailableError} {DatasetError} when one of the snapshots cannot be opened.
 */
export async function readPublicationReport(request: ReportRequest): Promise<PublicationReport> {
  const { dataDirectory, onBytes } = request;
  const id = request.id ?? (await readCurrent(dataDirectory));
  const directory = request.isDraft ? draftsPath(dataDirectory) : dataDirectory;
  const manifest = await readManifestOf(directory, id);
  const { before, reason: uncompared } = await openAgainst(request, manifest);
  const store = await openSnapshotStore(directory, id, onBytes);
  const { accepted } = await readManifestDecisions(snapshotPath(directory, id), manifest);
  const report = publicationReport(store, before, uncompared, accepted);
  return {
    ...report,
    warnings: await withOrigins(report.warnings, originsPaths(snapshotPath(directory, id), manifest)),
  };
}

/**
 * Compares a draft with the snapshot that services serve: the pinned one, or else the current one. Where that is the
 * parent of the draft and cannot be opened, the draft stands alone.
 *
 * @returns Undefined where there is no such draft.
 * @throws {SnapshotUnavailableError} {DatasetError} when the draft, or another snapshot that is served, cannot be
 *   opened.
 */
export async function readDraftReport(dataDirectory: string, id: SnapshotId): Promise<PublicationReport | undefined> {
  const drafts = draftsPath(dataDirectory);
  if (!(await holdsSnapshot(drafts, id))) return undefined;
  const { parent } = await readManifestOf(drafts, id);
  const served = await ifAvailable(readWanted(dataDirectory));
  const against = served === parent ? undefined : served;
  return await readPublicationReport({ dataDirectory, id, isDraft: true, against });
}

/**
 * The report on the prices of a store.
 *
 * @param before The store to compare with.
 * @param uncompared The reason why there is none; empty where there is.
 * @param accepted Acceptances of prices of `store`.
 */
export function publicationReport(
  store: Store,
  before: Store | undefined,
  uncompared: string,
  accepted: readonly PriceAcceptance[] = [],
): PublicationReport {
  const changes = before && changesBetween(before, store);
  const rows = changedRows(before, store);
  return {
    store,
    before,
    uncompared,
    changes,
    changedRows: rows,
    isSamePrice: before && rowComparison(pricesOfStore(before), pricesOfStore(store)),
    warnings: findWarnings({ after: store, before, rows, accepted, perKindMax: warningsPerKindMax }),
  };
}

/** Opens the snapshot to compare with. A parent that is gone or broken is no obstacle; one that was requested is. */
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

/** The files of origins of a snapshot, those of its newest prices first. */
function originsPaths(directory: string, { files }: Manifest): readonly string[] {
  const names = new Set(files.flatMap(({ kind, name }) => (kind === "origins" ? name : [])));
  return files
    .filter(({ kind, name }) => kind === "prices" && names.has(originsNameOf(name)))
    .toSorted((a, b) => b.sequence - a.sequence)
    .map(({ name }) => join(directory, originsNameOf(name)));
}
