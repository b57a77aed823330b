/**
 * Finds unusual prices: entries of markets, counties or the country, each judged in its newest month or in a given one.
 * Without a month the list is of now: series that end long before the data are left out.
 */
import type { Day, MonthNumber } from "../../model/calendar.ts";
import { getOrInsert } from "../../model/get-or-insert.ts";
import type { Population } from "../../model/vocabulary.ts";
import { roundSigned } from "../../store/figures.ts";
import type { Store } from "../../store/store.ts";
import type { MarketConditions, ProductList } from "../questions.ts";
import { selectProducts } from "../select.ts";
import {
  type AlpsClass,
  alpsClasses,
  isComputed,
  marketsMinOf,
  type NotComputable,
  type PriceChange,
} from "./judge-month.ts";
import { MonthlyPanel } from "./monthly-panel.ts";
import { currentMonthFirst, positionOf } from "./monthly-values.ts";
import { type Anomaly, judgeSubject, readSubject, withMarketsMin } from "./read-subject.ts";
import { type AnomalyLevel, conditionOf, subjectsAt } from "./subjects.ts";

/** Orders of entries: by product, then market, or county and type of market; or by a measure. */
export const anomalyOrders = ["name", "alps", "percent_of_usual", "year_before", "previous"] as const;
export type AnomalyOrder = (typeof anomalyOrders)[number];

export const directions = ["asc", "desc"] as const;
export type Direction = (typeof directions)[number];

/** The conditions of a question, all of which must hold. */
export interface AnomalyQuestion extends MarketConditions, ProductList {
  readonly level: AnomalyLevel;
  /** Entries without a value in this month are left out; the newest month of each entry when absent. */
  readonly month?: MonthNumber | undefined;
  readonly classes?: readonly AlpsClass[] | undefined;
  /** The newest price of the entry is of this day or a later one. */
  readonly recordedSince?: Day | undefined;
  /** See `withMarketsMin`; the default of the level when absent. No market has it. */
  readonly marketsMin?: number | undefined;
  readonly order: AnomalyOrder;
  /** When absent, names ascend and measures descend. Entries without the measure stand last in both directions. */
  readonly direction?: Direction | undefined;
}

export interface AnomalyAnswer {
  /** All entries, in order. */
  readonly entries: readonly Anomaly[];
  /** Entries by class, before `classes` applies; `null` for those without one. */
  readonly classCounts: ReadonlyMap<AlpsClass | null, number>;
  /** The oldest and the newest judged month of these; undefined without any. */
  readonly months: { readonly oldest: MonthNumber; readonly newest: MonthNumber } | undefined;
  /** Entries that are left out because they are not of now. */
  readonly staleLeftOut: number;
  /** Entries that there would be, whatever their class, for refugee camps alone, where these are left out. */
  readonly campsLeftOut: number;
}

/**
 * Finds entries.
 *
 * Cost: a read of each price of the products, or of each entry where all products were judged before in the same month.
 * Yields the rows that were read.
 */
export function* findAnomalies(store: Store, question: AnomalyQuestion): Generator<number, AnomalyAnswer> {
  const { level, classes, refugeeCamps = "include" } = question;
  const isMet = conditionOf(store, question);
  const wanted = classes === undefined ? undefined : new Set<AlpsClass | null>(classes);
  const classCounts = new Map<AlpsClass | null, number>([...alpsClasses, null].map((name) => [name, 0]));
  const marketsMin = question.marketsMin ?? marketsMinOf(level);
  const isOfNow = question.month === undefined && question.recordedSince === undefined;
  const monthFirst = isOfNow ? currentMonthFirst(store) : -Infinity;
  const entries: Anomaly[] = [];
  let [oldest, newest, staleLeftOut] = [Infinity, -Infinity, 0];
  const found = yield* judgedEntries(store, question, refugeeCamps);
  for (const chunk of chunksOf(found)) {
    for (const judged of chunk) {
      if (!isMet(judged)) continue;
      const { month } = judged;
      if (month < monthFirst) {
        staleLeftOut++;
        continue;
      }
      const entry = withMarketsMin(judged, marketsMin);
      const { alps } = entry.measures;
      const name = isComputed(alps) ? alps.class : null;
      classCounts.set(name, classCounts.get(name)! + 1);
      oldest = Math.min(oldest, month);
      newest = Math.max(newest, month);
      if (wanted === undefined || wanted.has(name)) entries.push(entry);
    }
    yield entryWeight * chunk.length;
  }
  const camps = refugeeCamps === "exclude" ? yield* countOfCamps(store, question, found, monthFirst) : 0;
  return {
    entries: yield* sortEntries(entries, question),
    classCounts,
    months: oldest > newest ? undefined : { oldest, newest },
    staleLeftOut,
    campsLeftOut: camps,
  };
}

/** @param found The entries of the question's own population. */
function* countOfCamps(
  store: Store,
  question: AnomalyQuestion,
  found: readonly Anomaly[],
  monthFirst: MonthNumber,
): Generator<number, number> {
  const isMet = conditionOf(store, { ...question, refugeeCamps: "only" });
  const entries = question.level === "market" ? found : yield* judgedEntries(store, question, "only");
  let count = 0;
  for (const chunk of chunksOf(entries)) {
    for (const entry of chunk) if (entry.month >= monthFirst && isMet(entry)) count++;
    yield chunk.length;
  }
  return count;
}

/** Entries between two yields, and what one costs, in the rows of a search, which its steps count. */
const chunkEntries = 2048;
const entryWeight = 12;

function* chunksOf(entries: readonly Anomaly[]): Generator<readonly Anomaly[], void> {
  for (let from = 0; from < entries.length; from += chunkEntries) yield entries.slice(from, from + chunkEntries);
}

/** Cached by store: the entries of all products, by level, population and judged month. */
const judgedByStore = new WeakMap<Store, Map<string, readonly Anomaly[]>>();

/**
 * So much is cached for a store: entries of markets, and of counties and the country of each population, in their
 * newest months; and a list and its camps of another month.
 */
const judgedMax = 9;

/**
 * The entries, without conditions on markets and days, judged by however few markets there are. A market is of one
 * population: entries of markets are of all.
 */
function* judgedEntries(
  store: Store,
  question: AnomalyQuestion,
  refugeeCamps: Population,
): Generator<number, readonly Anomaly[]> {
  const { productUuids, level, month } = question;
  const population = level === "market" ? "include" : refugeeCamps;
  const cached = getOrInsert(judgedByStore, store, () => new Map());
  const key = `${level} ${population} ${month ?? "newest"}`;
  const known = productUuids === undefined ? cached.get(key) : undefined;
  if (known !== undefined) return known;
  const panel = new MonthlyPanel(store);
  const subjectsOf = subjectsAt(store, level, { refugeeCamps: population });
  const found: Anomaly[] = [];
  for (const product of selectProducts(store, productUuids)) {
    for (const subjectRuns of subjectsOf(product)) {
      const months = yield* readSubject(panel, subjectRuns, month);
      if (months === undefined) continue;
      const { length } = months;
      const at = month === undefined ? length - 1 : positionOf(months.months, length, month);
      found.push(judgeSubject(panel, subjectRuns.subject, months, at));
    }
  }
  if (productUuids === undefined) cached.set(key, found);
  if (cached.size > judgedMax) cached.delete(cached.keys().next().value!);
  return found;
}

const figures: Readonly<Record<Exclude<AnomalyOrder, "name">, (entry: Anomaly) => number | undefined>> = {
  alps: ({ measures: { alps } }) => (isComputed(alps) ? alps.value : undefined),
  percent_of_usual: ({ measures: { fiveYears } }) => (isComputed(fiveYears) ? fiveYears.percentOfUsual : undefined),
  year_before: ({ measures: { yearBefore } }) => percentOf(yearBefore),
  previous: ({ measures: { previous } }) => percentOf(previous),
};

function percentOf(change: PriceChange | NotComputable): number | undefined {
  return isComputed(change) ? change.changePercent : undefined;
}

/**
 * Sorts by figures as they are answered: two that differ by the rounding of doubles alone are equal to a reader.
 *
 * @param entries By name: equal ones stay in this order.
 */
function* sortEntries(
  entries: readonly Anomaly[],
  { order, direction }: AnomalyQuestion,
): Generator<number, readonly Anomaly[]> {
  if (order === "name") return direction === "desc" ? entries.toReversed() : entries;
  const figureOf = figures[order];
  const byFigure = new Map<number, Anomaly[]>();
  const without: Anomaly[] = [];
  for (const chunk of chunksOf(entries)) {
    for (const entry of chunk) {
      const figure = figureOf(entry);
      if (figure === undefined) without.push(entry);
      else getOrInsert(byFigure, roundSigned(figure), () => []).push(entry);
    }
    yield entryWeight * chunk.length;
  }
  // Several times as fast as a sort of entries.
  const ascending = Float64Array.from(byFigure.keys()).sort();
  yield entryWeight * entries.length;
  const sorted = direction === "asc" ? ascending : ascending.reverse();
  return [...[...sorted].flatMap((figure) => byFigure.get(figure)!), ...without];
}
