/** The JSON Schema of each record. The keyword `nestingMax` is defined by check-records.ts. */
import { countyIdMax, countyIdMin, uuidPattern } from "../domain/ids.ts";
import { cropCategories, marketTypes, weekDays } from "../domain/vocabulary.ts";
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
} from "./schema.ts";
import type { RecordKind } from "./snapshot-layout.ts";
import type { WireRecords } from "./wire-records.ts";

/** How deep free-form metadata may nest; deeper values could not be handed from thread to thread. */
export const nestingMax = 32;

const uuid: Schema = { type: "string", pattern: uuidPattern, description: "a UUID of 36 characters" };
const flag: Schema = { type: "boolean", description: "true or false" };
const identifier: Schema = integer(1, Number.MAX_SAFE_INTEGER);
const countyId: Schema = integer(countyIdMin, countyIdMax);
const positive: Schema = { type: "number", exclusiveMinimum: 0, description: "a number above 0" };
const latitude: Schema = range(-90, 90);
const longitude: Schema = range(-180, 180);

const timestamps = { created_at: instant, updated_at: instant };

/** The schema of one record of each kind of file. */
export const recordSchemas: Readonly<Record<RecordKind, Schema>> = {
  counties: object<WireRecords["counties"]>({
    id: countyId,
    code: { type: "string", pattern: "^[0-9]{3}$", description: "three digits" },
    name: text,
    capital: text,
    population: nullable(integer(0, Number.MAX_SAFE_INTEGER)),
    area_sq_km: nullable(positive),
    coordinates: nullable(object<Part<"counties", "coordinates">>({ latitude, longitude })),
    sub_counties: list(
      object<WireRecords["counties"]["sub_counties"][number]>({ id: identifier, name: text, wards: list(text) }),
    ),
    economy: nullable(
      object<Part<"counties", "economy">>({ main_activities: list(text), agricultural_products: list(text) }),
    ),
    ...timestamps,
  }),
  crops: object<WireRecords["crops"]>({
    id: identifier,
    name: text,
    scientific_name: nullableText,
    category: oneOf(cropCategories),
    sub_category: nullableText,
    varieties: nullableTexts,
    growing_season: nullableText,
    maturity_period: nullableText,
    climate_requirements: nullable(
      object<Part<"crops", "climate_requirements">>({
        altitude: nullableText,
        rainfall: nullableText,
        temperature: nullableText,
      }),
    ),
    major_growing_regions: nullableTexts,
  }),
  units: object<WireRecords["units"]>({
    category: text,
    units: list(
      object<WireRecords["units"]["units"][number]>({
        name: text,
        abbreviation: text,
        base_unit: text,
        conversion_factor: positive,
      }),
    ),
  }),
  "market-types": object<WireRecords["market-types"]>({
    type: oneOf(marketTypes),
    description: text,
    characteristics: list(text),
  }),
  products: object<WireRecords["products"]>({
    uuid,
    name: text,
    category: text,
    sub_category: nullableText,
    description: text,
    common_units: { ...list(text), minItems: 1, description: "an array with at least one unit name" },
    alternative_names: nullableTexts,
    season: nullableText,
    storage_requirements: nullableText,
    is_active: flag,
    metadata: nullable({ type: "object", nestingMax, description: `an object nested at most ${nestingMax} deep` }),
    ...timestamps,
  }),
  markets: object<WireRecords["markets"]>({
    uuid,
    name: text,
    type: oneOf(marketTypes),
    county_id: countyId,
    sub_county: nullableText,
    location: nullable(object<Part<"markets", "location">>({ latitude, longitude, address: nullableText })),
    operating_days: list(oneOf(weekDays)),
    operating_hours: nullableText,
    description: nullableText,
    facilities: nullableTexts,
    contact: nullable(object<Part<"markets", "contact">>({ phone: nullableText, email: nullableText })),
    is_active: flag,
    ...timestamps,
  }),
  prices: object<WireRecords["prices"]>({
    uuid,
    product_uuid: uuid,
    market_uuid: uuid,
    price: positive,
    unit: text,
    currency: { type: "string", pattern: "^[A-Z]{3}$", description: "three capital letters" },
    recorded_at: instant,
    source: text,
    quality_grade: nullableText,
    notes: nullableText,
    ...timestamps,
  }),
};

type Part<Kind extends RecordKind, Field extends keyof WireRecords[Kind]> = NonNullable<WireRecords[Kind][Field]>;
