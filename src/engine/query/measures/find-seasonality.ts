/**
 * The seasonality of a price: its usual course over the year. The price of a month is that of comparable markets, of
 * one market its monthly value, which is the same; suspicious prices are left out. Ratio to the centred moving average
 * of twelve months (the first steps of classical decomposition; J. Shiskin, A. H. Young and J. C. Musgrave, "The X-11
 * Variant of the Census Method II Seasonal Adjustment Program", Bureau of the Census, 1967), medians in place of means.
 */
import type { MonthNumber, MonthRange } from "../../model/calendar.ts";
import { getOrInsert } from "../../model/get-or-insert.ts";
import type { ProductCode } from "../../store/catalogue.ts";
import { medianOf } from "../../store/figures.ts";
import type { Store } from "../../store/store.ts";
import type { MarketConditions } from "../questions.ts";
import { selectRuns } from "../select.ts";
import { campsLeftOut } from "./camps-left-out.ts";
import { type ComparablePrices, fitComparable } from "./fit-comparable.ts";
import { type NotComputable, noPrice } from "./judge-month.ts";
import { MonthlyPanel } from "./monthly-panel.ts";

/** A market, or the markets of a type in a county or in the country. */
export interface SeasonalityQuestion extends MarketConditions {
  readonly product: ProductCode;
}

export interface SeasonalityAnswer {
  /** The first and the last month that have a value; undefined without any. */
  readonly months: MonthRange | undefined;
  readonly suspiciousLeftOut: number;
  /** See `campsLeftOut`. */
  readonly campsLeftOut: number;
  readonly indexes: readonly SeasonMonth[] | NotComputable;
  /** What the indexes are made of; undefined where they cannot be computed. */
  readonly behind: SeasonBehind | undefined;
}

/** The months and the markets of the prices that indexes are made of. */
export interface SeasonBehind extends MonthRange {
  /** Ascending. */
  readonly markets: readonly number[];
}

/** Cost: two reads of each price, and that of `fitComparable`. Yields the rows that were read. */
export function* findSeasonality(store: Store, question: SeasonalityQuestion): Generator<number, SeasonalityAnswer> {
  const { product, ...conditions } = question;
  const panel = new MonthlyPanel(store);
  yield* panel.read(product, selectRuns(store, product, conditions));
  const comparable = yield* fitComparable(panel);
  const { months } = comparable;
  const found = months.length === 0 ? undefined : { first: months[0]!, last: months.at(-1)! };
  const series = seriesByComponent(comparable);
  const indexes = seasonalIndexes(series);
  return {
    months: found,
    suspiciousLeftOut: panel.countSuspicious(Infinity),
    campsLeftOut: yield* campsLeftOut(store, question, { first: -Infinity, last: Infinity }),
    indexes,
    behind: Array.isArray(indexes) ? behindIndexes(series, panel) : undefined,
  };
}

/** The comparable prices of each component, whose levels do not compare. */
function seriesByComponent({ months, prices, components }: ComparablePrices): MonthPrices[] {
  const found = new Map<number, Map<MonthNumber, number>>();
  for (const [at, month] of months.entries()) {
    getOrInsert(found, components[at]!, () => new Map()).set(month, prices[at]!);
  }
  return [...found.values()];
}

/** The months within half a year of one that has a ratio, and the markets with a value in them. */
function behindIndexes(series: readonly MonthPrices[], panel: MonthlyPanel): SeasonBehind {
  const used = new Set(ratiosOf(series).flatMap(({ month }) => Array.from({ length: 13 }, (_, at) => month - 6 + at)));
  const markets = new Set<number>();
  for (let at = 0; at < panel.length; at++) if (used.has(panel.months[at]!)) markets.add(panel.marketAt(at));
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

/** Prices by month number, whose levels compare. */
type MonthPrices = ReadonlyMap<MonthNumber, number>;

/**
 * The seasonal indexes of some series, each with ratios of its own.
 *
 * @returns Twelve months in order. Cost: thirteen reads of each value.
 */
export function seasonalIndexes(series: readonly MonthPrices[]): SeasonMonth[] | NotComputable {
  const measure = "seasonality";
  if (series.every(({ size }) => size === 0)) return noPrice(measure);
  const ratios: number[][] = Array.from({ length: 12 }, () => []);
  for (const { month, ratio } of ratiosOf(series)) ratios[month % 12]!.push(ratio);
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
function ratiosOf(series: readonly MonthPrices[]): { month: MonthNumber; ratio: number }[] {
  return series.flatMap((values) =>
    [...values].flatMap(([month, value]) => {
      const average = centredAverage(values, month);
      return average === undefined ? [] : [{ month, ratio: value / average }];
    }),
  );
}

/** The mean of the year around a month: thirteen values, of which the outer two count half. */
function centredAverage(values: MonthPrices, month: MonthNumber): number | undefined {
  let sum = 0;
  for (let distance = -6; distance <= 6; distance++) {
    const value = values.get(month + distance);
    if (value === undefined) return undefined;
    sum += Math.abs(distance) === 6 ? value / 2 : value;
  }
  return sum / 12;
}
