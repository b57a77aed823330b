/**
 * Lists the series of a store, finds those that meet some conditions, and the products and markets that continue each
 * other.
 */
import type { Day, Instant } from "../model/calendar.ts";
import type { Uuid } from "../model/ids.ts";
import type { ContinuationRecord, MarketContinuationRecord } from "../model/records.ts";
import type { MarketType } from "../model/vocabulary.ts";
import type { Catalogue } from "../store/catalogue.ts";
import { isSelected } from "../store/runs.ts";
import type { Store } from "../store/store.ts";
import type { MarketConditions, MarketLists, ProductList } from "./questions.ts";
import { select } from "./select.ts";

/** Conditions on series; every one given must hold. */
export interface SeriesFilter extends MarketConditions, MarketLists, ProductList {
  /** Name of a unit. */
  readonly unit?: string | undefined;
  /** The newest price is of this day or a later one. */
  readonly recordedSince?: Day | undefined;
  /** The fewest months with prices (inclusive). */
  readonly monthsMin?: number | undefined;
  /** The greatest number of neighbouring months without a price (inclusive). */
  readonly gapMonthsMax?: number | undefined;
}

/**
 * Orders of series: `name` by product, market, unit and currency; `last_recorded_at` by the time of the newest price,
 * newest first, equal times by name.
 */
export const seriesOrders = ["name", "last_recorded_at"] as const;
export type SeriesOrder = (typeof seriesOrders)[number];

/** The series that a filter selects. @returns Positions in `store.series`. Cost: a read of every series. */
export function findSeries(store: Store, filter: SeriesFilter, order: SeriesOrder): Uint32Array {
  const { catalogue, prices, series } = store;
  const { productUuids, ...conditions } = filter;
  const candidates = orderedSeries(store, productUuids, order);
  if (Object.values(conditions).every((condition) => condition === undefined)) return candidates;
  const { unit, recordedSince: dayFirst, monthsMin = 0, gapMonthsMax = Infinity } = conditions;
  const { markets, days } = select(store, { ...conditions, dayFirst });
  const unitCode = unit === undefined ? -1 : prices.unitNames.indexOf(unit);
  if (unit !== undefined && unitCode === -1) return candidates.subarray(0, 0);
  const found = new Uint32Array(candidates.length);
  let count = 0;
  for (const at of candidates) {
    const market = series.markets[at]!;
    const isFound =
      market >= markets.from &&
      market < markets.to &&
      isSelected(catalogue, market, markets) &&
      (unitCode === -1 || series.units[at] === unitCode) &&
      series.newestDays[at]! < days.to &&
      series.monthCounts[at]! >= monthsMin &&
      series.longestMonthGaps[at]! <= gapMonthsMax;
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

/** Names a series and summarises its prices. */
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
  readonly monthsWithPrices: number;
  /** The most neighbouring months without a price, from the first to the last month; 0 where none is missing. */
  readonly longestGapMonths: number;
  /** `2026-01`: the month of the oldest price, in the dataset's calendar. */
  readonly firstMonth: string;
  /** So too of the newest price. */
  readonly lastMonth: string;
}

/** The price of a row per base unit; null where its unit has no known base unit. */
export function pricePerBaseUnit({ catalogue, prices }: Store, row: number): number | null {
  const factor = catalogue.units.get(prices.unitNames[prices.units[row]!]!)?.conversionFactor;
  return factor === undefined ? null : prices.prices[row]! / factor;
}

/** A series, as codes and figures. @param at Position in `store.series`. */
export function seriesFigures(store: Store, at: number): SeriesFigures {
  const { periods, prices, series } = store;
  const newest = series.newestRows[at]!;
  const oldest = series.oldestRows[at]!;
  const monthOf = (row: number): string => periods.month.labels[periods.month.ofDay[periods.dayCodes[row]!]!]!;
  return {
    product: prices.products[newest]!,
    market: series.markets[at]!,
    unit: series.units[at]!,
    currency: series.currencies[at]!,
    count: series.counts[at]!,
    firstRecordedAt: prices.recordedAt[oldest] as Instant,
    lastRecordedAt: prices.recordedAt[newest] as Instant,
    latestPrice: prices.prices[newest]!,
    latestPricePerBaseUnit: pricePerBaseUnit(store, newest),
    longestGapDays: series.longestGaps[at]!,
    monthsWithPrices: series.monthCounts[at]!,
    longestGapMonths: series.longestMonthGaps[at]!,
    firstMonth: monthOf(oldest),
    lastMonth: monthOf(newest),
  };
}

/** The judgements about a product at markets of a type, each in the order of the table. */
export interface Continuations {
  /** In which it is the later product. */
  readonly continues: readonly ContinuationRecord[];
  /** In which it is the earlier one. */
  readonly continuedBy: readonly ContinuationRecord[];
}

/** @returns Empty lists for a product without any. Cost: a read of every judgement. */
export function findContinuations(
  { continuations }: Catalogue,
  productUuid: Uuid,
  marketType: MarketType,
): Continuations {
  const ofType = continuations.filter((judged) => judged.marketType === marketType);
  return {
    continues: ofType.filter((judged) => judged.productUuid === productUuid),
    continuedBy: ofType.filter((judged) => judged.continuesUuid === productUuid),
  };
}

/** What is said of a market: at most one in which it is the later one, and one in which it is the earlier one. */
export interface MarketContinuations {
  readonly continues: MarketContinuationRecord | undefined;
  readonly continuedBy: MarketContinuationRecord | undefined;
}

/** Cost: a read of the table. */
export function findMarketContinuations({ marketContinuations }: Catalogue, marketUuid: Uuid): MarketContinuations {
  return {
    continues: marketContinuations.find((found) => found.marketUuid === marketUuid),
    continuedBy: marketContinuations.find((found) => found.continuesUuid === marketUuid),
  };
}
