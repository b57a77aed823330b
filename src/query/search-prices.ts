import type { ProductCode } from "../store/codes.ts";
import type { Store } from "../store/store.ts";
import { checkByClass, checkByPrice, fillPageByBlocks } from "./count-by-blocks.ts";
import { countByMarkets } from "./count-prices.ts";
import { type Page, pageBounds } from "./page.ts";
import { pageOfSeries } from "./page-of-series.ts";
import { planPrices } from "./plan-prices.ts";
import type { PriceFilter, PriceSearch } from "./questions.ts";
import { runInSlices } from "./run-in-slices.ts";
import { searchByPrice } from "./search-by-price.ts";
import { seriesPartsOf } from "./series-parts.ts";
import { fillPage, sliceOf } from "./walk-prices.ts";

/**
 * One page of the prices that a filter selects, newest first, equal times by uuid ascending, with the exact total.
 *
 * Cost: a slice when the filter is one list (product, market, both, county or nothing, with or without days); a merge of
 * short lists for a product in a county or at markets of a type. Without
 * bounds on the price the total is added up from lists and the walk ends with the page; with bounds on the price and
 * days alone, whole months are counted without looking at them, and in a county a byte a row is counted. What remains
 * looks at every row of the shortest list that holds the answers.
 *
 * @param sliceRows See `runInSlices`.
 * @returns A promise when the walk is long; other requests are served between its slices.
 */
export function searchPrices(
  store: Store,
  { filter, page, pageSize }: PriceSearch,
  sliceRows?: number,
): Page<Uint32Array> | Promise<Page<Uint32Array>> {
  const skip = (page - 1) * pageSize;
  const product = productAtSomeMarkets(store, filter);
  if (product !== undefined) return pageOfSeries(store, product, seriesPartsOf(store, product, filter), skip, pageSize);
  const plan = planPrices(store, filter);
  const { rows, range, check } = plan;
  if (check === null) {
    const total = range.to - range.from;
    const { from, to } = pageBounds(total, page, pageSize);
    return { entries: sliceOf(rows, range.from + from, range.from + to), total };
  }
  const { prices } = store;
  if (filter.priceMin === undefined && filter.priceMax === undefined) {
    return runInSlices(fillPage(prices, plan, check, skip, pageSize, countByMarkets(store, filter)), sliceRows);
  }
  if (check.product !== -1 || check.marketMask !== null) {
    return runInSlices(fillPage(prices, plan, check, skip, pageSize), sliceRows);
  }
  if (plan.walk === "time") return runInSlices(searchByPrice(store, plan, check, skip, pageSize), sliceRows);
  const { countyId } = filter;
  const byPrice =
    plan.walk === "county" && countyId !== undefined
      ? checkByClass(store, plan, countyId, check)
      : checkByPrice(prices, plan, check);
  return runInSlices(fillPageByBlocks(plan, byPrice, skip, pageSize), sliceRows);
}

/** The product of a filter that asks for one at the markets of a county or a type, whatever the price. */
function productAtSomeMarkets({ catalogue }: Store, filter: PriceFilter): ProductCode | undefined {
  const { productUuid, marketUuid, countyId, marketType, priceMin, priceMax } = filter;
  if (productUuid === undefined || marketUuid !== undefined || (priceMin ?? priceMax) !== undefined) return undefined;
  return countyId === undefined && marketType === undefined ? undefined : catalogue.productCodes.get(productUuid);
}
