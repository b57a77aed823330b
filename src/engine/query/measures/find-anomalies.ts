/**
 * Finds unusual prices: entries of markets, counties or the country, each judged in its newest month or in a given
 * one.
 *
 * Counties and the country are compared like for like: a measure is the median over those markets of a type that have
 * it in the judged month. Medians of whatever markets report would compare different markets with one another.
 */
import type { Day, MonthNumber } from "../../model/calendar.ts";
import type { CountyId } from "../../model/ids.ts";
import { marketTypes } from "../../model/vocabulary.ts";
import { ranksOf } from "../../store/catalogue.ts";
import type { Range } from "../../store/columns.ts";
import { medianOf } from "../../store/figures.ts";
import { dayCodesOf } from "../../store/periods.ts";
import { allTypes, typeCodeOf } from "../../store/runs.ts";
import type { Store } from "../../store/store.ts";
import type { MarketConditions, ProductList } from "../questions.ts";
import { selectProducts } from "../select.ts";
import {
  type AlpsClass,
  alpsClasses,
  alpsClassOf,
  isComputed,
  judgeMonth,
  type MeasureName,
  type MonthMeasures,
  type NotComputable,
} from "./judge-month.ts";
import { MonthlyReader, type MonthlyValues, positionOf } from "./monthly-values.ts";

export const anomalyLevels = ["market", "county", "country"] as const;
export type AnomalyLevel = (typeof anomalyLevels)[number];

/**
 * Orders of entries. `alps`: highest first; `percent_of_usual`: highest first; entries without the measure last; equal
 * ones by name. `name`: by product, then market, or county and type of market.
 */
export const anomalyOrders = ["name", "alps", "percent_of_usual"] as const;
export type AnomalyOrder = (typeof anomalyOrders)[number];

/** The conditions of a question, all of which must hold. */
export interface AnomalyQuestion extends MarketConditions, ProductList {
  readonly level: AnomalyLevel;
  /** Entries without a value in this month are left out; the newest month of each entry when absent. */
  readonly month?: MonthNumber | undefined;
  readonly classes?: readonly AlpsClass[] | undefined;
  /** The newest price of the entry is of this day or a later one. */
  readonly recordedSince?: Day | undefined;
  readonly order: AnomalyOrder;
}

/** Markets that a measure of a county or the country is the median of, at the least. */
export const marketsMin = 3;

/** The product and place of an entry. */
export interface AnomalySubject {
  readonly product: number;
  /** Market code; undefined for a county and the country. */
  readonly market: number | undefined;
  /** Undefined for the country. */
  readonly countyId: CountyId | undefined;
  /** Position in `marketTypes`. */
  readonly marketType: number;
  /** Day code of its newest price. */
  readonly newestDay: number;
}

export interface Anomaly extends AnomalySubject {
  /** The judged month. */
  readonly month: MonthNumber;
  /** The median of all prices of the month that are not suspicious. */
  readonly median: number;
  readonly sampleCount: number;
  /** Suspicious prices up to the end of the month, which no measure uses. */
  readonly suspiciousLeftOut: number;
  readonly measures: MonthMeasures;
}

export interface AnomalyAnswer {
  /** All entries, in order. */
  readonly entries: readonly Anomaly[];
  /** Entries by class, before `classes` applies; `null` for those without one. */
  readonly classCounts: ReadonlyMap<AlpsClass | null, number>;
}

/**
 * Finds entries.
 *
 * Cost: a look at each price of the products, or at each entry where all products were judged before in the same month.
 * Yields the rows that were read.
 */
export function* findAnomalies(store: Store, question: AnomalyQuestion): Generator<number, AnomalyAnswer> {
  const isMet = conditionOf(store, question);
  const wanted = question.classes === undefined ? undefined : new Set<AlpsClass | null>(question.classes);
  const classCounts = new Map<AlpsClass | null, number>([...alpsClasses, null].map((name) => [name, 0]));
  const entries: Anomaly[] = [];
  for (const chunk of chunksOf(yield* judgedEntries(store, question))) {
    for (const entry of chunk) {
      if (!isMet(entry)) continue;
      const { alps } = entry.measures;
      const name = isComputed(alps) ? alps.class : null;
      classCounts.set(name, classCounts.get(name)! + 1);
      if (wanted === undefined || wanted.has(name)) entries.push(entry);
    }
    yield entryWeight * chunk.length;
  }
  return { entries: question.order === "name" ? entries : yield* sortByFigure(entries, question.order), classCounts };
}

/** Entries between two yields, and what one costs, in the rows of a search, which its steps count. */
const chunkEntries = 2048;
const entryWeight = 12;

function* chunksOf(entries: readonly Anomaly[]): Generator<readonly Anomaly[], void> {
  for (let from = 0; from < entries.length; from += chunkEntries) yield entries.slice(from, from + chunkEntries);
}

/** Cached by store: the entries of all products, by level and judged month. */
const judgedByStore = new WeakMap<Store, Map<string, readonly Anomaly[]>>();

/** Levels and months that are cached for a store: the three levels in their newest months, and one of another month. */
const judgedMax = 4;

/** The entries of some products, or of all, by name, without conditions on markets and days. */
function* judgedEntries(store: Store, question: AnomalyQuestion): Generator<number, readonly Anomaly[]> {
  if (question.productUuids !== undefined) return yield* judgeProducts(store, question);
  const cached = judgedByStore.getOrInsertComputed(store, () => new Map());
  const key = `${question.level} ${question.month ?? "newest"}`;
  const found = cached.get(key);
  if (found !== undefined) return found;
  const entries = yield* judgeProducts(store, question);
  cached.set(key, entries);
  if (cached.size > judgedMax) cached.delete(cached.keys().next().value!);
  return entries;
}

/** The cost of reading a price here, and of a run beside, in the rows of a search, which its steps count. */
const rowWeight = 4;
const runWeight = 100;

function* judgeProducts(
  store: Store,
  { productUuids, level, month: requested }: AnomalyQuestion,
): Generator<number, readonly Anomaly[]> {
  const { rowOffsets } = store.runs;
  const reader = new MonthlyReader(store);
  const subjectsOf = subjectsAt(store, level);
  const found: Anomaly[] = [];
  for (const product of selectProducts(store, productUuids)) {
    for (const subjectRuns of subjectsOf(product)) {
      const { runs } = subjectRuns;
      const month = requested ?? reader.newestMonth(product, runs);
      if (month === undefined) {
        yield runs.reduce((sum, run) => sum + runWeight + rowWeight * (rowOffsets[run + 1]! - rowOffsets[run]!), 0);
        continue;
      }
      const judged: (MarketMonth | undefined)[] = [];
      for (const run of runs) {
        judged.push(judgeMarket(reader.readRun(product, run), month));
        yield runWeight + rowWeight * (rowOffsets[run + 1]! - rowOffsets[run]!);
      }
      const entry = joinMarkets(reader, subjectRuns, month, judged);
      if (entry !== undefined) found.push(entry);
    }
  }
  return found;
}

/** A subject, and the runs of its product at its markets. */
export interface SubjectRuns {
  readonly subject: AnomalySubject;
  readonly runs: readonly number[];
}

/**
 * The subjects of a product at a level, in the order of entries: each market that has prices of it, by name; or each
 * type of market of each county, by name, or of the country, that has some.
 */
export function subjectsAt(
  { catalogue, runs, periods }: Store,
  level: AnomalyLevel,
): (product: number) => SubjectRuns[] {
  const { marketCounties, marketTypeCodes, marketsByName, countiesByName } = catalogue;
  const [areasByName, areaOf] = {
    market: [marketsByName, (market: number) => market] as const,
    county: [countiesByName, (market: number) => marketCounties[market]!] as const,
    country: [[0], () => 0] as const,
  }[level];
  const ranks = ranksOf(areasByName);
  const orderOf = (run: number): number => {
    const market = runs.markets[run]!;
    return ranks[areaOf(market)]! * marketTypes.length + marketTypeCodes[market]!;
  };
  return (product) => {
    const from = runs.runOffsets[product]!;
    const ofProduct = Array.from({ length: runs.runOffsets[product + 1]! - from }, (_, at) => from + at);
    return [...Map.groupBy(ofProduct, orderOf)]
      .sort(([a], [b]) => a - b)
      .map(([, ofArea]) => {
        const first = runs.markets[ofArea[0]!]!;
        const subject = {
          product,
          market: level === "market" ? first : undefined,
          countyId: level === "country" ? undefined : (marketCounties[first]! as CountyId),
          marketType: marketTypeCodes[first]!,
          newestDay: ofArea.reduce((day, run) => Math.min(day, periods.dayCodes[runs.rowOffsets[run]!]!), Infinity),
        };
        return { subject, runs: ofArea };
      });
  };
}

/** Returns whether a subject meets the conditions on markets and days. */
export function conditionOf(
  { catalogue, periods }: Store,
  question: MarketConditions & Pick<AnomalyQuestion, "recordedSince">,
): (subject: AnomalySubject) => boolean {
  const { marketUuid, countyId, recordedSince } = question;
  const market = marketUuid === undefined ? undefined : (catalogue.marketCodes.get(marketUuid) ?? -1);
  const type = typeCodeOf(question.marketType);
  const dayEnd = dayCodesOf(periods, recordedSince, undefined).to;
  return (subject) =>
    (market === undefined || subject.market === market) &&
    (countyId === undefined || subject.countyId === countyId) &&
    (type === allTypes || subject.marketType === type) &&
    subject.newestDay < dayEnd;
}

/** A market in the judged month. */
export interface MarketMonth {
  readonly rows: Range;
  readonly measures: MonthMeasures;
}

/** @returns undefined where the month has no value. */
export function judgeMarket(values: MonthlyValues, month: MonthNumber): MarketMonth | undefined {
  const at = positionOf(values.months, values.length, month);
  if (at === -1) return undefined;
  return { rows: { from: values.rowsFrom[at]!, to: values.rowsTo[at]! }, measures: judgeMonth(values, at) };
}

/** The entry of a subject. @param judged Its markets in the month. @returns undefined where none has a value. */
export function joinMarkets(
  reader: MonthlyReader,
  { subject, runs }: SubjectRuns,
  month: MonthNumber,
  judged: readonly (MarketMonth | undefined)[],
): Anomaly | undefined {
  const markets = judged.filter((market) => market !== undefined);
  const [first] = markets;
  if (first === undefined) return undefined;
  const { median, count } = reader.medianOfRows(
    subject.product,
    markets.map(({ rows }) => rows),
  );
  return {
    ...subject,
    month,
    median,
    sampleCount: count,
    suspiciousLeftOut: runs.reduce((sum, run) => sum + reader.countSuspicious(run, month), 0),
    measures: subject.market === undefined ? measuresOfArea(month, markets) : first.measures,
  };
}

function measuresOfArea(month: MonthNumber, markets: readonly MarketMonth[]): MonthMeasures {
  const measures = markets.map((market) => market.measures);
  return {
    yearBefore: medianOverMarkets(
      "year_before",
      measures.map(({ yearBefore }) => yearBefore),
      ({ changePercent }) => changePercent,
      (changePercent) => ({ month: month - 12, changePercent }),
    ),
    fiveYears: medianOverMarkets(
      "five_years",
      measures.map(({ fiveYears }) => fiveYears),
      ({ percentOfUsual }) => percentOfUsual,
      (percentOfUsual) => ({ percentOfUsual }),
    ),
    alps: medianOverMarkets(
      "alps",
      measures.map(({ alps }) => alps),
      ({ value }) => value,
      (value) => ({ value, class: alpsClassOf(value) }),
    ),
  };
}

/** The measure of an area: the median of a figure over the markets that have it, and how many these are. */
function medianOverMarkets<Measure extends object>(
  measure: MeasureName,
  ofMarkets: readonly (Measure | NotComputable)[],
  figureOf: (measure: Measure) => number,
  measureOf: (median: number) => Measure,
): Measure | NotComputable {
  const figures = Float64Array.from(ofMarkets.filter(isComputed<Measure>), figureOf);
  const { length: markets } = figures;
  if (markets < marketsMin) return { measure, reason: "TOO_FEW_MARKETS", found: markets, needed: marketsMin };
  return { ...measureOf(medianOf(figures, 0, markets)), markets };
}

/** @param entries By name: equal ones stay in this order. */
function* sortByFigure(
  entries: readonly Anomaly[],
  order: Exclude<AnomalyOrder, "name">,
): Generator<number, readonly Anomaly[]> {
  const figureOf = ({ measures: { alps, fiveYears } }: Anomaly): number | undefined => {
    if (order === "alps") return isComputed(alps) ? alps.value : undefined;
    return isComputed(fiveYears) ? fiveYears.percentOfUsual : undefined;
  };
  const byFigure = new Map<number, Anomaly[]>();
  for (const chunk of chunksOf(entries)) {
    for (const entry of chunk) byFigure.getOrInsertComputed(figureOf(entry) ?? -Infinity, () => []).push(entry);
    yield entryWeight * chunk.length;
  }
  // Several times as fast as a sort of entries.
  const figures = Float64Array.from(byFigure.keys()).sort().reverse();
  yield entryWeight * entries.length;
  return [...figures].flatMap((figure) => byFigure.get(figure)!);
}
