/**
 * Finds the comparable prices of a product at the markets of a type, in the country or in a county, by month: as an
 * index, in another unit or currency, beside the median of all prices.
 */
import { type MonthNumber, monthText } from "../../model/calendar.ts";
import type { ProductCode } from "../../store/catalogue.ts";
import { type ConversionTarget, ratesByMonth } from "../../store/price-conversion.ts";
import type { Store } from "../../store/store.ts";
import { type NotConvertible, statisticsTarget } from "../price-statistics.ts";
import type { MarketConditions, PriceStatistics } from "../questions.ts";
import { selectRuns } from "../select.ts";
import { campsLeftOut } from "./camps-left-out.ts";
import { type ComparablePrices, fitComparable } from "./fit-comparable.ts";
import { MonthlyPanel } from "./monthly-panel.ts";
import { positionOf } from "./monthly-values.ts";

/** What entries are answered, and in which unit and currency: those of the product's statistics when absent. */
export interface IndexOptions extends Pick<PriceStatistics, "unit" | "currency"> {
  /** The first month that has an entry (inclusive). All months of the snapshot are fitted. */
  readonly monthFirst?: MonthNumber | undefined;
  /** The last one (inclusive). */
  readonly monthLast?: MonthNumber | undefined;
  /** The month whose index is 100, which may lie outside. */
  readonly base?: MonthNumber | undefined;
}

/** The markets are fitted together: those of a type in a county or in the country. */
export interface IndexQuestion extends IndexOptions, MarketConditions {
  readonly product: ProductCode;
}

export interface IndexMonth {
  readonly month: MonthNumber;
  readonly comparablePrice: number;
  /** Percent of the price of the base; null without one, and in other components. */
  readonly index: number | null;
  /** The median of all prices of the month that are not suspicious. */
  readonly median: number;
  /** How many prices these are. */
  readonly sampleCount: number;
  /** Markets with a value in the month. */
  readonly markets: number;
  /** Those of them in refugee camps. */
  readonly campMarkets: number;
  /** Number of the component, from 1. Levels of two components do not compare. */
  readonly component: number;
}

export interface IndexAnswer extends Required<ConversionTarget> {
  /** Ascending. */
  readonly months: readonly IndexMonth[];
  /** Markets of the whole fit. */
  readonly marketCount: number;
  /** 100 × (exp(s) − 1), s the residual deviation of the whole fit; null where none can be computed. */
  readonly residualDeviationPercent: number | null;
  /** Months that are left out because they have no exchange rate. */
  readonly monthsWithoutRate: number;
  /** Why no index can be computed of the base that was requested; undefined where it can, or none was. */
  readonly baseProblem: "no value" | "no rate" | undefined;
}

/** The answer to a question about one fit. */
export interface FoundIndex extends IndexAnswer {
  /** See `campsLeftOut`. */
  readonly campsLeftOut: number;
}

/**
 * Answers a question about comparable prices.
 *
 * @returns Work; each of its steps says how many rows it has read. Cost: four reads of each price, and that of
 *   `fitComparable`.
 */
export function findIndex(store: Store, question: IndexQuestion): Generator<number, FoundIndex> | NotConvertible {
  const { product } = question;
  const target = statisticsTarget(store, product, question);
  if ("problem" in target) return target;
  return answerIndex(store, question, target);
}

function* answerIndex(
  store: Store,
  question: IndexQuestion,
  target: Required<ConversionTarget>,
): Generator<number, FoundIndex> {
  const { product, monthFirst: first = -Infinity, monthLast: last = Infinity } = question;
  const runs = selectRuns(store, product, question);
  const answer = yield* readIndex(new MonthlyPanel(store), product, runs, target, question);
  return { ...answer, campsLeftOut: yield* campsLeftOut(store, question, { first, last }) };
}

/**
 * The index of a product at the markets of some runs.
 *
 * @param panel Overwritten.
 * @param target A unit and currency that the product converts to.
 */
export function* readIndex(
  panel: MonthlyPanel,
  product: number,
  runs: readonly number[],
  target: Required<ConversionTarget>,
  { monthFirst = -Infinity, monthLast = Infinity, base }: IndexOptions,
): Generator<number, IndexAnswer> {
  yield* panel.read(product, runs);
  const fit = yield* fitComparable(panel);
  const divisorOf = divisorsOf(panel.store, product, target);
  const positionsOfMonth = panel.positionsByMonth();
  const basePrice = base === undefined ? undefined : findBase(fit, base, divisorOf);
  const months: IndexMonth[] = [];
  let monthsWithoutRate = 0;
  for (const [at, month] of fit.months.entries()) {
    if (month < monthFirst || month > monthLast) continue;
    const divisor = divisorOf(month);
    if (Number.isNaN(divisor)) {
      monthsWithoutRate++;
      continue;
    }
    const positions = positionsOfMonth.get(month)!;
    const { median, count } = panel.medianOfPrices(positions);
    const component = fit.components[at]!;
    const comparablePrice = fit.prices[at]! / divisor;
    const isComparable = typeof basePrice === "object" && basePrice.component === component;
    months.push({
      month,
      comparablePrice,
      index: isComparable ? (100 * comparablePrice) / basePrice.price : null,
      median: median / divisor,
      sampleCount: count,
      markets: fit.marketCounts[at]!,
      campMarkets: panel.countCamps(positions),
      component,
    });
    yield 2 * count;
  }
  return {
    ...target,
    months,
    marketCount: panel.marketCount,
    residualDeviationPercent: fit.residualDeviation === undefined ? null : 100 * Math.expm1(fit.residualDeviation),
    monthsWithoutRate,
    baseProblem: typeof basePrice === "object" ? undefined : basePrice,
  };
}

/**
 * What divides a comparable price of a month, in the unit and currency of the product's statistics; NaN without a rate.
 *
 * @param target A unit and currency that these convert to.
 */
function divisorsOf(
  store: Store,
  product: number,
  { unit, isConverted }: Pick<Required<ConversionTarget>, "unit" | "isConverted">,
): (month: MonthNumber) => number {
  const { catalogue, statisticsUnits } = store;
  const own = statisticsUnits[product]!;
  const factorOf = (name: string): number => catalogue.units.get(name)!.conversionFactor;
  const unitDivisor = factorOf(own.unit) / factorOf(unit);
  if (!isConverted || own.currency === null) return () => unitDivisor;
  const rateOf = ratesByMonth(store, own.currency);
  return (month) => unitDivisor * rateOf(monthText(month));
}

interface BasePrice {
  readonly price: number;
  readonly component: number;
}

function findBase(
  { months, prices, components }: ComparablePrices,
  base: MonthNumber,
  divisorOf: (month: MonthNumber) => number,
): BasePrice | "no value" | "no rate" | undefined {
  const at = positionOf(months, months.length, base);
  // Without any month there is no index that a base could be of.
  if (at === -1) return months.length === 0 ? undefined : "no value";
  const price = prices[at]! / divisorOf(base);
  return Number.isNaN(price) ? "no rate" : { price, component: components[at]! };
}
