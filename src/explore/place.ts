/** All of Kenya, a county, or a market: where the prices of a page are from. */
import { type CountyId, isCountyId, type Uuid } from "../domain/ids.ts";
import type { MarketRecord, ProductRecord } from "../domain/records.ts";
import type { MarketConditions } from "../query/questions.ts";
import { countyRecord, recordAt } from "../store/catalogue.ts";
import type { Store } from "../store/store.ts";
import { badParameter, type PageRequest, readText, requireUuid } from "./request.ts";
import type { Words } from "./words.ts";

export interface Place {
  readonly conditions: Pick<MarketConditions, "countyId" | "marketUuid">;
  readonly kind: "country" | "county" | "market";
  /** Of the county or market, as in the data; empty for all of Kenya. */
  readonly name: string;
}

export const wholeCountry: Place = { conditions: {}, kind: "country", name: "" };

export function countyPlace({ catalogue }: Store, countyId: CountyId): Place {
  return { conditions: { countyId }, kind: "county", name: countyRecord(catalogue, countyId).name };
}

export function marketPlace({ uuid, name }: MarketRecord): Place {
  return { conditions: { marketUuid: uuid }, kind: "market", name };
}

/** The place that the address asks for. @throws {PageProblem} */
export function readPlace(request: PageRequest): Place {
  const county = readText(request, "county");
  const market = readText(request, "market");
  if (county !== undefined && market !== undefined) throw badParameter("market", market, "county / market");
  if (county !== undefined) return findCounty(request.store, county);
  return market === undefined ? wholeCountry : findMarket(request.store, requireUuid("market", market));
}

/** @param text The id of a county. @throws {PageProblem} */
export function findCounty(store: Store, text: string): Place {
  const id = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (!isCountyId(id) || !store.catalogue.counties.has(id)) throw badParameter("county", text, "1–47");
  return countyPlace(store, id);
}

/** @throws {PageProblem} */
export function findMarket({ catalogue }: Store, uuid: Uuid): Place {
  const code = catalogue.marketCodes.get(uuid);
  if (code === undefined) throw badParameter("market", uuid, "/api/v1/markets");
  return marketPlace(recordAt(catalogue.markets, code));
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
