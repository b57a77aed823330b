/** A price filter → the shortest list of rows that holds all answers, and what is left to check of each row. */
import { isCountyId } from "../model/ids.ts";
import type { Catalogue } from "../store/catalogue.ts";
import { type PostingLists, type PriceColumns, type Range, rowsOf } from "../store/columns.ts";
import { narrowToDays } from "../store/periods.ts";
import { findRun } from "../store/runs.ts";
import type { Store } from "../store/store.ts";
import type { PriceFilter } from "./questions.ts";
import { markMarkets, type RowTest, type Selection, select } from "./select.ts";

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

export interface RowCheck {
  /** Product code, or -1 when any product will do. */
  readonly product: number;
  /** 1 for each market code that will do, or null when any market will do. */
  readonly marketMask: Uint8Array | null;
  /** Both inclusive; infinite where not requested. */
  readonly priceMin: number;
  readonly priceMax: number;
  readonly rowTest: RowTest | null;
}

/** Returns whether a row meets what a plan left to check. */
export function isWanted(prices: PriceColumns, check: RowCheck, row: number): boolean {
  const price = prices.prices[row]!;
  return (
    price >= check.priceMin &&
    price <= check.priceMax &&
    (check.product === -1 || prices.products[row] === check.product) &&
    (check.marketMask === null || check.marketMask[prices.markets[row]!] === 1) &&
    (check.rowTest === null || check.rowTest(row))
  );
}

/**
 * Returns the number of positions of a list that have rows that meet a check. Branchless where the price or the market
 * alone is left to check, because the predicate is unpredictable.
 */
export function countWanted(
  prices: PriceColumns,
  check: RowCheck,
  rows: Uint32Array | null,
  from: number,
  to: number,
): number {
  const { product, marketMask, priceMin, priceMax, rowTest } = check;
  const isOfOne = product === -1 && rowTest === null;
  let count = 0;
  if (isOfOne && marketMask === null) {
    for (let at = from; at < to; at++) {
      const price = prices.prices[rows === null ? at : rows[at]!]!;
      count += Number(price >= priceMin) & Number(price <= priceMax);
    }
  } else if (isOfOne && marketMask !== null && priceMin === -Infinity && priceMax === Infinity) {
    for (let at = from; at < to; at++) count += marketMask[prices.markets[rows === null ? at : rows[at]!]!]!;
  } else {
    for (let at = from; at < to; at++) if (isWanted(prices, check, rows === null ? at : rows[at]!)) count++;
  }
  return count;
}

/**
 * Plans the walk for a filter.
 *
 * Cost: a few binary searches, and a pass over the markets when a condition on markets is left to check.
 */
export function planPrices(store: Store, filter: PriceFilter, selection: Selection = select(store, filter)): PricePlan {
  const { product, markets, days } = selection;
  if (filter.productUuid !== undefined && product === undefined) return nothingPlan;
  if (filter.marketUuid !== undefined && markets.from === markets.to) return nothingPlan;
  if (filter.countyId !== undefined && !isCountyId(filter.countyId)) return nothingPlan;
  const shortest = walksFor(store, filter, selection)
    .map((walk) => ({ ...walk, range: narrowToDays(store.periods, walk.rows, walk.range, days) }))
    .reduce((best, walk) => (lengthOf(walk.range) < lengthOf(best.range) ? walk : best));
  return { ...shortest, check: checkLeft(store.catalogue, filter, selection, shortest.walk) };
}

type Walk = Pick<PricePlan, "walk" | "rows" | "range">;

const nothingPlan: PricePlan = { walk: "nothing", rows: null, range: { from: 0, to: 0 }, check: null };

/** The lists that hold every answer; at equal length the first is taken. */
function walksFor(store: Store, { marketUuid, countyId }: PriceFilter, { product, markets }: Selection): Walk[] {
  const { runs } = store;
  if (marketUuid !== undefined) {
    if (product === undefined) return [walkOf("market", store.rowsByMarket, markets.from)];
    const run = findRun(runs, product, markets.from);
    if (run === undefined) return [nothingPlan];
    return [{ walk: "run", rows: null, range: { from: runs.rowOffsets[run]!, to: runs.rowOffsets[run + 1]! } }];
  }
  const walks: Walk[] = [];
  if (product !== undefined) walks.push(walkOf("product", store.rowsByProduct, product));
  if (countyId !== undefined) walks.push(walkOf("county", store.rowsByCounty, countyId));
  const { rowsByTime } = store;
  if (walks.length === 0) walks.push({ walk: "time", rows: rowsByTime, range: { from: 0, to: rowsByTime.length } });
  return walks;
}

function walkOf(walk: PricePlan["walk"], lists: PostingLists, code: number): Walk {
  const rows = rowsOf(lists, code);
  return { walk, rows, range: { from: 0, to: rows.length } };
}

function lengthOf({ from, to }: Range): number {
  return to - from;
}

/** Returns the check of what the walk itself does not guarantee. */
function checkLeft(
  catalogue: Catalogue,
  filter: PriceFilter,
  { product, markets, rowTest }: Selection,
  walk: PricePlan["walk"],
): RowCheck | null {
  if (walk === "nothing") return null;
  const productLeft = walk === "product" || walk === "run" || product === undefined ? -1 : product;
  const marketMask = hasMarketsLeft(filter, walk) ? markMarkets(catalogue, markets) : null;
  const { priceMin = -Infinity, priceMax = Infinity } = filter;
  const isAnyPrice = priceMin === -Infinity && priceMax === Infinity && rowTest === null;
  return productLeft === -1 && marketMask === null && isAnyPrice
    ? null
    : { product: productLeft, marketMask, priceMin, priceMax, rowTest };
}

function hasMarketsLeft({ countyId, marketType }: PriceFilter, walk: PricePlan["walk"]): boolean {
  // Walking one market leaves nothing: that market was found to be wanted.
  if (walk === "market" || walk === "run") return false;
  return marketType !== undefined || (countyId !== undefined && walk !== "county");
}
