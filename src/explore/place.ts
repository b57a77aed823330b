/** All of Kenya, a county, or a market: where the prices of a page are from. */
import type { CountyId, Uuid } from "../domain/ids.ts";
import type { CountyRecord, MarketRecord, ProductRecord } from "../domain/records.ts";
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

/** The place that an address asks for. @throws {PageProblem} */
export function findPlace(store: Store, county: string | undefined, market: string | undefined): Place {
  if (county !== undefined && market !== undefined) throw badParameter("market", market, "county / market");
  if (county !== undefined) return findCounty(store, county);
  return market === undefined ? wholeCountry : findMarket(store, requireUuid("market", market));
}

/** @param text The id of a county. @throws {PageProblem} */
export function findCounty(store: Store, text: string): Place {
  return countyPlace(store, findCountyRecord(store, text).id);
}

/** @param text The id of a county. @throws {PageProblem} */
export function findCountyRecord({ catalogue }: Store, text: string): CountyRecord {
  const county = /^\d{1,2}$/.test(text) ? catalogue.counties.get(Number(text) as CountyId) : undefined;
  if (county === undefined) throw badParameter("county", text, "1–47");
  return county;
}

/** @throws {PageProblem} */
export function findMarket({ catalogue }: Store, uuid: Uuid): Place {
  const code = catalogue.marketCodes.get(uuid);
  if (code === undefined) throw badParameter("market", uuid, "/api/v1/markets");
  return marketPlace(recordAt(catalogue.markets, code));
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
