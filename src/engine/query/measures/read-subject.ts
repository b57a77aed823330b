/**
 * Reads the monthly series of a subject and judges its months. A market is judged by its monthly values. Of a county or
 * the country changes are those of its markets; the other measures are, by the same code, of the comparable prices of
 * the judged month's component.
 */
import type { MonthNumber } from "../../model/calendar.ts";
import { getOrInsert } from "../../model/get-or-insert.ts";
import { type ComparablePrices, fitComparable } from "./fit-comparable.ts";
import { isComputed, judgeMarket, judgeSeries, type MonthMeasures, tooFewMarkets } from "./judge-month.ts";
import { changesOf, type MonthMatches, matchesOf } from "./matched-changes.ts";
import type { MonthlyPanel } from "./monthly-panel.ts";
import type { MonthSeries } from "./monthly-values.ts";
import type { AnomalySubject, SubjectRuns } from "./subjects.ts";

/** A month of a county or the country. */
export interface AreaMonth extends MonthMatches {
  readonly comparablePrice: number;
  /** Those of its markets in refugee camps. */
  readonly campMarkets: number;
  /** Number of its component, from 1. */
  readonly component: number;
}

/** What is said of a month, whatever number of markets a question needs. */
export interface JudgedMonth {
  /** Undefined for a market. */
  readonly area: AreaMonth | undefined;
  /** Those that one market is enough for. */
  readonly measures: MonthMeasures;
}

/** The months of a subject that have a value. */
export interface SubjectMonths {
  /** Number of months. */
  readonly length: number;
  /** Month numbers, ascending. The array may be longer. */
  readonly months: Int32Array;
  /** Judges the month at a position. Cost: a read of each value. */
  readonly judgeAt: (at: number) => JudgedMonth;
}

/** A subject in a judged month. */
export interface Anomaly extends AnomalySubject, JudgedMonth {
  readonly month: MonthNumber;
  /** The median of all prices of the month that are not suspicious. */
  readonly median: number;
  readonly sampleCount: number;
  /** Suspicious prices up to the end of the month, which no measure uses. */
  readonly suspiciousLeftOut: number;
}

/**
 * Reads the months of a subject, which the next one overwrites.
 *
 * @param month No measure of other months is needed.
 * @returns undefined where it, or without it every month, has no value.
 * Cost: a read of each price, and for a county or the country that of `fitComparable`.
 */
export function* readSubject(
  panel: MonthlyPanel,
  { subject, runs }: SubjectRuns,
  month?: MonthNumber,
): Generator<number, SubjectMonths | undefined> {
  yield* panel.read(subject.product, runs);
  if (panel.length === 0 || (month !== undefined && panel.positionsOf(month).length === 0)) return undefined;
  return subject.market === undefined ? monthsOfArea(panel, yield* fitComparable(panel)) : monthsOfMarket(panel);
}

/** The entry of a subject in a month. @param months Of the last `readSubject`. @param at Position of the month. */
export function judgeSubject(
  panel: MonthlyPanel,
  subject: AnomalySubject,
  { months, judgeAt }: SubjectMonths,
  at: number,
): Anomaly {
  const month = months[at]!;
  const { median, count } = panel.medianOfPrices(panel.positionsOf(month));
  return {
    ...subject,
    month,
    median,
    sampleCount: count,
    suspiciousLeftOut: panel.countSuspicious(month),
    ...judgeAt(at),
  };
}

/** A panel of one market is a series. */
function monthsOfMarket(panel: MonthlyPanel): SubjectMonths {
  const { length, months } = panel;
  return { length, months, judgeAt: (at) => ({ area: undefined, measures: judgeMarket(panel, at) }) };
}

function monthsOfArea(panel: MonthlyPanel, comparable: ComparablePrices): SubjectMonths {
  const { months, prices, components } = comparable;
  const seriesOf = new Map<number, ComponentSeries>();
  const areaAt = (at: number): AreaMonth => {
    const positions = panel.positionsOf(months[at]!);
    return {
      ...matchesOf(panel, positions, months, months[at]!),
      comparablePrice: prices[at]!,
      campMarkets: panel.countCamps(positions),
      component: components[at]!,
    };
  };
  return {
    length: months.length,
    months,
    judgeAt(at) {
      const component = components[at]!;
      const series = getOrInsert(seriesOf, component, () => seriesOfComponent(comparable, component));
      const area = areaAt(at);
      const { fiveYears, alps } = judgeSeries(series, series.positions.indexOf(at));
      const { markets } = area;
      const measures = {
        ...changesOf(area, 1),
        fiveYears: isComputed(fiveYears) ? { ...fiveYears, markets } : fiveYears,
        alps: isComputed(alps) ? { ...alps, markets } : alps,
      };
      return { area, measures };
    },
  };
}

/**
 * What is judged, without the measures that too few markets stand behind: in the judged month, and of a change in both
 * of its months.
 *
 * @param needed No market lacks it.
 */
export function withMarketsMin<Judged extends JudgedMonth>(judged: Judged, needed: number): Judged {
  const { area, measures } = judged;
  if (area === undefined || needed === 1) return judged;
  const { markets } = area;
  const limited: MonthMeasures = {
    ...changesOf(area, needed),
    fiveYears: markets < needed ? tooFewMarkets("five_years", markets, needed) : measures.fiveYears,
    alps: markets < needed ? tooFewMarkets("alps", markets, needed) : measures.alps,
  };
  return { ...judged, measures: limited };
}

/** The months of a component, and their positions among all months. */
interface ComponentSeries extends MonthSeries {
  readonly positions: Int32Array;
}

function seriesOfComponent({ months, prices, components }: ComparablePrices, component: number): ComponentSeries {
  const positions = Int32Array.from(months.keys()).filter((at) => components[at] === component);
  const medians = Float64Array.from(positions, (at) => prices[at]!);
  return { positions, months: positions.map((at) => months[at]!), medians };
}
