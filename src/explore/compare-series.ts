/**
 * A series of a comparison as it stands in an address: `PRODUCT:Wholesale`, `PRODUCT:Retail:32` or
 * `PRODUCT:Retail:MARKET`.
 */
import type { Uuid } from "../domain/ids.ts";
import { toUuid } from "../domain/ids.ts";
import { type MarketType, marketTypes } from "../domain/vocabulary.ts";
import { recordAt } from "../store/catalogue.ts";
import type { Store } from "../store/store.ts";
import { findCounty, findMarket, type Place, placeSuffix, wholeCountry } from "./place.ts";
import { badParameter } from "./request.ts";
import type { Words } from "./words.ts";

/** A product at a type of market and a place. */
export interface ComparedSeries {
  readonly productUuid: Uuid;
  readonly marketType: MarketType;
  readonly place: Place;
}

/** As in an address. */
export function compareParameter({ productUuid, marketType, place }: ComparedSeries): string {
  const { countyId, marketUuid } = place.conditions;
  const at = countyId ?? marketUuid;
  return `${productUuid}:${marketType}${at === undefined ? "" : `:${at}`}`;
}

/** @throws {PageProblem} where it names something that is not in the data. */
export function readComparedSeries(store: Store, text: string): ComparedSeries {
  const [product = "", type, place, ...more] = text.split(":");
  const productUuid = toUuid(product);
  const marketType = marketTypes.find((known) => known === type);
  if (productUuid === undefined || !store.catalogue.productCodes.has(productUuid) || more.length > 0) {
    throw badParameter("series", text, "PRODUCT:TYPE, PRODUCT:TYPE:COUNTY, PRODUCT:TYPE:MARKET");
  }
  if (marketType === undefined) throw badParameter("series", text, marketTypes.join(", "));
  if (place === undefined) return { productUuid, marketType, place: wholeCountry };
  const marketUuid = toUuid(place);
  return { productUuid, marketType, place: marketUuid ? findMarket(store, marketUuid) : findCounty(store, place) };
}

/** `Maize (white), wholesale, in Nakuru county` */
export function nameOfSeries(
  { catalogue }: Store,
  words: Words,
  { productUuid, marketType, place }: ComparedSeries,
): string {
  const code = catalogue.productCodes.get(productUuid) as number;
  return `${words.product(recordAt(catalogue.products, code))}, ${words.type(marketType)}${placeSuffix(words, place)}`;
}
