/** JSON Schemas of requests and answers, in the schema language of `engine/model/json-schema.ts`. */

import { coordinatesFormat, matchTextFormat, monthFormat, searchTextFormat } from "../engine/model/check-value.ts";
import { countyIdMax, countyIdMin } from "../engine/model/ids.ts";
import {
  advice,
  anyCase,
  arrayOf,
  component,
  enumOf,
  type Fields,
  type Keywords,
  noUnit,
  type ObjectSchema,
  type Optional,
  objectOf,
  optional,
  orNull,
  type Schema,
  scalar,
  unit,
  type ValueOf,
} from "../engine/model/json-schema.ts";
import { priceMax } from "../engine/model/records.ts";
import { type MarketType, marketTypes } from "../engine/model/vocabulary.ts";
import { listItemsMax, pageSizeDefault, pageSizeMax, textCharactersMax } from "./limits.ts";

/** Fields that may all be absent. */
export function optionalFields<Described extends Fields>(
  fields: Described,
): { [Name in keyof Described]: Optional<Described[Name]> } {
  return mapFields(fields, optional) as { [Name in keyof Described]: Optional<Described[Name]> };
}

/** Fields of an answer that are there only with `detail`. */
export function fieldsOfDetail(fields: Fields): Fields {
  return mapFields(fields, (schema) => {
    return optional(meaning(schema, `${schema.description} Only with detail.`));
  });
}

function mapFields(fields: Fields, change: (schema: Schema) => Schema): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, change(schema)]));
}

/** A list of any length. */
export function list<Item extends Schema>(item: Item, description: string): Schema<ValueOf<Item>[]> {
  return arrayOf(item, { description });
}

/** An object with these fields and no others. */
export function exactly<Described extends Fields>(fields: Described): ObjectSchema<Described> {
  return objectOf(fields, { additionalProperties: false });
}

/**
 * A schema that the OpenAPI document has under a name of its own. A copy with another description refers to it.
 *
 * @param description Its meaning.
 */
function named<Described extends Schema>(name: string, schema: Described, description: string): Described {
  const described = { ...schema, description };
  return { ...described, [component]: { name, schema: described } };
}

/** An object with these fields and no others, under a name of its own as in `named`. */
export function object<Described extends Fields>(
  name: string,
  description: string,
  fields: Described,
): ObjectSchema<Described> {
  return named(name, exactly(fields), description);
}

/** A schema for a field that means something else. */
export function meaning<Described extends Schema>(schema: Described, description: string): Described {
  return { ...schema, description };
}

/** Names of the fields an object must have. */
export function requiredFields(schema: ObjectSchema): readonly string[] {
  return schema.required ?? [];
}

// The kinds of values in requests.

/** No parameters at all. */
export const noInput = exactly({});

/** @param description The field that the text is matched with. */
export function matchText(description: string): Schema<string> {
  return scalar("string", { format: matchTextFormat, minLength: 1, maxLength: textCharactersMax, description });
}

/** @param description The fields that are searched. */
export function searchText(description: string): Schema<string> {
  return scalar("string", { format: searchTextFormat, minLength: 1, maxLength: textCharactersMax, description });
}

/** @param description The meaning of the month. */
export function monthText(description: string): Schema<string> {
  return scalar("string", { format: monthFormat, description: `${description} YYYY-MM.` });
}

/** @param description What is measured from the point. */
export function pointText(description: string): Schema<string> {
  const form = "LATITUDE,LONGITUDE in degrees (WGS 84), north and east positive.";
  return scalar("string", { format: coordinatesFormat, description: `${description} ${form}` });
}

/** Of a market in an answer. */
export const kilometres: Schema<number> = number("Kilometres along a great circle.", "km");

/** A list of 1 to `listItemsMax` items. */
export function listOf<Item extends Schema>(item: Item, description: string): Schema<ValueOf<Item>[]> {
  return arrayOf(item, { minItems: 1, maxItems: listItemsMax, description });
}

/** One of a closed list of texts. @param options Further keywords. */
export function oneOf<const Text extends string>(
  texts: readonly Text[],
  description: string,
  options: Pick<Keywords, "default" | typeof advice> = {},
): Schema<Text> {
  return enumOf(texts, { ...options, description });
}

/** As `oneOf`, under a name of its own as in `named`. */
export function choice<const Text extends string>(
  name: string,
  description: string,
  texts: readonly Text[],
  options?: Pick<Keywords, "default" | typeof advice>,
): Schema<Text> {
  return named(name, oneOf(texts, "", options), description);
}

/** As `oneOf`, accepted in any case. Only for parameters of a query. */
export function oneOfAnyCase<const Text extends string>(texts: readonly Text[], description: string): Schema<Text> {
  return Object.assign(oneOf(texts, description), { [anyCase]: true });
}

export const countyNumber: Schema<number> = scalar("integer", {
  [unit]: noUnit,
  minimum: countyIdMin,
  maximum: countyIdMax,
  description: "Number of the county.",
  [advice]: "; /counties lists the numbers",
});

const typeSamples = integer("Prices in the figures from markets of this type; absent when there are none.", "prices");

export const samplesByMarketType: Schema = object(
  "SamplesByMarketType",
  "Prices in the figures by type of market.",
  optionalFields(Object.fromEntries(marketTypes.map((type) => [type, typeSamples]))),
);

export const marketTypeText: Schema<MarketType> = choice("MarketType", "Type of the market.", marketTypes);

const pageNumber = optional(
  scalar("integer", {
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 1,
    description: "Page, counted from 1.",
    [unit]: "pages",
  }),
);

/** The fields of a request for a page of at most so many entries. */
export function pageFieldsUpTo(maximum: number): { page: typeof pageNumber; page_size: typeof pageNumber } {
  const description = "Entries on a page.";
  const pageSize = scalar("integer", { minimum: 1, maximum, default: pageSizeDefault, description, [unit]: "entries" });
  return { page: pageNumber, page_size: optional(pageSize) };
}

/** The fields of a request for a page. */
export const pageFields = pageFieldsUpTo(pageSizeMax);

type PageRequest = ValueOf<ObjectSchema<typeof pageFields>>;

/** Page and page size of a request, with their defaults. */
export function requestedPage({ page = 1, page_size: pageSize = pageSizeDefault }: PageRequest): {
  readonly page: number;
  readonly pageSize: number;
} {
  return { page, pageSize };
}

/** Path parameter of the endpoints of one product, market or price. */
export const uuidParams = exactly({ uuid: uuid("Identifier, in either case.") });

// The pieces of answer schemas. Every documented field is required; what is unknown is null.

/** A value that may be unknown. */
export function nullable<Described extends Schema>(schema: Described): Schema<ValueOf<Described> | null> {
  const { type, description, [component]: named } = schema;
  if (typeof type === "string" && named === undefined && type !== "object")
    return orNull(schema as Schema<ValueOf<Described>>);
  return { anyOf: [schema, { type: "null" }], ...(description === undefined ? {} : { description }) };
}

export function text(description: string): Schema<string> {
  return scalar("string", { description });
}

export function nullableText(description: string): Schema<string | null> {
  return nullable(text(description));
}

export function texts(description: string): Schema<string[]> {
  return arrayOf(scalar("string"), { description });
}

/** @param of Its unit; backquotes enclose the name of a field beside it. */
export function number(description: string, of: string): Schema<number> {
  return scalar("number", { description, [unit]: of });
}

/** A price as recorded. */
export function price(description: string): Schema<number> {
  return scalar("number", { exclusiveMinimum: 0, maximum: priceMax, description, [unit]: "`currency` per `unit`" });
}

/** A number of a request without an upper bound. @param of Its unit. */
export function integerFrom(
  minimum: number,
  description: string,
  of: string,
  maximum: number = Number.MAX_SAFE_INTEGER,
): Schema<number> {
  return scalar("integer", { minimum, maximum, description, [unit]: of });
}

/** @param of Its unit, or what it counts. */
export function integer(description: string, of: string): Schema<number> {
  return scalar("integer", { description, [unit]: of });
}

/** A number that identifies something. */
export function identifier(description: string): Schema<number> {
  return integer(description, noUnit);
}

export function boolean(description: string): Schema<boolean> {
  return scalar("boolean", { description });
}

export function uuid(description: string): Schema<string> {
  return scalar("string", { format: "uuid", description });
}

/** A choice that is off unless a request makes it. */
export function flag(description: string): Optional<Schema<boolean>> {
  return optional(scalar("boolean", { default: false, description }));
}

/** A time in UTC. */
export function instant(description: string): Schema<string> {
  return scalar("string", { format: "date-time", description });
}

/** A day of the snapshot's calendar. */
export function day(description: string): Schema<string> {
  return scalar("string", { format: "date", description });
}

/** The times at which a record was made and last changed. */
export const timestamps: { created_at: Schema<string>; updated_at: Schema<string> } = {
  created_at: instant("When the record was made, in UTC."),
  updated_at: instant("When the record was last changed, in UTC."),
};

/** Fields of a place on the map. */
export const position: Fields = {
  latitude: number("Latitude, north positive (WGS 84).", "degrees"),
  longitude: number("Longitude, east positive (WGS 84).", "degrees"),
};

/** A product, a market and a county as other answers name them. */
export const productReference = object("ProductReference", "A product.", {
  uuid: uuid("Identifier of the product."),
  name: text("Name of the product."),
});
export const marketReference = object("MarketReference", "A market.", {
  uuid: uuid("Identifier of the market."),
  name: text("Name of the market."),
});
export const countyReference: ObjectSchema = object("CountyReference", "A county.", {
  id: identifier("Number of the county, 1 to 47."),
  name: text("Name of the county."),
});

export const paginationFields: Fields = {
  page: integer("This page, counted from 1.", "pages"),
  page_size: integer("Entries on a full page.", "entries"),
  total: integer("Entries on all pages.", "entries"),
  total_pages: integer("Pages; 0 when there are no entries.", "pages"),
};

const pagination = object("Pagination", "Which page of how many.", paginationFields);

/** `{ data: [item] }` */
export function listAnswer(item: Schema, description: string): Schema {
  return exactly({ data: list(item, description) });
}

/** `{ data: item }` */
export function oneAnswer(item: Schema): Schema {
  return exactly({ data: item });
}

/** `{ data: [item], meta: { page, page_size, total, total_pages } }`, or with another `meta` that has these fields. */
export function pageAnswer(item: Schema, description: string, meta: Schema = pagination): Schema {
  return exactly({ data: list(item, description), meta });
}
