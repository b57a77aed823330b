import type { PriceColumns } from "../store/price-columns.ts";
import type { PricePlan } from "./plan-prices.ts";

/**
 * The rows a plan answers, in answer order.
 *
 * @param rowsMax Stop after this many (the newest). All rows when absent.
 * @returns Row numbers; a fresh array or a view into an index. Do not write to it.
 * Cost: none to speak of when the plan has nothing left to check, otherwise one look at every row walked until enough
 * are found.
 */
export function collectRows(prices: PriceColumns, plan: PricePlan, rowsMax: number = Infinity): Uint32Array {
  const { rows, range, check } = plan;
  if (check === null) {
    const to = Math.min(range.to, range.from + rowsMax);
    if (rows !== null) return rows.subarray(range.from, to);
    return Uint32Array.from({ length: to - range.from }, (_, place) => range.from + place);
  }
  const found = new Uint32Array(Math.min(range.to - range.from, rowsMax));
  let count = 0;
  for (let position = range.from; position < range.to && count < found.length; position++) {
    const row = rows === null ? position : rows[position]!;
    if (isWanted(prices, check, row)) found[count++] = row;
  }
  return found.subarray(0, count);
}

/** Whether a row meets what a plan left to check. */
export function isWanted(prices: PriceColumns, check: NonNullable<PricePlan["check"]>, row: number): boolean {
  const price = prices.prices[row]!;
  return (
    price >= check.priceMin &&
    price <= check.priceMax &&
    (check.product === -1 || prices.products[row] === check.product) &&
    (check.marketMask === null || check.marketMask[prices.markets[row]!] === 1)
  );
}
