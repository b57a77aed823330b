/**
 * The slow, obvious twin of every query about prices: plain functions over a Dataset, written from the specification to
 * be read and to be right. They share no code with the store or the queries; random questions must get equal answers
 * from both. The twins of the lists are in naive-lists.ts.
 */
import { max, mean, median, min, sampleStandardDeviation } from "simple-statistics";
import {
  type Day,
  dayText,
  firstDayOf,
  lastDayOf,
  type MonthNumber,
  monthNumber,
  monthTextOf,
  weekText,
} from "../../src/engine/model/calendar.ts";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import { compareTexts, foldText, searchKey } from "../../src/engine/model/folded-text.ts";
import type { CountyId, Uuid } from "../../src/engine/model/ids.ts";
import type { MarketRecord } from "../../src/engine/model/records.ts";
import { type Grouping, marketTypes, type Population, type TimeGrouping } from "../../src/engine/model/vocabulary.ts";
import type {
  LatestPrices,
  MarketLists,
  PriceFilter,
  PriceSearch,
  PriceStatistics,
} from "../../src/engine/query/questions.ts";
import { suspiciousReasonsOf } from "./naive-suspicious.ts";
import { mostFrequent, type PlainPrice, plainPrices, present, statisticsUnit, unitNamed } from "./plain-prices.ts";

/**
 * Uuids of one page, newest first, and how many prices match in all.
 *
 * @param prices The prices of the dataset, where they are at hand; so too below.
 */
export function naiveSearch(
  dataset: Dataset,
  question: PriceSearch,
  prices: readonly PlainPrice[] = plainPrices(dataset),
): { uuids: Uuid[]; total: number } {
  const found = prices.filter((price) => matches(dataset, price, question.filter)).sort(newestFirst);
  const start = (question.page - 1) * question.pageSize;
  return { uuids: found.slice(start, start + question.pageSize).map((price) => price.uuid), total: found.length };
}

/** Uuids of the newest prices of each product, newest first; products by name, without those that have none. */
export function naiveLatest(
  dataset: Dataset,
  question: LatestPrices,
  prices: readonly PlainPrice[] = plainPrices(dataset),
): { productUuid: Uuid; uuids: Uuid[] }[] {
  const { productUuids, marketUuid, countyId, marketType, refugeeCamps, recordedSince: dayFirst } = question;
  const filter = { marketUuid, countyId, marketType, refugeeCamps, dayFirst };
  const matching = prices.filter((price) => matches(dataset, price, filter)).sort(newestFirst);
  const byProduct = Map.groupBy(matching, (price) => price.product);
  return dataset.products
    .filter((product) => productUuids === undefined || productUuids.includes(product.uuid))
    .sort(byName)
    .map((product) => {
      const ofProduct = byProduct.get(product) ?? [];
      const kept = question.onePerMarket ? ofProduct.filter(isFirstOfMarketAndUnit) : ofProduct;
      return { productUuid: product.uuid, uuids: kept.slice(0, question.limit).map((price) => price.uuid) };
    })
    .filter((group) => group.uuids.length > 0);
}

export interface NaiveGroup {
  readonly label: string;
  /** Only when grouped by market. */
  readonly market?: { readonly uuid: Uuid; readonly name: string };
  /** Only when grouped by county. */
  readonly county?: { readonly id: CountyId; readonly name: string };
  readonly average: number;
  readonly min: number;
  readonly max: number;
  readonly median: number;
  readonly count: number;
  readonly deviation: number;
  /** Types that have no sample are left out; in the order of the vocabulary. */
  readonly samplesByType: Readonly<Record<string, number>>;
  readonly coverage: NaiveCoverage;
}

/** The months and markets of the prices of a group. */
export interface NaiveCoverage {
  readonly monthsWithPrices: number;
  /** Within the months asked for; undefined where none are. */
  readonly monthsInPeriod: number | undefined;
  readonly firstMonth: string;
  readonly lastMonth: string;
  readonly markets: number;
  readonly campMarkets: number;
}

export interface NaiveStatistics {
  readonly unknownUnit: false;
  readonly unit: string;
  readonly currency: string | null;
  readonly convertedSamples: number;
  readonly excludedSamples: number;
  /** Those whose month has no rate. */
  readonly missingRates: { readonly months: readonly string[]; readonly count: number };
  readonly isInDollars: boolean;
  /** Types that have no sample are left out. */
  readonly samplesByType: Readonly<Record<string, number>>;
  /** Samples of sources with a longer period than that of the groups, by period. */
  readonly coarserSamples: Readonly<Record<string, number>>;
  readonly suspiciousSamples: number;
  readonly campSamples: number;
  readonly monthsWithPrices: number;
  /** Null where they are not asked for, or not grouped by time. */
  readonly sameMarkets: number | null;
  readonly groups: readonly NaiveGroup[];
  readonly overall: {
    readonly average: number;
    readonly min: number;
    readonly max: number;
    readonly count: number;
  };
}

/**
 * Figures of one product, not rounded.
 *
 * @returns undefined for an unknown product; `unknownUnit: true` when the requested unit does not exist or is not of
 *   the base unit of the product's statistics, or the currency is neither theirs nor one that rates convert to.
 */
export function naiveStatistics(
  dataset: Dataset,
  question: PriceStatistics,
  prices: readonly PlainPrice[] = plainPrices(dataset),
): NaiveStatistics | { readonly unknownUnit: true } | undefined {
  const product = dataset.products.find((one) => one.uuid === question.productUuid);
  if (product === undefined) return undefined;
  const all = prices.filter((price) => price.product === product);
  const ownUnit = statisticsUnit(dataset, product, all);
  const unit = question.unit === undefined ? ownUnit : unitNamed(dataset, question.unit);
  if (unit === undefined || unit.baseUnit !== ownUnit.baseUnit) return { unknownUnit: true };
  const ofOwnBase = all.filter((price) => price.unit.baseUnit === ownUnit.baseUnit);
  const ownCurrency = mostFrequent(ofOwnBase.map((price) => price.currency)) ?? null;
  const { currency = ownCurrency } = question;
  const isInDollars = question.currency === "USD" && dataset.exchangeRates.length > 0;
  if (!isInDollars && currency !== ownCurrency) return { unknownUnit: true };
  const rate = (price: PlainPrice): number | undefined =>
    isInDollars ? naiveRate(dataset, price) : price.currency === currency ? 1 : undefined;

  const { grouping, unit: _, currency: __, ...filter } = question;
  const isCounted = (price: PlainPrice): boolean => price.unit.baseUnit === unit.baseUnit && rate(price) !== undefined;
  const wanted = all.filter((price) => matches(dataset, price, filter));
  const same =
    question.sameMarkets === true && isTime(grouping) ? sameMarkets(wanted.filter(isCounted), grouping) : null;
  const selected = wanted.filter(({ market }) => same === null || same.has(market.uuid));
  const convertible = selected.filter((price) => price.unit.baseUnit === unit.baseUnit);
  const counted = selected.filter(isCounted);
  const withoutRate = convertible.filter((price) => {
    const hasRates = dataset.exchangeRates.some((one) => one.currency === price.currency);
    return isInDollars && rate(price) === undefined && hasRates;
  });
  const inUnit = (price: PlainPrice): number =>
    ((price.price / price.unit.conversionFactor) * unit.conversionFactor) / (rate(price) as number);

  const groups = Map.groupBy(counted, (price) => groupIdentity(price, question.grouping))
    .values()
    .map((prices) => ({
      ...groupName(present(prices[0]), question.grouping),
      ...figures(prices.map(inUnit)),
      samplesByType: countTypes(prices),
      coverage: coverageOf(prices, question),
    }))
    .toArray()
    .sort(byLabel(question.grouping));
  const overall = counted.length === 0 ? noFigures : figures(counted.map(inUnit));
  return {
    unknownUnit: false,
    unit: unit.name,
    currency,
    convertedSamples: counted.filter((price) => price.unit.name !== unit.name).length,
    excludedSamples: selected.length - counted.length,
    missingRates: {
      months: [...new Set(withoutRate.map(({ day }) => monthTextOf(day)))].sort(),
      count: withoutRate.length,
    },
    isInDollars,
    samplesByType: countTypes(counted),
    coarserSamples: Object.fromEntries(
      Map.groupBy(counted, ({ source }) => dataset.snapshot.periods[source] ?? "unknown")
        .entries()
        .filter(([period]) => coarserPeriods[question.grouping].includes(period))
        .map(([period, { length }]) => [period, length]),
    ),
    campSamples: counted.filter(({ market }) => market.setting === "refugee_camp").length,
    suspiciousSamples: counted.filter(({ uuid }) => suspiciousReasonsOf(dataset).has(uuid)).length,
    monthsWithPrices: new Set(counted.map(({ day }) => monthTextOf(day))).size,
    sameMarkets: same === null ? null : same.size,
    groups,
    overall: { average: overall.average, min: overall.min, max: overall.max, count: overall.count },
  };
}

function isTime(grouping: Grouping): grouping is TimeGrouping {
  return grouping !== "market" && grouping !== "county";
}

/** The markets with a price in each period in which there is one. */
function sameMarkets(prices: readonly PlainPrice[], grouping: TimeGrouping): ReadonlySet<Uuid> {
  const periods = Map.groupBy(prices, ({ day }) => timeLabel(day, grouping)).values();
  const [first, ...others] = [...periods].map((ofPeriod) => new Set(ofPeriod.map(({ market }) => market.uuid)));
  return others.reduce((kept, markets) => kept.intersection(markets), first ?? new Set());
}

/** @param prices Those of one group. */
function coverageOf(
  prices: readonly PlainPrice[],
  { grouping, coverageWithin: asked }: PriceStatistics,
): NaiveCoverage {
  const months = [...new Set(prices.map(({ day }) => monthTextOf(day)))].sort();
  const [firstMonth, lastMonth] = [present(months[0]), present(months.at(-1))];
  return {
    monthsWithPrices: months.length,
    monthsInPeriod: asked && monthsBetween(asked.first, asked.last).filter(isOfGroup).length,
    firstMonth,
    lastMonth,
    markets: new Set(prices.map(({ market }) => market.uuid)).size,
    campMarkets: new Set(prices.flatMap(({ market: { uuid, setting } }) => (setting === "refugee_camp" ? uuid : [])))
      .size,
  };

  function isOfGroup(month: MonthNumber): boolean {
    if (!isTime(grouping)) return true;
    // Periods are no longer than a year.
    if (month < monthNumber(firstMonth) - 12 || month > monthNumber(lastMonth) + 12) return false;
    const [first, last] = [firstDayOf(month), lastDayOf(month)];
    const days = Array.from({ length: last - first + 1 }, (_, at) => (first + at) as Day);
    return days.some((day) => timeLabel(day, grouping) === timeLabel(present(prices[0]).day, grouping));
  }
}

function monthsBetween(first: MonthNumber, last: MonthNumber): MonthNumber[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/** Units of the currency of a price for a dollar, in its month; undefined without a rate. */
function naiveRate({ exchangeRates }: Dataset, { currency, day }: PlainPrice): number | undefined {
  if (currency === "USD") return 1;
  return exchangeRates.find((one) => one.currency === currency && one.month === monthTextOf(day))?.rate;
}

const coarserPeriods: Readonly<Record<Grouping, readonly string[]>> = {
  day: ["month", "week"],
  week: ["month"],
  month: [],
  quarter: [],
  year: [],
  market: [],
  county: [],
};
function countTypes(prices: readonly PlainPrice[]): Record<string, number> {
  const counts = marketTypes.map(
    (type) => [type, prices.filter((price) => price.market.type === type).length] as const,
  );
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/**
 * Whether two ways to one figure agree: within 1e-6, as the answers promise, and the last bits of great numbers.
 *
 * @param magnitude Size of the numbers the figures were computed from, where they are greater than the figures: a small
 * deviation of great prices is only as exact as the prices.
 */
export function agree(a: number, b: number, magnitude: number = Math.max(Math.abs(a), Math.abs(b))): boolean {
  return Math.abs(a - b) <= 1e-6 + 1e-12 * magnitude;
}

export function matches(dataset: Dataset, price: PlainPrice, filter: PriceFilter & MarketLists): boolean {
  return (
    (filter.isSuspicious === undefined || suspiciousReasonsOf(dataset).has(price.uuid) === filter.isSuspicious) &&
    (filter.productUuid === undefined || price.product.uuid === filter.productUuid) &&
    (filter.marketUuid === undefined || price.market.uuid === filter.marketUuid) &&
    (filter.countyId === undefined || price.county.id === filter.countyId) &&
    (filter.countyIds === undefined || filter.countyIds.includes(price.county.id)) &&
    (filter.marketUuids === undefined || filter.marketUuids.includes(price.market.uuid)) &&
    (filter.priceFlag === undefined || price.flag === filter.priceFlag) &&
    (filter.marketType === undefined || price.market.type === filter.marketType) &&
    isInPopulation(price.market, filter.refugeeCamps) &&
    (filter.dayFirst === undefined || price.day >= filter.dayFirst) &&
    (filter.dayLast === undefined || price.day <= filter.dayLast) &&
    (filter.priceMin === undefined || price.price >= filter.priceMin) &&
    (filter.priceMax === undefined || price.price <= filter.priceMax)
  );
}

export function isInPopulation({ setting }: MarketRecord, population: Population = "include"): boolean {
  return population === "include" || (population === "only") === (setting === "refugee_camp");
}

function newestFirst(a: PlainPrice, b: PlainPrice): number {
  return b.recordedAt - a.recordedAt || compareTexts(a.uuid, b.uuid);
}

/** A filter of a newest-first list: keeps the newest price of each market and unit. */
function isFirstOfMarketAndUnit(price: PlainPrice, at: number, prices: readonly PlainPrice[]): boolean {
  return prices.findIndex((other) => other.market === price.market && other.unit === price.unit) === at;
}

/** Prices with equal identities belong to one group. */
function groupIdentity(price: PlainPrice, grouping: Grouping): string | number {
  if (grouping === "market") return price.market.uuid;
  if (grouping === "county") return price.county.id;
  return timeLabel(price.day, grouping);
}

function groupName(price: PlainPrice, grouping: Grouping): Pick<NaiveGroup, "label" | "market" | "county"> {
  const { market, county, day } = price;
  if (grouping === "market") return { label: market.name, market: { uuid: market.uuid, name: market.name } };
  if (grouping === "county") return { label: county.name, county: { id: county.id, name: county.name } };
  return { label: timeLabel(day, grouping) };
}

function timeLabel(day: Day, grouping: TimeGrouping): string {
  const month = monthTextOf(day);
  const [year, number] = month.split("-");
  const labels = {
    day: dayText(day),
    week: weekText(day),
    month,
    quarter: `${year}-Q${[0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4][Number(number)]}`,
    year: String(year),
  };
  return labels[grouping];
}

function byLabel(grouping: Grouping): (a: NaiveGroup, b: NaiveGroup) => number {
  if (grouping === "market") return (a, b) => byName(present(a.market), present(b.market));
  if (grouping === "county") {
    return (a, b) => byFoldedNames(a.label, b.label) || present(a.county).id - present(b.county).id;
  }
  return (a, b) => compareTexts(a.label, b.label);
}

type NaiveFigures = Omit<NaiveGroup, "label" | "samplesByType" | "coverage">;

function figures(values: readonly number[]): NaiveFigures {
  const list = [...values];
  return {
    average: mean(list),
    min: min(list),
    max: max(list),
    median: median(list),
    count: list.length,
    deviation: list.length === 1 ? 0 : sampleStandardDeviation(list),
  };
}

const noFigures: NaiveFigures = { average: 0, min: 0, max: 0, median: 0, count: 0, deviation: 0 };

/** Orders names by the text that finds them, then without case and accents. */
export function byFoldedNames(a: string, b: string): number {
  return compareTexts(searchKey(a), searchKey(b)) || compareTexts(foldText(a), foldText(b));
}

/** Orders products, markets and whatever has a name and a uuid. */
export function byName(a: { name: string; uuid: Uuid }, b: { name: string; uuid: Uuid }): number {
  return byFoldedNames(a.name, b.name) || compareTexts(a.uuid, b.uuid);
}
