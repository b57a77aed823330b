/**
 * JSON Schemas of requests and answers. A schema is also its type: `Static<typeof schema>` is what it accepts.
 *
 * The schemas have the types of TypeBox but not its code: that is hundreds of files, which take longer to load than all
 * of this project, for the few constructors below.
 */
import type {
  TArray,
  TBoolean,
  TEnum,
  TInteger,
  TNull,
  TNumber,
  TObject,
  TOptional,
  TProperties,
  TSchema,
  TString,
  TUnion,
  Type as TypeBox,
} from "typebox";
import { countyIdMax, countyIdMin } from "../engine/model/ids.ts";
import { priceMax } from "../engine/model/records.ts";
import { type MarketType, marketTypes } from "../engine/model/vocabulary.ts";
import { listItemsMax, pageSizeDefault, pageSizeMax, textCharactersMax } from "./limits.ts";

type Constructor = "Boolean" | "Integer" | "Number" | "String" | "Enum" | "Array" | "Object" | "Optional";

/** Schemas of fields that may be absent. */
const optionalSchemas = new WeakSet<object>();

/** Each makes what the constructor of the same name makes in TypeBox. */
export const Type = {
  Boolean: ofType("boolean"),
  Integer: ofType("integer"),
  Number: ofType("number"),
  String: ofType("string"),
  Enum: (values: readonly unknown[], options?: object) => ({ enum: [...values], ...options }),
  Array: (items: TSchema, options?: object) => ({ type: "array", items, ...options }),
  Object(properties: TProperties, options?: object) {
    const required = Object.keys(properties).filter((name) => !optionalSchemas.has(properties[name] as object));
    return { type: "object", ...(required.length === 0 ? {} : { required }), properties, ...options };
  },
  Optional(schema: TSchema) {
    const optional = { ...schema };
    optionalSchemas.add(optional);
    return optional;
  },
} as unknown as Pick<typeof TypeBox, Constructor>;

function ofType(type: string): (options?: object) => object {
  return (options) => ({ type, ...options });
}

/** A field of an object that may be absent. */
export const optional = Type.Optional;

/** Fields that may all be absent. */
export function optionalFields<Fields extends TProperties>(
  fields: Fields,
): { [Name in keyof Fields]: TOptional<Fields[Name]> } {
  return mapFields(fields, optional) as { [Name in keyof Fields]: TOptional<Fields[Name]> };
}

/** Fields of an answer that are there only with `detail`. */
export function fieldsOfDetail(fields: TProperties): TProperties {
  return mapFields(fields, (schema) => {
    const { description }: Keywords = schema;
    return optional(meaning(schema, `${description} Only with detail.`));
  });
}

function mapFields(fields: TProperties, change: (schema: TSchema) => TSchema): TProperties {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, change(schema)]));
}

/** A list of any length. */
export function list<Item extends TSchema>(item: Item, description: string): TArray<Item> {
  return Type.Array(item, { description });
}

/** An object with these fields and no others. */
export function exactly<Fields extends TProperties>(fields: Fields): TObject<Fields> {
  return Type.Object(fields, { additionalProperties: false });
}

/**
 * A schema that the OpenAPI document has under a name of its own. A copy with another description refers to it.
 *
 * @param description What it is of.
 */
function named<Schema extends TSchema>(name: string, schema: Schema, description: string): Schema {
  const described = { ...schema, description };
  return { ...described, [component]: { name, schema: described } };
}

/** An object with these fields and no others, under a name of its own as in `named`. */
export function object<Fields extends TProperties>(name: string, description: string, fields: Fields): TObject<Fields> {
  return named(name, exactly(fields), description);
}

/** A schema for a field that means something else. */
export function meaning<Schema extends TSchema>(schema: Schema, description: string): Schema {
  return { ...schema, description };
}

/**
 * Keyword of texts that are accepted in any case, and read as the schema has them. A symbol, so no validator or reader
 * sees it.
 */
export const anyCase: unique symbol = Symbol("any case");

/** Keyword for what to say to a client that sends something else; a symbol as well. */
export const advice: unique symbol = Symbol("advice");

/** Keyword for the unit of a number; a symbol, which the OpenAPI document has as `x-unit`. */
export const unit: unique symbol = Symbol("unit");

/** Unit of numbers that only identify something. */
export const noUnit = "none";

/** Keyword of a schema with a name, which the OpenAPI document has as a component; a symbol as well. */
export const component: unique symbol = Symbol("component");

/** The keywords that the schemas of fields may have. */
export interface Keywords {
  /** Two where a field may be null. */
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly (string | null)[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Keywords;
  readonly anyOf?: readonly Keywords[];
  readonly properties?: Readonly<Record<string, Keywords>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly [unit]?: string;
  readonly [component]?: { readonly name: string; readonly schema: Keywords };
  readonly [anyCase]?: boolean;
  readonly [advice]?: string;
}

/** Names of the fields an object must have. */
export function requiredFields(schema: TObject): readonly string[] {
  return (schema.required as readonly string[] | undefined) ?? [];
}

// The kinds of values in requests.

/** No parameters at all. */
export const noInput = exactly({});

/** Name of the format of a text that can match something; no published format requires that. */
export const matchTextFormat = "match-text";

/** @param description What the text is matched with. */
export function matchText(description: string): TString {
  return Type.String({ format: matchTextFormat, minLength: 1, maxLength: textCharactersMax, description });
}

/** Name of the format of a text with words to search for; no published format requires that. */
export const searchTextFormat = "search-text";

/** @param description What is searched. */
export function searchText(description: string): TString {
  return Type.String({ format: searchTextFormat, minLength: 1, maxLength: textCharactersMax, description });
}

/** Name of the format of a calendar month; no published format is one. */
export const monthFormat = "month";

/** The formats of this service alone, with a pattern that is as near to each as patterns come. */
export const ownFormats: ReadonlyMap<string, string> = new Map([
  [matchTextFormat, "\\S"],
  [searchTextFormat, "[^\\s'`´‘’ʻʼ]"],
  [monthFormat, "^[0-9]{4}-(?:0[1-9]|1[0-2])$"],
]);

/** @param description Which month it is. */
export function monthText(description: string): TString {
  return Type.String({ format: monthFormat, description: `${description} YYYY-MM.` });
}

/** A list of 1 to `listItemsMax` items. */
export function listOf<Item extends TSchema>(item: Item, description: string): TArray<Item> {
  return Type.Array(item, { minItems: 1, maxItems: listItemsMax, description });
}

/** One of a closed list of texts. @param options Further keywords. */
export function oneOf<const Text extends string>(
  texts: readonly Text[],
  description: string,
  options: { readonly default?: Text; readonly [advice]?: string } = {},
): TEnum<Text[]> {
  // Generators of clients need the type of the values.
  return Type.Enum([...texts], { type: "string", ...options, description });
}

/** As `oneOf`, under a name of its own as in `named`. */
export function choice<const Text extends string>(
  name: string,
  description: string,
  texts: readonly Text[],
  options?: { readonly default?: Text; readonly [advice]?: string },
): TEnum<Text[]> {
  return named(name, oneOf(texts, "", options), description);
}

/** As `oneOf`, accepted in any case. Only for parameters of a query. */
export function oneOfAnyCase<const Text extends string>(texts: readonly Text[], description: string): TEnum<Text[]> {
  return Object.assign(oneOf(texts, description), { [anyCase]: true });
}

export const countyNumber: TInteger = Type.Integer({
  [unit]: noUnit,
  minimum: countyIdMin,
  maximum: countyIdMax,
  description: "Number of the county.",
  [advice]: "; /counties lists the numbers",
});

const typeSamples = integer("Prices in the figures from markets of this type; absent when there are none.", "prices");

export const samplesByMarketType: TSchema = object(
  "SamplesByMarketType",
  "Prices in the figures by type of market.",
  optionalFields(Object.fromEntries(marketTypes.map((type) => [type, typeSamples]))),
);

export const marketTypeText: TEnum<MarketType[]> = choice("MarketType", "Type of the market.", marketTypes);

const pageNumber = Type.Optional(
  Type.Integer({
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
  const pageSize = Type.Integer({ minimum: 1, maximum, default: pageSizeDefault, description, [unit]: "entries" });
  return { page: pageNumber, page_size: Type.Optional(pageSize) };
}

/** The fields of a request for a page. */
export const pageFields = pageFieldsUpTo(pageSizeMax);

/** Page and page size of a request, with their defaults. */
export function requestedPage({
  page = 1,
  page_size: pageSize = pageSizeDefault,
}: {
  page?: number;
  page_size?: number;
}): {
  readonly page: number;
  readonly pageSize: number;
} {
  return { page, pageSize };
}

/** Path parameter of the endpoints of one product, market or price. */
export const uuidParams = exactly({ uuid: uuid("Identifier, in either case.") });

// The pieces of answer schemas. Every documented field is required; what is unknown is null.

/** A value that may be unknown. */
export function nullable<Schema extends TSchema>(schema: Schema): TUnion<[Schema, TNull]> {
  const { type, enum: texts, description, [component]: named }: Keywords = schema;
  const isUnion = typeof type !== "string" || named !== undefined || type === "object";
  const nullableSchema = isUnion
    ? { anyOf: [schema, { type: "null" }], ...(description === undefined ? {} : { description }) }
    : { ...schema, type: [type, "null"], ...(texts === undefined ? {} : { enum: [...texts, null] }) };
  return nullableSchema as unknown as TUnion<[Schema, TNull]>;
}

export function text(description: string): TString {
  return Type.String({ description });
}

export function nullableText(description: string): TUnion<[TString, TNull]> {
  return nullable(text(description));
}

export function texts(description: string): TArray<TString> {
  return Type.Array(Type.String(), { description });
}

/** @param of Its unit; backquotes enclose the name of a field beside it. */
export function number(description: string, of: string): TNumber {
  return Type.Number({ description, [unit]: of });
}

/** A price as recorded. */
export function price(description: string): TNumber {
  return Type.Number({ exclusiveMinimum: 0, maximum: priceMax, description, [unit]: "`currency` per `unit`" });
}

/** A number of a request without an upper bound. @param of Its unit. */
export function integerFrom(minimum: number, description: string, of: string): TInteger {
  return Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER, description, [unit]: of });
}

/** @param of Its unit, or what it counts. */
export function integer(description: string, of: string): TInteger {
  return Type.Integer({ description, [unit]: of });
}

/** A number that identifies something. */
export function identifier(description: string): TInteger {
  return integer(description, noUnit);
}

export function boolean(description: string): TBoolean {
  return Type.Boolean({ description });
}

export function uuid(description: string): TString {
  return Type.String({ format: "uuid", description });
}

/** A choice that is off unless a request makes it. */
export function flag(description: string): TOptional<TBoolean> {
  return optional(Type.Boolean({ default: false, description }));
}

/** A time in UTC. */
export function instant(description: string): TString {
  return Type.String({ format: "date-time", description });
}

/** A day of the snapshot's calendar. */
export function day(description: string): TString {
  return Type.String({ format: "date", description });
}

/** When a record was made and last changed. */
export const timestamps: { created_at: TString; updated_at: TString } = {
  created_at: instant("When the record was made, in UTC."),
  updated_at: instant("When the record was last changed, in UTC."),
};

/** Fields of a place on the map. */
export const position: TProperties = {
  latitude: number("Latitude, north positive (WGS 84).", "degrees"),
  longitude: number("Longitude, east positive (WGS 84).", "degrees"),
};

/** The fields by which an answer names a product. */
export const productFields = { uuid: uuid("Identifier of the product."), name: text("Name of the product.") };

/** The fields by which an answer names a market. */
export const marketFields = { uuid: uuid("Identifier of the market."), name: text("Name of the market.") };

/** A county by number and name. */
export const countyReference: TObject = object("CountyReference", "A county.", {
  id: identifier("Number of the county, 1 to 47."),
  name: text("Name of the county."),
});

export const paginationFields: TProperties = {
  page: integer("This page, counted from 1.", "pages"),
  page_size: integer("Entries on a full page.", "entries"),
  total: integer("Entries on all pages.", "entries"),
  total_pages: integer("Pages; 0 when there are no entries.", "pages"),
};

const pagination = object("Pagination", "Which page of how many.", paginationFields);

/** `{ data: [item] }` */
export function listAnswer(item: TSchema, description: string): TSchema {
  return exactly({ data: list(item, description) });
}

/** `{ data: item }` */
export function oneAnswer(item: TSchema): TSchema {
  return exactly({ data: item });
}

/** `{ data: [item], meta: { page, page_size, total, total_pages } }`, or with another `meta` that has these fields. */
export function pageAnswer(item: TSchema, description: string, meta: TSchema = pagination): TSchema {
  return exactly({ data: list(item, description), meta });
}
