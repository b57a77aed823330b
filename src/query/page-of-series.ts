/**
 * A page of one product's prices at several markets, without looking at any price before it: the rows of each series
 * ascend in answer order, so the first row of the page is selected among the series, and the page is merged from there.
 */
import type { Store } from "../store/store.ts";
import { firstAbove, takeLeast, valueAtPlace } from "./ascending-lists.ts";
import type { Page } from "./page.ts";
import type { SeriesParts } from "./series-parts.ts";

const nothing = new Uint32Array(0);

/**
 * @param product The product of all the series.
 * @param skip Answers before the page.
 * Cost: none for a page past the last; otherwise a few steps in each series, and one for each series and row of the page.
 */
export function pageOfSeries(
  { prices, series: { rows } }: Store,
  product: number,
  { from, to, rowCount }: SeriesParts,
  skip: number,
  pageSize: number,
): Page<Uint32Array> {
  if (skip >= rowCount) return { entries: nothing, total: rowCount };
  const heads = from.slice();
  if (skip > 0) {
    const { productOffsets } = prices;
    const rowFirst = productOffsets[product]!;
    const rowLast = productOffsets[product + 1]! - 1;
    const row = valueAtPlace({ column: rows, from, to }, skip, rowFirst, rowLast, nothing, 0);
    for (let part = 0; part < heads.length; part++) heads[part] = firstAbove(rows, from[part]!, to[part]!, row - 1);
  }
  const entries = takeLeast(rows, heads, to, Math.min(pageSize, rowCount - skip));
  return { entries, total: rowCount };
}
