/** The slow, obvious twins of the list of series and of the description of all prices; see naive-queries.ts. */
import { type Instant, monthTextOf } from "../../src/engine/model/calendar.ts";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import { compareNames, compareTexts } from "../../src/engine/model/folded-text.ts";
import type { Uuid } from "../../src/engine/model/ids.ts";
import { marketTypes } from "../../src/engine/model/vocabulary.ts";
import type { PriceCount, PricesDescription } from "../../src/engine/query/describe-prices.ts";
import type { SeriesFilter, SeriesOrder } from "../../src/engine/query/find-series.ts";
import { byName, matches } from "./naive-queries.ts";
import { type PlainPrice, plainPrices } from "./plain-prices.ts";

export interface NaiveSeries {
  readonly productUuid: Uuid;
  readonly marketUuid: Uuid;
  readonly unit: string;
  readonly currency: string;
  readonly count: number;
  readonly firstRecordedAt: Instant;
  readonly lastRecordedAt: Instant;
  readonly latestPrice: number;
  readonly latestPricePerBaseUnit: number;
  readonly longestGapDays: number;
  readonly monthsWithPrices: number;
  readonly longestGapMonths: number;
  readonly firstMonth: string;
  readonly lastMonth: string;
}

/** All series that a filter selects, in an order. */
export function naiveSeries(dataset: Dataset, filter: SeriesFilter, order: SeriesOrder): NaiveSeries[] {
  const { productUuids, unit, recordedSince, monthsMin, gapMonthsMax, ...ofMarkets } = filter;
  const series = Map.groupBy(plainPrices(dataset), (price) =>
    [price.product.uuid, price.market.uuid, price.unit.name, price.currency].join(" "),
  );
  return [...series.values()]
    .map((prices) => prices.sort((a, b) => b.recordedAt - a.recordedAt || compareTexts(a.uuid, b.uuid)))
    .filter(([newest]) => newest !== undefined)
    .map((prices) => ({ prices, newest: prices[0] as PlainPrice }))
    .filter(
      ({ newest }) =>
        (productUuids === undefined || productUuids.includes(newest.product.uuid)) &&
        matches(dataset, newest, ofMarkets) &&
        (unit === undefined || newest.unit.name === unit) &&
        (recordedSince === undefined || newest.day >= recordedSince),
    )
    .sort(({ newest: a }, { newest: b }) => (order === "name" ? 0 : b.recordedAt - a.recordedAt) || byNames(a, b))
    .map(({ prices, newest }) => ({
      productUuid: newest.product.uuid,
      marketUuid: newest.market.uuid,
      unit: newest.unit.name,
      currency: newest.currency,
      count: prices.length,
      firstRecordedAt: (prices.at(-1) as PlainPrice).recordedAt,
      lastRecordedAt: newest.recordedAt,
      latestPrice: newest.price,
      latestPricePerBaseUnit: newest.price / newest.unit.conversionFactor,
      longestGapDays: Math.max(0, ...prices.slice(1).map(({ day }, at) => (prices[at] as PlainPrice).day - day)),
      ...completeness([...new Set(prices.map(({ day }) => monthTextOf(day)))].sort()),
    }))
    .filter(
      ({ monthsWithPrices, longestGapMonths }) =>
        (monthsMin === undefined || monthsWithPrices >= monthsMin) &&
        (gapMonthsMax === undefined || longestGapMonths <= gapMonthsMax),
    );
}

type Completeness = Pick<NaiveSeries, "monthsWithPrices" | "longestGapMonths" | "firstMonth" | "lastMonth">;

/** Goes through the calendar from the first month to the last. @param months With prices, ascending, each once. */
function completeness(months: readonly string[]): Completeness {
  const [firstMonth, lastMonth] = [months[0] as string, months.at(-1) as string];
  let longest = 0;
  let gap = 0;
  let [year, month] = firstMonth.split("-").map(Number) as [number, number];
  for (let label = firstMonth; label !== lastMonth; ) {
    [year, month] = month === 12 ? [year + 1, 1] : [year, month + 1];
    label = `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}`;
    gap = months.includes(label) ? 0 : gap + 1;
    longest = Math.max(longest, gap);
  }
  return { monthsWithPrices: months.length, longestGapMonths: longest, firstMonth, lastMonth };
}

function byNames(a: PlainPrice, b: PlainPrice): number {
  return (
    byName(a.product, b.product) ||
    byName(a.market, b.market) ||
    compareNames(a.unit.name, b.unit.name) ||
    compareTexts(a.currency, b.currency)
  );
}

interface NaiveDescription extends Omit<PricesDescription, "sources"> {
  readonly sources: readonly Omit<PricesDescription["sources"][number], "newestRow">[];
}

/** What all prices come to. */
export function naiveDescription(dataset: Dataset): NaiveDescription {
  const prices = plainPrices(dataset);
  const times = prices.map(({ recordedAt }) => recordedAt).sort((a, b) => a - b);
  const { sources, sourceNames } = dataset.prices;
  return {
    firstRecordedAt: times[0] ?? null,
    lastRecordedAt: times.at(-1) ?? null,
    sources: counted([...sources].map((code) => sourceNames[code] as string)).map(({ name, count }) => {
      const times = prices.filter((_, row) => sourceNames[sources[row] as number] === name);
      return { name, count, lastRecordedAt: Math.max(...times.map(({ recordedAt }) => recordedAt)) as Instant };
    }),
    currencies: counted(prices.map(({ currency }) => currency)),
    marketTypes: marketTypes.map((type) => ({
      name: type,
      count: prices.filter(({ market }) => market.type === type).length,
    })),
    productCount: new Set(prices.map(({ product }) => product.uuid)).size,
    marketCount: new Set(prices.map(({ market }) => market.uuid)).size,
  };
}

/**
 * Uuids of the records without a price on the newest day or within 60 days before it: newest first, those without any
 * last.
 */
export function naiveSilent(
  dataset: Dataset,
  records: readonly { readonly uuid: Uuid; readonly name: string }[],
  uuidOf: (price: PlainPrice) => Uuid,
): Uuid[] {
  const prices = plainPrices(dataset);
  const newestDay = Math.max(...prices.map(({ day }) => day));
  const newest = (uuid: Uuid): number =>
    Math.max(...prices.filter((price) => uuidOf(price) === uuid).map(({ recordedAt }) => recordedAt));
  return records
    .filter(({ uuid }) => !prices.some((price) => uuidOf(price) === uuid && newestDay - price.day <= 60))
    .toSorted((a, b) => (newest(a.uuid) === newest(b.uuid) ? byName(a, b) : newest(b.uuid) - newest(a.uuid)))
    .map(({ uuid }) => uuid);
}

function counted(names: readonly string[]): PriceCount[] {
  return [...Map.groupBy(names, (name) => name)]
    .map(([name, { length }]) => ({ name, count: length }))
    .sort((a, b) => b.count - a.count || compareTexts(a.name, b.name));
}
