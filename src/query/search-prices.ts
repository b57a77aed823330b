import type { CodeColumn } from "../store/code-column.ts";
import { dayCodesOf, narrowToDays, type Range } from "../store/periods.ts";
import type { PriceColumns } from "../store/price-columns.ts";
import { seriesAt } from "../store/series.ts";
import type { Store } from "../store/store.ts";
import { type Page, pageBounds } from "./page.ts";
import { isOfType, isWanted, type PricePlan, planPrices, type RowCheck, wantedMarkets } from "./plan-prices.ts";
import type { PriceFilter, PriceSearch } from "./questions.ts";
import { runInSlices } from "./run-in-slices.ts";
import { searchByPrice } from "./search-by-price.ts";
import { isWalkShorter, mergeNewest, selectSegments } from "./select-segments.ts";

/**
 * One page of the prices that a filter selects, newest first, equal times by uuid ascending, with the exact total.
 *
 * Cost: a slice when the filter is one list (product, market, both, county or nothing, with or without days). Without bounds
 * on the price the total is added up from lists and the walk ends with the page; with bounds on the price and days alone,
 * whole months are counted without looking at them. What remains looks at every row of the shortest list that holds the
 * answers.
 *
 * @param sliceRows See `runInSlices`.
 * @returns Row numbers; a promise when the walk is long, then other requests are served between its slices.
 */
export function searchPrices(
  store: Store,
  { filter, page, pageSize }: PriceSearch,
  sliceRows?: number,
): Page<Uint32Array> | Promise<Page<Uint32Array>> {
  const skip = (page - 1) * pageSize;
  const plan = planPrices(store, filter);
  const { rows, range, check } = plan;
  if (check === null) {
    const total = range.to - range.from;
    const { from, to } = pageBounds(total, page, pageSize);
    return { entries: sliceOf(rows, range.from + from, range.from + to), total };
  }
  return runInSlices(fillPage(store, filter, plan, check, skip, pageSize), sliceRows);
}

const none = new Uint32Array(0);

/** Rows by position, or the positions themselves where they are rows. */
function sliceOf(rows: Uint32Array | null, from: number, to: number): Uint32Array {
  if (rows !== null) return rows.subarray(from, to);
  const slice = new Uint32Array(to - from);
  for (let at = 0; at < slice.length; at++) slice[at] = from + at;
  return slice;
}

/** Rows looked at between two yields. */
const stepRows = 50_000;

/**
 * A page of the rows that a plan answers, where something is left to check of each: the total is counted first, then the list
 * is walked up to the end of the page.
 *
 * @param skip Answers before the page.
 */
function* fillPage(
  store: Store,
  filter: PriceFilter,
  plan: PricePlan,
  check: RowCheck,
  skip: number,
  pageSize: number,
): Generator<number, Page<Uint32Array>> {
  const { catalogue, prices, periods } = store;
  const days = dayCodesOf(periods, filter.dayFirst, filter.dayLast);
  const product = filter.productUuid === undefined ? undefined : catalogue.productCodes.get(filter.productUuid);
  const isPriceFree = check.priceMin === -Infinity && check.priceMax === Infinity;
  if (plan.walk === "time" && check.marketMask === null)
    return yield* searchByPrice(store, plan, check, skip, pageSize);
  if (isPriceFree && product !== undefined) {
    const segments = selectSegments(store, product, filter, days);
    const end = Math.min(skip + pageSize, segments.rowCount);
    if (skip < end && !isWalkShorter(store, product, segments, end)) {
      return { entries: mergeNewest(prices, segments, end).subarray(skip), total: segments.rowCount };
    }
    return yield* walkToPage(prices, plan, check, skip, pageSize, segments.rowCount);
  }
  const total = isPriceFree
    ? countAtMarkets(store, filter, days)
    : yield* countMatches(store, filter, plan, check, product, days);
  return yield* walkToPage(prices, plan, check, skip, pageSize, total);
}

/** How many prices of any product the wanted markets have. Cost: two binary searches for each. */
function countAtMarkets({ catalogue, periods, rowsByMarket }: Store, filter: PriceFilter, days: Range): number {
  const { offsets, rows } = rowsByMarket;
  const markets = wantedMarkets(catalogue, filter);
  let count = 0;
  for (let market = markets.from; market < markets.to; market++) {
    if (!isOfType(catalogue, market, filter.marketType)) continue;
    const range = narrowToDays(periods, rows, { from: offsets[market]!, to: offsets[market + 1]! }, days);
    count += range.to - range.from;
  }
  return count;
}

/** A row met in a list costs about as much as this many that are read one after the other. */
const listStep = 8;

/**
 * How many prices match. Where days leave a small part of the plan's list, it is walked; otherwise the runs of the wanted
 * series are read from end to end, which is several times faster a row.
 */
function* countMatches(
  { catalogue, prices, series, periods: { dayCodes } }: Store,
  filter: PriceFilter,
  { rows, range }: PricePlan,
  check: RowCheck,
  product: number | undefined,
  days: Range,
): Generator<number, number> {
  let count = 0;
  let done = 0;
  if (rows === null || (range.to - range.from) * listStep < rows.length) {
    for (let from = range.from; from < range.to; from += stepRows) {
      count += countInList(prices, check, rows, from, Math.min(range.to, from + stepRows));
      yield stepRows;
    }
    return count;
  }
  const markets = wantedMarkets(catalogue, filter);
  const productEnd = product === undefined ? catalogue.products.length : product + 1;
  for (let one = product ?? 0; one < productEnd; one++) {
    const wanted = seriesAt(series, one, markets);
    for (let first = wanted.from; first < wanted.to; ) {
      const end = filter.marketType === undefined ? wanted.to : first + 1;
      if (isOfType(catalogue, series.markets[first]!, filter.marketType)) {
        const run = { from: series.rowOffsets[first]!, to: series.rowOffsets[end]! };
        count += countInRun(prices.prices, dayCodes, run, check, days);
        done += run.to - run.from;
      }
      first = end;
      if (done < stepRows) continue;
      yield done;
      done = 0;
    }
  }
  return count;
}

function countInList(
  prices: PriceColumns,
  check: RowCheck,
  rows: Uint32Array | null,
  from: number,
  to: number,
): number {
  let count = 0;
  for (let at = from; at < to; at++) if (isWanted(prices, check, rows === null ? at : rows[at]!)) count++;
  return count;
}

/** Branchless, because the predicate is unpredictable. */
function countInRun(
  prices: Float64Array,
  dayCodes: CodeColumn,
  { from, to }: Range,
  { priceMin, priceMax }: RowCheck,
  days: Range,
): number {
  let count = 0;
  for (let row = from; row < to; row++) {
    const price = prices[row]!;
    const day = dayCodes[row]!;
    count += Number(price >= priceMin) & Number(price <= priceMax) & Number(day >= days.from) & Number(day < days.to);
  }
  return count;
}

/** Walks the list of a plan up to the end of a page. @param total How many answers there are. */
function* walkToPage(
  prices: PriceColumns,
  { rows, range }: PricePlan,
  check: RowCheck,
  skip: number,
  pageSize: number,
  total: number,
): Generator<number, Page<Uint32Array>> {
  if (skip >= total) return { entries: none, total };
  const entries = new Uint32Array(Math.min(pageSize, total - skip));
  let toSkip = skip;
  let kept = 0;
  for (let position = range.from; kept < entries.length; ) {
    const start = position;
    const stop = Math.min(range.to, position + stepRows);
    for (; position < stop && kept < entries.length; position++) {
      const row = rows === null ? position : rows[position]!;
      if (isWanted(prices, check, row) && toSkip-- <= 0) entries[kept++] = row;
    }
    yield position - start;
  }
  return { entries, total };
}
