/** Finds the rows of a table that repeat a uuid: by hash, in buckets that fit into the processor's cache. */

import { hashUuid, isSameUuid } from "../../model/ids.ts";
import { sharedColumn } from "../../model/shared-columns.ts";
import { buildPostingLists, rowsOf } from "../../store/columns.ts";

/** A run of rows that come from one file. */
interface RowsOfFile {
  readonly rowFirst: number;
  readonly rows: number;
  /** Rows replace rows of the same uuid in files of lower sequence. */
  readonly sequence: number;
}

export interface RepeatedUuidsQuestion {
  readonly uuids: Uint32Array;
  /** All of the table, files of higher sequence first. */
  readonly files: readonly RowsOfFile[];
  /**
   * A byte for each row: rows with a 1 are left out, those with another value are not. Rows that a row before them
   * replaces get a 1.
   */
  readonly isDeleted: Uint8Array;
}

export interface RepeatedUuids {
  /** The number of rows of the same uuid that each file replaces. */
  readonly replaced: readonly number[];
  /** Rows that may not repeat a uuid, in no order. */
  readonly duplicates: readonly DuplicateUuid[];
}

/** A row whose uuid stands in a file of the same sequence already. */
export interface DuplicateUuid {
  readonly row: number;
  /** The first row of the uuid, whatever its file. */
  readonly first: number;
  /** The file of the same sequence. */
  readonly file: number;
}

/** About how many rows a bucket has: so few that their hash table stays in the processor's cache. */
const rowsPerBucket = 2048;
const bucketBitsMax = 12;

/**
 * Finds the rows that repeat the uuid of a row before them.
 *
 * Cost: a pass over all uuids, two that sort their rows into buckets, and one over each bucket; fourteen bytes a row.
 */
export function findRepeatedUuids({ uuids, files, isDeleted }: RepeatedUuidsQuestion): RepeatedUuids {
  const rowCount = files.reduce((sum, { rows }) => sum + rows, 0);
  const bits = Math.min(bucketBitsMax, Math.ceil(Math.log2(Math.max(2, rowCount / rowsPerBucket))));
  const hashes = new Uint32Array(rowCount);
  const bucketOfRow = sharedColumn("Uint16Array", rowCount);
  const rows = new Uint32Array(rowCount);
  let count = 0;
  for (let row = 0; row < rowCount; row++) {
    if (isDeleted[row] === 1) continue;
    const hash = hashUuid(uuids, row);
    hashes[row] = hash;
    bucketOfRow[row] = bucketOf(hash, bits);
    rows[count++] = row;
  }
  const buckets = buildPostingLists(rows.subarray(0, count), 2 ** bits, bucketOfRow);
  const replaced = files.map(() => 0);
  const duplicates: DuplicateUuid[] = [];
  const fileOf = (row: number): number => files.findLastIndex(({ rowFirst }) => row >= rowFirst);
  // The file in which the uuid of a row was met last, where that is not the row's own.
  const latestFiles = new Map<number, number>();
  const onRepeat = (first: number, row: number): void => {
    const file = fileOf(row);
    const latest = latestFiles.get(first) ?? fileOf(first);
    if (files[latest]?.sequence === files[file]?.sequence) {
      duplicates.push({ row, first, file: latest });
      return;
    }
    replaced[latest] = (replaced[latest] ?? 0) + 1;
    latestFiles.set(first, file);
    isDeleted[row] = 1;
  };
  for (let bucket = 0; bucket < 2 ** bits; bucket++) findInBucket(uuids, hashes, rowsOf(buckets, bucket), onRepeat);
  return { replaced, duplicates };
}

/**
 * @param hashes By row. @param rows Of the bucket, ascending.
 * @param onRepeat Called with the first row of a uuid and one that repeats it.
 */
function findInBucket(
  uuids: Uint32Array,
  hashes: Uint32Array,
  rows: Uint32Array,
  onRepeat: (first: number, row: number) => void,
): void {
  // A slot holds a row + 1, 0 where it is free; at most half of them are taken.
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * rows.length + 1)));
  const slotLast = slots.length - 1;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number;
    const hash = hashes[row] as number;
    let slot = hash & slotLast;
    let taken = slots[slot] as number;
    while (taken !== 0 && !(hashes[taken - 1] === hash && isSameUuid(uuids, taken - 1, uuids, row))) {
      slot = (slot + 1) & slotLast;
      taken = slots[slot] as number;
    }
    if (taken === 0) slots[slot] = row + 1;
    else onRepeat(taken - 1, row);
  }
}

/** Mixed once more, for the low bits of the hash itself choose the slot within a bucket. */
function bucketOf(hash: number, bits: number): number {
  return Math.imul(hash, 0x85eb_ca6b) >>> (32 - bits);
}
