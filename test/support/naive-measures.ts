/**
 * The slow, obvious twins of the measures made of monthly values; see naive-queries.ts.
 */
import { median } from "simple-statistics";
import type { MonthNumber } from "../../src/engine/model/calendar.ts";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import { compareTexts, foldText } from "../../src/engine/model/folded-text.ts";
import type { Uuid } from "../../src/engine/model/ids.ts";
import { marketTypes } from "../../src/engine/model/vocabulary.ts";
import type { AnomalyQuestion } from "../../src/engine/query/measures/find-anomalies.ts";
import { byName } from "./naive-queries.ts";
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
  readonly yearBefore: number | string;
  readonly fiveYears: number | string;
  readonly alps: number | string;
}

/** All entries by name, whatever order is requested. */
export function naiveAnomalies(dataset: Dataset, question: Omit<AnomalyQuestion, "order">): NaiveAnomaly[] {
  const prices = plainPrices(dataset);
  const suspicious = suspiciousReasonsOf(dataset);
  const areas = Map.groupBy(prices, ({ product, market, county }) => {
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
  const byCounty = compareTexts(foldText(a.county.name), foldText(b.county.name)) || a.county.id - b.county.id;
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
  { level, month: asked }: Omit<AnomalyQuestion, "order">,
): NaiveAnomaly | undefined {
  const { product, market, county } = prices[0] as PlainPrice;
  const counted = prices.filter((price) => convert(price) !== undefined && !suspicious.has(price.uuid));
  const month = asked ?? Math.max(...counted.map(monthOf));
  const ofMonth = counted.filter((price) => monthOf(price) === month).map((price) => convert(price) as number);
  if (ofMonth.length === 0) return undefined;
  const markets = [...Map.groupBy(counted, (price) => price.market.uuid).values()]
    .map((ofMarket) => measuresOf(monthlyMedians(ofMarket, convert), month))
    .filter((measures) => measures !== undefined);
  const overMarkets = (name: "yearBefore" | "fiveYears" | "alps"): number | string => {
    const values = markets.map((measures) => measures[name]);
    if (level === "market") return values[0] as number | string;
    const computed = values.filter((value) => typeof value === "number");
    return computed.length < 3 ? `TOO_FEW_MARKETS ${computed.length} of 3` : median(computed);
  };
  return {
    product: product.uuid,
    market: level === "market" ? market.uuid : null,
    county: level === "country" ? null : county.id,
    marketType: market.type,
    month,
    median: median(ofMonth),
    sampleCount: ofMonth.length,
    suspiciousLeftOut: prices.filter((price) => suspicious.has(price.uuid) && monthOf(price) <= month).length,
    yearBefore: overMarkets("yearBefore"),
    fiveYears: overMarkets("fiveYears"),
    alps: overMarkets("alps"),
  };
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

/** The measures of a month: percent of change, percent of the usual price, standard deviations. */
export function measuresOf(medians: ReadonlyMap<MonthNumber, number>, month: MonthNumber) {
  const value = medians.get(month);
  if (value === undefined) return undefined;
  const before = medians.get(month - 12);
  const usual = [1, 2, 3, 4, 5].map((year) => medians.get(month - 12 * year)).filter((found) => found !== undefined);
  return {
    yearBefore: before === undefined ? "NO_PRICE 0 of 1" : (100 * (value - before)) / before,
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

/** What least squares leave of `values`: the normal equations, solved by elimination with partial pivoting. */
export function leastSquaresResiduals(design: readonly (readonly number[])[], values: readonly number[]): number[] {
  const columns = (design[0] as readonly number[]).map((_, column) => design.map((row) => row[column] as number));
  const dot = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, value, at) => sum + value * (b[at] as number), 0);
  const coefficients = solve(
    columns.map((column) => columns.map((other) => dot(column, other))),
    columns.map((column) => dot(column, values)),
  );
  return values.map((value, at) => value - dot(design[at] as readonly number[], coefficients));
}

function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, right[at] as number]);
  for (let column = 0; column < rows.length; column++) {
    const sizes = rows.map((row, at) => (at < column ? -1 : Math.abs(row[column] as number)));
    const pivot = sizes.indexOf(Math.max(...sizes));
    [rows[column], rows[pivot]] = [rows[pivot] as number[], rows[column] as number[]];
    const pivotRow = rows[column] as number[];
    for (const row of rows) {
      if (row === pivotRow) continue;
      const factor = (row[column] as number) / (pivotRow[column] as number);
      for (let at = column; at < row.length; at++) row[at] = (row[at] as number) - factor * (pivotRow[at] as number);
    }
  }
  return rows.map((row, at) => (row.at(-1) as number) / (row[at] as number));
}

/** The seasonal index of each calendar month; or how many ratios the poorest has. */
export function naiveSeasonality(medians: ReadonlyMap<MonthNumber, number>): number[] | number {
  const ratios = Array.from({ length: 12 }, (_, calendarMonth) =>
    [...medians].flatMap(([month, value]) => {
      const year = [-6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6].map((distance) => medians.get(month + distance));
      if (month % 12 !== calendarMonth || year.includes(undefined)) return [];
      const first = (year.slice(0, 12) as number[]).reduce((sum, one) => sum + one, 0) / 12;
      const second = (year.slice(1) as number[]).reduce((sum, one) => sum + one, 0) / 12;
      return [value / ((first + second) / 2)];
    }),
  );
  const fewest = Math.min(...ratios.map(({ length }) => length));
  if (fewest < 3) return fewest;
  const medianRatios = ratios.map((list) => median(list));
  const mean = medianRatios.reduce((sum, ratio) => sum + ratio, 0) / 12;
  return medianRatios.map((ratio) => (ratio / mean) * 100);
}
