/**
 * Months of a market that equal another market's, or its own month before: a column that was copied. Prices of a month
 * are compared by product, unit and currency, by their medians; months that have fewer than `sharedMin` of these in
 * common are not compared.
 */
import { median } from "simple-statistics";
import { type MonthNumber, monthNumber } from "../../../engine/model/calendar.ts";
import { getOrInsert } from "../../../engine/model/get-or-insert.ts";
import { foundText } from "../../../engine/snapshots/problem.ts";
import { recordAt } from "../../../engine/store/catalogue.ts";
import { lowerBound } from "../../../engine/store/columns.ts";
import type { Store } from "../../../engine/store/store.ts";
import { type Finding, findingOf, type Judgement } from "./warning.ts";

/** Six prices of several products are hardly equal by chance. */
const sharedMin = 6;

/** A month of a market. */
interface MarketMonth {
  readonly market: number;
  readonly month: string;
  /** A row of it that the publication adds or changes; undefined where there is none. */
  readonly newRow: number | undefined;
  /** Median price by product, unit and currency. */
  readonly medians: ReadonlyMap<number, number>;
}

/**
 * Finds months of markets that equal those of others, each pair once, or the calendar month before. Cost: as of
 * `changedMonths`, and the pairs.
 */
export function* findCopiedMonths(judgement: Judgement): Generator<Finding> {
  for (const [markets, before] of changedMonths(judgement)) {
    const last = new Map(before.map((other) => [other.market, other]));
    for (const [at, own] of markets.entries()) {
      for (const other of markets.slice(at + 1)) yield* compareMonths(judgement.after, "copied-market", own, other);
      const other = last.get(own.market);
      if (other !== undefined) yield* compareMonths(judgement.after, "copied-month", own, other);
    }
  }
}

function* compareMonths(
  store: Store,
  kind: "copied-market" | "copied-month",
  own: MarketMonth,
  other: MarketMonth,
): Generator<Finding> {
  const row = own.newRow ?? other.newRow;
  const count = row === undefined ? 0 : equalCount(own, other);
  if (row === undefined || count < sharedMin) return;
  yield findingOf(kind, row, () => {
    const [ownText, otherText] = [own, other].map(({ market, month }) => {
      return `${foundText(recordAt(store.catalogue.markets, market).name)} in ${month}`;
    });
    return {
      found: `${count} prices of ${ownText} that are those of ${otherText}`,
      wanted: "at least one of all that both have to differ",
    };
  });
}

/** Number of prices that both months have, where all of these are equal; else 0. */
function equalCount(own: MarketMonth, other: MarketMonth): number {
  let count = 0;
  for (const [key, price] of own.medians) {
    const otherPrice = other.medians.get(key);
    if (otherPrice === undefined) continue;
    if (price !== otherPrice) return 0;
    count++;
  }
  return count;
}

/**
 * The markets of the months that a publication changes and of those beside them, oldest first, each with those of the
 * calendar month before. Cost: a read of the prices of these months.
 */
function* changedMonths({
  after,
  rows,
}: Judgement): Generator<readonly [markets: MarketMonth[], before: MarketMonth[]]> {
  const { labels, ofDay } = after.periods.month;
  const isNew = new Uint8Array(after.prices.rowCount);
  const changed = new Set<MonthNumber>();
  for (const row of rows) {
    isNew[row] = 1;
    changed.add(monthNumber(labels[ofDay[after.periods.dayCodes[row]!]!]!));
  }
  let known: { readonly month: number; readonly markets: MarketMonth[] } | undefined;
  for (let code = labels.length - 1; code >= 0; code--) {
    const month = monthNumber(labels[code]!);
    if (![month - 1, month, month + 1].some((near) => changed.has(near as MonthNumber))) continue;
    const markets = marketsOfMonth(after, code, isNew);
    yield [markets, known?.month === month - 1 ? known.markets : []];
    known = { month, markets };
  }
}

/** The markets with prices in a month. @param isNew By row, 1 where the publication adds or changes it. */
function marketsOfMonth({ prices, periods, rowsByTime }: Store, code: number, isNew: Uint8Array): MarketMonth[] {
  const { labels, dayOffsets } = periods.month;
  const [from, to] = [dayOffsets[code]!, dayOffsets[code + 1]!].map((day) =>
    lowerBound(periods.dayCodes, rowsByTime, day, 0, rowsByTime.length),
  );
  const found = new Map<number, { newRow: number | undefined; readonly values: Map<number, number[]> }>();
  for (const row of rowsByTime.subarray(from, to)) {
    const market = getOrInsert(found, prices.markets[row]!, () => ({ newRow: undefined, values: new Map() }));
    if (isNew[row] === 1) market.newRow ??= row;
    // At most 65,535 of units and of currencies, so the number is exact.
    const key = (prices.products[row]! * 0x1_0000 + prices.units[row]!) * 0x1_0000 + prices.currencies[row]!;
    getOrInsert(market.values, key, () => []).push(prices.prices[row]!);
  }
  return [...found].map(([market, { newRow, values }]) => {
    const medians = new Map([...values].map(([key, ofKey]) => [key, median(ofKey)]));
    return { market, month: labels[code]!, newRow, medians };
  });
}
