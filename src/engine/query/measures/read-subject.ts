/**
 * Reads the monthly series of a subject and judges its months. A market is judged by its monthly values; a county or
 * the country by the comparable prices of the judged month's component: the same measures, by the same code.
 */
import type { MonthNumber } from "../../model/calendar.ts";
import { isCamp } from "../../store/catalogue.ts";
import type { Range } from "../../store/columns.ts";
import type { Store } from "../../store/store.ts";
import { type ComparablePrices, fitComparable } from "./fit-comparable.ts";
import { isComputed, type MonthMeasures, monthMeasures } from "./judge-month.ts";
import { costOfRun, MonthlyPanel } from "./monthly-panel.ts";
import { MonthlyReader, type MonthSeries, positionOf } from "./monthly-values.ts";
import type { AnomalySubject, SubjectRuns } from "./subjects.ts";

/** A month of a county or the country. */
export interface AreaMonth {
  readonly comparablePrice: number;
  /** Markets with a value in the month. */
  readonly markets: number;
  /** Number of its component, from 1. */
  readonly component: number;
}

/** The months of a subject that have a value; the functions take the position of one. */
export interface SubjectMonths {
  /** Number of months. */
  readonly length: number;
  /** Month numbers, ascending. The array may be longer. */
  readonly months: Int32Array;
  readonly measures: { readonly [Name in keyof MonthMeasures]: (at: number) => MonthMeasures[Name] };
  /** The rows of the month's values. */
  readonly rowsAt: (at: number) => readonly Range[];
  /** Undefined for a market. */
  readonly areaAt: (at: number) => AreaMonth | undefined;
  /** What the measures are made of, which no later call overwrites; undefined for a market. */
  readonly comparable: ComparablePrices | undefined;
}

/** A subject in a judged month. */
export interface Anomaly extends AnomalySubject {
  readonly month: MonthNumber;
  /** The median of all prices of the month that are not suspicious. */
  readonly median: number;
  readonly sampleCount: number;
  /** Suspicious prices up to the end of the month, which no measure uses. */
  readonly suspiciousLeftOut: number;
  /** Undefined for a market. */
  readonly area: AreaMonth | undefined;
  readonly measures: MonthMeasures;
}

/** Reads one subject after another. */
export class SubjectReader {
  readonly #store: Store;
  readonly #reader: MonthlyReader;
  readonly #panel = new MonthlyPanel();

  constructor(store: Store) {
    this.#store = store;
    this.#reader = new MonthlyReader(store);
  }

  /**
   * The months of a subject, which the next call overwrites.
   *
   * @param month No measure of other months is needed.
   * @returns undefined where it, or without it every month, has no value.
   * Cost: a read of each price, and for a county or the country that of `fitComparable`.
   */
  *read({ subject, runs }: SubjectRuns, month?: MonthNumber): Generator<number, SubjectMonths | undefined> {
    if (subject.market !== undefined) {
      const run = runs[0]!;
      const months = monthsOfMarket(this.#reader.readRun(subject.product, run));
      yield costOfRun(this.#store, run);
      const isFound = month === undefined ? months.length > 0 : positionOf(months.months, months.length, month) !== -1;
      return isFound ? months : undefined;
    }
    const panel = this.#panel;
    yield* panel.read(this.#store, this.#reader, subject.product, runs);
    if (panel.length === 0 || (month !== undefined && panel.rowsOf(month).length === 0)) return undefined;
    return monthsOfArea(panel, yield* fitComparable(panel));
  }

  /** The entry of a subject in a month. @param months Of the last `read`. @param at Position of the month. */
  judge({ subject, runs }: SubjectRuns, months: SubjectMonths, at: number): Anomaly {
    const { measures } = months;
    const month = months.months[at]!;
    const { median, count } = this.#reader.medianOfRows(subject.product, months.rowsAt(at));
    return {
      ...subject,
      month,
      median,
      sampleCount: count,
      suspiciousLeftOut: runs.reduce((sum, run) => sum + this.#reader.countSuspicious(run, month), 0),
      area: months.areaAt(at),
      measures: { yearBefore: measures.yearBefore(at), fiveYears: measures.fiveYears(at), alps: measures.alps(at) },
    };
  }

  /**
   * The share of the prices of an entry that markets in refugee camps have, 0 to 1.
   *
   * @param months Of the last `read`. @param at Position of its month.
   */
  campShare({ product, sampleCount }: Anomaly, months: SubjectMonths, at: number): number {
    const { catalogue, prices } = this.#store;
    const ofCamps = months.rowsAt(at).filter(({ from }) => isCamp(catalogue, prices.markets[from]!));
    return ofCamps.length === 0 ? 0 : this.#reader.medianOfRows(product, ofCamps).count / sampleCount;
  }
}

function monthsOfMarket(values: ReturnType<MonthlyReader["readRun"]>): SubjectMonths {
  const { length, months, rowsFrom, rowsTo } = values;
  return {
    length,
    months,
    measures: {
      yearBefore: (at) => monthMeasures.yearBefore(values, at),
      fiveYears: (at) => monthMeasures.fiveYears(values, at),
      alps: (at) => monthMeasures.alps(values, at),
    },
    rowsAt: (at) => [{ from: rowsFrom[at]!, to: rowsTo[at]! }],
    areaAt: () => undefined,
    comparable: undefined,
  };
}

function monthsOfArea(panel: MonthlyPanel, comparable: ComparablePrices): SubjectMonths {
  const { months, prices, marketCounts, components } = comparable;
  const seriesOf = new Map<number, ComponentSeries>();
  const locate = (at: number): [MonthSeries, number] => {
    const component = components[at]!;
    const series = seriesOf.getOrInsertComputed(component, () => seriesOfComponent(comparable, component));
    return [series, series.positions.indexOf(at)];
  };
  const withMarkets = <Measure extends object>(measure: Measure, at: number): Measure => {
    return isComputed(measure) ? { ...measure, markets: marketCounts[at]! } : measure;
  };
  return {
    length: months.length,
    months,
    measures: {
      yearBefore(at) {
        const month = months[at]!;
        const before = positionOf(months, at, month - 12);
        const reason = before === -1 ? "NO_PRICE" : "NO_MATCHED_MARKETS";
        const matchedMarkets = before === -1 ? 0 : panel.countMatched(month - 12, month);
        if (matchedMarkets === 0) return { measure: "year_before", reason, found: 0, needed: 1 };
        // A market with both months joins them in one component.
        const measure = monthMeasures.yearBefore(...locate(at));
        return { ...measure, markets: marketCounts[before]!, matchedMarkets };
      },
      fiveYears: (at) => withMarkets(monthMeasures.fiveYears(...locate(at)), at),
      alps: (at) => withMarkets(monthMeasures.alps(...locate(at)), at),
    },
    rowsAt: (at) => panel.rowsOf(months[at]!),
    areaAt: (at) => {
      return { comparablePrice: prices[at]!, markets: marketCounts[at]!, component: components[at]! };
    },
    comparable,
  };
}

/** The months of a component, and their positions among all months. The arrays may be longer. */
interface ComponentSeries extends MonthSeries {
  readonly positions: Int32Array;
}

function seriesOfComponent({ months, prices, components }: ComparablePrices, component: number): ComponentSeries {
  const series = {
    positions: new Int32Array(months.length),
    months: new Int32Array(months.length),
    medians: new Float64Array(months.length),
  };
  let length = 0;
  for (let at = 0; at < months.length; at++) {
    if (components[at] !== component) continue;
    series.positions[length] = at;
    series.months[length] = months[at]!;
    series.medians[length] = prices[at]!;
    length++;
  }
  return series;
}
