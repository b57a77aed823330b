import { searchWords } from "../model/folded-text.ts";
import type { CountyId } from "../model/ids.ts";
import type { MarketRecord } from "../model/records.ts";
import type { MarketType } from "../model/vocabulary.ts";
import type { Store } from "../store/store.ts";

/** Conditions on markets; every one given must hold. */
export interface MarketFilter {
  readonly countyId?: CountyId | undefined;
  readonly marketType?: MarketType | undefined;
  /** Words of which each is a part of the name or an alternative one, by `searchKey`. */
  readonly text?: string | undefined;
}

/** The markets a filter selects, by folded name, then uuid. Cost: a read of every market. */
export function findMarkets({ catalogue }: Store, { countyId, marketType, text }: MarketFilter): MarketRecord[] {
  const words = text === undefined ? [] : searchWords(text);
  return catalogue.marketsByName
    .map((code) => catalogue.markets[code]!)
    .filter(
      ({ record, searchNames }) =>
        (countyId === undefined || record.countyId === countyId) &&
        (marketType === undefined || record.type === marketType) &&
        words.every((word) => searchNames.includes(word)),
    )
    .map(({ record }) => record);
}
