/**
 * Finds what a product cost at each market of a place, and how far its price moved there, month by month: the values
 * and the changes of `anomalies-3` alone, without a fit.
 */
import type { MonthNumber } from "../../model/calendar.ts";
import type { MarketType } from "../../model/vocabulary.ts";
import type { Store } from "../../store/store.ts";
import type { MarketConditions } from "../questions.ts";
import { selectRuns } from "../select.ts";
import { changesOf, type MatchedChanges, matchesOf } from "./matched-changes.ts";
import { MonthlyPanel } from "./monthly-panel.ts";
import { MonthlyReader } from "./monthly-values.ts";

/** A product at the markets of a type in a place, or at one market, of a population. */
export interface ChangesQuestion extends MarketConditions {
  /** Code of the product. */
  readonly product: number;
  readonly marketType: MarketType;
  /** The fewest markets of a month, and of a change; 1 when absent. */
  readonly marketsMin?: number | undefined;
}

/** The monthly values of a market, in the unit and currency of the product's statistics. */
export interface MarketValues {
  /** Market code. */
  readonly market: number;
  /** Month numbers, ascending. */
  readonly months: Int32Array;
  readonly values: Float64Array;
}

/** A month in which some market has a value, and the changes on the year before and on the survey before. */
export interface MonthChanges extends MatchedChanges {
  readonly month: MonthNumber;
  /** Markets with a value in the month. */
  readonly markets: number;
  /** Those of them in refugee camps. */
  readonly campMarkets: number;
}

export interface PlaceChanges {
  /** Those that have a value, by market code. */
  readonly markets: readonly MarketValues[];
  /** Ascending; the last one is what the price is at the latest. */
  readonly months: readonly MonthChanges[];
}

/** Cost: two reads of each price; for each value up to twelve steps back to each of the months it is compared with. */
export function* findChanges(
  store: Store,
  { product, marketsMin = 1, ...conditions }: ChangesQuestion,
): Generator<number, PlaceChanges> {
  const panel = new MonthlyPanel();
  yield* panel.read(store, new MonthlyReader(store), product, selectRuns(store, product, conditions));
  const byMonth = panel.positionsByMonth();
  const months = Int32Array.from(byMonth.keys()).sort();
  const found: MonthChanges[] = [];
  for (const month of months) {
    const positions = byMonth.get(month)!;
    const matches = matchesOf(panel, positions, months, month);
    const campMarkets = panel.countCamps(store.catalogue, positions);
    found.push({ month, markets: matches.markets, campMarkets, ...changesOf(matches, marketsMin) });
    yield positions.length;
  }
  return { markets: valuesByMarket(panel), months: found };
}

function valuesByMarket({ length, markets, marketCodes, months, medians }: MonthlyPanel): MarketValues[] {
  let from = 0;
  return marketCodes.map((market, number) => {
    let to = from;
    while (to < length && markets[to] === number) to++;
    const ofMarket = { market, months: months.slice(from, to), values: medians.slice(from, to) };
    from = to;
    return ofMarket;
  });
}
