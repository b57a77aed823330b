/** Collects a chart of each product that has a warning, or whose latest price moves, with its new prices. */

import {
  type LatestPriceMove,
  type PublicationReport,
  suspectKinds,
  type Warning,
  type WarningKind,
} from "../../contract/publication-report.ts";
import { type Day, firstDayOf, monthNumber, monthStart } from "../../engine/model/calendar.ts";
import { getOrInsert } from "../../engine/model/get-or-insert.ts";
import { findRow, type Uuid } from "../../engine/model/ids.ts";
import { type MarketType, marketTypes } from "../../engine/model/vocabulary.ts";
import { productAtType } from "../../engine/query/product-at-type.ts";
import { type RecordedPrice, recordedPrice } from "../../engine/query/recorded-price.ts";
import { type ProductCode, recordAt } from "../../engine/store/catalogue.ts";
import { rowsOf } from "../../engine/store/columns.ts";
import { medianOf, roundFigure } from "../../engine/store/figures.ts";
import { dayOfRow } from "../../engine/store/periods.ts";
import { conversionTo, convertPrice, type UnitAndCurrency } from "../../engine/store/price-conversion.ts";
import type { Store } from "../../engine/store/store.ts";
import { isSuspicious, type SuspiciousReason, suspiciousReasonOf } from "../../engine/store/suspicious-prices.ts";

/** The most charts: more would make the page too large to be mailed. */
export const chartsMax = 60;

/**
 * Days that a chart goes back from the newest price, and from the oldest new or marked one and the last one before the
 * publication: three years, and one.
 */
const daysShown = 3 * 365;
const daysBeforeOldest = 365;

/** A product at a type of market, and why it has a chart. */
interface Subject {
  readonly product: ProductCode;
  readonly marketType: MarketType;
  /** Undefined where its latest price does not move far. */
  readonly move: LatestPriceMove | undefined;
  /** Kinds of warnings by row of the price that they are about. */
  readonly warned: Map<number, WarningKind[]>;
}

export interface PriceChart {
  readonly productUuid: Uuid;
  readonly product: string;
  readonly marketType: MarketType;
  readonly move: LatestPriceMove | undefined;
  readonly warnings: number;
  /** All figures are in this unit and currency. */
  readonly unit: string;
  readonly currency: string;
  /** Prices of the snapshot compared with, by month, ascending; empty without one. Suspicious prices are in none. */
  readonly monthsBefore: readonly MonthMedian[];
  /** The prices that the snapshot adds or corrects, by month; all where there is nothing to compare with. */
  readonly newMonths: readonly MonthMedian[];
  /** The number of these prices. */
  readonly newCount: number;
  /** The number of these in a unit or currency that does not convert to that of the chart. */
  readonly unconvertedCount: number;
  /** Prices of the first line before `dayFirst`, which no month has. */
  readonly earlierCount: number;
  /** The suspicious ones, and those that a warning says look wrong; newest first. */
  readonly marks: readonly MarkedPrice[];
  /** Days that the chart spans. */
  readonly dayFirst: Day;
  readonly dayLast: Day;
}

export interface MonthMedian {
  /** `2026-05` */
  readonly month: string;
  /** The first of the month. */
  readonly day: Day;
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly samples: number;
}

/** A new price that looks wrong. */
export interface MarkedPrice {
  readonly day: Day;
  /** In the unit and currency of the chart; undefined where it does not convert. */
  readonly price: number | undefined;
  readonly kinds: readonly WarningKind[];
  /** Null where it is not suspicious. */
  readonly suspicious: SuspiciousReason | null;
  readonly recorded: RecordedPrice;
}

/**
 * Collects the charts: those first whose latest price moves most, then those with most warnings that say that something
 * looks wrong.
 *
 * Cost: reads each new price twice, and each price of the products that have charts once.
 */
export function collectPriceCharts({
  store,
  before,
  changes,
  changedRows,
  warnings,
}: Omit<PublicationReport, "uncompared">) {
  const subjects = subjectsOf(store, changes?.latestPriceMoves ?? [], warnings.problems);
  const shown = new Map([...subjects].slice(0, chartsMax));
  const keyOf = (row: number): number => productAtType(store.prices.products[row] as number, typeOf(store, row));
  const newRows = Map.groupBy(
    changedRows.filter((row) => shown.has(keyOf(row))),
    keyOf,
  );
  return {
    charts: [...shown].map(([key, subject]) => makeChart(store, before, subject, newRows.get(key) ?? [])),
    /** Products, each with its type of market, that would have a chart as well. */
    others: [...subjects.values()]
      .slice(chartsMax)
      .map(({ product, marketType }) => `${recordAt(store.catalogue.products, product).name}, ${marketType}`),
  };
}

/** The greatest first, up or down: half is as far as the double. */
export function largestMovesFirst(moves: readonly LatestPriceMove[]): LatestPriceMove[] {
  const size = ({ before, after }: LatestPriceMove): number => Math.abs(Math.log(after.price / before.price));
  return moves.toSorted((a, b) => size(b) - size(a));
}

/** The subjects in the order of their charts, by key. */
function subjectsOf(
  store: Store,
  moves: readonly LatestPriceMove[],
  warnings: readonly Warning[],
): Map<number, Subject> {
  const { catalogue, prices, rowByUuid } = store;
  const subjects = new Map<number, Subject>();
  const subjectOf = (product: ProductCode, type: number, move?: LatestPriceMove): Subject =>
    getOrInsert(subjects, productAtType(product, type), () => {
      return { product, marketType: marketTypes[type] as MarketType, move, warned: new Map() };
    });
  for (const move of largestMovesFirst(moves)) {
    subjectOf(catalogue.productCodes.get(move.uuid) as ProductCode, marketTypes.indexOf(move.marketType), move);
  }
  for (const { kind, price } of warnings) {
    const row = price && findRow(rowByUuid, prices.uuids, price.uuid);
    if (row === undefined) continue;
    const { warned } = subjectOf(prices.products[row] as ProductCode, typeOf(store, row));
    getOrInsert(warned, row, () => []).push(kind);
  }
  // The sort is stable: subjects that move keep their order.
  const rankOf = ({ move, warned }: Subject): number =>
    move === undefined ? [...warned.values()].filter(hasSuspect).length : Number.MAX_VALUE;
  return new Map([...subjects].sort(([, a], [, b]) => rankOf(b) - rankOf(a)));
}

/** The code of the type of market of a price. */
function typeOf({ catalogue, prices }: Store, row: number): number {
  return catalogue.marketTypeCodes[prices.markets[row] as number] as number;
}

function hasSuspect(kinds: readonly WarningKind[]): boolean {
  return kinds.some((kind) => suspectKinds.includes(kind));
}

function makeChart(
  store: Store,
  before: Store | undefined,
  { product: code, marketType, move, warned }: Subject,
  newRows: readonly number[],
): PriceChart {
  const { catalogue, statisticsUnits, periods } = store;
  const product = recordAt(catalogue.products, code);
  const target = statisticsUnits[code] as UnitAndCurrency;
  const conversion = conversionTo(store, target);
  const marks = newRows
    .filter((row) => isSuspicious(store.suspicious, row) || hasSuspect(warned.get(row) ?? []))
    .map((row) => markOf(store, row, convertPrice(store.prices, conversion, row), warned.get(row) ?? []))
    .sort((a, b) => b.day - a.day);
  const newMonths = monthMedians(store, newRows, target);
  const monthsBefore =
    before === undefined ? [] : monthMedians(before, rowsOfProduct(before, product.uuid, marketType), target);
  const dayLast = periods.newestDay as Day;
  // Without a snapshot to compare with, all prices are new, and the marks alone are worth going back for.
  const shownWhole = before === undefined ? marks : [...newMonths, ...marks, ...monthsBefore.slice(-1)];
  const oldest = shownWhole.reduce((least, { day }) => Math.min(least, day), Infinity);
  const dayFirst = monthStart(Math.min(dayLast - daysShown, oldest - daysBeforeOldest) as Day);
  const isShown = ({ day }: MonthMedian): boolean => day >= dayFirst;
  const earlier = [...monthsBefore, ...newMonths].filter((month) => !isShown(month));
  return {
    productUuid: product.uuid,
    product: product.name,
    marketType,
    move,
    warnings: [...warned.values()].reduce((sum, kinds) => sum + kinds.length, 0),
    unit: target.unit,
    currency: target.currency ?? "",
    monthsBefore: monthsBefore.filter(isShown),
    newMonths: newMonths.filter(isShown),
    newCount: newRows.length,
    unconvertedCount: newRows.filter((row) => Number.isNaN(convertPrice(store.prices, conversion, row))).length,
    earlierCount: earlier.reduce((sum, { samples }) => sum + samples, 0),
    marks,
    dayFirst,
    dayLast,
  };
}

function markOf(store: Store, row: number, converted: number, kinds: readonly WarningKind[]): MarkedPrice {
  return {
    day: dayOfRow(store.periods, row),
    price: Number.isNaN(converted) ? undefined : roundFigure(converted),
    kinds,
    suspicious: suspiciousReasonOf(store.suspicious, row),
    recorded: recordedPrice(store, row),
  };
}

/** The rows of a product at markets of a type; none where the store lacks the product. */
function rowsOfProduct(store: Store, uuid: Uuid, marketType: MarketType): number[] {
  const product = store.catalogue.productCodes.get(uuid);
  if (product === undefined) return [];
  const type = marketTypes.indexOf(marketType);
  return [...rowsOf(store.rowsByProduct, product)].filter((row) => typeOf(store, row) === type);
}

/**
 * Medians by month, ascending, of those of some rows of a product that convert and are not suspicious.
 *
 * @param target A unit that a store does not have is that of no price.
 */
function monthMedians(store: Store, rows: readonly number[], target: UnitAndCurrency): MonthMedian[] {
  const { catalogue, periods, prices, suspicious } = store;
  if (!catalogue.units.has(target.unit)) return [];
  const conversion = conversionTo(store, target);
  const byMonth = new Map<string, number[]>();
  for (const row of rows) {
    const price = convertPrice(prices, conversion, row);
    if (Number.isNaN(price) || isSuspicious(suspicious, row)) continue;
    const month = periods.month.labels[periods.month.ofDay[periods.dayCodes[row] as number] as number] as string;
    getOrInsert(byMonth, month, () => []).push(price);
  }
  return [...byMonth]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([month, found]) => {
      const values = Float64Array.from(found).sort();
      return {
        month,
        day: firstDayOf(monthNumber(month)),
        median: roundFigure(medianOf(values, 0, values.length)),
        min: roundFigure(values[0] as number),
        max: roundFigure(values.at(-1) as number),
        samples: values.length,
      };
    });
}
