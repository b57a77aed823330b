/** The slow, obvious twin of comparing two snapshots: objects and plain loops over the datasets. */
import { isDeepStrictEqual } from "node:util";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import { type PriceFields, pricesOfDataset } from "../engine/store/stored-prices.ts";
import { byName } from "./naive-queries.ts";

interface Counts {
  readonly added: number;
  readonly gone: number;
  readonly changed: number;
}

/** Records added, gone and changed, by table. */
export function naiveRowChanges(before: Dataset, after: Dataset): Record<string, Counts> {
  return {
    counties: compare(before.counties, after.counties, ({ id }) => id),
    crops: compare(before.crops, after.crops, ({ id }) => id),
    units: compare(before.unitCategories, after.unitCategories, ({ category }) => category),
    "market-types": compare(before.marketTypes, after.marketTypes, ({ type }) => type),
    products: compare(before.products, after.products, ({ uuid }) => uuid),
    markets: compare(before.markets, after.markets, ({ uuid }) => uuid),
    "exchange-rates": compare(before.exchangeRates, after.exchangeRates, ({ month, currency }) => month + currency),
    continuations: compare(before.continuations, after.continuations, (one) =>
      [one.productUuid, one.continuesUuid, one.marketType].join(),
    ),
    "market-continuations": compare(before.marketContinuations, after.marketContinuations, (one) => one.marketUuid),
    prices: compare(pricesOfDataset(before), pricesOfDataset(after), ({ uuid }) => uuid),
  };
}

/** `product uuid, market uuid` of every series of one dataset that the other does not have, sorted. */
export function naiveSeriesOnlyIn(dataset: Dataset, other: Dataset): string[] {
  const there = seriesOf(other);
  return [...seriesOf(dataset)].filter((series) => !there.has(series)).sort();
}

/**
 * Product uuid, price before and price after of every latest price that moves by more than a fifth, by name and uuid.
 */
export function naiveMoves(before: Dataset, after: Dataset): [string, number, number][] {
  const products = after.products.toSorted(byName);
  return products.flatMap(({ uuid }) => {
    const latest = newestFirst(after, uuid)[0];
    if (latest === undefined) return [];
    const ofKind = newestFirst(before, uuid).filter(
      (price) =>
        price.unit === latest.unit &&
        price.currency === latest.currency &&
        typeOf(before, price) === typeOf(after, latest),
    );
    const comparable = ofKind.find(({ marketUuid }) => marketUuid === latest.marketUuid) ?? ofKind[0];
    const [was, is] = [comparable?.price, latest.price];
    if (was === undefined || is === undefined || Math.abs(is - was) * 100 <= was * 20) return [];
    return [[uuid, was, is] as [string, number, number]];
  });
}

function compare<T>(before: readonly T[], after: readonly T[], idOf: (record: T) => unknown): Counts {
  const pairs = after.map((record) => ({ record, was: before.find((one) => idOf(one) === idOf(record)) }));
  return {
    added: pairs.filter(({ was }) => was === undefined).length,
    gone: before.filter((record) => !after.some((one) => idOf(one) === idOf(record))).length,
    changed: pairs.filter(({ record, was }) => was !== undefined && !isDeepStrictEqual(was, record)).length,
  };
}

function seriesOf(dataset: Dataset): Set<string> {
  return new Set(pricesOfDataset(dataset).map(({ productUuid, marketUuid }) => `${productUuid}, ${marketUuid}`));
}

function newestFirst(dataset: Dataset, product: string): PriceFields[] {
  return pricesOfDataset(dataset)
    .filter(({ productUuid }) => productUuid === product)
    .sort((a, b) => (b.recordedAt as number) - (a.recordedAt as number) || order(a.uuid, b.uuid));
}

function typeOf({ markets }: Dataset, { marketUuid }: PriceFields): string | undefined {
  return markets.find(({ uuid }) => uuid === marketUuid)?.type;
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
