import { sharedColumnFrom, sharedUint32 } from "../model/shared-columns.ts";
import { compareAnswers } from "./answer-order.ts";
import type { PostingLists, PriceColumns } from "./columns.ts";
import type { RunIndex } from "./runs.ts";

/**
 * The newest row of every product, market and unit, by product: "what does it cost now, everywhere".
 *
 * @returns Rows by product code, in answer order. Cost: a read of every price, and a sort of these rows.
 */
export function buildNewestRows(prices: PriceColumns, { runOffsets, rowOffsets }: RunIndex): PostingLists {
  const { units, unitNames } = prices;
  // The run in which a unit was last seen, so that the array need not be cleared for each.
  const seenIn = new Int32Array(unitNames.length).fill(-1);
  const offsets = sharedUint32(runOffsets.length);
  const newest: number[] = [];
  for (let product = 0; product + 1 < offsets.length; product++) {
    const ofProduct: number[] = [];
    for (let run = runOffsets[product]!; run < runOffsets[product + 1]!; run++) {
      for (let row = rowOffsets[run]!; row < rowOffsets[run + 1]!; row++) {
        if (seenIn[units[row]!] === run) continue;
        seenIn[units[row]!] = run;
        ofProduct.push(row);
      }
    }
    for (const row of ofProduct.sort((a, b) => compareAnswers(prices, a, b))) newest.push(row);
    offsets[product + 1] = newest.length;
  }
  return { offsets, rows: sharedColumnFrom("Uint32Array", newest) };
}
