/** Conditions that several endpoints have, as fields of requests and as those of questions; records by their uuid. */

import { ApiError, type FieldProblem, wrongField } from "../../../contract/errors.ts";
import * as s from "../../../contract/schema.ts";
import { type Day, dayFromText } from "../../../engine/model/calendar.ts";
import type { CountyId, Uuid } from "../../../engine/model/ids.ts";
import type { ObjectSchema, ValueOf } from "../../../engine/model/json-schema.ts";
import { populations, priceFlags } from "../../../engine/model/vocabulary.ts";
import type { PriceSelection } from "../../../engine/query/walk-prices.ts";
import { suspiciousRule } from "../../../engine/store/suspicious-prices.ts";

/** Which markets figures are of. */
const population = s.choice("RefugeeCamps", "All markets, those outside refugee camps, or camps alone.", populations);

const populationFilter = s.optionalFields({
  refugee_camps: s.meaning(
    population,
    "All markets, without those in refugee camps, or these alone. `exclude` when absent for comparable prices, and " +
      "for anomalies and seasons of a county or the country; else `include`.",
  ),
});

const asRecorded = "`currency` per `unit` of each price";

/** Fields of requests, by what they ask for. */
export const filters = {
  products: s.optionalFields({
    product_uuid: s.uuid("Product."),
    product_uuids: s.listOf(s.uuid("A product."), "Any of these products, in place of product_uuid."),
  }),
  population: populationFilter,
  markets: {
    ...s.optionalFields({
      market_uuid: s.uuid("Market."),
      county_id: s.countyNumber,
      market_type: s.marketTypeText,
    }),
    ...populationFilter,
  },
  /** Of endpoints that accept several counties or markets. */
  marketLists: s.optionalFields({
    county_ids: s.listOf(s.countyNumber, "Any of these counties, in place of county_id."),
    market_uuids: s.listOf(s.uuid("A market."), "Any of these markets, in place of market_uuid."),
  }),
  rows: s.optionalFields({
    price_flag: s.oneOf(priceFlags, "Only prices that the source says this of."),
    suspicious: s.boolean(
      "False leaves out the prices that look wrong beside their neighbours, true leaves out all others.",
    ),
  }),
  days: { start_date: s.day("First day, inclusive."), end_date: s.day("Last day, inclusive.") },
  prices: s.optionalFields({
    min_price: s.number("Least price as recorded, inclusive.", asRecorded),
    max_price: s.number("Greatest price as recorded, inclusive.", asRecorded),
  }),
  /** No conditions: what figures are converted to. */
  conversion: s.optionalFields({
    unit: s.matchText("Unit of the answer, which the product's base unit converts to; the base unit when absent."),
    currency: s.matchText(
      "Currency of the answer: USD, which prices are converted to by the exchange rates of their months. As recorded " +
        "when absent.",
    ),
  }),
};

type AllFilters = typeof filters.products &
  typeof filters.markets &
  typeof filters.marketLists &
  typeof filters.rows &
  typeof filters.days &
  typeof filters.prices;

/** Conditions as a request has them: each endpoint has some of the fields. */
export type ConditionFields = Partial<ValueOf<ObjectSchema<AllFilters>>>;

/** Conditions as a question has them; what is not requested is undefined. */
export function conditionsOf(fields: ConditionFields): PriceSelection {
  const { product_uuid: product, product_uuids: products, market_uuid: market } = fields;
  return {
    productUuids: (products ?? (product === undefined ? undefined : [product]))?.map(uuidOf),
    marketUuid: market === undefined ? undefined : uuidOf(market),
    countyId: fields.county_id as CountyId | undefined,
    marketType: fields.market_type,
    refugeeCamps: fields.refugee_camps,
    countyIds: fields.county_ids as readonly CountyId[] | undefined,
    marketUuids: fields.market_uuids?.map(uuidOf),
    priceFlag: fields.price_flag,
    isSuspicious: fields.suspicious,
    dayFirst: dayOf(fields.start_date),
    dayLast: dayOf(fields.end_date),
    priceMin: fields.min_price,
    priceMax: fields.max_price,
  };
}

/** Fields of which a request has one. */
const alternatives = [
  ["product_uuid", "product_uuids"],
  ["market_uuid", "market_uuids"],
  ["county_id", "county_ids"],
] as const;

/**
 * Returns the problems of conditions that are right one by one: a list is given beside the field that it replaces, or
 * days or prices are the wrong way round.
 */
export function conditionProblems(fields: ConditionFields): FieldProblem[] {
  const { start_date: dayFirst, end_date: dayLast, min_price: priceMin, max_price: priceMax } = fields;
  const problems = alternatives
    .filter((names) => names.every((name) => fields[name] !== undefined))
    .map(([one, list]) => wrongField(list, fields[list], "one of them", `given beside ${one}`));
  if (dayFirst !== undefined && dayLast !== undefined && dayFirst > dayLast) {
    problems.push(wrongField("start_date", dayFirst, `a day up to end_date, ${dayLast}`));
  }
  if (priceMin !== undefined && priceMax !== undefined && priceMin > priceMax) {
    problems.push(wrongField("min_price", priceMin, `at most max_price, ${priceMax}`));
  }
  return problems;
}

/** In `meta`. */
export const populationMeta = s.meaning(population, "The markets that the answer is of.");

/** In `meta` of measures by a method. @param what The figures, and their verb. */
export function methodFields(method: string, what: string) {
  return {
    method: s.oneOf([method], "Version of the method; another method has another name."),
    suspicious_rule: suspiciousRuleField,
    snapshot: s.text(`Snapshot that ${what} computed from.`),
    refugee_camps: populationMeta,
    refugee_camp_series_left_out: s.integer(
      "Series of the question with a value in refugee camps that are left out with these; 0 where they are not left " +
        "out.",
      "series",
    ),
  };
}

/** In answers from which suspicious prices are left out, and in what describes the data. */
export const suspiciousRuleField = s.oneOf([suspiciousRule], "The rule by which prices are suspicious.");

/** The identifiers that sources give a record. */
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
