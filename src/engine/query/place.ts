/** The places of prices: all of Kenya, a county or a market. */

import type { CountyRecord, MarketRecord, ProductRecord } from "../model/records.ts";
import type { MarketType } from "../model/vocabulary.ts";
import type { ProductCode } from "../store/catalogue.ts";
import type { MarketConditions } from "./questions.ts";

/**
 * Areas have one of two populations, which are two surveys: prices of refugee camps and of other markets are never in
 * one figure.
 */
export interface Place {
  /** Of an area `refugeeCamps` is one of `populations`; a market needs none. */
  readonly conditions: Pick<MarketConditions, "countyId" | "marketUuid" | "refugeeCamps">;
  readonly kind: "country" | "county" | "market";
  /** The county or market, as in the data; empty for all of Kenya. */
  readonly name: string;
}

export const wholeCountry: Place = { conditions: { refugeeCamps: "exclude" }, kind: "country", name: "" };

export function countyPlace({ id, name }: CountyRecord): Place {
  return { conditions: { countyId: id, refugeeCamps: "exclude" }, kind: "county", name };
}

export function marketPlace({ uuid, name }: MarketRecord): Place {
  return { conditions: { marketUuid: uuid }, kind: "market", name };
}

/** A product at a type of market and a place. */
export interface Series {
  readonly code: ProductCode;
  readonly product: ProductRecord;
  readonly marketType: MarketType;
  readonly place: Place;
}
