/** The prices of a snapshot with all rows that later files replace. */

import { findRowOf, UuidSet } from "../../engine/model/ids.ts";
import { type RecordsReading, readManifestRecords } from "../../engine/snapshots/load-dataset.ts";
import type { ManifestFile } from "../../engine/snapshots/manifest.ts";
import { DatasetError, type Place } from "../../engine/snapshots/problem.ts";
import type { BytesObserver } from "../../engine/snapshots/stored-file.ts";
import type { Store } from "../../engine/store/store.ts";
import type { PublishedSnapshot } from "./open-published.ts";

/** A prices file and its rows, one a line. */
export interface VersionFile {
  readonly file: ManifestFile;
  readonly rowFirst: number;
  /** Exclusive. */
  readonly rowEnd: number;
}

/**
 * Every row of the prices files of a snapshot, and which rows are versions of which price. The first row of a uuid is
 * the one that readers see, unless its price is withdrawn. Prices have numbers: those that readers see, then those
 * withdrawn.
 */
export interface PriceVersions {
  readonly records: RecordsReading["records"];
  /** In the order of their rows: higher sequence first. */
  readonly files: readonly VersionFile[];
  /** Rows before this one were appended, those from it on are of sequence 0. */
  readonly baseFirst: number;
  /** Number of prices that readers see; their numbers are their rows in the store. */
  readonly visibleCount: number;
  /** The number of the price with the uuid of a row; undefined where the snapshot has none. Cost: a look-up or two. */
  readonly find: (words: Uint32Array, row: number) => number | undefined;
  /** By number of the price: the row of the highest sequence; `noVersion` where a price withdrawn has none. */
  readonly seenRows: Uint32Array;
  /** By number of the price: the row of sequence 0; `noVersion` where there is none. */
  readonly baseRows: Uint32Array;
  /** By row of the versions: the number of the price. */
  readonly priceOf: Uint32Array;
}

/** Stands for the row of a version that a price does not have. */
export const noVersion = 0xffff_ffff;

/**
 * Reads all versions of the prices of a published snapshot, and checks it whole.
 *
 * Cost: 82 bytes and a look-up for each row; no object for one.
 * @param store The store of the same snapshot.
 * @throws {DatasetError} when the snapshot is damaged.
 */
export async function readPriceVersions(
  { directory, folderName, manifest }: PublishedSnapshot,
  store: Store,
  onBytes?: BytesObserver,
): Promise<PriceVersions> {
  let reading: RecordsReading;
  try {
    reading = await readManifestRecords(directory, manifest, { onBytes, keepsReplaced: true });
  } catch (error) {
    if (!(error instanceof DatasetError)) throw error;
    throw new DatasetError("the current snapshot", error.list.within(folderName), error.rows);
  }
  const prices = manifest.files.filter(({ kind }) => kind === "prices");
  let rowEnd = 0;
  const files = prices
    .toSorted((a, b) => b.sequence - a.sequence)
    .map((file): VersionFile => {
      const rowFirst = rowEnd;
      rowEnd += file.rows;
      return { file, rowFirst, rowEnd };
    });
  const baseFirst = files.find(({ file }) => file.sequence === 0)?.rowFirst ?? rowEnd;
  const { records, decisions } = reading;
  const withdrawn = new UuidSet(decisions.withdrawals.map(({ uuid }) => uuid));
  const visibleCount = store.prices.rowCount;
  const { rowCount, uuids } = records.prices;
  const seenRows = new Uint32Array(visibleCount + decisions.withdrawals.length).fill(noVersion);
  const baseRows = new Uint32Array(seenRows.length).fill(noVersion);
  const priceOf = new Uint32Array(rowCount);
  for (let row = 0; row < rowCount; row++) {
    const at = find(uuids, row);
    if (at === undefined) throw new RangeError(`row ${row} of the files is not in the store of the same snapshot`);
    priceOf[row] = at;
    if (seenRows[at] === noVersion) seenRows[at] = row;
    if (row >= baseFirst) baseRows[at] = row;
  }
  return { records, files, baseFirst, visibleCount, find, seenRows, baseRows, priceOf };

  function find(words: Uint32Array, row: number): number | undefined {
    const visible = findRowOf(store.rowByUuid, store.prices.uuids, words, row);
    if (visible !== undefined) return visible;
    const position = withdrawn.positionOf(words, row);
    return position === undefined ? undefined : visibleCount + position;
  }
}

/** The file and line of a row of all versions. */
export function locationOfVersion({ files }: PriceVersions, row: number): Place {
  const at = files.find(({ rowFirst, rowEnd }) => row >= rowFirst && row < rowEnd);
  if (at === undefined) throw new RangeError(`row is ${row}, expected one of the versions`);
  return { file: at.file.name, line: row - at.rowFirst + 1 };
}
