/**
 * Descriptions of JSON values: JSON Schemas that are types as well, `ValueOf<typeof schema>`. snapshots/check-record.ts
 * checks values against them.
 *
 * Every `description` is the message for a value that does not fit, ready to follow "expected". In files a field is
 * either required or may be null, so the fields that may not be null are the required ones. Names are snake_case in
 * files and camelCase in memory; uuids are lower case and times are instants in memory, and what is missing is null.
 */

import type { Instant } from "./calendar.ts";
import type { Uuid } from "./ids.ts";
import { snakeCase } from "./snake-case.ts";

declare const memory: unique symbol;

/** A piece of JSON Schema. @typeParam T What a value that fits is in memory. */
export interface Schema<T = unknown> {
  readonly description: string;
  readonly [keyword: string]: unknown;
  readonly [memory]?: T;
}

/** The type in memory of a value that fits a schema. */
export type ValueOf<Described> = Described extends Schema<infer T> ? T : never;

/** Schemas of fields, by their names in memory. */
type Fields = Readonly<Record<string, Schema>>;
/** The types in memory of values of these schemas. */
export type ValuesOf<Described> = { readonly [Name in keyof Described]: ValueOf<Described[Name]> };

export const text: Schema<string> = {
  type: "string",
  format: "text",
  description: "text, not empty, without spaces around it",
};
export const webAddress: Schema<string> = {
  type: "string",
  format: "web-address",
  description: "an address that begins with http:// or https://, in ASCII without spaces",
};
export const uuid: Schema<Uuid> = { type: "string", format: "uuid", description: "a UUID of 36 characters" };
export const instant: Schema<Instant> = { type: "string", format: "instant", description: "an RFC 3339 time" };
export const flag: Schema<boolean> = { type: "boolean", description: "true or false" };
export const positive: Schema<number> = { type: "number", exclusiveMinimum: 0, description: "a number above 0" };
/** A whole number from 0. */
export const count: Schema<number> = integer(0, Number.MAX_SAFE_INTEGER);
/** A whole number from 1. */
export const ordinal: Schema<number> = integer(1, Number.MAX_SAFE_INTEGER);
export const nullableText: Schema<string | null> = nullable(text);
export const nullableTexts: Schema<readonly string[] | null> = nullable(list(text));

/** An object with these fields and no others. */
export function object<Described extends Fields>(fields: Described): Schema<ValuesOf<Described>> {
  const entries = Object.entries(fields).map(([name, schema]) => [snakeCase(name), schema] as const);
  const required = entries.filter(([, schema]) => schema["nullable"] !== true).map(([name]) => name);
  const properties = Object.fromEntries(entries);
  return { type: "object", properties, required, additionalProperties: false, description: "an object" };
}

/** An object of any names whose values fit the same schema; it may be empty. */
export function mapOf<T>(values: Schema<T>): Schema<Readonly<Record<string, T>>> {
  return { type: "object", additionalProperties: values, description: "an object" };
}

/** An array, which may be empty. */
export function list<T>(items: Schema<T>): Schema<readonly T[]> {
  return { type: "array", items, description: "an array" };
}

/** One of a closed list of texts. */
export function oneOf<T extends string>(values: readonly T[]): Schema<T> {
  return { type: "string", enum: values, description: `one of ${values.join(", ")}` };
}

/** A text that fits a regular expression. */
export function pattern(expression: string, description: string): Schema<string> {
  return { type: "string", pattern: expression, description };
}

/** A whole number between these (both inclusive); one that a double cannot represent exactly is none. */
export function integer(minimum: number, maximum: number): Schema<number> {
  const end = maximum === Number.MAX_SAFE_INTEGER ? "" : ` to ${maximum}`;
  return { type: "integer", minimum, maximum, description: `a whole number from ${minimum}${end}` };
}

/** A number between these (both inclusive). */
export function range(minimum: number, maximum: number): Schema<number> {
  return { type: "number", minimum, maximum, description: `a number from ${minimum} to ${maximum}` };
}

/** The same, or null, or missing. */
export function nullable<T>(schema: Schema<T>): Schema<T | null> {
  const values = schema["enum"] as readonly unknown[] | undefined;
  // The keyword `nullable` of the compiler concerns `type` alone.
  const withNull = values === undefined ? {} : { enum: [...values, null] };
  return { ...schema, ...withNull, nullable: true, description: `${schema.description}, or null` };
}
