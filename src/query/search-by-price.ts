/**
 * Prices within a range and nothing else but days: whole months are counted in the store's order by price, and only the
 * months that hold the page are looked into.
 */
import { compareUuids } from "../domain/uuid-words.ts";
import { positionsOfPrices } from "../store/price-order.ts";
import type { Store } from "../store/store.ts";
import type { Page } from "./page.ts";
import { countWanted, isWanted, type PricePlan, type RowCheck } from "./plan-prices.ts";

/**
 * Where the answers within a month are fewer than this share of its rows, they are taken from the order by price and put
 * in answer order; otherwise the month is walked until the page is full.
 */
const fewShare = 1 / 32;

/** A counted month costs about as much as looking at so many rows. */
const countedMonthRows = 256;

/** Rows between two yields. */
const stepRows = 8192;

/** @param plan A walk over time whose check is about the price alone. */
export function* searchByPrice(
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
  let done = 0;
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
        const rows = priceOrder.rows.slice(found.from, found.to).sort((a, b) => compareAnswers(store, a, b));
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
    done += isWhole ? countedMonthRows : to - from;
    if (done < stepRows) continue;
    yield done;
    done = 0;
  }
  return { entries: Uint32Array.from(entries), total };
}

function compareAnswers({ prices }: Store, a: number, b: number): number {
  return prices.recordedAt[b]! - prices.recordedAt[a]! || compareUuids(prices.uuids, a, b);
}
