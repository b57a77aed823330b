/** The prices of one product at some markets within some days: as ranges of rows, and the newest of them. */
import { compareUuids } from "../domain/uuid-words.ts";
import { marketTypes } from "../domain/vocabulary.ts";
import type { Segments } from "../store/figures.ts";
import { lowerBound } from "../store/lower-bound.ts";
import type { Range } from "../store/periods.ts";
import type { PriceColumns } from "../store/price-columns.ts";
import { seriesAt } from "../store/series.ts";
import type { Store } from "../store/store.ts";
import { type MarketFilter, wantedMarkets } from "./plan-prices.ts";

/** Ranges of rows, one for each series that has a price wanted, by market code. */
export interface SeriesSegments extends Segments {
  /** Market code by segment. */
  readonly markets: readonly number[];
}

/**
 * @param days Day codes.
 * Cost: a look at each series of the product (in a county: of the county), and two binary searches where days cut it.
 */
export function selectSegments(store: Store, product: number, filter: MarketFilter, days: Range): SeriesSegments {
  const { catalogue, series } = store;
  const { markets, rowOffsets } = series;
  const { dayCodes, ages } = store.periods;
  const dayCount = ages.length;
  const type = filter.marketType === undefined ? -1 : marketTypes.indexOf(filter.marketType);
  const wanted = seriesAt(series, product, wantedMarkets(catalogue, filter));
  const found = { rows: null, markets: [] as number[], from: [] as number[], to: [] as number[], rowCount: 0 };
  for (let id = wanted.from; id < wanted.to; id++) {
    const market = markets[id]!;
    if (type !== -1 && catalogue.marketTypeCodes[market] !== type) continue;
    let from = rowOffsets[id]!;
    let to = rowOffsets[id + 1]!;
    if (days.from > 0 && dayCodes[from]! < days.from) from = lowerBound(dayCodes, null, days.from, from, to);
    if (days.to < dayCount && dayCodes[to - 1]! >= days.to) to = lowerBound(dayCodes, null, days.to, from, to);
    if (from >= to) continue;
    found.markets.push(market);
    found.from.push(from);
    found.to.push(to);
    found.rowCount += to - from;
  }
  return found;
}

/**
 * The newest rows of some segments, in answer order.
 *
 * @param count At most what the segments hold.
 * Cost: a step for each segment and row.
 */
export function mergeNewest({ recordedAt, uuids }: PriceColumns, segments: Segments, count: number): Uint32Array {
  const heads = segments.from.slice();
  const times = heads.map((row) => recordedAt[row]!);
  const merged = new Uint32Array(count);
  for (let at = 0; at < count; at++) {
    let newest = 0;
    for (let segment = 1; segment < heads.length; segment++) {
      const age = times[newest]! - times[segment]!;
      if (
        age < 0 ||
        (age === 0 && times[newest]! > -Infinity && compareUuids(uuids, heads[segment]!, heads[newest]!) < 0)
      ) {
        newest = segment;
      }
    }
    merged[at] = heads[newest]!;
    heads[newest]!++;
    times[newest] = heads[newest]! < segments.to[newest]! ? recordedAt[heads[newest]!]! : -Infinity;
  }
  return merged;
}
