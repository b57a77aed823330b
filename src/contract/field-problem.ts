/** Problems of a value as an error body lists them. */

import { closestMatch } from "leven";
import {
  matchTextFormat,
  pathText,
  searchTextFormat,
  type ValuePath,
  type ValueProblem,
  wantedBy,
  wantedInstead,
} from "../engine/model/check-value.ts";
import type { Keywords } from "../engine/model/json-schema.ts";
import { excerptOf, type FieldProblem, receivedOf } from "./errors.ts";
import { detailsMax, receivedCharactersMax } from "./limits.ts";
import { rawNumber, type SentTexts, sentNumber } from "./sent-number.ts";

/** The facts that are known of a value beside the value. */
export interface ValueSource {
  /** Problems that no schema can see, at most one a field. */
  readonly problems?: readonly FieldProblem[];
  /** The form in which its fields were sent. */
  readonly sentTexts?: SentTexts;
}

/**
 * The problems that an answer lists: the field, what was found, what was wanted. One problem per field, at most
 * `detailsMax`: fields that are unknown first, because what they were meant to be seems to be missing; then `problems`
 * and the others in the order in which they were found.
 *
 * @param found Problems of one object.
 */
export function fieldProblems(
  found: readonly ValueProblem[],
  { problems = [], sentTexts }: ValueSource = {},
): FieldProblem[] {
  const byField = new Map<string, FieldProblem>();
  const add = (problem: FieldProblem): void => {
    if (byField.size < detailsMax && !byField.has(problem.field)) byField.set(problem.field, problem);
  };
  const addAll = (isListed: (problem: ValueProblem) => boolean): void => {
    for (const problem of found) {
      if (byField.size === detailsMax) return;
      if (isListed(problem)) add(fieldProblem(problem, sentTexts));
    }
  };
  addAll(({ kind }) => kind === "unknown");
  for (const problem of problems) add(problem);
  addAll(({ kind }) => kind !== "unknown");
  return [...byField.values()];
}

/** The problem of a list with more items than its schema has. Only the beginning of the list is read. */
export function excessProblem(field: string, list: readonly unknown[], schema: Keywords): FieldProblem {
  const found = receivedOf(list.slice(0, receivedCharactersMax));
  return { field, message: `${field} is ${JSON.stringify(found)}, expected ${wantedBy(schema)}.`, received: found };
}

function fieldProblem(problem: ValueProblem, sentTexts: SentTexts | undefined): FieldProblem {
  if (problem.kind === "unknown") return unknownProblem(problem, sentTexts);
  const { path, found: value, schema } = problem;
  const field = pathText(path);
  const expected = wantedInstead(problem);
  if (problem.kind === "missing") {
    return { field, message: `${field} is missing, expected ${expected}.`, received: null };
  }
  const found = asSent(value, sentTexts, path);
  // JSON has no way to write the infinity that a number like 1e999 becomes.
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) {
    return { field, message: `${field} is a number too large, expected ${expected}.`, received: null };
  }
  // What a text must consist of says nothing to a client that has sent no text.
  const isNoText = schema.type === "string" && typeof value !== "string";
  const wanted = isNoText && isFreeText(schema) ? "a text" : expected;
  const kind = Array.isArray(value) ? "a list, " : "an object, ";
  const what = schema.type === "string" && typeof value === "object" && value !== null ? kind : "";
  const message = `${field} is ${what}${JSON.stringify(found)}, expected ${wanted}${sentenceEnd(found, schema)}`;
  return { field, message, received: found };
}

/** Returns whether a schema takes any words, and no text of one form. */
function isFreeText({ format, enum: texts }: Keywords): boolean {
  return texts === undefined && (format === undefined || format === matchTextFormat || format === searchTextFormat);
}

/** The end of a message; names the text of a closed list that differs from the value only in case. */
function sentenceEnd(found: unknown, { enum: texts = [] }: Keywords): string {
  if (typeof found !== "string") return ".";
  const same = texts.find((one) => one?.toLowerCase() === found.toLowerCase());
  return same === undefined ? "." : `; did you mean ${same}?`;
}

function unknownProblem(problem: ValueProblem, sentTexts: SentTexts | undefined): FieldProblem {
  const { path, found, schema } = problem;
  const name = pathText(path);
  const field = excerptOf(name);
  const nearest = nearestName(name, Object.keys(schema.properties ?? {}));
  const end = nearest === undefined ? "." : `; did you mean ${nearest}?`;
  return {
    field,
    message: `${JSON.stringify(field)} is unknown here, expected ${wantedInstead(problem)}${end}`,
    received: asSent(found, sentTexts, path),
  };
}

/** A value as received; a number that JavaScript does not hold exactly as the text that it was sent as. */
function asSent(value: unknown, sentTexts: SentTexts | undefined, [name = "", place]: ValuePath): unknown {
  const sent = typeof value === "number" ? sentNumber(value, sentTexts, String(name), Number(place ?? 0)) : undefined;
  if (sent === undefined) return receivedOf(value);
  // A number of many digits is no signature.
  return sent.length > receivedCharactersMax ? `${sent.slice(0, receivedCharactersMax)}…` : rawNumber(sent);
}

/** Longer names are not compared: the cost grows with their length. */
const nameCharactersMax = 40;

/** At most this part of the characters differs. */
const nameDifferenceMax = 0.35;

/**
 * The name of a field that a client probably meant: one that differs only in case, in dashes and the like or in
 * brackets behind it; otherwise the first that begins with it, or the one with the fewest characters to change
 * (Levenshtein). Undefined where none is near.
 */
function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > nameCharactersMax) return undefined;
  const sent = plainName(name.replace(/\[.*$/, ""));
  const plain = new Map(known.map((one) => [plainName(one), one]));
  const names = [...plain.keys()];
  const nearest = plain.has(sent)
    ? sent
    : (names.find((one) => sent.length > 2 && one.startsWith(sent)) ??
      closestMatch(sent, names, { maxDistance: Math.floor(sent.length * nameDifferenceMax) }));
  return nearest === undefined ? undefined : plain.get(nearest);
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}
