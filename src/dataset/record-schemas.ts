/**
 * The JSON Schema of each record, and what a person is told when a value does not fit it: every `description` is ready
 * to follow "expected". In this format a field is either required or may be null, so the fields that may not be null
 * are the required ones.
 *
 * The formats and keywords that JSON Schema does not know (`text`, `instant`, `nestingMax`) are defined by check-records.ts.
 */
import { countyIdMax, countyIdMin, uuidPattern } from "../domain/ids.ts";
import { cropCategories, marketTypes, weekDays } from "../domain/vocabulary.ts";
import { idHashDigits, type RecordKind, recordKinds, snapshotIdPattern } from "./snapshot-layout.ts";
import type { WireRecords } from "./wire-records.ts";

/** A piece of JSON Schema. */
export interface Schema {
  readonly description: string;
  readonly [keyword: string]: unknown;
}

export interface NullableSchema extends Schema {
  readonly nullable: true;
}

/** How deep free-form metadata may nest; deeper values could not be handed from thread to thread. */
export const nestingMax = 32;

const text: Schema = { type: "string", format: "text", description: "text, not empty, without spaces around it" };
const uuid: Schema = { type: "string", pattern: uuidPattern, description: "a UUID of 36 characters" };
const instant: Schema = { type: "string", format: "instant", description: "an RFC 3339 time" };
const flag: Schema = { type: "boolean", description: "true or false" };
const identifier: Schema = integer(1, Number.MAX_SAFE_INTEGER);
const countyId: Schema = integer(countyIdMin, countyIdMax);
const positive: Schema = { type: "number", exclusiveMinimum: 0, description: "a number above 0" };
const latitude: Schema = range(-90, 90);
const longitude: Schema = range(-180, 180);

const nullableText = nullable(text);
const nullableTexts = nullable(list(text));
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

/** `manifest.json` as it stands in a snapshot. */
export interface WireManifest {
  readonly format: number;
  readonly id: string;
  readonly created_at: string;
  readonly time_zone: string;
  readonly parent?: string | null;
  readonly note?: string | null;
  readonly attribution?: readonly string[] | null;
  readonly files: readonly WireManifestFile[];
}

export interface WireManifestFile {
  readonly name: string;
  readonly kind: RecordKind;
  readonly bytes: number;
  readonly rows: number;
  readonly sha256: string;
  readonly sequence?: number | null;
  readonly replaces?: number | null;
}

/** `manifest.json` beside record files that are not published yet. */
export interface WireManifestDraft {
  readonly time_zone?: string | null;
  readonly note?: string | null;
  readonly attribution?: readonly string[] | null;
}

/** The only version of the format there is. */
export const formatVersion = 1;

const count = integer(0, Number.MAX_SAFE_INTEGER);
const snapshotId: Schema = {
  type: "string",
  pattern: snapshotIdPattern,
  description: `a snapshot id (YYYYMMDDThhmmssZ-, then ${idHashDigits} hex digits)`,
};

export const manifestSchema: Schema = object<WireManifest>({
  format: { const: formatVersion, description: String(formatVersion) },
  id: snapshotId,
  created_at: instant,
  time_zone: text,
  parent: nullable(snapshotId),
  note: nullableText,
  attribution: nullableTexts,
  files: list(
    object<WireManifestFile>({
      name: text,
      kind: oneOf(recordKinds),
      bytes: count,
      rows: count,
      sha256: { type: "string", pattern: "^[0-9a-f]{64}$", description: "64 hex digits in lower case" },
      sequence: nullable(integer(1, Number.MAX_SAFE_INTEGER)),
      replaces: nullable(count),
    }),
  ),
});

export const manifestDraftSchema: Schema = object<WireManifestDraft>({
  time_zone: nullableText,
  note: nullableText,
  attribution: nullableTexts,
});

type Part<Kind extends RecordKind, Field extends keyof WireRecords[Kind]> = NonNullable<WireRecords[Kind][Field]>;

/** One schema a field, and one that knows null exactly where the type does. */
type FieldSchemas<T> = { readonly [Key in keyof T]-?: null extends T[Key] ? NullableSchema : Schema };

function object<T extends object>(properties: FieldSchemas<T>): Schema {
  const required = Object.entries<Schema>(properties)
    .filter(([, schema]) => schema["nullable"] !== true)
    .map(([name]) => name);
  return { type: "object", properties, required, additionalProperties: false, description: "an object" };
}

function list(items: Schema): Schema {
  return { type: "array", items, description: "an array" };
}

function oneOf(values: readonly string[]): Schema {
  return { type: "string", enum: values, description: `one of ${values.join(", ")}` };
}

function integer(minimum: number, maximum: number): Schema {
  const description =
    maximum === Number.MAX_SAFE_INTEGER
      ? `a whole number from ${minimum}`
      : `a whole number from ${minimum} to ${maximum}`;
  return { type: "integer", minimum, maximum, description };
}

function range(minimum: number, maximum: number): Schema {
  return { type: "number", minimum, maximum, description: `a number from ${minimum} to ${maximum}` };
}

function nullable(schema: Schema): NullableSchema {
  return { ...schema, nullable: true, description: `${schema.description}, or null` };
}
