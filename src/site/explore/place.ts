/**
 * Where the prices of a page are from: all of Kenya, a county, or a market. A series is a product at a type of market
 * there; in an address it is `PRODUCT:Wholesale`, `PRODUCT:Retail:32` or `PRODUCT:Retail:MARKET`.
 */
import type { CountyRecord, MarketRecord, ProductRecord } from "../../engine/model/records.ts";
import type { MarketType } from "../../engine/model/vocabulary.ts";
import type { MarketConditions } from "../../engine/query/questions.ts";
import type { ProductCode } from "../../engine/store/catalogue.ts";
import type { Words } from "../pages/words.ts";

export interface Place {
  readonly conditions: Pick<MarketConditions, "countyId" | "marketUuid">;
  readonly kind: "country" | "county" | "market";
  /** The county or market, as in the data; empty for all of Kenya. */
  readonly name: string;
}

export const wholeCountry: Place = { conditions: {}, kind: "country", name: "" };

export function countyPlace({ id, name }: CountyRecord): Place {
  return { conditions: { countyId: id }, kind: "county", name };
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

/** The parameters of a place, as in the address of a product. */
export function placeParameters({ countyId, marketUuid }: Place["conditions"]) {
  return { county: countyId, market: marketUuid };
}

/** A series as an address names it; `PageRequest.series` reads it. */
export function seriesParameter({ product, marketType, place: { conditions } }: Omit<Series, "code">): string {
  const at = conditions.countyId ?? conditions.marketUuid;
  return `${product.uuid}:${marketType}${at === undefined ? "" : `:${at}`}`;
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
