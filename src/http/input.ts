/** Input schemas and the kinds of values they are put together from, each said once. */
import type { Static, TArray, TEnum, TInteger, TObject, TSchema, TString } from "typebox";
import { countyIdMax, countyIdMin } from "../domain/ids.ts";
import { type MarketType, marketTypes } from "../domain/vocabulary.ts";
import { listItemsMax, pageSizeDefault, pageSizeMax, textCharactersMax } from "./limits.ts";
import { Type } from "./schema-type.ts";

/** A schema whose accepted values are exactly of type `T`. */
export interface InputSchema<T> {
  readonly schema: TObject;
  /** Never there; it makes the compiler hold schema and type to each other in both directions. */
  readonly accepts?: (value: T) => T;
}

/** Makes an input schema. The type it is assigned to must say the same as the schema, or the compiler objects. */
export function inputSchema<Schema extends TObject>(schema: Schema): InputSchema<Static<Schema>> {
  return { schema };
}

/** Names of the fields an object must have. */
export function requiredFields(schema: TObject): readonly string[] {
  return (schema.required as readonly string[] | undefined) ?? [];
}

/** Option of every object schema: no fields but these. */
export const closed: { readonly additionalProperties: false } = { additionalProperties: false };

/** No parameters at all. */
export type NoInput = Record<never, never>;
export const noInput: InputSchema<NoInput> = inputSchema(Type.Object({}, closed));

/** @param description What the identifier identifies. */
export function uuidText(description: string): TString {
  return Type.String({ format: "uuid", description });
}

/** Name of the format of a text that can match something; no published one says so. */
export const matchTextFormat = "match-text";

/** @param description What the text is matched with. */
export function matchText(description: string): TString {
  return Type.String({ format: matchTextFormat, minLength: 1, maxLength: textCharactersMax, description });
}

/** @param description Which day it is. */
export function dayText(description: string): TString {
  return Type.String({ format: "date", description });
}

/** A list of 1 to `listItemsMax` items. */
export function listOf<Item extends TSchema>(item: Item, description: string): TArray<Item> {
  return Type.Array(item, { minItems: 1, maxItems: listItemsMax, description });
}

/** One of a closed list of texts. */
export function oneOf<const Text extends string>(texts: readonly Text[], description: string): TEnum<Text[]> {
  return Type.Enum(texts, { description });
}

export function countyNumber(): TInteger {
  return Type.Integer({ minimum: countyIdMin, maximum: countyIdMax, description: "Number of the county." });
}

export function marketTypeText(): TEnum<MarketType[]> {
  return oneOf(marketTypes, "Type of the market.");
}

export function pageNumber(): TInteger {
  return Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 1,
    description: "Page, counted from 1.",
  });
}

export function pageSizeNumber(): TInteger {
  return Type.Integer({
    minimum: 1,
    maximum: pageSizeMax,
    default: pageSizeDefault,
    description: "Entries on a page.",
  });
}

/** Path parameter of the endpoints of one product, market or price. */
export interface UuidParams {
  uuid: string;
}
export const uuidParams: InputSchema<UuidParams> = inputSchema(
  Type.Object({ uuid: uuidText("Identifier, in either case.") }, closed),
);
