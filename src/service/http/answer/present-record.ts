/** Records → the objects of answers. The schema of the answer says which fields, in which order and in which form. */

import { type Instant, instantText } from "../../../engine/model/calendar.ts";
import type { Keywords } from "../../../engine/model/json-schema.ts";
import { camelCase } from "../../../engine/model/snake-case.ts";

/**
 * The fields of a schema, each from the field of the record that has its name in camelCase; times are written as text.
 * An object without fields in the schema, as free-form JSON has it, is passed on.
 *
 * @throws {RangeError} When the record lacks a required field.
 */
export function presentRecord(schema: Keywords, record: object): object {
  return presentValue(schema, record) as object;
}

function presentValue({ format, items, anyOf, properties, required = [] }: Keywords, value: unknown): unknown {
  if (value === null) return null;
  if (format === "date-time") return instantText(value as Instant);
  // Where a value may be null, the schema of the other values comes first.
  if (anyOf !== undefined) return presentValue(anyOf[0] as Keywords, value);
  if (items !== undefined) return (value as readonly unknown[]).map((item) => presentValue(items, item));
  const fields = Object.entries(properties ?? {});
  if (fields.length === 0) return value;
  return Object.fromEntries(
    fields.map(([name, field]) => {
      const found = (value as Readonly<Record<string, unknown>>)[camelCase(name)];
      if (found === undefined && required.includes(name)) throw new RangeError(`A record without ${camelCase(name)}`);
      return [name, found === undefined ? undefined : presentValue(field, found)];
    }),
  );
}
