import type { Store } from "../store/store.ts";
import { type Page, pageBounds } from "./page.ts";
import { type PricePlan, planPrices } from "./plan-prices.ts";
import type { PriceSearch } from "./questions.ts";
import { collectRows, isWanted } from "./walk-prices.ts";

/**
 * One page of the prices that a filter selects, newest first, equal times by uuid ascending, with the exact total.
 *
 * Cost: a slice when the filter is one list (product, market, county or nothing, with or without days); otherwise one
 * look at every row of the shortest list that holds the answers.
 */
export function searchPrices(store: Store, { filter, page, pageSize }: PriceSearch): Page<Uint32Array> {
  const plan = planPrices(store, filter);
  const { range, check } = plan;
  if (check === null) {
    const { from, to } = pageBounds(range.to - range.from, page, pageSize);
    const slice: PricePlan = { ...plan, range: { from: range.from + from, to: range.from + to } };
    return { entries: collectRows(store.prices, slice), total: range.to - range.from };
  }
  return countAndCollect(store, plan, check, (page - 1) * pageSize, pageSize);
}

/** Counts every match and keeps only those of the page. */
function countAndCollect(
  { prices }: Store,
  { rows, range }: PricePlan,
  check: NonNullable<PricePlan["check"]>,
  skip: number,
  pageSize: number,
): Page<Uint32Array> {
  const entries = new Uint32Array(pageSize);
  let total = 0;
  let kept = 0;
  for (let position = range.from; position < range.to; position++) {
    const row = rows === null ? position : rows[position]!;
    if (!isWanted(prices, check, row)) continue;
    if (total >= skip && kept < pageSize) entries[kept++] = row;
    total++;
  }
  return { entries: entries.subarray(0, kept), total };
}
