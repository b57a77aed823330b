/** The series that a statistics question is about, and the part of each that lies within its days. */
import { countyIdMax } from "../domain/ids.ts";
import { marketTypes } from "../domain/vocabulary.ts";
import type { Catalogue } from "../store/catalogue.ts";
import { findSeries, type SeriesIndex, seriesAt } from "../store/series-index.ts";
import type { Store } from "../store/store.ts";
import { firstPlaceBefore, firstPlaceBeforeFromOldest, positionsOfDays } from "./places-of-days.ts";
import type { DayRange } from "./plan-prices.ts";
import type { PriceFilter } from "./questions.ts";

/** Parts of series of one product, by market; also the empty ones. Places are those of `SeriesIndex.rows`. */
export interface SeriesParts {
  /** The series. */
  readonly series: number[];
  /** First place within the days. */
  readonly from: number[];
  /** Exclusive; equal to `from` where no price of the series lies within the days. */
  readonly to: number[];
  /** Places of all parts. */
  rowCount: number;
}

/** Which series of a product, and which days. */
export type SeriesFilter = DayRange & Pick<PriceFilter, "marketUuid" | "countyId" | "marketType">;

/** Cost: a look at each series of the product, in a county a search for each market; a few steps for each that is wanted. */
export function seriesPartsOf(store: Store, product: number, filter: SeriesFilter): SeriesParts {
  const { series, samples } = store;
  const { rowOffsets } = series;
  const { days } = samples;
  const { first, end } = positionsOfDays(store, filter);
  const parts: SeriesParts = { series: seriesWanted(store, product, filter), from: [], to: [], rowCount: 0 };
  for (const one of parts.series) {
    const oldest = rowOffsets[one + 1]!;
    const from = firstPlaceBefore(days, rowOffsets[one]!, oldest, end);
    const to = firstPlaceBeforeFromOldest(days, from, oldest, first);
    parts.from.push(from);
    parts.to.push(to);
    parts.rowCount += to - from;
  }
  return parts;
}

/** The series of a product at the wanted markets, by market code, whatever the days. */
export function seriesWanted(
  { catalogue, series }: Store,
  product: number,
  { marketUuid, countyId, marketType }: SeriesFilter,
): number[] {
  const { marketCounties, marketTypeCodes } = catalogue;
  const county = countyId ?? -1;
  const type = marketType === undefined ? -1 : marketTypes.indexOf(marketType);
  if (county !== -1 && marketUuid === undefined) {
    const ofCounty = seriesAt(series, product, marketsOfCounty(catalogue, county));
    return type === -1 ? ofCounty : ofCounty.filter((one) => marketTypeCodes[series.markets[one]!] === type);
  }
  const found: number[] = [];
  let first = series.seriesOffsets[product]!;
  let end = series.seriesOffsets[product + 1]!;
  if (marketUuid !== undefined) {
    const market = catalogue.marketCodes.get(marketUuid);
    const one = market === undefined ? undefined : findSeries(series, product, market);
    if (one === undefined) return found;
    first = one;
    end = one + 1;
  }
  for (let one = first; one < end; one++) {
    const market = series.markets[one]!;
    if (county !== -1 && marketCounties[market] !== county) continue;
    if (type !== -1 && marketTypeCodes[market] !== type) continue;
    found.push(one);
  }
  return found;
}

/** Market codes by county, ascending, of each catalogue that was asked; there are a few hundred. */
const countyMarkets = new WeakMap<Catalogue, Uint32Array[]>();

function marketsOfCounty(catalogue: Catalogue, county: number): Uint32Array {
  let markets = countyMarkets.get(catalogue);
  if (markets === undefined) {
    const { marketCounties } = catalogue;
    const codes = [...marketCounties.keys()];
    markets = Array.from({ length: countyIdMax + 1 }, (_, id) => {
      return Uint32Array.from(codes.filter((market) => marketCounties[market] === id));
    });
    countyMarkets.set(catalogue, markets);
  }
  return markets[county] ?? noMarkets;
}

const noMarkets = new Uint32Array(0);

/** Some of the parts. @param members Their positions, ascending. */
export function partsAt({ series, from, to }: SeriesParts, members: readonly number[]): SeriesParts {
  const some: SeriesParts = { series: [], from: [], to: [], rowCount: 0 };
  for (const part of members) {
    some.series.push(series[part]!);
    some.from.push(from[part]!);
    some.to.push(to[part]!);
    some.rowCount += to[part]! - from[part]!;
  }
  return some;
}

/** The rows of all parts, one part after the other; in answer order within each. */
export function rowsOfParts({ rows }: SeriesIndex, { from, to, rowCount }: SeriesParts): Uint32Array {
  const all = new Uint32Array(rowCount);
  let at = 0;
  for (let part = 0; part < from.length; part++) {
    all.set(rows.subarray(from[part]!, to[part]!), at);
    at += to[part]! - from[part]!;
  }
  return all;
}
