/**
 * Finds unusual prices: entries of markets, counties or the country, each judged in its newest month or in a given one.
 * Without a month the list is of now: series that end long before the data are left out.
 */
import type { Day, MonthNumber } from "../../model/calendar.ts";
import { getOrInsert } from "../../model/get-or-insert.ts";
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
import { currentMonthFirst, MonthlyReader, positionOf } from "./monthly-values.ts";
import { type Anomaly, SubjectReader, withMarketsMin } from "./read-subject.ts";
import { type AnomalyLevel, type AnomalySubject, conditionOf, subjectsAt } from "./subjects.ts";

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
  const { level, classes, order } = question;
  const isMet = conditionOf(store, question);
  const wanted = classes === undefined ? undefined : new Set<AlpsClass | null>(classes);
  const classCounts = new Map<AlpsClass | null, number>([...alpsClasses, null].map((name) => [name, 0]));
  const marketsMin = question.marketsMin ?? marketsMinOf(level);
  const isOfNow = question.month === undefined && question.recordedSince === undefined;
  const monthFirst = isOfNow ? currentMonthFirst(store) : -Infinity;
  const entries: Anomaly[] = [];
  let [oldest, newest, staleLeftOut] = [Infinity, -Infinity, 0];
  for (const chunk of chunksOf(yield* judgedEntries(store, question))) {
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
  return {
    entries: order === "name" ? sortByName(entries, question.direction) : yield* sortByFigure(entries, question),
    classCounts,
    months: oldest > newest ? undefined : { oldest, newest },
    staleLeftOut,
    campsLeftOut: question.refugeeCamps === "exclude" ? yield* countOfCamps(store, question, monthFirst) : 0,
  };
}

/** A subject of refugee camps, and the month that it would be judged in. */
interface CampSubject extends AnomalySubject {
  readonly month: MonthNumber;
}

function* countOfCamps(store: Store, question: AnomalyQuestion, monthFirst: MonthNumber): Generator<number, number> {
  const isMet = conditionOf(store, { ...question, refugeeCamps: "only" });
  const subjects = yield* cachedWork(store, question, "camps", campSubjects);
  let count = 0;
  for (const subject of subjects) if (subject.month >= monthFirst && isMet(subject)) count++;
  yield subjects.length;
  return count;
}

/** The subjects of camps that have a value, or have one in the month asked for. */
function* campSubjects(
  store: Store,
  { productUuids, level, month: requested }: AnomalyQuestion,
): Generator<number, readonly CampSubject[]> {
  const reader = new MonthlyReader(store);
  const subjectsOf = subjectsAt(store, level, { refugeeCamps: "only" });
  const found: CampSubject[] = [];
  for (const product of selectProducts(store, productUuids)) {
    for (const { subject, runs } of subjectsOf(product)) {
      const months = runs.map((run) => reader.newestMonthOf(product, run, requested) ?? -Infinity);
      const month = Math.max(...months);
      if (requested === undefined ? month !== -Infinity : month === requested) found.push({ ...subject, month });
      yield runs.length;
    }
  }
  return found;
}

/** Entries between two yields, and what one costs, in the rows of a search, which its steps count. */
const chunkEntries = 2048;
const entryWeight = 12;

function* chunksOf(entries: readonly Anomaly[]): Generator<readonly Anomaly[], void> {
  for (let from = 0; from < entries.length; from += chunkEntries) yield entries.slice(from, from + chunkEntries);
}

/** Cached by store: what is found of all products, by kind, level, population and judged month. */
const foundByStore = new WeakMap<Store, Map<string, unknown>>();

/**
 * So much is cached for a store: entries of markets, and of counties and the country of each population, and the camps
 * that are left out of these, in their newest months; and a list and its camps of another month.
 */
const foundMax = 12;

/** The entries, without conditions on markets and days, judged by however few markets there are. */
function judgedEntries(store: Store, question: AnomalyQuestion): Generator<number, readonly Anomaly[]> {
  // A market is of one population, and left out as others are.
  const population = question.level === "market" ? "include" : (question.refugeeCamps ?? "include");
  return cachedWork(store, { ...question, refugeeCamps: population }, population, judgeProducts);
}

/**
 * Runs a search, or returns its cached results where it is of all products.
 *
 * @param kind Distinguishes searches of one level and month.
 */
function* cachedWork<Found>(
  store: Store,
  question: AnomalyQuestion,
  kind: string,
  find: (store: Store, question: AnomalyQuestion) => Generator<number, readonly Found[]>,
): Generator<number, readonly Found[]> {
  if (question.productUuids !== undefined) return yield* find(store, question);
  const cached = getOrInsert(foundByStore, store, () => new Map());
  const key = `${kind} ${question.level} ${question.month ?? "newest"}`;
  const known = cached.get(key);
  if (known !== undefined) return known as readonly Found[];
  const found = yield* find(store, question);
  cached.set(key, found);
  if (cached.size > foundMax) cached.delete(cached.keys().next().value!);
  return found;
}

function* judgeProducts(
  store: Store,
  { productUuids, level, refugeeCamps, month: requested }: AnomalyQuestion,
): Generator<number, readonly Anomaly[]> {
  const reader = new SubjectReader(store);
  const subjectsOf = subjectsAt(store, level, { refugeeCamps });
  const found: Anomaly[] = [];
  for (const product of selectProducts(store, productUuids)) {
    for (const subjectRuns of subjectsOf(product)) {
      const months = yield* reader.read(subjectRuns, requested);
      if (months === undefined) continue;
      const { length } = months;
      found.push(
        reader.judge(
          subjectRuns,
          months,
          requested === undefined ? length - 1 : positionOf(months.months, length, requested),
        ),
      );
    }
  }
  return found;
}

/** @param entries By name, ascending. */
function sortByName(entries: readonly Anomaly[], direction: Direction = "asc"): readonly Anomaly[] {
  return direction === "asc" ? entries : entries.toReversed();
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
function* sortByFigure(
  entries: readonly Anomaly[],
  { order, direction = "desc" }: AnomalyQuestion,
): Generator<number, readonly Anomaly[]> {
  const figureOf = figures[order as keyof typeof figures];
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
