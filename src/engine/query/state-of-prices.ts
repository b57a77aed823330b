/**
 * Computes what pages say of all prices of a store, which follows from the store alone and is found once; and the
 * newest figures of a product by county.
 */
import { type Day, firstDayOf, type MonthNumber, monthOf } from "../model/calendar.ts";
import type { CountyId, Uuid } from "../model/ids.ts";
import type { ProductRecord } from "../model/records.ts";
import type { MarketType } from "../model/vocabulary.ts";
import { recordAt } from "../store/catalogue.ts";
import { dayCodesOf } from "../store/periods.ts";
import type { UnitAndCurrency } from "../store/price-conversion.ts";
import type { Store } from "../store/store.ts";
import { findSeries } from "./find-series.ts";
import { findJudged, type JudgedSubject, marketTypeOf } from "./measures/find-judged.ts";
import { groupsByMarket } from "./monthly-figures.ts";
import { type ChangedSubject, findNews, recentMonths } from "./price-news.ts";
import { productAtType, splitProductAtType } from "./product-at-type.ts";

/** The measures that the start page and the pages of counties show. */
export const stateMeasures = ["yearBefore", "fiveYears", "alps"] as const;

/** The newest month with a price, and what was recorded in it. */
export interface NewestMonth {
  readonly month: MonthNumber;
  readonly prices: number;
  readonly products: number;
  readonly counties: number;
}

/** A product at a type of market. */
export interface MappedProduct extends UnitAndCurrency {
  readonly product: ProductRecord;
  readonly marketType: MarketType;
}

export interface StateOfPrices {
  readonly newest: NewestMonth;
  /** Prices of a recent month that most counties stand behind, at most one of a product. */
  readonly news: readonly ChangedSubject[];
  /** All products at each type of market in the country. */
  readonly judged: readonly JudgedSubject[];
  /** Those with prices in most counties in the last year of the data first; equal ones by the newest price, by name. */
  readonly mapped: readonly MappedProduct[];
}

const known = new WeakMap<Store, StateOfPrices>();

/** The cost of a read of a series, as so many rows read. */
const rowsPerSeries = 3;

/** @returns undefined without prices. Cost: that of judging all products, once for a store. */
export function* stateOfPrices(store: Store): Generator<number, StateOfPrices | undefined> {
  if (store.prices.rowCount === 0) return undefined;
  let state = known.get(store);
  if (state === undefined) {
    const judged: JudgedSubject[] = [];
    for (const { record } of store.catalogue.products) judged.push(...(yield* judgedInCountry(store, record.uuid)));
    const news = yield* findNews(store);
    yield rowsPerSeries * store.series.counts.length;
    state = { newest: newestMonth(store), news, judged, mapped: mappedProducts(store) };
    known.set(store, state);
  }
  return state;
}

const knownProducts = new WeakMap<Store, Map<Uuid, readonly JudgedSubject[]>>();

/** A product at each type of market in the country. Cost: that of judging it, once for a store. */
export function* judgedInCountry(store: Store, productUuid: Uuid): Generator<number, readonly JudgedSubject[]> {
  const cached = knownProducts.getOrInsertComputed(store, () => new Map());
  const question = { productUuids: [productUuid], level: "country", measures: stateMeasures } as const;
  const found = cached.get(productUuid) ?? (yield* findJudged(store, question));
  cached.set(productUuid, found);
  return found;
}

const knownCounties = new WeakMap<Store, Map<CountyId, readonly JudgedSubject[]>>();

/** All products at each type of market in a county. Cost: that of judging them, once for a store. */
export function* judgedInCounty(store: Store, countyId: CountyId): Generator<number, readonly JudgedSubject[]> {
  const cached = knownCounties.getOrInsertComputed(store, () => new Map());
  const found =
    cached.get(countyId) ?? (yield* findJudged(store, { level: "county", countyId, measures: stateMeasures }));
  cached.set(countyId, found);
  return found;
}

/** The month of the newest price. The store must hold one. */
export function lastMonthOf({ periods }: Store): MonthNumber {
  return monthOf(periods.newestDay as Day);
}

/** Cost: a read of every series and of every price of the month. */
function newestMonth(store: Store): NewestMonth {
  const { catalogue, series, periods, rowsByTime } = store;
  const month = lastMonthOf(store);
  const { to } = dayCodesOf(periods, firstDayOf(month), undefined);
  const older = rowsByTime.findIndex((row) => periods.dayCodes[row]! >= to);
  const products = new Set<number>();
  const counties = new Set<number>();
  for (const at of findSeries(store, { recordedSince: firstDayOf(month) }, "name")) {
    products.add(store.prices.products[series.newestRows[at]!]!);
    counties.add(catalogue.marketCounties[series.markets[at]!]!);
  }
  return { month, prices: older === -1 ? rowsByTime.length : older, products: products.size, counties: counties.size };
}

/** Cost: a read of every series. */
function mappedProducts(store: Store): MappedProduct[] {
  const { catalogue, prices, series } = store;
  const found = new Map<number, { readonly counties: Set<number>; newestDay: number }>();
  const since = firstDayOf(lastMonthOf(store) - recentMonths + 1);
  for (const at of findSeries(store, { recordedSince: since }, "name")) {
    const market = series.markets[at]!;
    const product = prices.products[series.newestRows[at]!]!;
    const key = productAtType(product, catalogue.marketTypeCodes[market]!);
    const ofKey = found.getOrInsertComputed(key, () => ({ counties: new Set(), newestDay: Infinity }));
    ofKey.counties.add(catalogue.marketCounties[market]!);
    ofKey.newestDay = Math.min(ofKey.newestDay, series.newestDays[at]!);
  }
  return [...found]
    .sort(([a, ofA], [b, ofB]) => ofB.counties.size - ofA.counties.size || ofA.newestDay - ofB.newestDay || a - b)
    .map(([key]) => {
      const { product, marketType } = splitProductAtType(key);
      return { ...store.statisticsUnits[product]!, product: recordAt(catalogue.products, product), marketType };
    });
}

/** Months up to the newest price in which a change on a year before counts as a recent move. */
const movedMonths = 6;

/** Products at a type of market in the country, by how far they moved in a year. */
export interface MovedProducts {
  /** The first of the months that count. */
  readonly monthFirst: MonthNumber;
  /** Those whose change is of these months; the greatest first, up or down: half is as far as the double. */
  readonly products: readonly ChangedSubject[];
  /** Counts those with prices in these months and without such a change. */
  readonly unjudged: number;
}

/** @param judged All products at the level of the country. The store must hold prices. */
export function movedMost(store: Store, judged: readonly JudgedSubject[]): MovedProducts {
  const monthFirst = lastMonthOf(store) - movedMonths + 1;
  const isMoved = (found: JudgedSubject): found is ChangedSubject =>
    found.yearBefore !== undefined && found.yearBefore.month >= monthFirst;
  const recent = judged.filter(({ newest }) => newest.month >= monthFirst);
  const products = recent.filter(isMoved).sort((a, b) => distanceOf(b) - distanceOf(a));
  return { monthFirst, products, unjudged: recent.length - products.length };
}

function distanceOf({ yearBefore }: ChangedSubject): number {
  return Math.abs(Math.log(1 + yearBefore.measure.changePercent / 100));
}

/** A county with a price of a product, in its newest month. */
export interface CountyNewest {
  readonly judged: JudgedSubject;
  readonly county: CountyId;
  /** Markets with a price in that month. */
  readonly markets: readonly number[];
  /** Months from there to the newest of the data. */
  readonly age: number;
}

/** The counties with a price of a product at a type of market, the cheapest first. Cost: a read of each price. */
export function* newestByCounty(
  store: Store,
  productUuid: Uuid,
  marketType: MarketType,
): Generator<number, CountyNewest[]> {
  const question = { productUuids: [productUuid], marketType };
  const counties = yield* findJudged(store, { ...question, level: "county", measures: ["alps"] });
  const last = lastMonthOf(store);
  const found: CountyNewest[] = [];
  for (const judged of counties) {
    const { countyId, month } = judged.newest;
    const markets = yield* marketsBehind(store, judged);
    found.push({ judged, county: countyId as CountyId, markets, age: last - month });
  }
  return found.sort((a, b) => a.judged.newest.median - b.judged.newest.median);
}

/**
 * Codes of the markets with prices of a product in the county of a judgement, in its newest month, suspicious prices
 * left out. Cost: that of one request for the statistics of a month.
 */
export function* marketsBehind(store: Store, judged: JudgedSubject): Generator<number, number[]> {
  const { product, countyId, month } = judged.newest;
  const { uuid: productUuid } = recordAt(store.catalogue.products, product);
  const question = { productUuid, marketType: marketTypeOf(judged), countyId };
  const groups = yield* groupsByMarket(store, question, { from: month, to: month });
  return groups.map(({ key }) => key);
}
