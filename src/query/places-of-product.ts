/** Where a product has prices. */
import type { Day } from "../domain/calendar-day.ts";
import type { CountyId } from "../domain/ids.ts";
import { type MarketType, marketTypes } from "../domain/vocabulary.ts";
import type { MarketCode } from "../store/catalogue.ts";
import { isOfType, runsAt } from "../store/runs.ts";
import type { Store } from "../store/store.ts";
import type { MarketConditions } from "./questions.ts";
import { selectMarkets } from "./select.ts";

export interface PlacesOfProduct {
  /** In the order of the vocabulary. */
  readonly types: readonly MarketType[];
  /** By folded name. */
  readonly counties: readonly CountyId[];
  /** By folded name, then uuid. */
  readonly markets: readonly MarketCode[];
}

/**
 * The types, counties and markets where a product has prices. Cost: a look at each of its runs, at all counties and
 * markets.
 */
export function placesOfProduct({ catalogue, runs }: Store, product: number): PlacesOfProduct {
  const markets = new Set<number>(runs.markets.subarray(runs.runOffsets[product]!, runs.runOffsets[product + 1]!));
  const types = new Set<number>();
  const counties = new Set<number>();
  for (const market of markets) {
    types.add(catalogue.marketTypeCodes[market]!);
    counties.add(catalogue.marketCounties[market]!);
  }
  return {
    types: marketTypes.filter((_, code) => types.has(code)),
    counties: catalogue.countiesByName.filter((id) => counties.has(id)),
    markets: catalogue.marketsByName.filter((code) => markets.has(code)),
  };
}

/**
 * The day of the newest price of a product at some markets; undefined where it has none there.
 *
 * Cost: two binary searches, and a look at each run between.
 */
export function newestDayAt(
  { catalogue, runs, periods }: Store,
  product: number,
  conditions: MarketConditions,
): Day | undefined {
  const markets = selectMarkets(catalogue, conditions);
  const { from, to } = runsAt(runs, product, markets);
  let newest: Day | undefined;
  for (let run = from; run < to; run++) {
    if (!isOfType(catalogue, runs.markets[run]!, markets.type)) continue;
    const day = (periods.newestDay - periods.ages[periods.dayCodes[runs.rowOffsets[run]!]!]!) as Day;
    if (newest === undefined || day > newest) newest = day;
  }
  return newest;
}
