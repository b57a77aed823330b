/** Random questions about one dataset: what is there and what is not, on both sides of every edge its data has. */
import fc from "fast-check";
import { type Day, monthOf } from "../../src/engine/model/calendar.ts";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import type { CountyId, Uuid } from "../../src/engine/model/ids.ts";
import { groupings, type MarketType, marketTypes, populations, priceFlags } from "../../src/engine/model/vocabulary.ts";
import { type SeriesFilter, type SeriesOrder, seriesOrders } from "../../src/engine/query/find-series.ts";
import type { LatestPrices, PriceSearch, PriceStatistics } from "../../src/engine/query/questions.ts";
import { plainPrices } from "./plain-prices.ts";
import { interestingDays, randomUuid } from "./random-dataset.ts";

/** Searches with any of the conditions; pages up to two beyond the last. */
export function randomSearch(dataset: Dataset): fc.Arbitrary<PriceSearch> {
  const filter = fc
    .record({
      productUuid: maybe(uuidAmong(dataset.products)),
      marketUuid: maybe(uuidAmong(dataset.markets)),
      countyId: maybe(countyIdOf(dataset)),
      marketType: maybe(marketType),
      refugeeCamps: seldom(fc.constantFrom(...populations)),
      priceFlag: seldom(fc.constantFrom(...priceFlags)),
      isSuspicious: maybe(fc.constantFrom(false, false, true)),
      days: dayRange(dataset),
      dayEnds: fc.constantFrom("both", "first", "last", "none"),
      prices: priceRange(dataset),
      priceEnds: fc.constantFrom("none", "none", "none", "both", "least", "greatest"),
    })
    .map(({ days: [dayFirst, dayLast], dayEnds, prices: [priceMin, priceMax], priceEnds, ...conditions }) => ({
      ...conditions,
      dayFirst: dayEnds === "both" || dayEnds === "first" ? dayFirst : undefined,
      dayLast: dayEnds === "both" || dayEnds === "last" ? dayLast : undefined,
      priceMin: priceEnds === "both" || priceEnds === "least" ? priceMin : undefined,
      priceMax: priceEnds === "both" || priceEnds === "greatest" ? priceMax : undefined,
    }));
  return fc.constantFrom(1, 2, 3, 7, 20, 100).chain((pageSize) => {
    const pageLast = Math.ceil(dataset.prices.rowCount / pageSize) + 2;
    return fc.record({
      filter,
      page: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: pageLast })),
      pageSize: fc.constant(pageSize),
    });
  });
}

/** Questions for the latest prices of all or of some products, some of them unknown, some asked for twice. */
export function randomLatest(dataset: Dataset): fc.Arbitrary<LatestPrices> {
  return fc.record({
    productUuids: maybe(fc.array(uuidAmong(dataset.products), { minLength: 1, maxLength: 6 })),
    marketUuid: maybe(uuidAmong(dataset.markets)),
    countyId: maybe(countyIdOf(dataset)),
    marketType: maybe(marketType),
    refugeeCamps: seldom(fc.constantFrom(...populations)),
    recordedSince: maybe(dayRange(dataset).map(([first]) => first)),
    limit: fc.constantFrom(1, 2, 3, 10, 100),
    onePerMarket: fc.boolean(),
  });
}

/** Statistics in every grouping; the unit, if one is requested, is of the same base unit, of another, or of none. */
export function randomStatistics(dataset: Dataset): fc.Arbitrary<PriceStatistics> {
  const unitNames = dataset.unitCategories.flatMap((category) => category.units.map((unit) => unit.name));
  return fc
    .record({
      productUuid: uuidAmong(dataset.products),
      days: dayRange(dataset),
      marketUuid: maybe(uuidAmong(dataset.markets)),
      countyId: maybe(countyIdOf(dataset)),
      ...marketLists(dataset),
      marketType: maybe(marketType),
      refugeeCamps: seldom(fc.constantFrom(...populations)),
      priceFlag: seldom(fc.constantFrom(...priceFlags)),
      isSuspicious: maybe(fc.constantFrom(false, false, true)),
      grouping: fc.constantFrom(...groupings),
      unit: maybe(fc.constantFrom(...unitNames, "no such unit")),
      currency: maybe(fc.constantFrom("USD", "USD", "USD", "KES", "EUR")),
      sameMarkets: maybe(fc.boolean()),
      isCovered: fc.boolean(),
      countsMonths: fc.boolean(),
    })
    .map(({ days: [dayFirst, dayLast], isCovered, ...question }) => {
      const coverageWithin = isCovered ? { first: monthOf(dayFirst), last: monthOf(dayLast) } : undefined;
      return { ...question, dayFirst, dayLast, coverageWithin };
    });
}

export interface SeriesQuestion {
  readonly filter: SeriesFilter;
  readonly order: SeriesOrder;
  readonly page: number;
  readonly pageSize: number;
}

/** Pages of series with any of the conditions. */
export function randomSeries(dataset: Dataset): fc.Arbitrary<SeriesQuestion> {
  const unitNames = dataset.unitCategories.flatMap((category) => category.units.map((unit) => unit.name));
  return fc.record({
    filter: fc.record({
      productUuids: maybe(fc.array(uuidAmong(dataset.products), { minLength: 1, maxLength: 4 })),
      marketUuid: maybe(uuidAmong(dataset.markets)),
      countyId: maybe(countyIdOf(dataset)),
      ...marketLists(dataset),
      marketType: maybe(marketType),
      refugeeCamps: seldom(fc.constantFrom(...populations)),
      unit: maybe(fc.constantFrom(...unitNames)),
      monthsMin: maybe(fc.integer({ min: 1, max: 4 })),
      gapMonthsMax: maybe(fc.constantFrom(0, 1, 3, 24)),
      recordedSince: maybe(dayRange(dataset).map(([first]) => first)),
    }),
    order: fc.constantFrom(...seriesOrders),
    page: fc.constantFrom(1, 1, 2, 3),
    pageSize: fc.constantFrom(1, 3, 20, 1000),
  });
}

/** Lists of counties and of markets, some of them unknown, some asked for twice. */
export function marketLists(dataset: Dataset): {
  readonly countyIds: fc.Arbitrary<CountyId[] | undefined>;
  readonly marketUuids: fc.Arbitrary<Uuid[] | undefined>;
} {
  return {
    countyIds: seldom(fc.array(countyIdOf(dataset), { minLength: 1, maxLength: 4 })),
    marketUuids: seldom(fc.array(uuidAmong(dataset.markets), { minLength: 1, maxLength: 6 })),
  };
}

const marketType: fc.Arbitrary<MarketType> = fc.constantFrom(...marketTypes);

/** Three conditions in four are left out: all of them together would hardly ever match a price. */
function maybe<T>(condition: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ arbitrary: fc.constant(undefined), weight: 3 }, { arbitrary: condition, weight: 1 });
}

/** A condition that few prices meet, so that most answers hold something. */
function seldom<T>(condition: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ arbitrary: fc.constant(undefined), weight: 7 }, { arbitrary: condition, weight: 1 });
}

/** Mostly a uuid of the records, now and then one that is nowhere. */
function uuidAmong(records: readonly { readonly uuid: Uuid }[]): fc.Arbitrary<Uuid> {
  if (records.length === 0) return randomUuid;
  return fc.oneof(
    { arbitrary: fc.constantFrom(...records.map((record) => record.uuid)), weight: 7 },
    { arbitrary: randomUuid, weight: 1 },
  );
}

/** A county of the dataset, or any from 1 to 47. */
function countyIdOf(dataset: Dataset): fc.Arbitrary<CountyId> {
  return fc.oneof(
    fc.constantFrom(...dataset.counties.map((county) => county.id), 1 as CountyId, 47 as CountyId),
    fc.integer({ min: 1, max: 47 }).map((id) => id as CountyId),
  );
}

/** First and last day in order: all days, or between days with prices, the days beside them and other days. */
export function dayRange(dataset: Dataset): fc.Arbitrary<[Day, Day]> {
  const edges = new Set(plainPrices(dataset).flatMap(({ day }) => [day, day - 1, day + 1] as Day[]));
  const day = fc.constantFrom(...edges, ...interestingDays);
  const beforeAll = (Math.min(...interestingDays) - 400) as Day;
  const afterAll = (Math.max(...interestingDays) + 400) as Day;
  return fc.oneof(
    fc.constant<[Day, Day]>([beforeAll, afterAll]),
    fc.tuple(day, day).map(([one, other]): [Day, Day] => (one <= other ? [one, other] : [other, one])),
  );
}

/** Least and greatest price in order: prices that exist, and numbers just beside them; now and then close together. */
export function priceRange(dataset: Dataset): fc.Arbitrary<[number, number]> {
  const edges = new Set([...dataset.prices.prices].flatMap((price) => [price, price - 0.01, price + 0.01]));
  const price = fc.constantFrom(...edges, 0, 50, 1e9);
  return fc.oneof(
    fc.tuple(price, price).map(([one, other]): [number, number] => (one <= other ? [one, other] : [other, one])),
    fc.tuple(price, fc.constantFrom(0, 0.01, 0.5)).map(([least, width]): [number, number] => [least, least + width]),
  );
}
