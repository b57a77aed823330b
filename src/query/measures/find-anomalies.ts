/**
 * Which prices are unusual: entries of markets, counties or the country, each judged in its newest month or in a given
 * one.
 *
 * Counties and the country are compared like for like: a measure is the median over those markets of a type that have
 * it in the judged month. Medians of whatever markets report would compare different markets with one another.
 */
import type { Day } from "../../domain/calendar-day.ts";
import type { MonthNumber } from "../../domain/calendar-month.ts";
import type { CountyId, Uuid } from "../../domain/ids.ts";
import { marketTypes } from "../../domain/vocabulary.ts";
import { medianOf } from "../../store/figures.ts";
import type { Range } from "../../store/lower-bound.ts";
import { dayCodesOf } from "../../store/periods.ts";
import { allTypes, type RunIndex, typeCodeOf } from "../../store/runs.ts";
import type { Store } from "../../store/store.ts";
import type { MarketConditions } from "../questions.ts";
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

/** What is asked for. Every condition given must hold. */
export interface AnomalyQuestion extends MarketConditions {
  /** Unknown and repeated uuids add nothing; all products when absent. */
  readonly productUuids?: readonly Uuid[] | undefined;
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

/** What an entry is about. */
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

/** The prices of the judged month. */
interface JudgedMonth {
  readonly month: MonthNumber;
  /** The median of all prices of the month that are not suspicious. */
  readonly median: number;
  readonly sampleCount: number;
  /** Suspicious prices up to the end of the month, which no measure uses. */
  readonly suspiciousLeftOut: number;
}

export interface Anomaly extends AnomalySubject, JudgedMonth {
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
  const isWanted = classCondition(question.classes);
  const classCounts = new Map<AlpsClass | null, number>([...alpsClasses, null].map((name) => [name, 0]));
  const entries: Anomaly[] = [];
  for (const chunk of chunksOf(yield* judgedEntries(store, question))) {
    for (const entry of chunk) {
      if (!isMet(entry)) continue;
      const name = classOf(entry);
      classCounts.set(name, classCounts.get(name)! + 1);
      if (isWanted(name)) entries.push(entry);
    }
    yield entryWeight * chunk.length;
  }
  return { entries: question.order === "name" ? entries : yield* sortByFigure(entries, question.order), classCounts };
}

/** Entries between two yields, and what one costs, in the rows of a search that `runInSlices` counts. */
const chunkEntries = 2048;
const entryWeight = 12;

function* chunksOf(entries: readonly Anomaly[]): Generator<readonly Anomaly[], void> {
  for (let from = 0; from < entries.length; from += chunkEntries) yield entries.slice(from, from + chunkEntries);
}

/** What is kept of a store: the entries of all products, by level and judged month. */
const judgedByStore = new WeakMap<Store, Map<string, readonly Anomaly[]>>();

/** Levels and months that are kept of a store: the three levels in their newest months, and one of another month. */
const judgedMax = 4;

/** The entries of some products, or of all, by name; conditions on markets and days apart. */
function* judgedEntries(store: Store, question: AnomalyQuestion): Generator<number, readonly Anomaly[]> {
  if (question.productUuids !== undefined) return yield* judgeProducts(store, question);
  const kept = judgedByStore.getOrInsertComputed(store, () => new Map());
  const key = `${question.level} ${question.month ?? "newest"}`;
  const found = kept.get(key);
  if (found !== undefined) return found;
  const entries = yield* judgeProducts(store, question);
  kept.set(key, entries);
  if (kept.size > judgedMax) kept.delete(kept.keys().next().value!);
  return entries;
}

/** What a price costs to read here, and a run beside, in the rows of a search that `runInSlices` counts. */
const rowWeight = 4;
const runWeight = 100;

function* judgeProducts(
  store: Store,
  { productUuids, level, month }: AnomalyQuestion,
): Generator<number, readonly Anomaly[]> {
  const reader = new MonthlyReader(store);
  const subjectsOf = subjectsAt(store, level);
  const found: Anomaly[] = [];
  for (const product of productsOf(store, productUuids)) {
    for (const subjectRuns of subjectsOf(product)) {
      if (level !== "market") {
        const entry = yield* judgeArea(store, reader, subjectRuns, month);
        if (entry !== undefined) found.push(entry);
        continue;
      }
      const { subject, runs } = subjectRuns;
      const [run] = runs as [number];
      const entry = judgeMarket(reader, subject, run, reader.readRun(product, run), month);
      if (entry !== undefined) found.push(entry);
      yield weightOf(store, run);
    }
  }
  return found;
}

function weightOf({ runs: { rowOffsets } }: Store, run: number): number {
  return runWeight + rowWeight * (rowOffsets[run + 1]! - rowOffsets[run]!);
}

/** Product codes, ascending: by name. */
export function productsOf({ catalogue }: Store, uuids: readonly Uuid[] | undefined): number[] {
  if (uuids === undefined) return [...catalogue.products.keys()];
  const codes = uuids.map((uuid) => catalogue.productCodes.get(uuid)).filter((code) => code !== undefined);
  return [...new Set(codes)].sort((a, b) => a - b);
}

/** A subject, and the runs of its product at its markets. */
export interface SubjectRuns {
  readonly subject: AnomalySubject;
  readonly runs: readonly number[];
}

/** The subjects of a product at a level, in the order of entries. */
export function subjectsAt(store: Store, level: AnomalyLevel): (product: number) => SubjectRuns[] {
  return level === "market" ? marketSubjects(store) : areaSubjects(store, level);
}

/** Each market that has prices of a product, by name. */
function marketSubjects({ catalogue, runs, periods }: Store): (product: number) => SubjectRuns[] {
  const ranks = new Uint32Array(catalogue.markets.length);
  for (const [rank, market] of catalogue.marketsByName.entries()) ranks[market] = rank;
  return (product) =>
    runsOf(runs, product)
      .sort((a, b) => ranks[runs.markets[a]!]! - ranks[runs.markets[b]!]!)
      .map((run) => {
        const market = runs.markets[run]!;
        const countyId = catalogue.marketCounties[market]! as CountyId;
        const marketType = catalogue.marketTypeCodes[market]!;
        const newestDay = periods.dayCodes[runs.rowOffsets[run]!]!;
        return { subject: { product, market, countyId, marketType, newestDay }, runs: [run] };
      });
}

/** Each type of market of each county, or of the country, that has prices of a product; counties by name. */
function areaSubjects(
  { catalogue, runs, periods }: Store,
  level: "county" | "country",
): (product: number) => SubjectRuns[] {
  const countyIds = level === "county" ? catalogue.countiesByName : [undefined];
  const keyOf = (countyId: number, marketType: number): number => countyId * marketTypes.length + marketType;
  return (product) => {
    const byArea = Map.groupBy(runsOf(runs, product), (run) => {
      const market = runs.markets[run]!;
      return keyOf(level === "county" ? catalogue.marketCounties[market]! : 0, catalogue.marketTypeCodes[market]!);
    });
    return countyIds.flatMap((countyId) =>
      [...marketTypes.keys()].flatMap((marketType) => {
        const ofArea = byArea.get(keyOf(countyId ?? 0, marketType));
        if (ofArea === undefined) return [];
        const newestDay = Math.min(...ofArea.map((run) => periods.dayCodes[runs.rowOffsets[run]!]!));
        return [{ subject: { product, market: undefined, countyId, marketType, newestDay }, runs: ofArea }];
      }),
    );
  };
}

/** The runs of a product. */
function runsOf({ runOffsets }: RunIndex, product: number): number[] {
  const from = runOffsets[product]!;
  return Array.from({ length: runOffsets[product + 1]! - from }, (_, at) => from + at);
}

/** Whether a subject meets the conditions on markets and days. */
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

/** @returns undefined where the judged month has no value. */
export function judgeMarket(
  reader: MonthlyReader,
  subject: AnomalySubject,
  run: number,
  values: MonthlyValues,
  month: MonthNumber | undefined,
): Anomaly | undefined {
  const at = month === undefined ? values.length - 1 : positionOf(values, month);
  if (at === -1) return undefined;
  return {
    ...subject,
    month: values.months[at]!,
    median: values.medians[at]!,
    sampleCount: values.counts[at]!,
    suspiciousLeftOut: reader.countSuspicious(run, values.months[at]!),
    measures: judgeMonth(values, at),
  };
}

/** A market in the judged month. */
export interface MarketMonth {
  readonly rows: Range;
  readonly measures: MonthMeasures;
}

/** @returns undefined where the month has no value. */
export function judgeMonthOf(values: MonthlyValues, month: MonthNumber): MarketMonth | undefined {
  const at = positionOf(values, month);
  if (at === -1) return undefined;
  return { rows: { from: values.rowsFrom[at]!, to: values.rowsTo[at]! }, measures: judgeMonth(values, at) };
}

/**
 * Reads and judges the markets of an area one after another.
 *
 * @returns undefined where the judged month has no value.
 */
function* judgeArea(
  store: Store,
  reader: MonthlyReader,
  subjectRuns: SubjectRuns,
  asked: MonthNumber | undefined,
): Generator<number, Anomaly | undefined> {
  const { subject, runs } = subjectRuns;
  const month = asked ?? newestOf(runs.map((run) => reader.newestMonth(subject.product, run)));
  if (month === undefined) return undefined;
  const judged: (MarketMonth | undefined)[] = [];
  for (const run of runs) {
    judged.push(judgeMonthOf(reader.readRun(subject.product, run), month));
    yield weightOf(store, run);
  }
  return joinMarkets(reader, subjectRuns, month, judged);
}

/** @returns undefined where no month is. */
export function newestOf(months: readonly (MonthNumber | undefined)[]): MonthNumber | undefined {
  const found = months.filter((month) => month !== undefined);
  return found.length === 0 ? undefined : Math.max(...found);
}

/** The entry of an area. @param judged Its markets in the month. @returns undefined where none has a value. */
export function joinMarkets(
  reader: MonthlyReader,
  { subject, runs }: SubjectRuns,
  month: MonthNumber,
  judged: readonly (MarketMonth | undefined)[],
): Anomaly | undefined {
  const markets = judged.filter((market) => market !== undefined);
  if (markets.length === 0) return undefined;
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
    measures: mediansOverMarkets(
      month,
      markets.map(({ measures }) => measures),
    ),
  };
}

/** @param markets The measures of each market in the month. */
function mediansOverMarkets(month: MonthNumber, markets: readonly MonthMeasures[]): MonthMeasures {
  const yearBefore = medianOfFigures(
    markets.map((market) => market.yearBefore),
    ({ changePercent }) => changePercent,
  );
  const fiveYears = medianOfFigures(
    markets.map((market) => market.fiveYears),
    ({ percentOfUsual }) => percentOfUsual,
  );
  const alps = medianOfFigures(
    markets.map((market) => market.alps),
    ({ value }) => value,
  );
  return {
    yearBefore: withMarkets("year_before", yearBefore, (changePercent) => ({ month: month - 12, changePercent })),
    fiveYears: withMarkets("five_years", fiveYears, (percentOfUsual) => ({ percentOfUsual })),
    alps: withMarkets("alps", alps, (value) => ({ value, class: alpsClassOf(value) })),
  };
}

/** The median of a figure over the markets that have it, and how many these are. */
function medianOfFigures<Measure extends object>(
  measures: readonly (Measure | NotComputable)[],
  figureOf: (measure: Measure) => number,
): { readonly median: number; readonly markets: number } {
  const figures = Float64Array.from(measures.filter(isComputed<Measure>), figureOf);
  const { length: markets } = figures;
  return { median: markets === 0 ? Number.NaN : medianOf(figures, 0, markets), markets };
}

function withMarkets<Measure extends object>(
  measure: MeasureName,
  { median, markets }: { readonly median: number; readonly markets: number },
  measureOf: (median: number) => Measure,
): (Measure & { readonly markets: number }) | NotComputable {
  if (markets < marketsMin) return { measure, reason: "TOO_FEW_MARKETS", found: markets, needed: marketsMin };
  return { ...measureOf(median), markets };
}

function classOf({ measures: { alps } }: Anomaly): AlpsClass | null {
  return isComputed(alps) ? alps.class : null;
}

function classCondition(classes: readonly AlpsClass[] | undefined): (name: AlpsClass | null) => boolean {
  if (classes === undefined) return () => true;
  const wanted = new Set<AlpsClass | null>(classes);
  return (name) => wanted.has(name);
}

/** @param entries By name: equal ones stay in this order. */
function* sortByFigure(
  entries: readonly Anomaly[],
  order: Exclude<AnomalyOrder, "name">,
): Generator<number, readonly Anomaly[]> {
  const figureOf = order === "alps" ? alpsOf : percentOfUsual;
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

function alpsOf({ measures: { alps } }: Anomaly): number | undefined {
  return isComputed(alps) ? alps.value : undefined;
}

function percentOfUsual({ measures: { fiveYears } }: Anomaly): number | undefined {
  return isComputed(fiveYears) ? fiveYears.percentOfUsual : undefined;
}
