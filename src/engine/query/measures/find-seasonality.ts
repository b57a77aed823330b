/**
 * The seasonality of a series at any level: the usual course of its price over the year. The price of a month is the
 * median of all prices of the series in it, suspicious ones left out. Ratio to the centred moving average of twelve
 * months (the first steps of classical decomposition; J. Shiskin, A. H. Young and J. C. Musgrave, "The X-11 Variant of
 * the Census Method II Seasonal Adjustment Program", Bureau of the Census, 1967), medians in place of means.
 */
import type { MonthNumber } from "../../model/calendar.ts";
import type { ProductCode } from "../../store/catalogue.ts";
import type { Range } from "../../store/columns.ts";
import { medianOf } from "../../store/figures.ts";
import { isSelected, runsAt } from "../../store/runs.ts";
import type { Store } from "../../store/store.ts";
import type { MarketConditions } from "../questions.ts";
import { selectMarkets } from "../select.ts";
import type { NotComputable } from "./judge-month.ts";
import { MonthlyReader } from "./monthly-values.ts";

/** The name of the method, in answers and manuals. */
export const seasonalityMethod = "anomalies-1";

/** A market, or the markets of a type in a county or in the country. */
export interface SeasonalityQuestion extends MarketConditions {
  readonly product: ProductCode;
}

export interface SeasonalityAnswer {
  /** The first and the last month that have a value; undefined without any. */
  readonly months: { readonly first: MonthNumber; readonly last: MonthNumber } | undefined;
  readonly suspiciousLeftOut: number;
  readonly indexes: readonly SeasonMonth[] | NotComputable;
  /** What the indexes are made of; undefined where they cannot be computed. */
  readonly behind: SeasonBehind | undefined;
}

/** The months and the markets of the prices that indexes are made of. */
export interface SeasonBehind {
  readonly first: MonthNumber;
  readonly last: MonthNumber;
  /** Ascending. */
  readonly markets: readonly number[];
}

/** Prices of a market in a month. */
interface MarketRows extends Range {
  readonly market: number;
}

/** Cost: three reads of each price. Yields the rows that were read. */
export function* findSeasonality(store: Store, question: SeasonalityQuestion): Generator<number, SeasonalityAnswer> {
  const { catalogue, runs } = store;
  const { product } = question;
  const markets = selectMarkets(catalogue, question);
  const reader = new MonthlyReader(store);
  const rowsByMonth = new Map<MonthNumber, MarketRows[]>();
  let suspiciousLeftOut = 0;
  const { from, to } = runsAt(runs, product, markets);
  for (let run = from; run < to; run++) {
    const market = runs.markets[run]!;
    if (!isSelected(catalogue, market, markets)) continue;
    const { length, months, rowsFrom, rowsTo } = reader.readRun(product, run);
    for (let at = 0; at < length; at++) {
      rowsByMonth.getOrInsertComputed(months[at]!, () => []).push({ market, from: rowsFrom[at]!, to: rowsTo[at]! });
    }
    suspiciousLeftOut += reader.countSuspicious(run, Infinity);
    yield runs.rowOffsets[run + 1]! - runs.rowOffsets[run]!;
  }
  const medians = new Map<MonthNumber, number>();
  for (const [month, rows] of rowsByMonth) {
    const { median, count } = reader.medianOfRows(product, rows);
    medians.set(month, median);
    yield count;
  }
  const found = [...medians.keys()];
  const months = found.length === 0 ? undefined : { first: Math.min(...found), last: Math.max(...found) };
  const indexes = seasonalIndexes(medians);
  const behind = Array.isArray(indexes) ? behindIndexes(medians, rowsByMonth) : undefined;
  return { months, suspiciousLeftOut, indexes, behind };
}

/** The months within half a year of one that has a ratio, and the markets with prices in them. */
function behindIndexes(
  values: ReadonlyMap<MonthNumber, number>,
  rowsByMonth: ReadonlyMap<MonthNumber, readonly MarketRows[]>,
): SeasonBehind {
  const used = new Set(ratiosOf(values).flatMap(({ month }) => Array.from({ length: 13 }, (_, at) => month - 6 + at)));
  const markets = new Set([...used].flatMap((month) => rowsByMonth.get(month)?.map(({ market }) => market) ?? []));
  return { first: Math.min(...used), last: Math.max(...used), markets: [...markets].sort((a, b) => a - b) };
}

/** Ratios that each calendar month must have. */
export const seasonRatiosMin = 3;

/** A calendar month. */
export interface SeasonMonth {
  /** 1 to 12. */
  readonly month: number;
  /** 100 is the mean of the twelve. */
  readonly index: number;
  /** Years that it is the median of. */
  readonly years: number;
  /** The least and the greatest of these years, on the scale of `index`. */
  readonly min: number;
  readonly max: number;
}

/**
 * The seasonal indexes of a series.
 *
 * @param values Medians by month number.
 * @returns Twelve months in order. Cost: thirteen reads of each value.
 */
export function seasonalIndexes(values: ReadonlyMap<MonthNumber, number>): SeasonMonth[] | NotComputable {
  const measure = "seasonality";
  if (values.size === 0) return { measure, reason: "NO_PRICE", found: 0, needed: 1 };
  const ratios: number[][] = Array.from({ length: 12 }, () => []);
  for (const { month, ratio } of ratiosOf(values)) ratios[month % 12]!.push(ratio);
  const fewest = Math.min(...ratios.map(({ length }) => length));
  if (fewest < seasonRatiosMin) return { measure, reason: "TOO_FEW_YEARS", found: fewest, needed: seasonRatiosMin };
  const medians = ratios.map((list) => medianOf(Float64Array.from(list), 0, list.length));
  const scale = 1200 / medians.reduce((sum, ratio) => sum + ratio, 0);
  return ratios.map((list, at) => ({
    month: at + 1,
    index: medians[at]! * scale,
    years: list.length,
    min: Math.min(...list) * scale,
    max: Math.max(...list) * scale,
  }));
}

/** The price of each month to the mean of the year around it, where that is known. */
function ratiosOf(values: ReadonlyMap<MonthNumber, number>): { month: MonthNumber; ratio: number }[] {
  return [...values].flatMap(([month, value]) => {
    const average = centredAverage(values, month);
    return average === undefined ? [] : [{ month, ratio: value / average }];
  });
}

/** The mean of the year around a month: thirteen values, of which the outer two count half. */
function centredAverage(values: ReadonlyMap<MonthNumber, number>, month: MonthNumber): number | undefined {
  let sum = 0;
  for (let distance = -6; distance <= 6; distance++) {
    const value = values.get(month + distance);
    if (value === undefined) return undefined;
    sum += Math.abs(distance) === 6 ? value / 2 : value;
  }
  return sum / 12;
}
