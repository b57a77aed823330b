/** The price columns of a store; columns of codes, the search in sorted ones, and the rows of each code as lists. */
import type { PriceTable } from "../model/dataset.ts";
import type { NumberColumnName, PriceColumnName, PriceTexts, TextColumnName } from "../model/price-columns.ts";
import { sharedColumn, sharedUint32 } from "../model/shared-columns.ts";
import type { SharedTexts } from "./shared-texts.ts";

/**
 * The price table as typed arrays, sorted by product code, then market code, then in answer order (newest first, equal
 * times by uuid): the prices of one product at one market are a run of rows, and so are those of one product in a
 * county.
 */
export interface PriceColumns
  extends Readonly<Record<Exclude<PriceColumnName, NumberColumnName | "uuids">, CodeColumn>>,
    Readonly<Record<NumberColumnName, Float64Array<SharedArrayBuffer>>>,
    Omit<PriceTexts, "noteTexts"> {
  readonly rowCount: number;
  /** The rows of product p are `productOffsets[p]` to `productOffsets[p + 1] - 1`. */
  readonly productOffsets: Uint32Array<SharedArrayBuffer>;
  /** Four words a row, see engine/model/ids.ts. */
  readonly uuids: Uint32Array<SharedArrayBuffer>;
  readonly noteTexts: SharedTexts;
}

/** Prices to be sorted: a dataset's, or a store's and a day's, whose texts may be more than 16 bits tell apart. */
export interface UnsortedPrices
  extends Omit<PriceTable, TextColumnName>,
    Readonly<Record<TextColumnName, Uint16Array | Uint32Array>> {}

/** A column of codes, as narrow as the number of codes allows. */
export type CodeColumn =
  | Uint8Array<SharedArrayBuffer>
  | Uint16Array<SharedArrayBuffer>
  | Uint32Array<SharedArrayBuffer>;

/**
 * A zeroed column for `length` codes.
 *
 * @param codeCount Codes are 0 to `codeCount - 1`. The greatest value of the column's type is left free, see
 * `missingCode`.
 */
export function codeColumn(length: number, codeCount: number): CodeColumn {
  return sharedColumn(codeCount <= 0xff ? "Uint8Array" : codeCount <= 0xffff ? "Uint16Array" : "Uint32Array", length);
}

/** The typed arrays that are searched. */
export type SortedColumn = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** Positions or codes [from, to): what two lower bounds enclose. */
export interface Range {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/**
 * The first position of an ascending list whose value is at least `value`.
 *
 * @param rows Row by position: the values are `column[rows[position]]`. Null where positions are rows.
 * @param from First position (inclusive).
 * @param to End of the positions (exclusive).
 * @returns `to` when there is none. Cost: a binary search.
 */
export function lowerBound(
  column: SortedColumn,
  rows: Uint32Array | null,
  value: number,
  from: number,
  to: number,
): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column[rows === null ? middle : rows[middle]!]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

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
