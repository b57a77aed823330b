/**
 * Descriptions of the JSON values in files, in the schema language. Each says by `wanted` what a value must be.
 *
 * In files a field is either required or may be null, so the fields that may not be null are the required ones. Names
 * are snake_case in files and camelCase in memory; uuids are lower case and times are instants in memory, and what is
 * missing is null.
 */

import type { Instant } from "./calendar.ts";
import { wantedBy } from "./check-value.ts";
import type { Uuid } from "./ids.ts";
import {
  enumOf,
  lengthMax,
  objectOf,
  optional,
  orNull,
  type Schema,
  scalar,
  type ValueOf,
  wanted,
} from "./json-schema.ts";
import { snakeCase } from "./snake-case.ts";
import { lengthsMax } from "./text-lengths.ts";

/** Schemas of fields, by their names in memory. */
type RecordFields = Readonly<Record<string, Schema>>;
/** The types in memory of values of these schemas. */
export type ValuesOf<Described> = { readonly [Name in keyof Described]: ValueOf<Described[Name]> };

export const text: Schema<string> = scalar("string", { format: "text", [lengthMax]: lengthsMax.text });
/** A text that names something. */
export const name: Schema<string> = { ...text, [lengthMax]: lengthsMax.name };
/** The name of a unit that another record describes, which may have been published before there were lengths. */
export const unitName: Schema<string> = scalar("string", { format: "text" });
export const webAddress: Schema<string> = scalar("string", { format: "web-address", [lengthMax]: lengthsMax.text });
export const uuid = textAs<Uuid>("uuid");
export const instant = textAs<Instant>("instant");
export const flag: Schema<boolean> = scalar("boolean");
export const positive: Schema<number> = scalar("number", { exclusiveMinimum: 0, [wanted]: "a number above 0" });
/** A whole number from 0. */
export const count: Schema<number> = integer(0, Number.MAX_SAFE_INTEGER);
/** A whole number from 1. */
export const ordinal: Schema<number> = integer(1, Number.MAX_SAFE_INTEGER);
export const nullableText: Schema<string | null> = nullable(text);
export const nullableTexts: Schema<readonly string[] | null> = nullable(list(text));
export const nullableName: Schema<string | null> = nullable(name);
export const nullableNames: Schema<readonly string[] | null> = nullable(list(name));

/** A text of this format, which is another value in memory. */
function textAs<T>(format: string): Schema<T> {
  return { type: "string", format };
}

/** An object with these fields and no others. */
export function object<Described extends RecordFields>(fields: Described): Schema<ValuesOf<Described>> {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, schema]) => [snakeCase(name), schema]));
  const described: Schema = objectOf(properties, { additionalProperties: false, [wanted]: "an object" });
  return described as Schema<ValuesOf<Described>>;
}

/** An object of any names whose values fit the same schema; it may be empty. */
export function mapOf<T>(values: Schema<T>): Schema<Readonly<Record<string, T>>> {
  return { type: "object", additionalProperties: values, [wanted]: "an object" };
}

/** An array, which may be empty. */
export function list<T>(items: Schema<T>): Schema<readonly T[]> {
  return { type: "array", items, [wanted]: "an array", [lengthMax]: lengthsMax.list };
}

/** One of a closed list of texts. */
export function oneOf<T extends string>(values: readonly T[]): Schema<T> {
  return enumOf(values);
}

/** A text that fits a regular expression. @param form The form of the text, for messages. */
export function pattern(expression: string, form: string): Schema<string> {
  return scalar("string", { pattern: expression, [wanted]: form, [lengthMax]: lengthsMax.name });
}

/** A whole number between these (both inclusive); one that a double cannot represent exactly is none. */
export function integer(minimum: number, maximum: number): Schema<number> {
  const end = maximum === Number.MAX_SAFE_INTEGER ? "" : ` to ${maximum}`;
  return scalar("integer", { minimum, maximum, [wanted]: `a whole number from ${minimum}${end}` });
}

/** A number between these (both inclusive). */
export function range(minimum: number, maximum: number): Schema<number> {
  return scalar("number", { minimum, maximum, [wanted]: `a number from ${minimum} to ${maximum}` });
}

/** The same, or null, or missing. */
export function nullable<T>(schema: Schema<T>): Schema<T | null> {
  return optional(orNull({ ...schema, [wanted]: `${wantedBy(schema)}, or null` }));
}
