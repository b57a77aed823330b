/** Walking the rows of a plan: collecting them, counting them, filling a page. */
import type { PriceColumns } from "../store/price-columns.ts";
import type { Page } from "./page.ts";
import type { PricePlan, RowCheck } from "./plan-prices.ts";

/** Rows walked between two yields. */
const stepRows = 50_000;

/** Whether a row meets what a plan left to check. */
export function isWanted(prices: PriceColumns, check: RowCheck, row: number): boolean {
  const price = prices.prices[row]!;
  return (
    price >= check.priceMin &&
    price <= check.priceMax &&
    (check.product === -1 || prices.products[row] === check.product) &&
    (check.marketMask === null || check.marketMask[prices.markets[row]!] === 1)
  );
}

/**
 * The rows a plan answers, in answer order.
 *
 * @param rowsMax Stop after this many (the newest). All rows when absent.
 * @returns Row numbers; a fresh array or a view into an index. Do not write to it.
 * Cost: none to speak of when the plan has nothing left to check, otherwise one look at every row walked until enough
 * are found.
 */
export function* collectRows(
  prices: PriceColumns,
  { rows, range, check }: PricePlan,
  rowsMax: number = Infinity,
): Generator<number, Uint32Array> {
  if (check === null) return sliceOf(rows, range.from, Math.min(range.to, range.from + rowsMax));
  const found = new Uint32Array(Math.min(range.to - range.from, rowsMax));
  const mask = isMarketAlone(check) ? check.marketMask : null;
  let count = 0;
  for (let position = range.from; position < range.to && count < found.length; ) {
    const stop = Math.min(range.to, position + stepRows);
    for (; position < stop && count < found.length; position++) {
      const row = rows === null ? position : rows[position]!;
      // The market alone is looked at in half the time.
      if (mask === null ? isWanted(prices, check, row) : mask[prices.markets[row]!] === 1) found[count++] = row;
    }
    yield stepRows;
  }
  return found.subarray(0, count);
}

function isMarketAlone({ product, priceMin, priceMax }: RowCheck): boolean {
  return product === -1 && priceMin === -Infinity && priceMax === Infinity;
}

/** Rows by position, or the positions themselves where they are rows. */
export function sliceOf(rows: Uint32Array | null, from: number, to: number): Uint32Array {
  if (rows !== null) return rows.subarray(from, to);
  const slice = new Uint32Array(to - from);
  for (let position = from; position < to; position++) slice[position - from] = position;
  return slice;
}

/**
 * A page of the rows a plan answers.
 *
 * @param skip Answers before the page.
 * @param total How many answers there are, when that is known already: the walk then ends with the page. Otherwise every
 * row is looked at and the answers are counted.
 */
export function* fillPage(
  prices: PriceColumns,
  { rows, range }: PricePlan,
  check: RowCheck,
  skip: number,
  pageSize: number,
  total?: number,
): Generator<number, Page<Uint32Array>> {
  const entries = new Uint32Array(pageSize);
  const isKnown = total !== undefined;
  const wantedCount = isKnown ? Math.min(total, skip + pageSize) : Infinity;
  let count = 0;
  let kept = 0;
  for (let position = range.from; position < range.to && count < wantedCount && skip < (total ?? Infinity); ) {
    const stop = Math.min(range.to, position + stepRows);
    for (; position < stop; position++) {
      const row = rows === null ? position : rows[position]!;
      if (!isWanted(prices, check, row)) continue;
      if (count >= skip && kept < pageSize) entries[kept++] = row;
      count++;
      if (count === wantedCount) break;
    }
    yield stepRows;
  }
  return { entries: entries.subarray(0, kept), total: total ?? count };
}
