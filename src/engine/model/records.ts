/**
 * The records of a snapshot, described once: `formats` has the fields of each kind of record and what must stand there
 * in files, and the types of the records in memory follow from it. What is unknown is null, never absent.
 */
import { type CountyId, countyIdMax, countyIdMin } from "./ids.ts";
import { lengthMax, type Schema, type ValueOf, wanted } from "./json-schema.ts";
import {
  count,
  flag,
  instant,
  integer,
  list,
  name,
  nullable,
  nullableName,
  nullableNames,
  nullableText,
  nullableTexts,
  object,
  oneOf,
  ordinal,
  pattern,
  positive,
  range,
  text,
  unitName,
  uuid,
} from "./record-schema.ts";
import { lengthsMax } from "./text-lengths.ts";
import { continuities, cropCategories, marketSettings, marketTypes, priceFlags, weekDays } from "./vocabulary.ts";

/**
 * Above any real price, and far enough below the greatest number that no conversion of units and no sum overflows
 * (inclusive).
 */
export const priceMax = 1e12;

/**
 * Beyond the factors of any real unit and any exchange rate (inclusive): a price of 1e12 is at most 1e30 in another
 * unit, and 1e39 there in US dollars.
 */
export const conversionFactorMin = 1e-9;
export const conversionFactorMax = 1e9;

/** The currency that exchange rates are rates of. */
export const referenceCurrency = "USD";

/** Greatest depth of free-form metadata; deeper values could not be handed from thread to thread. */
const nestingMax = 32;

const countyId = integer(countyIdMin, countyIdMax) as Schema<CountyId>;
/** Degrees, WGS 84. */
const coordinates = { latitude: range(-90, 90), longitude: range(-180, 180) };
/** A month of the dataset's calendar, `2024-01`. */
export const month: Schema<string> = pattern("^[0-9]{4}-(0[1-9]|1[0-2])$", "a month of the form YYYY-MM");
/** The name that a source gives a product or market, `WFP:51`. */
const sourceId = pattern(
  "^[A-Za-z0-9_.-]+:[!-~]+$",
  "the name of a source, a colon and the id that it uses, in ASCII without spaces",
);
const factor = range(conversionFactorMin, conversionFactorMax);
const price: Schema<number> = {
  ...positive,
  maximum: priceMax,
  // `1e12`
  [wanted]: `a number above 0 and at most ${priceMax.toExponential().replace("+", "")}`,
};
const metadata: Schema<Readonly<Record<string, unknown>>> = {
  type: "object",
  nestingMax,
  [lengthMax]: lengthsMax.metadata,
  [wanted]: `an object nested at most ${nestingMax} deep`,
};

const timestamps = { createdAt: instant, updatedAt: instant };

/** The months of two products or markets of which one continues the other. */
const continuedMonths = {
  /** Last month with a price of the earlier one. */
  lastMonth: month,
  /** First month with a price of the later one. */
  firstMonth: month,
  /** Months in which both have a price. */
  overlapMonths: count,
};

const currency = pattern("^[A-Z]{3}$", "three capital letters");

/** A decision of a data team on a price. */
const decision = {
  uuid,
  reason: text,
  when: instant,
  /** The person who decided, where that was stated. */
  by: nullableName,
};

const formats = {
  counties: object({
    id: countyId,
    /** Three digits with leading zeros, equal to the id. */
    code: pattern("^[0-9]{3}$", "three digits"),
    /** P-code of humanitarian data (OCHA), `KE047`. */
    pcode: nullable(pattern("^KE[0-9]{3}$", "KE and three digits")),
    /** ISO 3166-2, `KE-30`: by name in alphabetical order, so its number is not the id. */
    iso_3166_2: nullable(pattern("^KE-[0-9]{2}$", "KE, a hyphen and two digits")),
    name,
    capital: name,
    /** People at the latest census. */
    population: nullable(count),
    /** Land area in square kilometres. */
    areaSqKm: nullable(positive),
    coordinates: nullable(object(coordinates)),
    /** In order of id. */
    subCounties: list(object({ id: ordinal, name, wards: list(name) })),
    economy: nullable(object({ mainActivities: list(name), agriculturalProducts: list(name) })),
    ...timestamps,
  }),
  crops: object({
    id: ordinal,
    name,
    scientificName: nullableName,
    category: oneOf(cropCategories),
    subCategory: nullableName,
    varieties: nullableNames,
    growingSeason: nullableText,
    maturityPeriod: nullableText,
    climateRequirements: nullable(
      object({ altitude: nullableText, rainfall: nullableText, temperature: nullableText }),
    ),
    majorGrowingRegions: nullableNames,
  }),
  units: object({
    category: name,
    units: list(
      object({
        /** Unique over all categories. */
        name,
        abbreviation: name,
        /** Name of a unit of the same category. */
        baseUnit: unitName,
        /** Base units in one of this unit. */
        conversionFactor: factor,
      }),
    ),
  }),
  "market-types": object({ type: oneOf(marketTypes), description: text, characteristics: list(text) }),
  products: object({
    uuid,
    name,
    category: name,
    subCategory: nullableName,
    description: text,
    /** Unit names. */
    commonUnits: { ...list(unitName), minItems: 1, [wanted]: "an array with at least one unit name" },
    alternativeNames: nullableNames,
    season: nullableText,
    storageRequirements: nullableText,
    /** Names that sources give the product. */
    sourceIds: nullable(list(sourceId)),
    /** Name of the crop that the product comes from. */
    scientificName: nullableName,
    isActive: flag,
    /** Free-form JSON. */
    metadata: nullable(metadata),
    ...timestamps,
  }),
  markets: object({
    uuid,
    name,
    type: oneOf(marketTypes),
    countyId,
    /** Name of a sub-county of the county. */
    subCounty: nullableName,
    location: nullable(object({ ...coordinates, address: nullableText })),
    operatingDays: list(oneOf(weekDays)),
    operatingHours: nullableText,
    description: nullableText,
    facilities: nullableTexts,
    /** Names that the market has had, or has beside its own. */
    alternativeNames: nullableNames,
    /** Names that sources give the market; several markets may have one. */
    sourceIds: nullable(list(sourceId)),
    /** Null of a market that is in none of these settings, or of which nobody has said it. */
    setting: nullable(oneOf(marketSettings)),
    contact: nullable(object({ phone: nullableName, email: nullableName })),
    isActive: flag,
    ...timestamps,
  }),
  "exchange-rates": object({
    month,
    /** ISO 4217, not USD. */
    currency: pattern(`^(?!${referenceCurrency}$)[A-Z]{3}$`, `three capital letters other than ${referenceCurrency}`),
    /** Units of the currency for one US dollar. */
    rate: factor,
    /** The source of the rate, as answers name it. */
    source: name,
  }),
  continuations: object({
    productUuid: uuid,
    /** The earlier product. */
    continuesUuid: uuid,
    /** Type of the markets that the judgement is about. */
    marketType: oneOf(marketTypes),
    /** At such markets. */
    ...continuedMonths,
    /** Median of later price / earlier price per base unit, same market and month; null where there is no such pair. */
    ratio: nullable(positive),
    judgement: oneOf(continuities),
    /** The evidence of the judgement, in words. */
    evidence: text,
  }),
  "market-continuations": object({
    marketUuid: uuid,
    /** The earlier market, of the same type and county. */
    continuesUuid: uuid,
    ...continuedMonths,
    /** The evidence that both are one place, in words. */
    evidence: text,
  }),
  prices: object({
    uuid,
    productUuid: uuid,
    marketUuid: uuid,
    price,
    unit: unitName,
    currency,
    recordedAt: instant,
    source: name,
    qualityGrade: nullableName,
    notes: nullableText,
    priceFlag: nullable(oneOf(priceFlags)),
    ...timestamps,
  }),
  /** An acceptance holds while the price has these values; a field without one is not compared. */
  accepted: object({
    ...decision,
    price: nullable(price),
    unit: nullableName,
    currency: nullable(currency),
    productUuid: nullable(uuid),
    marketUuid: nullable(uuid),
  }),
  withdrawals: object(decision),
  origins: object({
    uuid,
    /** The name of the table's file. */
    file: { ...pattern("^[^/\\\\]+$", "the name of a file without folders"), [lengthMax]: lengthsMax.text },
    /** Null for a file without sheets. */
    sheet: nullableName,
    /** As the table's own program counts: of a CSV file the line on which the row begins. */
    row: ordinal,
    /** The time at which the import ran; null of one whose output depends on the table alone. */
    importedAt: nullable(instant),
  }),
};

/** The record in memory of each kind of file. */
export type Records = { readonly [Kind in keyof typeof formats]: ValueOf<(typeof formats)[Kind]> };

/** By kind of file, in the order in which a manifest lists the kinds. */
export const recordFormats: { readonly [Kind in keyof Records]: Schema<Records[Kind]> } = formats;

export type CountyRecord = Records["counties"];
export type Coordinates = NonNullable<CountyRecord["coordinates"]>;
export type CropRecord = Records["crops"];
export type UnitCategoryRecord = Records["units"];
export type UnitRecord = UnitCategoryRecord["units"][number];
export type MarketTypeRecord = Records["market-types"];
export type ProductRecord = Records["products"];
export type MarketRecord = Records["markets"];
/** The price of US dollars in a month. */
export type ExchangeRateRecord = Records["exchange-rates"];
/** A product that has the prices of another one from some month on. A judgement, with what it rests on. */
export type ContinuationRecord = Records["continuations"];
/** A market that is the place of another one from some month on. */
export type MarketContinuationRecord = Records["market-continuations"];
/** One price as it is read; only its columns stay in memory. */
export type PriceRecord = Records["prices"];
/** The withdrawal of a price by a data team, and what any decision on a price has. */
export type PriceDecision = Records["withdrawals"];
/** The acceptance of a price that is marked as suspicious. */
export type PriceAcceptance = Records["accepted"];
/** The place where an import found a price. */
export type PriceOrigin = Records["origins"];
