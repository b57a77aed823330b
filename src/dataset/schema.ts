/**
 * The pieces that schemas of files are made of. Every `description` is what a person is told when a value does not fit,
 * ready to follow "expected". In this format a field is either required or may be null, so the fields that may not be
 * null are the required ones.
 *
 * The formats `text` and `instant`, which JSON Schema does not know, are defined by check-records.ts.
 */

/** A piece of JSON Schema. */
export interface Schema {
  readonly description: string;
  readonly [keyword: string]: unknown;
}

/** One that lets null pass. */
export interface NullableSchema extends Schema {
  readonly nullable: true;
}

export const text: Schema = {
  type: "string",
  format: "text",
  description: "text, not empty, without spaces around it",
};
export const instant: Schema = { type: "string", format: "instant", description: "an RFC 3339 time" };
export const nullableText: NullableSchema = nullable(text);
export const nullableTexts: NullableSchema = nullable(list(text));

/** One schema a field, and one that knows null exactly where the type does. */
type FieldSchemas<T> = { readonly [Key in keyof T]-?: null extends T[Key] ? NullableSchema : Schema };

/** An object with these fields and no others. */
export function object<T extends object>(properties: FieldSchemas<T>): Schema {
  const required = Object.entries<Schema>(properties)
    .filter(([, schema]) => schema["nullable"] !== true)
    .map(([name]) => name);
  return { type: "object", properties, required, additionalProperties: false, description: "an object" };
}

/** An array, which may be empty. */
export function list(items: Schema): Schema {
  return { type: "array", items, description: "an array" };
}

/** One of a closed list of texts. */
export function oneOf(values: readonly string[]): Schema {
  return { type: "string", enum: values, description: `one of ${values.join(", ")}` };
}

/** A whole number between these (both inclusive); one that a double cannot tell from its neighbours is none. */
export function integer(minimum: number, maximum: number): Schema {
  const description =
    maximum === Number.MAX_SAFE_INTEGER
      ? `a whole number from ${minimum}`
      : `a whole number from ${minimum} to ${maximum}`;
  return { type: "integer", minimum, maximum, description };
}

/** A number between these (both inclusive). */
export function range(minimum: number, maximum: number): Schema {
  return { type: "number", minimum, maximum, description: `a number from ${minimum} to ${maximum}` };
}

/** The same, or null, or missing. */
export function nullable(schema: Schema): NullableSchema {
  return { ...schema, nullable: true, description: `${schema.description}, or null` };
}
