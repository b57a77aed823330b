/** Products and markets without recent prices. */
import type { MarketCode, ProductCode } from "../store/catalogue.ts";
import { lowerBound, type PostingLists, rowsOf } from "../store/columns.ts";
import type { Store } from "../store/store.ts";

/** A source or market is silent that has no price of the newest day of all prices or of so many days before it. */
export const silentDays = 60;

/**
 * Silent products or markets: those that went silent last first, equal times in the order of names; then those without
 * prices.
 */
export interface Silent<Code> {
  readonly codes: readonly Code[];
  /** The newest row of each; undefined without prices. */
  readonly newestRows: readonly (number | undefined)[];
}

export interface SilentPlaces {
  readonly products: Silent<ProductCode>;
  readonly markets: Silent<MarketCode>;
}

/** Finds all silent products and markets. Cost: a read of each of them, and a sort of those that are silent. */
export function findSilent({ catalogue, prices, periods, rowsByProduct, rowsByMarket }: Store): SilentPlaces {
  // Day codes count from the newest day, so silent are those from this one on.
  const silentFrom = lowerBound(periods.ages, null, silentDays + 1, 0, periods.ages.length);
  return {
    products: silentOf([...catalogue.products.keys()] as ProductCode[], rowsByProduct),
    markets: silentOf(catalogue.marketsByName, rowsByMarket),
  };

  function silentOf<Code extends number>(byName: readonly Code[], lists: PostingLists): Silent<Code> {
    const silent = byName
      .map((code) => ({ code, row: rowsOf(lists, code)[0] }))
      .filter(({ row }) => row === undefined || periods.dayCodes[row]! >= silentFrom)
      .sort((a, b) => timeOf(b.row) - timeOf(a.row));
    return { codes: silent.map(({ code }) => code), newestRows: silent.map(({ row }) => row) };
  }

  function timeOf(row: number | undefined): number {
    return row === undefined ? Number.MIN_SAFE_INTEGER : prices.recordedAt[row]!;
  }
}
