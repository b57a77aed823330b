/** A page of the prices that a filter selects: the list that holds all answers, how many they are, and the page. */
import { compareAnswers } from "../store/answer-order.ts";
import type { Catalogue } from "../store/catalogue.ts";
import { type PriceColumns, type Range, rowsOf } from "../store/columns.ts";
import { narrowToDays } from "../store/periods.ts";
import { positionsOfPrices } from "../store/price-order.ts";
import { findRun, isSelected, selectSegments, visitSegments } from "../store/runs.ts";
import { StepCounter } from "../store/steps.ts";
import type { Store } from "../store/store.ts";
import { type Page, pageBounds } from "./page.ts";
import type { PriceFilter, PriceSearch } from "./questions.ts";
import { isWanted, markMarkets, type RowCheck, type Selection, select } from "./select.ts";

/**
 * One page of the prices that a filter selects, newest first, equal times by uuid ascending, with the exact total.
 *
 * Cost: a slice when the filter is one list (product, market, both, county or nothing, with or without days). Without
 * bounds on the price the total is added up from lists and the walk ends with the page; with bounds on the price and
 * days alone, whole months are counted without looking at them. What remains looks at every price of the wanted runs,
 * or, with a price flag or suspicious ones alone, of the list.
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
  const { walk, rows, range, check } = plan;
  const { prices } = store;
  if (check === null) {
    const total = range.to - range.from;
    const { from, to } = pageBounds(total, page, pageSize);
    const first = range.from + from;
    // Without a list the positions are rows.
    const entries =
      rows?.subarray(first, range.from + to) ?? Uint32Array.from({ length: to - from }, (_, at) => first + at);
    return { entries, total };
  }
  // Nothing counts the prices that pass a test but a read of each.
  if (check.rowTest !== null) return yield* walkList(prices, plan, check, skip, pageSize);
  if (check.priceMin === -Infinity && check.priceMax === Infinity) {
    return yield* walkList(prices, plan, check, skip, pageSize, countAtMarkets(store, selection));
  }
  if (walk === "time" && check.marketMask === null) return yield* searchByPrice(store, plan, check, skip, pageSize);
  const total = yield* countInRuns(store, selection, check);
  return yield* walkList(prices, plan, check, skip, pageSize, total);
}

/** The list that holds all answers, and what is left to check of each row. */
export interface PricePlan {
  /** The list that is walked; `nothing` when no price can match, `run` for one product at one market. */
  readonly walk: "run" | "product" | "market" | "county" | "time" | "nothing";
  /** Rows in answer order, or null when positions are rows (walk `run`). */
  readonly rows: Uint32Array | null;
  /** The positions to walk. */
  readonly range: Range;
  /** The checks left for each row walked, or null when every one of them is an answer. */
  readonly check: RowCheck | null;
}

const nothingPlan: PricePlan = { walk: "nothing", rows: null, range: { from: 0, to: 0 }, check: null };

/**
 * Plans the walk for a filter: the rows of the product at the market, or of the first of market, product and county
 * that is requested; all rows without any.
 *
 * Cost: a few binary searches, and a pass over the markets when a condition on markets is left to check.
 */
export function planPrices(store: Store, filter: PriceFilter, selection: Selection = select(store, filter)): PricePlan {
  const { product, markets, days } = selection;
  if (markets.from === markets.to || (filter.productUuid !== undefined && product === undefined)) return nothingPlan;
  const { walk, rows, range } = chooseWalk(store, filter, selection);
  const check = checkLeft(store.catalogue, filter, selection, walk);
  return { walk, rows, range: narrowToDays(store.periods, rows, range, days), check };
}

type Walk = Pick<PricePlan, "walk" | "rows" | "range">;

function chooseWalk(store: Store, { marketUuid, countyId }: PriceFilter, { product, markets }: Selection): Walk {
  const { runs, rowsByTime } = store;
  if (marketUuid !== undefined && product !== undefined) {
    const run = findRun(runs, product, markets.from);
    if (run === undefined) return nothingPlan;
    return { walk: "run", rows: null, range: { from: runs.rowOffsets[run]!, to: runs.rowOffsets[run + 1]! } };
  }
  if (marketUuid !== undefined) return walkOf("market", rowsOf(store.rowsByMarket, markets.from));
  if (product !== undefined) return walkOf("product", rowsOf(store.rowsByProduct, product));
  if (countyId !== undefined) return walkOf("county", rowsOf(store.rowsByCounty, countyId));
  return walkOf("time", rowsByTime);
}

function walkOf(walk: PricePlan["walk"], rows: Uint32Array): Walk {
  return { walk, rows, range: { from: 0, to: rows.length } };
}

/** Returns the check of what the walk itself does not guarantee. */
function checkLeft(
  catalogue: Catalogue,
  filter: PriceFilter,
  { markets, rowTest }: Selection,
  walk: PricePlan["walk"],
): RowCheck | null {
  if (walk === "nothing") return null;
  const marketMask = hasMarketsLeft(filter, walk) ? markMarkets(catalogue, markets) : null;
  const { priceMin = -Infinity, priceMax = Infinity } = filter;
  const isAnyPrice = priceMin === -Infinity && priceMax === Infinity && rowTest === null;
  return marketMask === null && isAnyPrice ? null : { marketMask, priceMin, priceMax, rowTest };
}

function hasMarketsLeft({ countyId, marketType, refugeeCamps }: PriceFilter, walk: PricePlan["walk"]): boolean {
  // Walking one market leaves nothing: that market was found to be wanted.
  if (walk === "market" || walk === "run") return false;
  const isOfSome = marketType !== undefined || (refugeeCamps ?? "include") !== "include";
  return isOfSome || (countyId !== undefined && walk !== "county");
}

/**
 * Counts the prices of the product, or of any product, at the wanted markets within the days. Cost: that of the
 * segments of the product; two binary searches for each market.
 */
function countAtMarkets(store: Store, { product, markets, days }: Selection): number {
  if (product !== undefined) return selectSegments(store, product, markets, days).rowCount;
  const { catalogue, periods, rowsByMarket } = store;
  const { offsets, rows } = rowsByMarket;
  let count = 0;
  for (let market = markets.from; market < markets.to; market++) {
    if (!isSelected(catalogue, market, markets)) continue;
    const range = narrowToDays(periods, rows, { from: offsets[market]!, to: offsets[market + 1]! }, days);
    count += range.to - range.from;
  }
  return count;
}

/** Rows read between two yields. */
const stepRows = 1 << 15;

/** Counts the prices of the wanted runs that match. Cost: a read of each within the days, as they lie. */
function* countInRuns(
  store: Store,
  { product, markets, days }: Selection,
  { priceMin, priceMax }: RowCheck,
): Generator<number, number> {
  const { catalogue, prices } = store;
  const ofPrice: RowCheck = { marketMask: null, priceMin, priceMax, rowTest: null };
  let count = 0;
  const visit = (from: number, to: number): void => {
    count += countWanted(prices, ofPrice, null, from, to);
  };
  // One for all products: most of them have fewer rows than a step.
  const steps = new StepCounter(stepRows);
  for (const code of product === undefined ? catalogue.products.keys() : [product]) {
    yield* visitSegments(selectSegments(store, code, markets, days), stepRows, visit, steps);
  }
  return count;
}

/**
 * Returns the number of positions of a list that have rows that pass a check. Branchless where the price alone is left
 * to check, because the predicate is unpredictable.
 */
function countWanted(
  prices: PriceColumns,
  check: RowCheck,
  rows: Uint32Array | null,
  from: number,
  to: number,
): number {
  const { marketMask, priceMin, priceMax, rowTest } = check;
  let count = 0;
  if (marketMask === null && rowTest === null) {
    for (let at = from; at < to; at++) {
      const price = prices.prices[rows === null ? at : rows[at]!]!;
      count += Number(price >= priceMin) & Number(price <= priceMax);
    }
  } else {
    for (let at = from; at < to; at++) if (isWanted(prices, check, rows === null ? at : rows[at]!)) count++;
  }
  return count;
}

/** Rows counted together before it is known whether the page is among them. */
const blockRows = 512;

/**
 * Walks the list of a plan, counting block by block; only the blocks that hold the page are picked from.
 *
 * @param total Number of answers, when that is known: the walk then ends with the page.
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
 * Answers within a month that are fewer than this share of its rows are taken from the order by price and put in answer
 * order; otherwise the month is walked until the page is full.
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
