/**
 * Finds the rows of a table that repeat a uuid. The work is shared out by hash: every part looks at all uuids and
 * judges its own.
 */

import { hashUuid, isSameUuid } from "../../model/ids.ts";

/** A run of rows that come from one file. */
interface RowsOfFile {
  readonly rowFirst: number;
  readonly rows: number;
  /** Rows replace rows of the same uuid in files of lower sequence. */
  readonly sequence: number;
}

export interface RepeatedUuidsQuestion {
  readonly uuids: Uint32Array<SharedArrayBuffer>;
  /** All of the table, files of higher sequence first. */
  readonly files: readonly RowsOfFile[];
  readonly part: number;
  readonly parts: number;
  /**
   * A byte for each row: rows with a 1 are left out, and those that a row before them replaces get one. Others are not.
   */
  readonly isDeleted: Uint8Array<SharedArrayBuffer>;
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

/** Number of rows that are read together, about: so few that their table stays in the processor's own memory. */
const rowsPerBucket = 2048;
const bucketBitsMax = 12;

/**
 * Finds the rows that repeat the uuid of a row before them.
 *
 * Cost: two passes over all uuids and one over those of the part; twelve bytes a row.
 */
export function findRepeatedUuids(question: RepeatedUuidsQuestion): RepeatedUuids {
  const { rows, hashes, ends } = sortIntoBuckets(question);
  const repeats = new Repeats(question);
  let start = 0;
  for (const end of ends) {
    findInBucket(question.uuids, rows.subarray(start, end), hashes.subarray(start, end), repeats);
    start = end;
  }
  return repeats;
}

function findInBucket(uuids: Uint32Array, rows: Uint32Array, hashes: Uint32Array, repeats: Repeats): void {
  // A slot holds a position + 1, 0 where it is free; at most half of them are taken.
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * rows.length + 1)));
  const slotLast = slots.length - 1;
  for (let position = 0; position < rows.length; position++) {
    const hash = hashes[position] as number;
    let slot = hash & slotLast;
    let taken = slots[slot] as number;
    while (taken !== 0) {
      if (hashes[taken - 1] === hash && isSameUuid(uuids, rows[taken - 1] as number, uuids, rows[position] as number))
        break;
      slot = (slot + 1) & slotLast;
      taken = slots[slot] as number;
    }
    if (taken === 0) slots[slot] = position + 1;
    else repeats.add(rows[taken - 1] as number, rows[position] as number);
  }
}

/** Rows bucket by bucket, in order within each; equal uuids share a bucket. */
interface Buckets {
  readonly rows: Uint32Array;
  /** The hash of each of `rows`. */
  readonly hashes: Uint32Array;
  /** End of each bucket (exclusive). */
  readonly ends: Uint32Array;
}

function sortIntoBuckets({ uuids, files, isDeleted, part, parts }: RepeatedUuidsQuestion): Buckets {
  const rowCount = files.reduce((sum, { rows }) => sum + rows, 0);
  const bits = Math.min(bucketBitsMax, Math.ceil(Math.log2(Math.max(2, rowCount / rowsPerBucket, parts))));
  const starts = new Uint32Array(2 ** bits + 1);
  const allHashes = new Uint32Array(rowCount);
  for (let row = 0; row < rowCount; row++) {
    const hash = hashUuid(uuids, row);
    allHashes[row] = hash;
    const bucket = bucketOf(hash, bits);
    if (bucket % parts === part && isDeleted[row] !== 1) starts[bucket + 1] = (starts[bucket + 1] as number) + 1;
  }
  for (let bucket = 1; bucket < starts.length; bucket++) {
    starts[bucket] = (starts[bucket] as number) + (starts[bucket - 1] as number);
  }
  const rows = new Uint32Array(starts.at(-1) ?? 0);
  const hashes = new Uint32Array(rows.length);
  for (let row = 0; row < rowCount; row++) {
    const hash = allHashes[row] as number;
    const bucket = bucketOf(hash, bits);
    if (bucket % parts !== part || isDeleted[row] === 1) continue;
    const position = starts[bucket] as number;
    starts[bucket] = position + 1;
    rows[position] = row;
    hashes[position] = hash;
  }
  // Each start has moved to the end of its bucket.
  return { rows, hashes, ends: starts.subarray(0, -1) };
}

/** Mixed once more, for the low bits of the hash itself choose the slot within a bucket. */
function bucketOf(hash: number, bits: number): number {
  return Math.imul(hash, 0x85eb_ca6b) >>> (32 - bits);
}

/** Collects the uuids that come more than once. */
class Repeats implements RepeatedUuids {
  readonly replaced: number[];
  readonly duplicates: DuplicateUuid[] = [];
  readonly #files: readonly RowsOfFile[];
  readonly #isDeleted: Uint8Array;
  /** The file in which the uuid of a row was met last, where that is not the row's own. */
  readonly #latestFiles = new Map<number, number>();

  constructor({ files, isDeleted }: RepeatedUuidsQuestion) {
    this.replaced = files.map(() => 0);
    this.#files = files;
    this.#isDeleted = isDeleted;
  }

  /**
   * Notes that a row repeats the uuid of the first row that has it. It may if it is of lower sequence than the last
   * one.
   */
  add(first: number, row: number): void {
    const file = this.#fileOf(row);
    const latest = this.#latestFiles.get(first) ?? this.#fileOf(first);
    if (this.#files[latest]?.sequence === this.#files[file]?.sequence) {
      this.duplicates.push({ row, first, file: latest });
      return;
    }
    this.replaced[latest] = (this.replaced[latest] ?? 0) + 1;
    this.#latestFiles.set(first, file);
    this.#isDeleted[row] = 1;
  }

  #fileOf(row: number): number {
    return this.#files.findLastIndex(({ rowFirst }) => row >= rowFirst);
  }
}
