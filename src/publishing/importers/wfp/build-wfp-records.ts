/** The facts of an export joined with the reference data: the records of a snapshot, as its files hold them. */
import { median } from "simple-statistics";
import { v5 } from "uuid";
import { type Day, dayText, monthTextOf } from "../../../engine/model/calendar.ts";
import { compareTexts, foldText } from "../../../engine/model/folded-text.ts";
import { recordFormats, referenceCurrency } from "../../../engine/model/records.ts";
import { capitalized } from "../../../engine/model/snake-case.ts";
import type { RecordKind } from "../../../engine/snapshots/snapshot-layout.ts";
import { byNameThenUuid, byTimeThenUuid } from "../record-order.ts";
import type { WireRecords } from "../wire-records.ts";
import { type CollectedFacts, type CommodityFacts, dayRange, groupsBySize } from "./collect-facts.ts";
import { namePlaces } from "./place-names.ts";
import type { CommodityRow, CountyRow, ReferenceData } from "./reference-data.ts";

/**
 * Counties and crops are in order of id, products and markets by name and then uuid (by code unit), prices oldest first
 * and then by uuid. Units are those of the reference data, each category followed by packs that only the export has, by
 * size.
 */
export type ImportedRecords = { readonly [Kind in RecordKind]: readonly WireRecords[Kind][] };

/**
 * The day on which reference records, products and markets count as made and last changed: the reference data was
 * gathered then. It is fixed, so that a second import gives the same bytes.
 */
const referenceTimes = { created_at: "2026-11-20T00:00:00.000Z", updated_at: "2026-11-20T00:00:00.000Z" };

/**
 * Joins and sorts. Cost: a few passes over the prices and one sort.
 *
 * @throws {RangeError} when there is no price.
 */
export function buildRecords(facts: CollectedFacts, reference: ReferenceData): ImportedRecords {
  const isActive = activityTest(dayRange(facts.prices).last);
  return {
    counties: [...reference.counties.values()].map((county) => countyRecord(county, reference)),
    crops: reference.crops.map(cropRecord),
    units: unitCategories(facts, reference),
    "market-types": reference.marketTypes,
    products: productRecords(facts, reference, isActive).sort(byNameThenUuid),
    markets: marketRecords(facts, reference, isActive).sort(byNameThenUuid),
    "exchange-rates": exchangeRates(facts),
    continuations: continuationRecords(facts, reference),
    "market-continuations": marketContinuationRecords(facts, reference),
    prices: priceRecords(facts),
  };
}

// Identifiers never change for one and the same fact: UUID version 5 (RFC 9562) of the ids of the export. A second
// import of the same facts, or an import of a newer export, gives each of them the identifier it had.

/** The name of the source in prices and ids. */
const sourceName = "WFP";

/** The namespace of all identifiers of this importer, drawn once at random. Changing it changes every identifier. */
const wfpNamespace = "f1753677-173c-48d3-9c26-a654494a0338";

/** A product is a commodity: its id in the export names it. */
export function productUuid(commodityId: number): string {
  return v5(`product ${commodityId}`, wfpNamespace);
}

/** A commodity or market of the export, as `source_ids` has it. */
function sourceId(id: number): string {
  return `${sourceName}:${id}`;
}

/** The id of a location of the export and the price type name a market: each type is a market of its own. */
export function marketUuid(marketId: number, priceType: string): string {
  return v5(`market ${marketId} ${priceType}`, wfpNamespace);
}

/** @param key The `priceKey` of the price. */
export function priceUuid(key: string): string {
  return v5(`price ${key}`, wfpNamespace);
}

/** The origins of prices, by row of the export. @param file The name of the export, without folders. */
export function originRecords({ prices }: CollectedFacts, file: string): WireRecords["origins"][] {
  return [...prices].map(([key, { line: row }]) => ({ uuid: priceUuid(key), file, row }));
}

function countyRecord(county: CountyRow, { subCounties }: ReferenceData): WireRecords["counties"] {
  return {
    id: county.id,
    code: String(county.id).padStart(3, "0"),
    pcode: county.pcode,
    iso_3166_2: county.iso_3166_2,
    name: county.name,
    capital: county.capital,
    population: county.population,
    area_sq_km: county.area_sq_km,
    coordinates: { latitude: county.latitude, longitude: county.longitude },
    sub_counties: (subCounties.get(county.id) ?? []).map(({ county_id, ...subCounty }) => subCounty),
    economy: null,
    ...referenceTimes,
  };
}

/** All fields of the format in its order, null where the crop has none. */
function cropRecord(crop: WireRecords["crops"]): WireRecords["crops"] {
  return Object.fromEntries(cropFields.map((field) => [field, crop[field] ?? null])) as unknown as WireRecords["crops"];
}

const cropFields = Object.keys(recordFormats.crops.properties as object) as (keyof WireRecords["crops"])[];

function unitCategories({ prices }: CollectedFacts, { units }: ReferenceData): WireRecords["units"][] {
  const packs = new Map([...prices.values()].flatMap(({ unit }) => unit.added ?? []).map((pack) => [pack.name, pack]));
  const packsBySize = [...packs.values()].sort(
    (a, b) => a.conversion_factor - b.conversion_factor || compareTexts(a.name, b.name),
  );
  const byCategory = Map.groupBy([...units, ...packsBySize], ({ category }) => category);
  return [...byCategory].map(([category, rows]) => ({
    category,
    units: rows.map(({ category, goods, source, ...unit }) => unit),
  }));
}

/**
 * Returns whether a product or market whose last price is of `day` counts as tracked: twelve months before the newest
 * price of the export or later. Texts of the form YYYY-MM-DD compare as their days do, and 29 February less a year,
 * which does not exist, compares as the day between 28 February and 1 March.
 */
function activityTest(newestDay: Day): (day: Day) => boolean {
  const newest = dayText(newestDay);
  const oldest = `${String(Number(newest.slice(0, 4)) - 1).padStart(4, "0")}${newest.slice(4)}`;
  return (day) => dayText(day) >= oldest;
}

/** One product for each commodity that has a price. */
function productRecords(
  facts: CollectedFacts,
  reference: ReferenceData,
  isActive: (day: Day) => boolean,
): WireRecords["products"][] {
  const pricesOf = Map.groupBy(facts.prices.values(), ({ commodityId }) => commodityId);
  const cropNames = reference.crops.flatMap(({ scientific_name }) => scientific_name ?? []);
  return facts.commodities.map((commodity) => {
    const { commodityId, name } = commodity;
    const prices = pricesOf.get(commodityId) ?? [];
    const text = reference.commodities.get(commodityId);
    const category = categoryOf(commodity, reference);
    return {
      uuid: productUuid(commodityId),
      name,
      category,
      sub_category: text?.sub_category ?? null,
      description:
        text === undefined
          ? `${name}, in the category ${category} of the food prices of the World Food Programme.`
          : descriptionOf(text),
      common_units: groupsBySize(prices, ({ unit }) => unit.name).map(([name]) => name),
      alternative_names: text?.alternative_names ?? null,
      season: null,
      storage_requirements: null,
      source_ids: [sourceId(commodityId)],
      // A name that no crop bears has no source: that of a fish.
      scientific_name: cropNames.find((name) => name === text?.scientific_name) ?? null,
      is_active: prices.some(({ day }) => isActive(day)),
      metadata: text?.scientific_name ? { scientific_name: text.scientific_name } : null,
      ...referenceTimes,
    };
  });
}

/** Searches look at names and descriptions, so a description has all other names of its product. */
function descriptionOf({ description, alternative_names }: CommodityRow): string {
  const isMissing = (name: string): boolean => !foldText(description).includes(foldText(name));
  const missing = (alternative_names ?? []).filter(isMissing);
  return missing.length === 0 ? description : `${description} Also called ${missing.join(" or ")}.`;
}

/** Words that stay small in a title. */
const smallWords = new Set(["and", "or", "of"]);

/** The readable name of a category; of one that the reference data does not know, its own in title case. */
function categoryOf({ category }: CommodityFacts, { categories }: ReferenceData): string {
  if (category === "") return "Other";
  const inTitleCase = (word: string): string => (smallWords.has(word) ? word : capitalized(word));
  return categories.get(category.toLowerCase()) ?? category.replace(/[A-Za-z]+/g, inTitleCase);
}

/**
 * One market for each place and price type, so that retail and wholesale prices never mix. The name says the type where
 * a place has both.
 */
function marketRecords(
  facts: CollectedFacts,
  reference: ReferenceData,
  isActive: (day: Day) => boolean,
): WireRecords["markets"][] {
  const pricesOf = Map.groupBy(facts.prices.values(), ({ marketId }) => marketId);
  const names = namePlaces(facts.places, reference.counties);
  return facts.places.flatMap(({ marketId, countyId, location, judgement }) => {
    const byType = Map.groupBy(pricesOf.get(marketId) ?? [], ({ priceType }) => priceType);
    const name = names.get(marketId) as string;
    // The export may have moved the place to another county than wfp-markets.csv knew.
    const subCounty = reference.subCounties.get(countyId)?.find((known) => known.name === judgement?.sub_county);
    return [...byType].map(([type, prices]) => ({
      uuid: marketUuid(marketId, type),
      name: byType.size > 1 ? `${name} (${type})` : name,
      type,
      county_id: countyId,
      sub_county: subCounty?.name ?? null,
      location: location === null ? null : { ...location, address: null },
      operating_days: [],
      operating_hours: null,
      description: null,
      facilities: null,
      source_ids: [sourceId(marketId)],
      // Only where it is known: a service of before 1.0 refuses the field.
      ...(judgement?.setting ? { setting: judgement.setting } : {}),
      contact: null,
      is_active: prices.some(({ day }) => isActive(day)),
      ...referenceTimes,
    }));
  });
}

/** A price without notes leaves the field out: in the longest file, nulls would be a tenth of the bytes. */
function priceRecords({ prices }: CollectedFacts): WireRecords["prices"][] {
  const records = prices.entries().map(([key, fact]): WireRecords["prices"] => {
    const recordedAt = recordedAtText(fact.day);
    return {
      uuid: priceUuid(key),
      product_uuid: productUuid(fact.commodityId),
      market_uuid: marketUuid(fact.marketId, fact.priceType),
      price: fact.price,
      unit: fact.unit.name,
      currency: fact.currency,
      recorded_at: recordedAt,
      source: sourceName,
      ...(fact.notes === null ? {} : { notes: fact.notes }),
      ...(fact.flag === null ? {} : { price_flag: fact.flag }),
      created_at: recordedAt,
      updated_at: recordedAt,
    };
  });
  return [...records].sort(byTimeThenUuid);
}

/** The source of rates, as answers name it. */
const rateSource = "implied by WFP";

/**
 * Prices that a rate is the median of. The export has dollars to the cent, so the dearest prices say a rate best: at 20
 * dollars to 0.03 %, at half a dollar to 1 %. Five of them outvote two that are wrong.
 */
const rateSamplesMax = 5;

/**
 * The rate of each month and currency, by currency, then month: the median of price by price in dollars over the
 * `rateSamplesMax` prices of most dollars, equal ones in the order of the export, rounded to 4 decimals. Months without
 * a price in dollars have none.
 */
function exchangeRates({ prices }: CollectedFacts): WireRecords["exchange-rates"][] {
  const converted = [...prices.values()].flatMap(({ usdPrice, ...fact }) => {
    return usdPrice === null || fact.currency === referenceCurrency ? [] : [{ ...fact, usdPrice }];
  });
  const groups = Map.groupBy(converted, ({ currency, day }) => `${currency} ${monthTextOf(day)}`);
  return [...groups]
    .sort(([a], [b]) => compareTexts(a, b))
    .map(([key, facts]) => {
      const [currency, month] = key.split(" ") as [string, string];
      const dearest = facts.sort((a, b) => b.usdPrice - a.usdPrice || a.line - b.line).slice(0, rateSamplesMax);
      const rate = median(dearest.map(({ price, usdPrice }) => price / usdPrice));
      return { month, currency, rate: Number(rate.toFixed(4)), source: rateSource };
    });
}

/** The judgements on products that both have a price, in the order of their file. */
function continuationRecords(
  { commodities }: CollectedFacts,
  { continuations }: ReferenceData,
): WireRecords["continuations"][] {
  const known = new Set(commodities.map(({ commodityId }) => commodityId));
  return continuations
    .filter(({ commodity_id, continues_id }) => known.has(commodity_id) && known.has(continues_id))
    .map(({ commodity_id, commodity, continues_id, continues, ...judged }) => ({
      product_uuid: productUuid(commodity_id),
      continues_uuid: productUuid(continues_id),
      ...judged,
    }));
}

/** The same of markets. */
function marketContinuationRecords(
  { prices }: CollectedFacts,
  { marketContinuations }: ReferenceData,
): WireRecords["market-continuations"][] {
  const known = new Set(prices.values().map(({ marketId, priceType }) => marketUuid(marketId, priceType)));
  return marketContinuations
    .map(({ market_id, market, continues_id, continues, market_type, ...judged }) => ({
      market_uuid: marketUuid(market_id, market_type),
      continues_uuid: marketUuid(continues_id, market_type),
      ...judged,
    }))
    .filter(({ market_uuid, continues_uuid }) => known.has(market_uuid) && known.has(continues_uuid));
}

/** The export knows the day only, so every price is recorded at nine in the morning in Nairobi: UTC and three hours. */
function recordedAtText(day: Day): string {
  return `${dayText(day)}T06:00:00.000Z`;
}
