import { sharedUint32 } from "../model/shared-columns.ts";
import type { CodeColumn } from "./columns.ts";

/** Code → its rows, as two flat arrays: the rows of code c are `rows[offsets[c] .. offsets[c + 1] - 1]`. */
export interface PostingLists {
  /** One entry more than there are codes; never decreasing. */
  readonly offsets: Uint32Array<SharedArrayBuffer>;
  /** Grouped by code; within a code, in the order in which the rows were given. */
  readonly rows: Uint32Array<SharedArrayBuffer>;
}

/**
 * Groups rows by code with a counting sort, which keeps the order of the rows within a code.
 *
 * @param rows In the order wanted within every code.
 * @param codeCount Codes are 0 to `codeCount - 1`.
 * @param column The code of a row is `codes[column[row]]`, or `column[row]` itself without `codes`.
 * Cost: two passes over the rows.
 */
export function buildPostingLists(
  rows: Uint32Array,
  codeCount: number,
  column: CodeColumn,
  codes: Uint8Array | Uint32Array = Uint32Array.from({ length: codeCount }, (_, code) => code),
): PostingLists {
  const offsets = sharedUint32(codeCount + 1);
  for (let at = 0; at < rows.length; at++) offsets[codes[column[rows[at]!]!]! + 1]!++;
  for (let code = 0; code < codeCount; code++) offsets[code + 1]! += offsets[code]!;
  const next = offsets.slice(0, codeCount);
  const grouped = sharedUint32(rows.length);
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    grouped[next[codes[column[row]!]!]!++] = row;
  }
  return { offsets, rows: grouped };
}

/**
 * The rows of one code.
 *
 * @returns A view into the lists, empty when the code has no rows. Do not write to it.
 * @throws {RangeError} when the code is outside the lists.
 */
export function rowsOf(lists: PostingLists, code: number): Uint32Array<SharedArrayBuffer> {
  const from = lists.offsets[code];
  const to = lists.offsets[code + 1];
  if (from === undefined || to === undefined) {
    throw new RangeError(`code ${code} is outside the lists, expected 0 to ${lists.offsets.length - 2}`);
  }
  return lists.rows.subarray(from, to);
}
