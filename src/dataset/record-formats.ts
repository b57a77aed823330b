/** The fields of each kind of record. Every schema is checked by the compiler against the record of the domain. */
import { countyIdMax, countyIdMin } from "../domain/ids.ts";
import {
  type ContinuationRecord,
  type CountyRecord,
  type CropRecord,
  conversionFactorMax,
  conversionFactorMin,
  type ExchangeRateRecord,
  type MarketRecord,
  type MarketTypeRecord,
  type PriceOrigin,
  type PriceRecord,
  type PriceRuling,
  type ProductRecord,
  priceMax,
  referenceCurrency,
  type UnitCategoryRecord,
  type UnitRecord,
} from "../domain/records.ts";
import { continuities, cropCategories, marketTypes, priceFlags, weekDays } from "../domain/vocabulary.ts";
import {
  instant,
  integer,
  list,
  nullable,
  nullableText,
  nullableTexts,
  object,
  oneOf,
  range,
  type Schema,
  text,
  uuid,
} from "./schema.ts";

/** The record in memory of each kind of file. */
export interface Records {
  readonly counties: CountyRecord;
  readonly crops: CropRecord;
  readonly units: UnitCategoryRecord;
  readonly "market-types": MarketTypeRecord;
  readonly products: ProductRecord;
  readonly markets: MarketRecord;
  readonly "exchange-rates": ExchangeRateRecord;
  readonly continuations: ContinuationRecord;
  readonly prices: PriceRecord;
  readonly accepted: PriceRuling;
  readonly withdrawals: PriceRuling;
  readonly origins: PriceOrigin;
}

/** How deep free-form metadata may nest; deeper values could not be handed from thread to thread. */
const nestingMax = 32;

const flag: Schema = { type: "boolean", description: "true or false" };
const identifier: Schema = integer(1, Number.MAX_SAFE_INTEGER);
const countyId: Schema = integer(countyIdMin, countyIdMax);
/** `1e12` */
const priceMaxText = priceMax.toExponential().replace("+", "");
const price: Schema = {
  type: "number",
  exclusiveMinimum: 0,
  maximum: priceMax,
  description: `a number above 0 and at most ${priceMaxText}`,
};
const positive: Schema = { type: "number", exclusiveMinimum: 0, description: "a number above 0" };
const latitude: Schema = range(-90, 90);
const longitude: Schema = range(-180, 180);

const month: Schema = {
  type: "string",
  pattern: "^[0-9]{4}-(0[1-9]|1[0-2])$",
  description: "a month of the form YYYY-MM",
};

const sourceId: Schema = {
  type: "string",
  pattern: "^[A-Za-z0-9_.-]+:[!-~]+$",
  description: "the name of a source, a colon and the id that it uses, in ASCII without spaces",
};

const timestamps = { createdAt: instant, updatedAt: instant };
const ruling: Schema<PriceRuling> = object<PriceRuling>({ uuid, reason: text, when: instant, by: nullableText });

export const recordFormats: { readonly [Kind in keyof Records]: Schema<Records[Kind]> } = {
  counties: object<CountyRecord>({
    id: countyId,
    code: { type: "string", pattern: "^[0-9]{3}$", description: "three digits" },
    pcode: nullable({ type: "string", pattern: "^KE[0-9]{3}$", description: "KE and three digits" }),
    iso_3166_2: nullable({ type: "string", pattern: "^KE-[0-9]{2}$", description: "KE, a hyphen and two digits" }),
    name: text,
    capital: text,
    population: nullable(integer(0, Number.MAX_SAFE_INTEGER)),
    areaSqKm: nullable(positive),
    coordinates: nullable(object<Part<CountyRecord, "coordinates">>({ latitude, longitude })),
    subCounties: list(object<CountyRecord["subCounties"][number]>({ id: identifier, name: text, wards: list(text) })),
    economy: nullable(
      object<Part<CountyRecord, "economy">>({ mainActivities: list(text), agriculturalProducts: list(text) }),
    ),
    ...timestamps,
  }),
  crops: object<CropRecord>({
    id: identifier,
    name: text,
    scientificName: nullableText,
    category: oneOf(cropCategories),
    subCategory: nullableText,
    varieties: nullableTexts,
    growingSeason: nullableText,
    maturityPeriod: nullableText,
    climateRequirements: nullable(
      object<Part<CropRecord, "climateRequirements">>({
        altitude: nullableText,
        rainfall: nullableText,
        temperature: nullableText,
      }),
    ),
    majorGrowingRegions: nullableTexts,
  }),
  units: object<UnitCategoryRecord>({
    category: text,
    units: list(
      object<UnitRecord>({
        name: text,
        abbreviation: text,
        baseUnit: text,
        conversionFactor: range(conversionFactorMin, conversionFactorMax),
      }),
    ),
  }),
  "market-types": object<MarketTypeRecord>({
    type: oneOf(marketTypes),
    description: text,
    characteristics: list(text),
  }),
  products: object<ProductRecord>({
    uuid,
    name: text,
    category: text,
    subCategory: nullableText,
    description: text,
    commonUnits: { ...list(text), minItems: 1, description: "an array with at least one unit name" },
    alternativeNames: nullableTexts,
    season: nullableText,
    storageRequirements: nullableText,
    sourceIds: nullable(list(sourceId)),
    scientificName: nullableText,
    isActive: flag,
    metadata: nullable({ type: "object", nestingMax, description: `an object nested at most ${nestingMax} deep` }),
    ...timestamps,
  }),
  markets: object<MarketRecord>({
    uuid,
    name: text,
    type: oneOf(marketTypes),
    countyId,
    subCounty: nullableText,
    location: nullable(object<Part<MarketRecord, "location">>({ latitude, longitude, address: nullableText })),
    operatingDays: list(oneOf(weekDays)),
    operatingHours: nullableText,
    description: nullableText,
    facilities: nullableTexts,
    sourceIds: nullable(list(sourceId)),
    contact: nullable(object<Part<MarketRecord, "contact">>({ phone: nullableText, email: nullableText })),
    isActive: flag,
    ...timestamps,
  }),
  "exchange-rates": object<ExchangeRateRecord>({
    month,
    currency: {
      type: "string",
      pattern: `^(?!${referenceCurrency}$)[A-Z]{3}$`,
      description: `three capital letters other than ${referenceCurrency}`,
    },
    rate: range(conversionFactorMin, conversionFactorMax),
    source: text,
  }),
  continuations: object<ContinuationRecord>({
    productUuid: uuid,
    continuesUuid: uuid,
    marketType: oneOf(marketTypes),
    lastMonth: month,
    firstMonth: month,
    overlapMonths: integer(0, Number.MAX_SAFE_INTEGER),
    ratio: nullable(positive),
    judgement: oneOf(continuities),
    evidence: text,
  }),
  prices: object<PriceRecord>({
    uuid,
    productUuid: uuid,
    marketUuid: uuid,
    price,
    unit: text,
    currency: { type: "string", pattern: "^[A-Z]{3}$", description: "three capital letters" },
    recordedAt: instant,
    source: text,
    qualityGrade: nullableText,
    notes: nullableText,
    priceFlag: nullable(oneOf(priceFlags)),
    ...timestamps,
  }),
  accepted: ruling,
  withdrawals: ruling,
  origins: object<PriceOrigin>({
    uuid,
    file: { type: "string", pattern: "^[^/\\\\]+$", description: "the name of a file without folders" },
    sheet: nullableText,
    row: integer(1, Number.MAX_SAFE_INTEGER),
    importedAt: nullable(instant),
  }),
};

type Part<Of, Field extends keyof Of> = NonNullable<Of[Field]>;
