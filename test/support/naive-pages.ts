/** What pages may say of prices, computed from the rows of a store alone: slow, and without the code of pages. */
import type { MarketType } from "../../src/engine/model/vocabulary.ts";
import type { Store } from "../../src/engine/store/store.ts";

/** A price that is in figures, in the unit of the statistics of its product. */
export interface NaivePrice {
  readonly product: number;
  readonly market: number;
  readonly county: number;
  readonly type: MarketType;
  readonly isCamp: boolean;
  /** Months since year 0. */
  readonly month: number;
  readonly price: number;
}

/** All prices that are not suspicious and convert. */
export function naivePrices(store: Store): NaivePrice[] {
  const { catalogue, prices, periods, statisticsUnits, suspicious } = store;
  const marked = new Set(suspicious.rows);
  return Array.from({ length: prices.rowCount }, (_, row) => row).flatMap((row): NaivePrice[] => {
    const [product, market] = [prices.products[row] as number, prices.markets[row] as number];
    const own = statisticsUnits[product];
    const [from, to] = [prices.unitNames[prices.units[row] as number], own?.unit].map((name) =>
      catalogue.units.get(name ?? ""),
    );
    const currency = prices.currencyCodes[prices.currencies[row] as number];
    if (marked.has(row) || from?.baseUnit !== to?.baseUnit || currency !== own?.currency) return [];
    const recorded = prices.prices[row] as number;
    const converted = (recorded * (to?.conversionFactor ?? 1)) / (from?.conversionFactor ?? 1);
    const [year = 0, month = 0] = (
      periods.month.labels[periods.month.ofDay[periods.dayCodes[row] as number] as number] ?? ""
    )
      .split("-")
      .map(Number);
    const record = catalogue.markets[market]?.record;
    if (record === undefined) return [];
    const { type, countyId: county, setting } = record;
    const price = from === to ? recorded : converted;
    return [{ product, market, county, type, isCamp: setting === "refugee_camp", month: 12 * year + month - 1, price }];
  });
}

export function naiveMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [before, after] = [sorted[middle - 1] ?? 0, sorted[middle] ?? 0];
  return sorted.length % 2 === 1 ? after : (before + after) / 2;
}

/** The median of each market in a month, by market. */
export function naiveValues(prices: readonly NaivePrice[], month: number): Map<number, number> {
  const ofMonth = Map.groupBy(
    prices.filter((found) => found.month === month),
    ({ market }) => market,
  );
  return new Map([...ofMonth].map(([market, found]) => [market, naiveMedian(found.map(({ price }) => price))]));
}

/** The change of each market with a price in both months, in percent. */
export function naiveChanges(prices: readonly NaivePrice[], month: number, since: number): Map<number, number> {
  const [before, after] = [naiveValues(prices, since), naiveValues(prices, month)];
  return new Map(
    [...after].flatMap(([market, value]): [number, number][] => {
      const earlier = before.get(market);
      return earlier === undefined ? [] : [[market, 100 * (value / earlier - 1)]];
    }),
  );
}

/**
 * The months of a change on a year before, or on a survey before: of the newest month, at most three before the newest
 * of all, in which five markets have both, else of the newest with any.
 */
export function naiveChangeMonths(
  prices: readonly NaivePrice[],
  kind: "yearBefore" | "previous",
  isMarket: boolean,
): readonly [month: number, since: number] | undefined {
  const newest = Math.max(...prices.map(({ month }) => month));
  const distances = kind === "yearBefore" ? [12] : [1, 2, 3, 4, 5, 6];
  for (const needed of isMarket ? [1] : [5, 1]) {
    for (let month = newest; month >= newest - 3; month--) {
      for (const distance of distances) {
        if (naiveChanges(prices, month, month - distance).size >= needed) return [month, month - distance];
      }
    }
  }
  return undefined;
}
