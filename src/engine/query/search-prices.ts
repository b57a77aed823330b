/** A page of the prices that a filter selects. */
import { compareAnswers } from "../store/answer-order.ts";
import type { PriceColumns, Range } from "../store/columns.ts";
import { narrowToDays } from "../store/periods.ts";
import { positionsOfPrices } from "../store/price-order.ts";
import { isMeant, type MarketRange, selectSegments, visitSegments } from "../store/runs.ts";
import { StepCounter } from "../store/steps.ts";
import type { Store } from "../store/store.ts";
import { mergeNewest } from "./merge-newest.ts";
import { type Page, pageBounds } from "./page.ts";
import { countWanted, isWanted, type PricePlan, planPrices, type RowCheck } from "./plan-prices.ts";
import type { PriceSearch } from "./questions.ts";
import { type Selection, select } from "./select.ts";

/**
 * One page of the prices that a filter selects, newest first, equal times by uuid ascending, with the exact total.
 *
 * Cost: a slice when the filter is one list (product, market, both, county or nothing, with or without days). Without
 * bounds on the price the total is added up from lists and the walk ends with the page; with bounds on the price and
 * days alone, whole months are counted without looking at them. What remains looks at every price of the wanted runs,
 * or of the shortest list within the days.
 *
 * @returns Row numbers.
 */
export function* searchPrices(
  store: Store,
  { filter, page, pageSize }: PriceSearch,
): Generator<number, Page<Uint32Array>> {
  const skip = (page - 1) * pageSize;
  const selection = select(store, filter);
  const plan = planPrices(store, filter, selection);
  const { rows, range, check } = plan;
  if (check === null) {
    const total = range.to - range.from;
    const { from, to } = pageBounds(total, page, pageSize);
    return { entries: sliceOf(rows, range.from + from, range.from + to), total };
  }
  return yield* findPage(store, selection, plan, check, skip, pageSize);
}

/** Rows by position, or the positions themselves where they are rows. */
function sliceOf(rows: Uint32Array | null, from: number, to: number): Uint32Array {
  if (rows !== null) return rows.subarray(from, to);
  const slice = new Uint32Array(to - from);
  for (let at = 0; at < slice.length; at++) slice[at] = from + at;
  return slice;
}

/** A page where something is left to check of each row. @param skip Answers before the page. */
function* findPage(
  store: Store,
  selection: Selection,
  plan: PricePlan,
  check: RowCheck,
  skip: number,
  pageSize: number,
): Generator<number, Page<Uint32Array>> {
  const { prices } = store;
  const { product, markets, days } = selection;
  // Nothing counts the prices that pass a test but a look at each.
  if (check.rowTest !== null) return yield* walkList(prices, plan, check, skip, pageSize);
  const isPriceFree = check.priceMin === -Infinity && check.priceMax === Infinity;
  if (plan.walk === "time" && check.marketMask === null)
    return yield* searchByPrice(store, plan, check, skip, pageSize);
  if (isPriceFree && product !== undefined) {
    const segments = selectSegments(store, product, markets, days);
    const end = Math.min(skip + pageSize, segments.rowCount);
    // Walking meets an answer every so many rows; a merge looks at the head of each segment for every answer.
    if (skip < end && plan.rows !== null && plan.rows.length > segments.rowCount * segments.from.length * mergeStep) {
      return { entries: mergeNewest(prices, segments, end).subarray(skip), total: segments.rowCount };
    }
    return yield* walkList(prices, plan, check, skip, pageSize, segments.rowCount);
  }
  if (isPriceFree) return yield* walkList(prices, plan, check, skip, pageSize, countAtMarkets(store, markets, days));
  if (isListShorter(plan)) return yield* walkList(prices, plan, check, skip, pageSize);
  const total = yield* countInRuns(store, selection, check);
  return yield* walkList(prices, plan, check, skip, pageSize, total);
}

/** Number of rows that can be walked in the time in which a merge looks at one segment. */
const mergeStep = 2;

/** How many prices of any product the wanted markets have. Cost: two binary searches for each. */
function countAtMarkets({ catalogue, periods, rowsByMarket }: Store, markets: MarketRange, days: Range): number {
  const { offsets, rows } = rowsByMarket;
  let count = 0;
  for (let market = markets.from; market < markets.to; market++) {
    if (!isMeant(catalogue, market, markets)) continue;
    const range = narrowToDays(periods, rows, { from: offsets[market]!, to: offsets[market + 1]! }, days);
    count += range.to - range.from;
  }
  return count;
}

/** A row met in a list costs about as much as this many that are read one after the other. */
const listStep = 8;

/** Returns whether days leave so little of a plan's list that walking it is shorter than reading all wanted runs. */
function isListShorter({ rows, range }: PricePlan): boolean {
  return rows === null || (range.to - range.from) * listStep < rows.length;
}

/** Rows looked at between two yields. */
const stepRows = 1 << 15;

/** How many prices of the wanted runs match. Cost: one look at each within the days, in the order in which they lie. */
function* countInRuns(
  store: Store,
  { product, markets, days }: Selection,
  { priceMin, priceMax }: RowCheck,
): Generator<number, number> {
  const { catalogue, prices } = store;
  let count = 0;
  const visit = (from: number, to: number): void => {
    count += countBetween(prices.prices, from, to, priceMin, priceMax);
  };
  // One for all products: most of them have fewer rows than a step.
  const steps = new StepCounter(stepRows);
  for (const code of product === undefined ? catalogue.products.keys() : [product]) {
    yield* visitSegments(selectSegments(store, code, markets, days), stepRows, visit, steps);
  }
  return count;
}

/** Branchless, because the predicate is unpredictable. */
function countBetween(prices: Float64Array, from: number, to: number, priceMin: number, priceMax: number): number {
  let count = 0;
  for (let row = from; row < to; row++) count += Number(prices[row]! >= priceMin) & Number(prices[row]! <= priceMax);
  return count;
}

/** Rows counted together before it is known whether the page is among them. */
const blockRows = 512;

/**
 * Walks the list of a plan, counting block by block; only the blocks that hold the page are picked from.
 *
 * @param total How many answers there are, when that is known: the walk then ends with the page.
 */
function* walkList(
  prices: PriceColumns,
  { rows, range }: PricePlan,
  check: RowCheck,
  skip: number,
  pageSize: number,
  total?: number,
): Generator<number, Page<Uint32Array>> {
  const entries: number[] = [];
  const end = total === undefined ? Infinity : Math.min(total, skip + pageSize);
  let count = 0;
  const steps = new StepCounter(stepRows);
  for (let from = range.from; from < range.to && count < end && skip < end; from += blockRows) {
    const to = Math.min(range.to, from + blockRows);
    const found = countWanted(prices, check, rows, from, to);
    if (count + found > skip && entries.length < pageSize) {
      let toSkip = Math.max(0, skip - count);
      for (let at = from; at < to && entries.length < pageSize; at++) {
        const row = rows === null ? at : rows[at]!;
        if (isWanted(prices, check, row) && toSkip-- <= 0) entries.push(row);
      }
    }
    count += found;
    const step = steps.add(to - from);
    if (step > 0) yield step;
  }
  return { entries: Uint32Array.from(entries), total: total ?? count };
}

/**
 * Where the answers within a month are fewer than this share of its rows, they are taken from the order by price and
 * put in answer order; otherwise the month is walked until the page is full.
 */
const fewShare = 1 / 32;

/** Rows between two yields of a search by price. */
const monthStepRows = 8192;

/** A counted month costs about as much as looking at so many rows. */
const countedMonthRows = 256;

/**
 * A page of the prices within a range and nothing else but days: whole months are counted in the store's order by
 * price, and only the months that hold the page are looked into.
 *
 * @param plan A walk over time whose check is about the price alone.
 */
function* searchByPrice(
  store: Store,
  { range }: PricePlan,
  check: RowCheck,
  skip: number,
  pageSize: number,
): Generator<number, Page<Uint32Array>> {
  const { prices, rowsByTime, priceOrder } = store;
  const { monthOffsets } = priceOrder;
  const entries: number[] = [];
  let total = 0;
  const steps = new StepCounter(monthStepRows);
  for (let month = 0; month + 1 < monthOffsets.length; month++) {
    const from = Math.max(range.from, monthOffsets[month]!);
    const to = Math.min(range.to, monthOffsets[month + 1]!);
    if (from >= to) continue;
    const isWhole = to - from === monthOffsets[month + 1]! - monthOffsets[month]!;
    const found = isWhole ? positionsOfPrices(priceOrder, prices.prices, month, check.priceMin, check.priceMax) : null;
    const count = found === null ? countWanted(prices, check, rowsByTime, from, to) : found.to - found.from;
    const skipHere = Math.max(0, skip - total);
    if (entries.length < pageSize && skipHere < count) {
      if (found !== null && count < (to - from) * fewShare) {
        const rows = priceOrder.rows.slice(found.from, found.to).sort((a, b) => compareAnswers(prices, a, b));
        for (const row of rows.subarray(skipHere, skipHere + pageSize - entries.length)) entries.push(row);
        yield count;
      } else {
        let toSkip = skipHere;
        let position = from;
        for (; position < to && entries.length < pageSize; position++) {
          const row = rowsByTime[position]!;
          if (isWanted(prices, check, row) && toSkip-- <= 0) entries.push(row);
        }
        yield position - from;
      }
    }
    total += count;
    const step = steps.add(isWhole ? countedMonthRows : to - from);
    if (step > 0) yield step;
  }
  return { entries: Uint32Array.from(entries), total };
}
