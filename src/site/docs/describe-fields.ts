/** The fields of a schema in a reader's words, for the tables of the documentation. */

import { monthFormat } from "../../engine/model/check-value.ts";
import { type Keywords, noUnit, unit } from "../../engine/model/json-schema.ts";

export interface DescribedField {
  /** With the names of the objects that hold it: `data[].market.name`. */
  readonly name: string;
  /** The type, range or list of its values: `integer 1 to 100, default 20`. */
  readonly values: string;
  /** Empty where it has none. */
  readonly unit: string;
  readonly description: string;
  readonly isRequired: boolean;
}

/**
 * All fields of a schema, those of inner objects after the one that holds them.
 *
 * @param holder Name of the field that the schema is of; empty for a whole request or answer.
 */
export function describeFields(schema: Keywords, holder = ""): DescribedField[] {
  const { anyOf, items, properties = {}, required = [] } = schema;
  if (anyOf !== undefined) return anyOf.flatMap((choice) => describeFields(choice, holder));
  if (items !== undefined) return describeFields(items, `${holder}[]`);
  return Object.entries(properties).flatMap(([field, inner]) => {
    const name = holder === "" ? field : `${holder}.${field}`;
    const { description = "", [unit]: unitText = "" } = inner;
    const described = {
      name,
      values: describeValues(inner),
      unit: unitText === noUnit ? "" : unitText,
      description,
      isRequired: required.includes(field),
    };
    return [described, ...describeFields(inner, name)];
  });
}

/** The values that a schema accepts. */
export function describeValues(schema: Keywords): string {
  const { type, format, enum: texts, minimum, maximum, items, anyOf } = schema;
  const fallback = schema.default === undefined ? "" : `, default ${schema.default}`;
  if (anyOf !== undefined) return anyOf.map(describeValues).join(" or ");
  if (Array.isArray(type)) return `${describeValues({ ...schema, type: type[0] })} or null`;
  if (texts !== undefined) return texts.filter((text) => text !== null).join(", ") + fallback;
  if (items !== undefined) return `list of ${describeValues(items)}`;
  if (format === "uuid") return "UUID";
  if (format === "date") return "YYYY-MM-DD";
  if (format === monthFormat) return "YYYY-MM";
  if (format === "date-time") return "time";
  if (type === "boolean") return `true or false${fallback}`;
  if (minimum === undefined) return (type === "string" ? "text" : (type as string)) + fallback;
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  return `${type as string} ${isBounded ? `${minimum} to ${maximum}` : `from ${minimum}`}${fallback}`;
}
