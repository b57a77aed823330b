/** The slow, obvious twins of measures; see naive-queries.ts. */
import { median } from "simple-statistics";
import type { MonthNumber } from "../../src/engine/model/calendar.ts";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import { getOrInsert } from "../../src/engine/model/get-or-insert.ts";
import type { Uuid } from "../../src/engine/model/ids.ts";
import type { MarketRecord } from "../../src/engine/model/records.ts";
import { marketTypes } from "../../src/engine/model/vocabulary.ts";
import type { AnomalyQuestion } from "../../src/engine/query/measures/find-anomalies.ts";
import { leastSquaresResiduals } from "./least-squares.ts";
import { type NaiveComparable, naiveComparable } from "./naive-comparable.ts";
import { byFoldedNames, byName, isInPopulation } from "./naive-queries.ts";
import { converter, monthOf, suspiciousReasonsOf } from "./naive-suspicious.ts";
import { type PlainPrice, plainPrices } from "./plain-prices.ts";

/** A measure that cannot be computed is its reason. */
export interface NaiveAnomaly {
  readonly product: Uuid;
  readonly market: Uuid | null;
  readonly county: number | null;
  readonly marketType: string;
  readonly month: MonthNumber;
  readonly median: number;
  readonly sampleCount: number;
  readonly suspiciousLeftOut: number;
  /** Null for a market. */
  readonly comparablePrice: number | null;
  readonly markets: number | null;
  readonly component: number | null;
  readonly campMarkets: number | null;
  readonly yearBefore: number | string;
  /** Of a change: its month, least, greatest and matched markets, and the named ones; null where there is none. */
  readonly yearBeforeOf: string | null;
  readonly previous: number | string;
  readonly previousOf: string | null;
  readonly fiveYears: number | string;
  readonly alps: number | string;
}

/** All entries by name, whatever order is requested, without those that are not of now. */
export function naiveAnomalies(dataset: Dataset, question: Omit<AnomalyQuestion, "order">): NaiveAnomaly[] {
  const entries = naiveJudged(dataset, question);
  if (question.month !== undefined || question.recordedSince !== undefined) return entries;
  const all = naiveJudged(dataset, { level: "market" });
  const newest = Math.max(...all.map(({ month }) => month));
  return entries.filter(({ month }) => newest - month <= 6);
}

/** All entries, also those that are not of now. */
export function naiveJudged(dataset: Dataset, question: Omit<AnomalyQuestion, "order">): NaiveAnomaly[] {
  const prices = plainPrices(dataset);
  const suspicious = suspiciousReasonsOf(dataset);
  const ofPopulation = prices.filter(({ market }) => isInPopulation(market, question.refugeeCamps));
  const areas = Map.groupBy(ofPopulation, ({ product, market, county }) => {
    const area = { market: market.uuid, county: county.id, country: "Kenya" }[question.level];
    return [product.uuid, area, market.type].join(" ");
  });
  return [...areas.values()]
    .sort(([a], [b]) => compareSubjects(a as PlainPrice, b as PlainPrice, question.level))
    .filter((ofArea) => matches(ofArea, question))
    .flatMap((ofArea) => {
      const { product } = ofArea[0] as PlainPrice;
      const convert = converter(
        dataset,
        prices.filter((price) => price.product === product),
      );
      const entry = judge(ofArea, convert, suspicious, question);
      const isWanted = question.classes === undefined || question.classes.some((name) => name === classOf(entry?.alps));
      return entry === undefined || !isWanted ? [] : [entry];
    });
}

function compareSubjects(a: PlainPrice, b: PlainPrice, level: AnomalyQuestion["level"]): number {
  const byCounty = byFoldedNames(a.county.name, b.county.name) || a.county.id - b.county.id;
  return (
    byName(a.product, b.product) ||
    { market: byName(a.market, b.market), county: byCounty, country: 0 }[level] ||
    marketTypes.indexOf(a.market.type) - marketTypes.indexOf(b.market.type)
  );
}

function matches(prices: readonly PlainPrice[], question: Omit<AnomalyQuestion, "order">): boolean {
  const { productUuids, marketUuid, countyId, marketType, recordedSince } = question;
  const { product, market, county } = prices[0] as PlainPrice;
  return (
    (productUuids === undefined || productUuids.includes(product.uuid)) &&
    (marketUuid === undefined || market.uuid === marketUuid) &&
    (countyId === undefined || county.id === countyId) &&
    (marketType === undefined || market.type === marketType) &&
    (recordedSince === undefined || prices.some(({ day }) => day >= recordedSince))
  );
}

function classOf(alps: number | string | undefined): string | undefined {
  if (typeof alps !== "number") return undefined;
  return alps < 0.25 ? "normal" : alps < 1 ? "stress" : alps < 2 ? "alert" : "crisis";
}

function judge(
  prices: readonly PlainPrice[],
  convert: (price: PlainPrice) => number | undefined,
  suspicious: ReadonlyMap<Uuid, unknown>,
  question: Omit<AnomalyQuestion, "order">,
): NaiveAnomaly | undefined {
  const { level, month: asked } = question;
  const { product, market, county } = prices[0] as PlainPrice;
  const counted = prices.filter((price) => convert(price) !== undefined && !suspicious.has(price.uuid));
  const month = asked ?? Math.max(...counted.map(monthOf));
  const ofMonth = counted.filter((price) => monthOf(price) === month).map((price) => convert(price) as number);
  if (ofMonth.length === 0) return undefined;
  const markets = [...Map.groupBy(counted, (price) => price.market)].map(
    ([record, ofMarket]): MarketValues => [record, monthlyMedians(ofMarket, convert)],
  );
  return {
    product: product.uuid,
    market: level === "market" ? market.uuid : null,
    county: level === "country" ? null : county.id,
    marketType: market.type,
    month,
    median: median(ofMonth),
    sampleCount: ofMonth.length,
    suspiciousLeftOut: prices.filter((price) => suspicious.has(price.uuid) && monthOf(price) <= month).length,
    ...(level === "market" ? judgeMarket(markets[0] as MarketValues, month) : judgeArea(markets, month, question)),
  };
}

type Judgement = Omit<
  NaiveAnomaly,
  "product" | "market" | "county" | "marketType" | "month" | "median" | "sampleCount" | "suspiciousLeftOut"
>;

/** The monthly values of a market. */
export type MarketValues = readonly [market: MarketRecord, medians: ReadonlyMap<MonthNumber, number>];

function judgeMarket([market, medians]: MarketValues, month: MonthNumber): Judgement {
  const ofMarket = (of: string | null): string | null => of && (of.split(" ")[0] as string);
  const { yearBefore, yearBeforeOf, previous, previousOf } = changesOf([[market, medians]], month, 1);
  return {
    ...{ comparablePrice: null, markets: null, component: null, campMarkets: null },
    ...{ yearBefore, yearBeforeOf: ofMarket(yearBeforeOf), previous, previousOf: ofMarket(previousOf) },
    ...(measuresOf(medians, month) as NonNullable<ReturnType<typeof measuresOf>>),
  };
}

function judgeArea(
  markets: readonly MarketValues[],
  month: MonthNumber,
  { level, marketsMin = level === "county" ? 1 : 3 }: Omit<AnomalyQuestion, "order">,
): Judgement {
  const { months } = comparableOf(markets);
  const judged = months.get(month) as NonNullable<ReturnType<typeof months.get>>;
  const there = markets.filter(([, medians]) => medians.has(month));
  const campMarkets = there.filter(([{ setting }]) => setting === "refugee_camp").length;
  const of = { comparablePrice: judged.price, markets: judged.markets, component: judged.component, campMarkets };
  const changes = changesOf(markets, month, marketsMin);
  if (judged.markets < marketsMin) {
    const reason = `TOO_FEW_MARKETS ${judged.markets} of ${marketsMin}`;
    return { ...of, ...changes, fiveYears: reason, alps: reason };
  }
  const ofComponent = [...months].filter(([, { component }]) => component === judged.component);
  const series = new Map(ofComponent.map(([each, { price }]) => [each, price]));
  return { ...of, ...changes, ...(measuresOf(series, month) as NonNullable<ReturnType<typeof measuresOf>>) };
}

/** The changes of a month, each as its median and, as a text, what it is of; or why it cannot be computed. */
function changesOf(
  markets: readonly MarketValues[],
  month: MonthNumber,
  marketsMin: number,
): Pick<Judgement, "yearBefore" | "yearBeforeOf" | "previous" | "previousOf"> {
  const [yearBefore, yearBeforeOf] = changeOf(markets, month, [month - 12], marketsMin);
  const sixBefore = [1, 2, 3, 4, 5, 6].map((distance) => month - distance);
  const [previous, previousOf] = changeOf(markets, month, sixBefore, marketsMin);
  return { yearBefore, yearBeforeOf, previous, previousOf };
}

/** @param earlier Newest first. */
export function changeOf(
  markets: readonly MarketValues[],
  month: MonthNumber,
  earlier: readonly MonthNumber[],
  marketsMin: number,
): [number | string, string | null] {
  const there = markets.filter(([, medians]) => medians.has(month));
  if (there.length < marketsMin) return [`TOO_FEW_MARKETS ${there.length} of ${marketsMin}`, null];
  const known = earlier.filter((each) => markets.some(([, medians]) => medians.has(each)));
  if (known.length === 0) return ["NO_PRICE 0 of 1", null];
  const matched = known.map((before) =>
    there.flatMap(([{ uuid }, medians]) => {
      const [now, then] = [medians.get(month) as number, medians.get(before)];
      return then === undefined ? [] : [{ uuid, percent: 100 * (now / then - 1), before }];
    }),
  );
  const enough = matched.find(({ length }) => length >= marketsMin);
  if (enough === undefined) {
    return [`TOO_FEW_MATCHED_MARKETS ${Math.max(...matched.map(({ length }) => length))} of ${marketsMin}`, null];
  }
  const percents = enough.map(({ percent }) => percent);
  const named = enough.length > 4 ? [] : enough.map(({ uuid, percent }) => `${uuid}:${percent.toFixed(6)}`).sort();
  const range = [Math.min(...percents), Math.max(...percents)].map((percent) => percent.toFixed(6));
  return [median(percents), [enough[0]?.before, ...range, enough.length, ...named].join(" ")];
}

/** By the values, so that each area is fitted once for all its months. */
const fitted = new Map<string, NaiveComparable>();

function comparableOf(markets: readonly MarketValues[]): NaiveComparable {
  const values = markets.flatMap(([{ uuid: market }, medians]) => {
    return [...medians].map(([month, value]) => ({ market, month, value }));
  });
  const key = JSON.stringify(values);
  return getOrInsert(fitted, key, () => naiveComparable(values));
}

/** The median of each month. */
export function monthlyMedians(
  prices: readonly PlainPrice[],
  convert: (price: PlainPrice) => number | undefined,
): Map<MonthNumber, number> {
  const byMonth = Map.groupBy(prices, monthOf);
  return new Map(
    [...byMonth].map(([month, ofMonth]) => [month, median(ofMonth.map((price) => convert(price) as number))]),
  );
}

/** The measures of a month in its series: percent of the usual price, standard deviations. */
export function measuresOf(medians: ReadonlyMap<MonthNumber, number>, month: MonthNumber) {
  const value = medians.get(month);
  if (value === undefined) return undefined;
  const usual = [1, 2, 3, 4, 5].map((year) => medians.get(month - 12 * year)).filter((found) => found !== undefined);
  return {
    fiveYears: usual.length < 3 ? `TOO_FEW_YEARS ${usual.length} of 3` : (100 * value) / median(usual),
    alps: naiveAlps(medians, month),
  };
}

function naiveAlps(medians: ReadonlyMap<MonthNumber, number>, judged: MonthNumber): number | string {
  const months = [...medians.keys()].filter((month) => month <= judged).sort((a, b) => a - b);
  if (months.length < 36) return `TOO_FEW_MONTHS ${months.length} of 36`;
  const percent = (100 * months.length) / (judged - (months[0] as number) + 1);
  if (percent < 70) return `TOO_MANY_GAPS ${percent.toFixed(6)} of 70`;
  const values = months.map((month) => medians.get(month) as number);
  const calendarMonths = [...new Set(months.map((month) => month % 12))];
  const middle = months.reduce((sum, month) => sum + month, 0) / months.length;
  const design = months.map((month) => [
    month - middle,
    ...calendarMonths.map((calendarMonth) => Number(month % 12 === calendarMonth)),
  ]);
  const residuals = leastSquaresResiduals(design, values);
  const deviation = Math.sqrt(residuals.reduce((sum, one) => sum + one * one, 0) / (residuals.length - 1));
  if (deviation <= 1e-9 * (values.reduce((sum, one) => sum + one, 0) / values.length)) return "NO_VARIATION";
  return (residuals.at(-1) as number) / deviation;
}

/** The seasonal index of each calendar month; or how many ratios the poorest has. @param series Of each component. */
export function naiveSeasonality(series: readonly ReadonlyMap<MonthNumber, number>[]): number[] | number {
  const ratios = Array.from({ length: 12 }, (_, calendarMonth) =>
    series.flatMap((medians) =>
      [...medians].flatMap(([month, value]) => {
        const year = [-6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6].map((distance) => medians.get(month + distance));
        if (month % 12 !== calendarMonth || year.includes(undefined)) return [];
        const first = (year.slice(0, 12) as number[]).reduce((sum, one) => sum + one, 0) / 12;
        const second = (year.slice(1) as number[]).reduce((sum, one) => sum + one, 0) / 12;
        return [value / ((first + second) / 2)];
      }),
    ),
  );
  const fewest = Math.min(...ratios.map(({ length }) => length));
  if (fewest < 3) return fewest;
  const medianRatios = ratios.map((list) => median(list));
  const mean = medianRatios.reduce((sum, ratio) => sum + ratio, 0) / 12;
  return medianRatios.map((ratio) => (ratio / mean) * 100);
}
