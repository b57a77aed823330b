import { sharedUint32 } from "../domain/shared-columns.ts";

/** Code → its rows, as two flat arrays: the rows of code c are `rows[offsets[c] .. offsets[c + 1] - 1]`. */
export interface PostingIndex {
  /** One entry more than there are codes; never decreasing. */
  readonly offsets: Uint32Array<SharedArrayBuffer>;
  /** Grouped by code; within a code, in the order in which the rows were given. */
  readonly rows: Uint32Array<SharedArrayBuffer>;
}

/**
 * Groups rows by code with a counting sort, which keeps the order of the rows within a code.
 *
 * @param rowsInOrder Rows in the order wanted within every code.
 * @param codeCount Codes are 0 to `codeCount - 1`.
 * @param codeOf Code of a row.
 * Cost: two passes over the rows.
 */
export function buildPostingIndex(
  rowsInOrder: Uint32Array,
  codeCount: number,
  codeOf: (row: number) => number,
): PostingIndex {
  const offsets = sharedUint32(codeCount + 1);
  for (let place = 0; place < rowsInOrder.length; place++) offsets[codeOf(rowsInOrder[place]!) + 1]!++;
  for (let code = 0; code < codeCount; code++) offsets[code + 1]! += offsets[code]!;
  const next = offsets.slice(0, codeCount);
  const rows = sharedUint32(rowsInOrder.length);
  for (let place = 0; place < rowsInOrder.length; place++) {
    const row = rowsInOrder[place]!;
    rows[next[codeOf(row)]!++] = row;
  }
  return { offsets, rows };
}

/**
 * The rows of one code.
 *
 * @returns A view into the index, empty when the code has no rows. Do not write to it.
 * @throws {RangeError} when the code is outside the index.
 */
export function rowsOf(index: PostingIndex, code: number): Uint32Array<SharedArrayBuffer> {
  const from = index.offsets[code];
  const to = index.offsets[code + 1];
  if (from === undefined || to === undefined) {
    throw new RangeError(`code ${code} is outside the index, expected 0 to ${index.offsets.length - 2}`);
  }
  return index.rows.subarray(from, to);
}
