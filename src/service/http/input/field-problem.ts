/** What a schema finds wrong with a value, put into words. */
import type { ErrorObject } from "ajv";
import type { TObject } from "typebox";
import { excerptOf, type FieldProblem } from "../../../contract/errors.ts";
import { maskKeys } from "../../../contract/key-format.ts";
import { detailsMax, receivedCharactersMax } from "../../../contract/limits.ts";
import { advice, type Keywords, monthFormat, searchTextFormat } from "../../../contract/schema.ts";
import { nearestName } from "../nearest-name.ts";
import { rawNumber, type SentTexts, sentNumber } from "./sent-number.ts";

/** What is known of a value beside the value. */
export interface ValueSource {
  /** Problems that no schema can see, at most one a field. */
  readonly problems?: readonly FieldProblem[];
  /** What its fields were sent as. */
  readonly sentTexts?: SentTexts;
}

/**
 * What ajv found → what the answer says: the field, what was found, what was wanted. One problem per field, at most
 * `detailsMax`: fields that are unknown first, because what they were meant to be seems to be missing; then `problems`
 * and the others in the order in which they were found.
 *
 * @param errors From a validator with `verbose` set, over one object.
 * @param schema The schema of that object.
 */
export function fieldProblems(
  errors: readonly ErrorObject[],
  schema: TObject,
  { problems = [], sentTexts }: ValueSource = {},
): FieldProblem[] {
  const byField = new Map<string, FieldProblem>();
  const add = (problem: FieldProblem): void => {
    if (byField.size < detailsMax && !byField.has(problem.field)) byField.set(problem.field, problem);
  };
  const addAll = (isWanted: (error: ErrorObject) => boolean): void => {
    for (const error of errors) {
      if (byField.size === detailsMax) return;
      if (isWanted(error)) add(fieldProblem(error, schema, sentTexts));
    }
  };
  addAll(isAboutUnknown);
  for (const problem of problems) add(problem);
  addAll((error) => !isAboutUnknown(error));
  return [...byField.values()];
}

function isAboutUnknown({ keyword }: ErrorObject): boolean {
  return keyword === "additionalProperties";
}

/** The problem of a list with more items than its schema has. Only the beginning of the list is looked at. */
export function excessProblem(field: string, list: readonly unknown[], schema: Keywords): FieldProblem {
  const found = receivedOf(list.slice(0, receivedCharactersMax));
  return { field, message: `${field} is ${JSON.stringify(found)}, expected ${wantedBy(schema)}.`, received: found };
}

function fieldProblem(error: ErrorObject, schema: TObject, sentTexts: SentTexts | undefined): FieldProblem {
  if (isAboutUnknown(error)) return unknownProblem(error, schema, sentTexts);
  if (error.keyword === "required") {
    const field = String(error.params["missingProperty"]);
    return { field, message: `${field} is missing, expected ${wantedBy(schema.properties[field])}.`, received: null };
  }
  const [name = "", ...places] = error.instancePath.slice(1).split("/");
  const field = fieldName(name, places);
  const found = asSent(error.data, sentTexts, name, places);
  const accepted = error.parentSchema as Keywords;
  // Messages leave out the bound of page numbers, unless it is what the value exceeds.
  const isUnsafe = error.keyword === "maximum" && error.params["limit"] === Number.MAX_SAFE_INTEGER;
  const wanted = isUnsafe ? `an integer up to ${Number.MAX_SAFE_INTEGER}` : wantedBy(accepted);
  // JSON has no way to write the infinity that a number like 1e999 becomes.
  if (error.data === Number.POSITIVE_INFINITY || error.data === Number.NEGATIVE_INFINITY) {
    return { field, message: `${field} is a number too large, expected ${wanted}.`, received: null };
  }
  const message = `${field} is ${JSON.stringify(found)}, expected ${wanted}${sentenceEnd(found, accepted)}`;
  return { field, message, received: found };
}

/** The end of a message; names the text of a closed list that differs from the value only in case. */
function sentenceEnd(found: unknown, { enum: texts = [] }: Keywords): string {
  if (typeof found !== "string") return ".";
  const same = texts.find((one) => one?.toLowerCase() === found.toLowerCase());
  return same === undefined ? "." : `; did you mean ${same}?`;
}

function unknownProblem(error: ErrorObject, schema: TObject, sentTexts: SentTexts | undefined): FieldProblem {
  const name = String(error.params["additionalProperty"]);
  const field = excerptOf(name);
  const known = Object.keys(schema.properties);
  const wanted = known.length === 0 ? "no fields" : `only ${known.join(", ")}`;
  const nearest = nearestName(name, known);
  const end = nearest === undefined ? "." : `; did you mean ${nearest}?`;
  return {
    field,
    message: `${JSON.stringify(field)} is unknown here, expected ${wanted}${end}`,
    received: asSent((error.data as Record<string, unknown>)[name], sentTexts, name),
  };
}

/** A field and the places in it: `product_uuids[2]`. */
function fieldName(name: string, places: readonly string[]): string {
  return name + places.map((index) => `[${index}]`).join("");
}

/** A value as received; a number that JavaScript does not hold exactly as the text that it was sent as. */
function asSent(
  value: unknown,
  sentTexts: SentTexts | undefined,
  name: string,
  places: readonly string[] = [],
): unknown {
  const sent = typeof value === "number" ? sentNumber(value, sentTexts, name, places) : undefined;
  if (sent === undefined) return receivedOf(value);
  return sent.length > receivedCharactersMax ? excerptOf(sent) : rawNumber(sent);
}

/** The value as received, cut to a length that an answer can repeat; what looks like a key is masked. */
function receivedOf(value: unknown): unknown {
  const json = JSON.stringify(value);
  const isPlain = json.length <= receivedCharactersMax && maskKeys(json) === json;
  return isPlain ? value : excerptOf(typeof value === "string" ? value : json);
}

const wantedFormats: Readonly<Record<string, string>> = {
  uuid: "a UUID of 36 characters",
  date: "an existing day as YYYY-MM-DD",
  [monthFormat]: "an existing month as YYYY-MM",
};

/** What is no text to match or to search for by itself. */
function notOnly(format: string | undefined): string {
  const isSearched = format === searchTextFormat;
  return isSearched ? "not only blanks, accents, apostrophes or invisible characters" : "not only blanks or accents";
}

/** What a schema wants, in words. */
function wantedBy(schema: Keywords = {}): string {
  const { type, format, enum: texts, minimum, maximum, maxLength, minItems, maxItems, [advice]: hint = "" } = schema;
  if (texts !== undefined) {
    const listed = texts.map((text) => (text?.includes(",") ? JSON.stringify(text) : text));
    return `one of ${listed.join(", ")}${hint}`;
  }
  switch (type) {
    case "string":
      return wantedFormats[format ?? ""] ?? `a text of 1 to ${maxLength} whole characters, ${notOnly(format)}`;
    case "integer":
      return maximum === Number.MAX_SAFE_INTEGER
        ? `an integer of at least ${minimum}`
        : `an integer from ${minimum} to ${maximum}${hint}`;
    case "array":
      return `a list of ${minItems} to ${maxItems} items`;
    case "boolean":
      return "true or false";
    default:
      return `a ${type}`;
  }
}
