/** Which series there are, and which of them meet some conditions. */
import type { Day } from "../domain/calendar-day.ts";
import type { Uuid } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import { isOfType } from "../store/runs.ts";
import type { Store } from "../store/store.ts";
import { type Page, pageBounds } from "./page.ts";
import type { MarketConditions } from "./questions.ts";
import { select } from "./select.ts";

/** Conditions on series; every one given must hold. */
export interface SeriesFilter extends MarketConditions {
  /** Unknown and repeated uuids add nothing. */
  readonly productUuids?: readonly Uuid[] | undefined;
  /** Name of a unit. */
  readonly unit?: string | undefined;
  /** The newest price is of this day or a later one. */
  readonly recordedSince?: Day | undefined;
}

/**
 * Orders of series: `name` by product, market, unit and currency; `last_recorded_at` by the time of the newest price,
 * newest first, equal times by name.
 */
export const seriesOrders = ["name", "last_recorded_at"] as const;
export type SeriesOrder = (typeof seriesOrders)[number];

/**
 * One page of the series that a filter selects.
 *
 * @returns Positions in `store.series`. Cost: a look at every series.
 */
export function listSeries(
  store: Store,
  filter: SeriesFilter,
  order: SeriesOrder,
  page: number,
  pageSize: number,
): Page<Uint32Array> {
  const found = findSeries(store, filter, order);
  const { from, to } = pageBounds(found.length, page, pageSize);
  return { entries: found.subarray(from, to), total: found.length };
}

/** All series that a filter selects, as `listSeries`. */
export function findSeries(store: Store, filter: SeriesFilter, order: SeriesOrder): Uint32Array {
  const { catalogue, prices, series } = store;
  const candidates = orderedSeries(store, filter.productUuids, order);
  const { marketUuid, countyId, marketType, unit, recordedSince } = filter;
  if ((marketUuid ?? countyId ?? marketType ?? unit ?? recordedSince) === undefined) return candidates;
  const { markets, days } = select(store, { marketUuid, countyId, marketType, dayFirst: recordedSince });
  const unitCode = unit === undefined ? -1 : prices.unitNames.indexOf(unit);
  if (unit !== undefined && unitCode === -1) return candidates.subarray(0, 0);
  const found = new Uint32Array(candidates.length);
  let count = 0;
  for (const at of candidates) {
    const market = series.markets[at]!;
    const isFound =
      market >= markets.from &&
      market < markets.to &&
      isOfType(catalogue, market, markets.type) &&
      (unitCode === -1 || series.units[at] === unitCode) &&
      series.newestDays[at]! < days.to;
    if (isFound) found[count++] = at;
  }
  return found.subarray(0, count);
}

/** The series of some products, or of all, in an order. */
function orderedSeries(
  { catalogue, series }: Store,
  productUuids: readonly Uuid[] | undefined,
  order: SeriesOrder,
): Uint32Array {
  const { offsets, byNewest } = series;
  const ordered = order === "name" ? new Uint32Array(byNewest.length) : byNewest;
  if (order === "name") for (let at = 0; at < ordered.length; at++) ordered[at] = at;
  if (productUuids === undefined) return ordered;
  const isWanted = new Uint8Array(byNewest.length);
  for (const uuid of productUuids) {
    const product = catalogue.productCodes.get(uuid);
    if (product !== undefined) isWanted.fill(1, offsets[product]!, offsets[product + 1]!);
  }
  return ordered.filter((at) => isWanted[at] === 1);
}

/** What a series is of, and what its prices come to. */
export interface SeriesFigures {
  readonly product: number;
  readonly market: number;
  readonly unit: number;
  readonly currency: number;
  readonly count: number;
  readonly firstRecordedAt: Instant;
  readonly lastRecordedAt: Instant;
  /** The first of the series in answer order. */
  readonly latestPrice: number;
  /** Null where the unit has no known base unit. */
  readonly latestPricePerBaseUnit: number | null;
  /** The most days between two neighbouring prices; 0 where all are of one day. */
  readonly longestGapDays: number;
}

/** A series, as codes and figures. @param at Position in `store.series`. */
export function seriesFigures({ catalogue, prices, series }: Store, at: number): SeriesFigures {
  const newest = series.newestRows[at]!;
  const unit = series.units[at]!;
  const latestPrice = prices.prices[newest]!;
  const factor = catalogue.units.get(prices.unitNames[unit]!)?.conversionFactor;
  return {
    product: prices.products[newest]!,
    market: series.markets[at]!,
    unit,
    currency: series.currencies[at]!,
    count: series.counts[at]!,
    firstRecordedAt: prices.recordedAt[series.oldestRows[at]!] as Instant,
    lastRecordedAt: prices.recordedAt[newest] as Instant,
    latestPrice,
    latestPricePerBaseUnit: factor === undefined ? null : latestPrice / factor,
    longestGapDays: series.longestGaps[at]!,
  };
}
