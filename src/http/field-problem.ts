/** What ajv found → what a client is told: the field, what was found, what was wanted. */
import type { ErrorObject } from "ajv";
import type { TObject, TSchema } from "typebox";
import { maskKeys } from "../auth/key-format.ts";
import { excerptOf, type FieldProblem } from "./errors.ts";
import { detailsMax, receivedCharactersMax } from "./limits.ts";

/**
 * One problem per field, in the order in which they were found, at most `detailsMax`.
 *
 * @param errors From a validator with `verbose` set, over one object.
 * @param schema The schema of that object.
 */
export function fieldProblems(errors: readonly ErrorObject[], schema: TObject): FieldProblem[] {
  const problems = new Map<string, FieldProblem>();
  for (const error of errors) {
    const problem = fieldProblem(error, schema);
    if (!problems.has(problem.field)) problems.set(problem.field, problem);
    if (problems.size === detailsMax) break;
  }
  return [...problems.values()];
}

function fieldProblem(error: ErrorObject, schema: TObject): FieldProblem {
  if (error.keyword === "additionalProperties") {
    const field = excerptOf(String(error.params["additionalProperty"]));
    const known = Object.keys(schema.properties);
    const wanted = known.length === 0 ? "no fields" : `only ${known.join(", ")}`;
    const value = (error.data as Record<string, unknown>)[String(error.params["additionalProperty"])];
    return {
      field,
      message: `${JSON.stringify(field)} is unknown here, expected ${wanted}.`,
      received: receivedOf(value),
    };
  }
  if (error.keyword === "required") {
    const field = String(error.params["missingProperty"]);
    return { field, message: `${field} is missing, expected ${wantedBy(schema.properties[field])}.`, received: null };
  }
  const field = fieldName(error.instancePath);
  const found = receivedOf(error.data);
  const wanted = wantedBy(error.parentSchema);
  // JSON has no way to write the infinity that a number like 1e999 becomes.
  if (Math.abs(found as number) === Number.POSITIVE_INFINITY) {
    return { field, message: `${field} is a number too large, expected ${wanted}.`, received: null };
  }
  return { field, message: `${field} is ${JSON.stringify(found)}, expected ${wanted}.`, received: found };
}

/** `/product_uuids/2` → `product_uuids[2]` */
function fieldName(instancePath: string): string {
  const [name = "", ...rest] = instancePath.slice(1).split("/");
  return name + rest.map((index) => `[${index}]`).join("");
}

/** The value as received, cut to a length that an answer can repeat; what looks like a key is masked. */
function receivedOf(value: unknown): unknown {
  const json = JSON.stringify(value);
  const isPlain = json.length <= receivedCharactersMax && maskKeys(json) === json;
  return isPlain ? value : excerptOf(typeof value === "string" ? value : json);
}

interface ReadableSchema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

const wantedFormats: Readonly<Record<string, string>> = {
  uuid: "a UUID of 36 characters",
  date: "an existing day as YYYY-MM-DD",
};

/** What a schema wants, in words. */
function wantedBy(schema: TSchema | undefined): string {
  const {
    type,
    format,
    enum: texts,
    minimum,
    maximum,
    maxLength,
    minItems,
    maxItems,
  } = (schema ?? {}) as ReadableSchema;
  if (texts !== undefined) return `one of ${texts.join(", ")}`;
  switch (type) {
    case "string":
      return wantedFormats[format ?? ""] ?? `a text of 1 to ${maxLength} whole characters, not only blanks or accents`;
    case "integer":
      return maximum === Number.MAX_SAFE_INTEGER
        ? `an integer of at least ${minimum}`
        : `an integer from ${minimum} to ${maximum}`;
    case "array":
      return `a list of ${minItems} to ${maxItems} items`;
    case "boolean":
      return "true or false";
    default:
      return `a ${type}`;
  }
}
