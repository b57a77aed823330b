/** Conditions on markets → market codes. */
import type { Catalogue } from "../store/catalogue.ts";
import { lowerBound } from "../store/lower-bound.ts";
import { allTypes, isOfType, type MarketRange, marketsOfCounty, typeCodeOf } from "../store/runs.ts";
import type { MarketConditions } from "./questions.ts";

/** The markets that meet the conditions. Those of a county, and those of a type there, are neighbours: one range. */
export function selectMarkets(
  catalogue: Catalogue,
  { marketUuid, countyId, marketType }: MarketConditions,
): MarketRange {
  const type = typeCodeOf(marketType);
  const all = countyId === undefined ? { from: 0, to: catalogue.markets.length } : marketsOfCounty(catalogue, countyId);
  if (marketUuid !== undefined) {
    const market = catalogue.marketCodes.get(marketUuid) ?? -1;
    const isMet = market >= all.from && market < all.to && isOfType(catalogue, market, type);
    return { from: isMet ? market : 0, to: isMet ? market + 1 : 0, type: allTypes };
  }
  if (countyId === undefined || type === allTypes) return { ...all, type };
  const { marketTypeCodes } = catalogue;
  const from = lowerBound(marketTypeCodes, null, type, all.from, all.to);
  return { from, to: lowerBound(marketTypeCodes, null, type + 1, from, all.to), type: allTypes };
}

/** 1 for each market code of a range. Cost: one look at each of them. */
export function markMarkets(catalogue: Catalogue, { from, to, type }: MarketRange): Uint8Array {
  const mask = new Uint8Array(catalogue.markets.length);
  for (let market = from; market < to; market++) mask[market] = Number(isOfType(catalogue, market, type));
  return mask;
}
