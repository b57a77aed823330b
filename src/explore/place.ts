/**
 * Where the prices of a page are from: all of Kenya, a county, or a market. A series is a product at a type of market
 * there; in an address it is `PRODUCT:Wholesale`, `PRODUCT:Retail:32` or `PRODUCT:Retail:MARKET`.
 */
import { type CountyId, toUuid, type Uuid } from "../domain/ids.ts";
import type { CountyRecord, MarketRecord, ProductRecord } from "../domain/records.ts";
import { type MarketType, marketTypes } from "../domain/vocabulary.ts";
import type { MarketConditions } from "../query/questions.ts";
import { countyRecord, type MarketCode, type ProductCode, recordAt } from "../store/catalogue.ts";
import type { Store } from "../store/store.ts";
import { badParameter, PageProblem, requireUuid } from "./request.ts";
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
  readonly product: ProductRecord;
  readonly place: Place;
}

/** A product at a type of market and a place. */
export interface Series extends ProductAtPlace {
  readonly marketType: MarketType;
}

/** What an address names by a uuid: the table that has its code, and what the page says where there is none. */
const named = {
  product: { codes: "productCodes", missing: "notFoundProduct" },
  market: { codes: "marketCodes", missing: "notFoundMarket" },
} as const;

interface CodeOf {
  readonly product: ProductCode;
  readonly market: MarketCode;
}

/**
 * The code of a product or market that an address names.
 *
 * @param part An unknown one in the path means that there is no such page; in a parameter, that this is a bad one.
 * @throws {PageProblem}
 */
export function requireCode<Kind extends keyof CodeOf>(
  { catalogue }: Store,
  kind: Kind,
  text: string,
  part: "path" | "parameter",
): CodeOf[Kind] {
  const uuid = requireUuid(kind, text);
  const { codes, missing } = named[kind];
  const code = catalogue[codes].get(uuid) as CodeOf[Kind] | undefined;
  if (code !== undefined) return code;
  if (part === "path") throw new PageProblem(404, missing, { found: uuid });
  throw badParameter(kind, uuid, `/api/v1/${kind}s`);
}

/** The place that an address asks for. @param county The id of a county. @throws {PageProblem} */
export function findPlace(store: Store, county: string | undefined, market: string | undefined): Place {
  if (county !== undefined && market !== undefined) throw badParameter("market", market, "county / market");
  if (county !== undefined) return countyPlace(store, findCounty(store, county).id);
  if (market === undefined) return wholeCountry;
  return marketPlace(recordAt(store.catalogue.markets, requireCode(store, "market", market, "parameter")));
}

/** @param text The id of a county. @throws {PageProblem} */
export function findCounty({ catalogue }: Store, text: string): CountyRecord {
  const county = /^\d{1,2}$/.test(text) ? catalogue.counties.get(Number(text) as CountyId) : undefined;
  if (county === undefined) throw badParameter("county", text, "1–47");
  return county;
}

/** A series as in an address. */
export function seriesParameter({ product, marketType, place: { conditions } }: Omit<Series, "code">): string {
  const at = conditions.countyId ?? conditions.marketUuid;
  return `${product.uuid}:${marketType}${at === undefined ? "" : `:${at}`}`;
}

/** @throws {PageProblem} where it names something that is not in the data. */
export function findSeriesAt(store: Store, text: string): Series {
  const { products, productCodes } = store.catalogue;
  const [uuid = "", type, place, ...more] = text.split(":");
  const code = productCodes.get(toUuid(uuid) as Uuid);
  if (code === undefined || more.length > 0) {
    throw badParameter("series", text, "PRODUCT:TYPE, PRODUCT:TYPE:COUNTY, PRODUCT:TYPE:MARKET");
  }
  const marketType = marketTypes.find((known) => known === type);
  if (marketType === undefined) throw badParameter("series", text, marketTypes.join(", "));
  const market = toUuid(place ?? "");
  const found = findPlace(store, market === undefined ? place : undefined, market);
  return { code, product: recordAt(products, code), marketType, place: found };
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
export function nameOfSeries(words: Words, { product, marketType, place }: Omit<Series, "code">): string {
  return `${words.product(product)}, ${words.type(marketType)}${placeSuffix(words, place)}`;
}
