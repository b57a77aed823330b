/** Conditions that several endpoints have: on products, one, some, or all of them; on markets; on days. */
import type { Static, TObject } from "typebox";
import { type Day, dayFromText } from "../../domain/calendar-day.ts";
import type { CountyId, Uuid } from "../../domain/ids.ts";
import type { MarketConditions, MarketLists } from "../../query/questions.ts";
import { ApiError, type FieldProblem } from "../errors.ts";
import * as s from "../input/schema.ts";

export const productFilter = s.optionalFields({
  product_uuid: s.uuid("Product."),
  product_uuids: s.listOf(s.uuid("A product."), "Any of these products, in place of product_uuid."),
});

type ProductFields = Static<TObject<typeof productFilter>>;

/** What is wrong with the fields although each is right: a list is given beside the field that it replaces. */
export function listProblems(query: ProductFields & MarketFields & MarketListFields): FieldProblem[] {
  return (
    [
      ["product_uuid", "product_uuids"],
      ["market_uuid", "market_uuids"],
      ["county_id", "county_ids"],
    ] as const
  ).flatMap(([one, field]) => {
    const received = query[field];
    if (query[one] === undefined || received === undefined) return [];
    return [{ field, message: `${field} is given beside ${one}, expected one of them.`, received }];
  });
}

/** Undefined where all products are meant. */
export function productUuidsOf({ product_uuid: one, product_uuids: several }: ProductFields): Uuid[] | undefined {
  const uuids = several ?? (one === undefined ? undefined : [one]);
  return uuids?.map(uuidOf);
}

export const marketFilter = s.optionalFields({
  market_uuid: s.uuid("Market."),
  county_id: s.countyNumber,
  market_type: s.marketTypeText,
});

type MarketFields = Static<TObject<typeof marketFilter>>;

/** Where several counties or markets can be asked for. */
export const marketListFilter = s.optionalFields({
  county_ids: s.listOf(s.countyNumber, "Any of these counties, in place of county_id."),
  market_uuids: s.listOf(s.uuid("A market."), "Any of these markets, in place of market_uuid."),
});

type MarketListFields = Static<TObject<typeof marketListFilter>>;

export function marketListConditions({ county_ids, market_uuids }: MarketListFields): MarketLists {
  return { countyIds: county_ids as readonly CountyId[] | undefined, marketUuids: market_uuids?.map(uuidOf) };
}

export function marketConditions({ market_uuid, county_id, market_type }: MarketFields): MarketConditions {
  return {
    marketUuid: market_uuid === undefined ? undefined : uuidOf(market_uuid),
    countyId: county_id as CountyId | undefined,
    marketType: market_type,
  };
}

/** Where `detail` adds codes. */
export const withCodes = s.flag("Adds the codes that other data has for it.");

/** What sources call a record. */
export const sourceIds = s.nullable(
  s.texts("What sources call it, each as source:id, such as WFP:51; null when unknown."),
);

/** Uuids are accepted in either case; the store has them in lower case. */
export function uuidOf(text: string): Uuid {
  return text.toLowerCase() as Uuid;
}

/**
 * The code of a record that a request names by its uuid.
 *
 * @param codes By uuid, those of the products or the markets.
 * @throws {ApiError} NOT_FOUND.
 */
export function requireCode<Code>(codes: ReadonlyMap<Uuid, Code>, kind: "product" | "market", uuid: string): Code {
  const code = codes.get(uuidOf(uuid));
  if (code === undefined) throw new ApiError("NOT_FOUND", `No ${kind} has the uuid ${uuid}.`);
  return code;
}

export function dayOf(text: string | undefined): Day | undefined {
  return text === undefined ? undefined : dayFromText(text);
}
