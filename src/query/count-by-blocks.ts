/**
 * A page of prices within a range and their number, found block by block: counting does the same for every row, without a
 * branch that could be foreseen wrongly, and only the blocks that hold the page are picked from.
 */
import { classCut, classesOfCounty, classInside, judgeClasses } from "../store/county-rows.ts";
import type { PriceColumns } from "../store/price-columns.ts";
import type { Store } from "../store/store.ts";
import type { Page } from "./page.ts";
import type { PricePlan, RowCheck } from "./plan-prices.ts";
import { isWanted } from "./walk-prices.ts";

/** Rows between two yields; a whole number of blocks. */
const stepRows = 128 * 512;

/** Rows counted at once before it is known whether the page is among them. */
export const blockRows = 512;

/** Tells of positions whether their rows are wanted. */
export interface PositionCheck {
  /** How many of at most `blockRows` positions, from the first (inclusive) to the last (exclusive). */
  readonly count: (from: number, to: number) => number;
  readonly isWanted: (position: number) => boolean;
}

/** A page of the positions that a check wants, and how many there are. Cost: a count of every position. */
export function* fillPageByBlocks(
  { rows, range }: Pick<PricePlan, "rows" | "range">,
  { count, isWanted }: PositionCheck,
  skip: number,
  pageSize: number,
): Generator<number, Page<Uint32Array>> {
  const entries = new Uint32Array(pageSize);
  let total = 0;
  let kept = 0;
  let done = 0;
  for (let position = range.from; position < range.to; position += blockRows) {
    const end = Math.min(range.to, position + blockRows);
    const found = count(position, end);
    if (kept < pageSize && total + found > skip) {
      let before = total;
      for (let at = position; at < end && kept < pageSize; at++) {
        if (isWanted(at) && before++ >= skip) entries[kept++] = rows === null ? at : rows[at]!;
      }
    }
    total += found;
    done += blockRows;
    if (done < stepRows) continue;
    yield done;
    done = 0;
  }
  return { entries: entries.subarray(0, kept), total };
}

/** Prices of a block, read before any is compared: reads that wait for nothing overlap. */
const blockPrices = new Float64Array(blockRows);

/** How many of at most `blockRows` positions have a price within a range. */
export function countPrices(
  { prices }: PriceColumns,
  rows: Uint32Array | null,
  from: number,
  to: number,
  { priceMin, priceMax }: RowCheck,
): number {
  const length = to - from;
  for (let at = 0; at < length; at++) blockPrices[at] = prices[rows === null ? from + at : rows[from + at]!]!;
  let count = 0;
  for (let at = 0; at < length; at++) {
    const price = blockPrices[at]!;
    count += Number(price >= priceMin) & Number(price <= priceMax);
  }
  return count;
}

/** Looks for the price in the price column. @param check Is about the price alone. */
export function checkByPrice(prices: PriceColumns, { rows }: PricePlan, check: RowCheck): PositionCheck {
  return {
    count: (from, to) => countPrices(prices, rows, from, to, check),
    isWanted: (position) => isWanted(prices, check, rows === null ? position : rows[position]!),
  };
}

/**
 * Judges a price by its class, on a walk over a county; the price column is asked only where the range cuts a class.
 *
 * @param check Is about the price alone.
 * Cost of a count: a byte for each position.
 */
export function checkByClass(
  { prices, rowsByCounty }: Store,
  { rows }: PricePlan,
  countyId: number,
  check: RowCheck,
): PositionCheck {
  const verdicts = judgeClasses(rowsByCounty, check.priceMin, check.priceMax);
  const classes = classesOfCounty(rowsByCounty, countyId);
  return {
    count: (from, to) => {
      let count = addVerdicts(verdicts, classes, from, to);
      for (let cut = 0; cut < cutCount; cut++) {
        if (isWanted(prices, check, rows![cutPlaces[cut]!]!)) count++;
      }
      return count;
    },
    isWanted: (at) => {
      const verdict = verdicts[classes[at]!]!;
      return verdict === classCut ? isWanted(prices, check, rows![at]!) : verdict === classInside;
    },
  };
}

/** The positions of a block whose class is cut; the first `cutCount` are of the last block. */
const cutPlaces = new Uint32Array(blockRows);
let cutCount = 0;

/** How many positions of a block have a class inside the range; notes those whose class is cut. */
function addVerdicts(verdicts: Uint8Array, classes: Uint8Array, from: number, to: number): number {
  let inside = 0;
  let cuts = 0;
  for (let at = from; at < to; at++) {
    const verdict = verdicts[classes[at]!]!;
    inside += verdict & classInside;
    cutPlaces[cuts] = at;
    cuts += verdict >> 1;
  }
  cutCount = cuts;
  return inside;
}
