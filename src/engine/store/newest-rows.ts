import { sharedColumnFrom, sharedUint32 } from "../model/shared-columns.ts";
import type { PostingLists, PriceColumns } from "./columns.ts";
import type { RunIndex } from "./runs.ts";

/**
 * The newest row of every product, market and unit, by product: "what does it cost now, everywhere".
 *
 * @param rowsByProduct In answer order.
 * @returns Rows by product code, in answer order. Cost: a read of every price.
 */
export function buildNewestRows(
  { units, unitNames, rowCount }: PriceColumns,
  { rowOffsets, markets }: RunIndex,
  rowsByProduct: PostingLists,
): PostingLists {
  const isNewest = new Uint8Array(rowCount);
  // The run in which a unit was last seen, so that the array need not be cleared for each.
  const seenIn = new Int32Array(unitNames.length).fill(-1);
  for (let run = 0; run < markets.length; run++) {
    for (let row = rowOffsets[run]!; row < rowOffsets[run + 1]!; row++) {
      if (seenIn[units[row]!] === run) continue;
      seenIn[units[row]!] = run;
      isNewest[row] = 1;
    }
  }
  const offsets = sharedUint32(rowsByProduct.offsets.length);
  const newest: number[] = [];
  for (let product = 0; product + 1 < offsets.length; product++) {
    for (let at = rowsByProduct.offsets[product]!; at < rowsByProduct.offsets[product + 1]!; at++) {
      if (isNewest[rowsByProduct.rows[at]!] === 1) newest.push(rowsByProduct.rows[at]!);
    }
    offsets[product + 1] = newest.length;
  }
  return { offsets, rows: sharedColumnFrom("Uint32Array", newest) };
}
