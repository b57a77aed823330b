/** Refuses a publication that would lose, without being asked to, rows of a table, sources, and what was appended. */

import { counted } from "../../engine/model/counted.ts";
import { buildUuidIndex, findRowOf, readUuid } from "../../engine/model/ids.ts";
import type { RecordsReading } from "../../engine/snapshots/load-dataset.ts";
import { contentHash, type ManifestFile, tableRows } from "../../engine/snapshots/manifest.ts";
import { DatasetError, foundText } from "../../engine/snapshots/problem.ts";
import {
  currentName,
  idHashDigits,
  recordKinds,
  type SnapshotId,
  tableFileNames,
} from "../../engine/snapshots/snapshot-layout.ts";
import type { BytesObserver } from "../../engine/snapshots/stored-file.ts";
import type { Store } from "../../engine/store/store.ts";
import { pricesOfRecords, rowComparison, timestampColumns } from "./compare-prices.ts";
import type { PublishedSnapshot } from "./open-published.ts";
import { locationOfVersion, noVersion, type PriceVersions, readPriceVersions } from "./price-versions.ts";
import type { PublishProblems } from "./publish-problem.ts";
import type { NextContent } from "./stage-snapshot.ts";

/**
 * Reports sources that lose all their prices, appended prices that the candidate does not have, and appended
 * corrections (of a row of sequence 0) that it has otherwise: a feed of next month knows nothing of them. An appended
 * price without a base that the candidate has with new values is changed, not lost.
 *
 * Cost: nothing is read unless the current snapshot has appended files; then all its prices files are, 70 bytes a row.
 * @param store The store of the current snapshot.
 */
export async function refuseLosses(
  candidate: RecordsReading,
  current: PublishedSnapshot,
  store: Store,
  problems: PublishProblems,
  onBytes: BytesObserver | undefined,
): Promise<void> {
  refuseLostSources(candidate, store, problems);
  if (current.manifest.files.every(({ sequence }) => sequence === 0)) return;
  try {
    const versions = await readPriceVersions(current, store, onBytes);
    refuseLostVersions(candidate, versions, current.folderName, problems);
  } catch (error) {
    if (!(error instanceof DatasetError)) throw error;
    const found = `appended prices that cannot be compared (${error.message})`;
    problems.add({ file: current.folderName, kind: "not-compared", found, wanted: "prices to compare with" });
  }
}

function refuseLostSources(
  { records }: RecordsReading,
  { prices, sourceCounts }: Store,
  problems: PublishProblems,
): void {
  const kept = new Set(records.prices.sourceNames);
  prices.sourceNames.forEach((source, code) => {
    if (kept.has(source)) return;
    const wanted = `some of the ${sourceCounts[code]} of the current snapshot`;
    problems.add({ file: "prices", kind: "lost", found: `no price of source ${foundText(source)}`, wanted });
  });
}

function refuseLostVersions(
  candidate: RecordsReading,
  versions: PriceVersions,
  folderName: string,
  problems: PublishProblems,
): void {
  const { records, baseFirst, visibleCount, seenRows, baseRows } = versions;
  const [all, next] = [records.prices, candidate.records.prices];
  const nextRows = buildUuidIndex(next.uuids, next.rowCount);
  const isSame = rowComparison(pricesOfRecords(records), pricesOfRecords(candidate.records), timestampColumns);
  // A price that is withdrawn is not lost.
  for (const [at, row] of seenRows.subarray(0, visibleCount).entries()) {
    if (row >= baseFirst) continue;
    const nextRow = findRowOf(nextRows, next.uuids, all.uuids, row);
    if (nextRow === undefined) reportLost(row, "gone");
    else if (baseRows[at] !== noVersion && !isSame(row, nextRow)) reportLost(row, "undone");
  }

  function reportLost(row: number, fate: string): void {
    const { file, line } = locationOfVersion(versions, row);
    const found = `an appended price that would be ${fate}: ${readUuid(all.uuids, row)}`;
    const wanted = "it in the folder too, or --replace-source, which carries it over";
    problems.add({ file: `${folderName}/${file}`, line, kind: "lost", found, wanted });
  }
}

/** A table must hold at least this many percent of the current snapshot's rows. */
export const rowsKeptPercentMin = 95;

/** Reports every table that holds too few of the rows it has in the current snapshot. */
export function refuseLostRows(
  files: readonly ManifestFile[],
  currentFiles: readonly ManifestFile[],
  problems: PublishProblems,
): void {
  const rows = tableRows(files);
  const currentRows = tableRows(currentFiles);
  for (const kind of recordKinds) {
    if (rows[kind] * 100 >= currentRows[kind] * rowsKeptPercentMin) continue;
    const file = kind === "prices" ? "prices" : tableFileNames[kind];
    const wanted = `at least ${rowsKeptPercentMin} % of the current ${currentRows[kind]}`;
    problems.add({ file, kind: "shrunk", found: counted(rows[kind], "row"), wanted });
  }
}

/**
 * Reports that there are snapshots and no `CURRENT`: it is unknown which one to compare with, and rows might be lost
 * unnoticed. A first publication that was killed leaves a snapshot without a `CURRENT` too, but one of the same files,
 * which is no problem.
 *
 * @param ids The ids of all existing snapshots.
 */
export function refuseLostCurrent(content: NextContent, ids: readonly SnapshotId[], problems: PublishProblems): void {
  const digits = contentHash(content).slice(0, idHashDigits);
  if (ids.every((id) => id.endsWith(`-${digits}`))) return;
  const found = `no such file, though there ${ids.length === 1 ? "is" : "are"} ${counted(ids.length, "snapshot")}`;
  const wanted = "the id of one to compare with; rollback ID --without-withdrawals makes one current again";
  problems.add({ file: currentName, kind: "not-compared", found, wanted });
}
