/** All prices that a filter selects, without a page: for exports, which read them block by block. */
import { type Range, rowsOf } from "../store/columns.ts";
import { narrowToDays } from "../store/periods.ts";
import { runsAt } from "../store/runs.ts";
import type { Store } from "../store/store.ts";
import type { MarketLists, PriceFilter, ProductList } from "./questions.ts";
import { isWanted, markMarkets, type RowCheck, select, selectProducts } from "./select.ts";

/** Selects prices of one product, of several, or of all. */
export interface PriceSelection extends Omit<PriceFilter, "productUuid">, MarketLists, ProductList {}

/** Rows in a block at the most. */
const blockRows = 64;

/** Rows examined between two blocks at the most, also where none of them is wanted. */
export const walkStepRows = 4096;

/**
 * The rows of a selection by product (folded name, then uuid), oldest first, equal times by uuid ascending.
 *
 * @returns Blocks of rows, also empty ones, so that the caller can let others in. A block is overwritten by the next
 * one.
 * Cost: a read of each price of the products within the days; at one market, of the product there.
 */
export function* walkPrices(store: Store, selection: PriceSelection): Generator<Uint32Array> {
  const { catalogue, periods, runs, rowsByProduct } = store;
  const { priceMin = -Infinity, priceMax = Infinity } = selection;
  const { markets, days, rowTest } = select(store, selection);
  if (markets.from === markets.to) return;
  const isOneMarket = markets.to - markets.from === 1;
  const check: RowCheck = { marketMask: markMarkets(catalogue, markets), priceMin, priceMax, rowTest };
  for (const product of selectProducts(store, selection.productUuids)) {
    const rows = isOneMarket ? null : rowsOf(rowsByProduct, product);
    const { from, to } = runsAt(runs, product, markets);
    const whole =
      rows === null ? { from: runs.rowOffsets[from]!, to: runs.rowOffsets[to]! } : { from: 0, to: rows.length };
    yield* oldestFirst(store, rows, narrowToDays(periods, rows, whole, days), check);
  }
}

/** The wanted rows of a list that is in answer order: from its end, those of one time in their own order. */
function* oldestFirst(
  { prices }: Store,
  rows: Uint32Array | null,
  range: Range,
  check: RowCheck,
): Generator<Uint32Array> {
  const { recordedAt } = prices;
  const block = new Uint32Array(blockRows);
  let count = 0;
  let examined = 0;
  for (let end = range.to; end > range.from; ) {
    const instant = recordedAt[rows === null ? end - 1 : rows[end - 1]!];
    let start = end - 1;
    while (start > range.from && recordedAt[rows === null ? start - 1 : rows[start - 1]!] === instant) start--;
    for (let at = start; at < end; at++) {
      const row = rows === null ? at : rows[at]!;
      if (isWanted(prices, check, row)) block[count++] = row;
      if (count < blockRows && ++examined < walkStepRows) continue;
      yield block.subarray(0, count);
      count = 0;
      examined = 0;
    }
    end = start;
  }
  if (count > 0) yield block.subarray(0, count);
}
