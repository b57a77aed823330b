import { distance } from "../model/coordinates.ts";
import { searchWords } from "../model/folded-text.ts";
import type { CountyId } from "../model/ids.ts";
import type { Coordinates, MarketRecord } from "../model/records.ts";
import type { MarketType } from "../model/vocabulary.ts";
import type { Store } from "../store/store.ts";

/** Conditions on markets; every one given must hold. */
export interface MarketFilter {
  readonly countyId?: CountyId | undefined;
  readonly marketType?: MarketType | undefined;
  /** Words of which each is a part of the name or an alternative one, by `searchKey`. */
  readonly text?: string | undefined;
  /** Nearest to this point first; markets of which no location is known are last. */
  readonly near?: Coordinates | undefined;
}

/**
 * The markets a filter selects, by distance where it has a point, then by folded name, then uuid.
 *
 * Cost: a read of every market.
 */
export function findMarkets({ catalogue }: Store, { countyId, marketType, text, near }: MarketFilter): MarketRecord[] {
  const words = text === undefined ? [] : searchWords(text);
  const found = catalogue.marketsByName
    .map((code) => catalogue.markets[code]!)
    .filter(
      ({ record, searchNames }) =>
        (countyId === undefined || record.countyId === countyId) &&
        (marketType === undefined || record.type === marketType) &&
        words.every((word) => searchNames.includes(word)),
    )
    .map(({ record }) => record);
  if (near === undefined) return found;
  // Two unknown distances differ by NaN, which is no difference to a sort.
  return found
    .map((market) => ({ market, kilometres: distanceTo(market, near) ?? Infinity }))
    .sort((a, b) => a.kilometres - b.kilometres)
    .map(({ market }) => market);
}

/** Kilometres from a point to a market; null where its location is not known. */
export function distanceTo({ location }: MarketRecord, point: Coordinates): number | null {
  return location === null ? null : distance(point, location);
}
