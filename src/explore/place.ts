/**
 * Where the prices of a page are from: all of Kenya, a county, or a market. A series is a product at a type of market
 * there; in an address it is `PRODUCT:Wholesale`, `PRODUCT:Retail:32` or `PRODUCT:Retail:MARKET`.
 */
import { type CountyId, toUuid, type Uuid } from "../domain/ids.ts";
import type { CountyRecord, MarketRecord, ProductRecord } from "../domain/records.ts";
import { type MarketType, marketTypes } from "../domain/vocabulary.ts";
import type { MarketConditions } from "../query/questions.ts";
import { countyRecord, type ProductCode, recordAt } from "../store/catalogue.ts";
import type { Store } from "../store/store.ts";
import { badParameter, requireUuid } from "./request.ts";
import type { Words } from "./words.ts";

export interface Place {
  readonly conditions: Pick<MarketConditions, "countyId" | "marketUuid">;
  readonly kind: "country" | "county" | "market";
  /** The county or market, as in the data; empty for all of Kenya. */
  readonly name: string;
}

export const wholeCountry: Place = { conditions: {}, kind: "country", name: "" };

export function countyPlace({ catalogue }: Store, countyId: CountyId): Place {
  return { conditions: { countyId }, kind: "county", name: countyRecord(catalogue, countyId).name };
}

export function marketPlace({ uuid, name }: MarketRecord): Place {
  return { conditions: { marketUuid: uuid }, kind: "market", name };
}

/** A product at a place. */
export interface ProductAtPlace {
  readonly code: ProductCode;
  readonly record: ProductRecord;
  readonly place: Place;
}

/** A product at a type of market and a place. */
export interface Series {
  readonly productUuid: Uuid;
  readonly marketType: MarketType;
  readonly place: Place;
}

/** The place that an address asks for. @param county The id of a county. @throws {PageProblem} */
export function findPlace(store: Store, county: string | undefined, market: string | undefined): Place {
  const { markets, marketCodes } = store.catalogue;
  if (county !== undefined && market !== undefined) throw badParameter("market", market, "county / market");
  if (county !== undefined) return countyPlace(store, findCounty(store, county).id);
  if (market === undefined) return wholeCountry;
  const uuid = requireUuid("market", market);
  const code = marketCodes.get(uuid);
  if (code === undefined) throw badParameter("market", uuid, "/api/v1/markets");
  return marketPlace(recordAt(markets, code));
}

/** @param text The id of a county. @throws {PageProblem} */
export function findCounty({ catalogue }: Store, text: string): CountyRecord {
  const county = /^\d{1,2}$/.test(text) ? catalogue.counties.get(Number(text) as CountyId) : undefined;
  if (county === undefined) throw badParameter("county", text, "1–47");
  return county;
}

/** A product that the store has. */
export function productOf({ catalogue }: Store, uuid: Uuid): ProductRecord {
  return recordAt(catalogue.products, catalogue.productCodes.get(uuid) as ProductCode);
}

/** A series as in an address. */
export function seriesParameter({ productUuid, marketType, place: { conditions } }: Series): string {
  const at = conditions.countyId ?? conditions.marketUuid;
  return `${productUuid}:${marketType}${at === undefined ? "" : `:${at}`}`;
}

/** @throws {PageProblem} where it names something that is not in the data. */
export function findSeriesAt(store: Store, text: string): Series {
  const [product = "", type, place, ...more] = text.split(":");
  const productUuid = toUuid(product);
  const marketType = marketTypes.find((known) => known === type);
  if (productUuid === undefined || !store.catalogue.productCodes.has(productUuid) || more.length > 0) {
    throw badParameter("series", text, "PRODUCT:TYPE, PRODUCT:TYPE:COUNTY, PRODUCT:TYPE:MARKET");
  }
  if (marketType === undefined) throw badParameter("series", text, marketTypes.join(", "));
  const market = toUuid(place ?? "");
  return { productUuid, marketType, place: findPlace(store, market === undefined ? place : undefined, market) };
}

/** The conditions of a place behind the query string of a request to the interface: `&county_id=32`. */
export function placeQuery({ conditions: { countyId, marketUuid } }: Place): string {
  const county = countyId === undefined ? "" : `&county_id=${countyId}`;
  return marketUuid === undefined ? county : `${county}&market_uuid=${marketUuid}`;
}

/** `Maize (white)`, `Maize (white) in Nakuru` or `Maize (white) at Wakulima`. */
export function productAtPlace(words: Words, record: ProductRecord, { kind, name }: Place): string {
  const product = words.product(record);
  return kind === "country" ? product : words.say(kind === "county" ? "inPlace" : "atPlace", { product, place: name });
}

/** Behind the name of a product: nothing, `, in Nakuru county` or `, at Wakulima`. */
export function placeSuffix(words: Words, { kind, name }: Place): string {
  if (kind === "country") return "";
  return words.say(kind === "county" ? "sentencePlaceCounty" : "sentencePlaceMarket", { place: name });
}

/** `Maize (white), wholesale, in Nakuru county` */
export function nameOfSeries(store: Store, words: Words, { productUuid, marketType, place }: Series): string {
  return `${words.product(productOf(store, productUuid))}, ${words.type(marketType)}${placeSuffix(words, place)}`;
}
