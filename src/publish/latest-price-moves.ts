import type { Uuid } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { ProductRecord } from "../domain/records.ts";
import { type MarketType, marketTypes } from "../domain/vocabulary.ts";
import { recordAt } from "../store/catalogue.ts";
import { rowsOf } from "../store/posting-list.ts";
import type { Store } from "../store/store.ts";
import { absent, translatePlaces } from "./code-translation.ts";

/** A latest price may move by this many percent without being told (inclusive). */
export const moveToldPercentMin = 20;

/** A price as it is compared. */
export interface LatestPrice {
  readonly price: number;
  readonly recordedAt: Instant;
  readonly market: string;
}

/** A product whose latest price is another, and far from the one before. */
export interface LatestPriceMove {
  readonly uuid: Uuid;
  readonly name: string;
  readonly unit: string;
  readonly currency: string;
  readonly marketType: MarketType;
  readonly before: LatestPrice;
  readonly after: LatestPrice;
}

/**
 * Products whose latest price moves by more than `moveToldPercentMin`. The newest price of the product in `after` is held
 * against its newest price in `before` of the same unit, currency and market type: a bag and a kilogram, or wholesale and
 * retail, would not be comparable. Products without such a price are not told.
 *
 * @returns By product name, then uuid.
 * Cost: for each product its prices in `before` down to the first comparable one.
 */
export function latestPriceMoves(before: Store, after: Store): LatestPriceMove[] {
  const moves: LatestPriceMove[] = [];
  const { products } = translatePlaces(after, before);
  after.catalogue.products.forEach(({ record }, product) => {
    const productBefore = products[product] as number;
    const [row] = rowsOf(after.rowsByProduct, product);
    if (productBefore === absent || row === undefined) return;
    const kind = kindOf(after, row);
    const rowBefore = newestOfKind(before, productBefore, kind);
    if (rowBefore === undefined) return;
    const [priceBefore, price] = [before.prices.prices[rowBefore] as number, after.prices.prices[row] as number];
    if (Math.abs(price - priceBefore) * 100 <= priceBefore * moveToldPercentMin) return;
    moves.push({ ...moveOf(record, kind), before: latestPrice(before, rowBefore), after: latestPrice(after, row) });
  });
  return moves;
}

interface PriceKind {
  readonly unit: string;
  readonly currency: string;
  readonly marketType: MarketType;
}

function moveOf({ uuid, name }: ProductRecord, kind: PriceKind): Omit<LatestPriceMove, "before" | "after"> {
  return { uuid, name, ...kind };
}

function newestOfKind(store: Store, product: number, wanted: PriceKind): number | undefined {
  const { prices, catalogue } = store;
  const unit = prices.unitNames.indexOf(wanted.unit);
  const currency = prices.currencyCodes.indexOf(wanted.currency);
  const type = marketTypes.indexOf(wanted.marketType);
  return rowsOf(store.rowsByProduct, product).find(
    (row) =>
      prices.units[row] === unit &&
      prices.currencies[row] === currency &&
      catalogue.marketTypeCodes[prices.markets[row] as number] === type,
  );
}

function kindOf({ prices, catalogue }: Store, row: number): PriceKind {
  return {
    unit: prices.unitNames[prices.units[row] as number] as string,
    currency: prices.currencyCodes[prices.currencies[row] as number] as string,
    marketType: recordAt(catalogue.markets, prices.markets[row] as number).type,
  };
}

function latestPrice({ prices, catalogue }: Store, row: number): LatestPrice {
  return {
    price: prices.prices[row] as number,
    recordedAt: prices.recordedAt[row] as Instant,
    market: recordAt(catalogue.markets, prices.markets[row] as number).name,
  };
}
