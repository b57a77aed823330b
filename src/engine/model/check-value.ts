/**
 * Checks values against schemas, and says what they accept: the formats of texts, and the only place that knows the
 * validator and its errors.
 */
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { dayFromText, instantFromText } from "./calendar.ts";
import { coordinatesFromText, coordinatesPattern, coordinatesWanted } from "./coordinates.ts";
import { foldText, searchWords } from "./folded-text.ts";
import { toUuid } from "./ids.ts";
import { advice, type Keywords, type Schema, wanted } from "./json-schema.ts";

/** Names of fields and places in lists, from the outside in; empty for the value itself. */
export type ValuePath = readonly (string | number)[];

/** One thing that a schema finds wrong with a value. */
export interface ValueProblem {
  /** `unknown`: a field that the schema does not have. */
  readonly kind: "missing" | "unknown" | "value";
  readonly path: ValuePath;
  /** The value there; undefined where it is missing. */
  readonly found: unknown;
  /** The schema of the value there; of an unknown field that of the object which has it. */
  readonly schema: Keywords;
}

/** Finds what is wrong with a value, in the order of the schema; empty where it fits. */
export type ValueChecker = (value: unknown) => readonly ValueProblem[];

const nothingWrong: readonly ValueProblem[] = [];

/**
 * The checker of a schema. It is compiled when first used, some milliseconds: to compile all at the start would take
 * longer than a start should.
 */
export function createChecker(schema: Schema): ValueChecker {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= validator().compile(schema);
    return validate(value) ? nothingWrong : (validate.errors ?? []).map(problemOf);
  };
}

/** The text for what is expected in place of what was found, ready to follow "expected". */
export function wantedInstead({ kind, found, schema }: ValueProblem): string {
  if (kind === "unknown") {
    const known = Object.keys(schema.properties ?? {});
    return known.length === 0 ? "no fields" : `only ${known.join(", ")}`;
  }
  // Messages leave out the bound of what is counted, unless it is what the value exceeds.
  const isUnsafe = schema.maximum === Number.MAX_SAFE_INTEGER && Number(found) > schema.maximum;
  return isUnsafe && Number.isFinite(found) ? `an integer up to ${Number.MAX_SAFE_INTEGER}` : wantedBy(schema);
}

/** A path as people write it: `sub_counties[3].name`. */
export function pathText(path: ValuePath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? part : `${text}.${part}`;
  }, "");
}

let compiler: Ajv | undefined;

function validator(): Ajv {
  compiler ??= createValidator();
  return compiler;
}

function createValidator(): Ajv {
  // The schemas are ours and tested; checking them against the meta-schema takes 20 ms of processor time in every
  // thread.
  const made = new Ajv({
    allErrors: true,
    verbose: true,
    strict: true,
    allowUnionTypes: true,
    validateSchema: false,
    meta: false,
  });
  for (const [name, { accepts }] of Object.entries(textFormats)) made.addFormat(name, accepts);
  made.addKeyword({
    keyword: "nestingMax",
    type: "object",
    schemaType: "number",
    validate: (levels: number, value: object) => nestsAtMost(levels, value),
  });
  return made;
}

function nestsAtMost(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => nestsAtMost(levels - 1, member));
}

function problemOf({ keyword, instancePath, params, data, parentSchema }: ErrorObject): ValueProblem {
  const path = pathOf(instancePath);
  const schema = parentSchema as Keywords;
  if (keyword === "required") {
    const name = String(params["missingProperty"]);
    return { kind: "missing", path: [...path, name], found: undefined, schema: schema.properties?.[name] ?? {} };
  }
  if (keyword === "additionalProperties") {
    const name = String(params["additionalProperty"]);
    return { kind: "unknown", path: [...path, name], found: (data as Record<string, unknown>)[name], schema };
  }
  return { kind: "value", path, found: data, schema };
}

/** The parts of a JSON pointer. */
function pathOf(pointer: string): ValuePath {
  const [, ...parts] = pointer.split("/");
  return parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll("~1", "/").replaceAll("~0", "~")));
}

/** The values that a schema accepts, ready to follow "expected". */
export function wantedBy(schema: Keywords): string {
  const { type, enum: texts, minimum, maximum, minItems, maxItems, [advice]: hint = "", [wanted]: words } = schema;
  if (words !== undefined) return words;
  if (texts !== undefined) {
    const listed = texts.map((text) => (text?.includes(",") ? JSON.stringify(text) : text));
    return `one of ${listed.join(", ")}${hint}`;
  }
  switch (type) {
    case "string":
      return wantedText(schema);
    case "integer":
      return maximum === Number.MAX_SAFE_INTEGER
        ? `an integer of at least ${minimum}`
        : `an integer from ${minimum} to ${maximum}${hint}`;
    case "array":
      return `a list of ${minItems} to ${maxItems} items`;
    case "boolean":
      return "true or false";
    default:
      return type === undefined ? "a value" : `a ${type}`;
  }
}

function wantedText({ format = "", maxLength }: Keywords): string {
  const words = textFormats[format]?.wanted;
  if (words !== undefined) return words;
  const blanks = "not only blanks or accents";
  const unsearchable = "not only blanks, accents, apostrophes or invisible characters";
  return `a text of 1 to ${maxLength} whole characters, ${format === searchTextFormat ? unsearchable : blanks}`;
}

/** A format of texts that schemas name: which texts it accepts, and how a message names it. */
interface TextFormat {
  readonly accepts: (text: string) => boolean;
  /** Ready to follow "expected"; absent where it needs the length of the text, as `wantedBy` has it. */
  readonly wanted?: string;
  /** A pattern as near as patterns come, for formats that no standard has. */
  readonly pattern?: string;
}

/** The format of a text that can match something. */
export const matchTextFormat = "match-text";

/** The format of a text with words to search for. */
export const searchTextFormat = "search-text";

/** The format of a calendar month. */
export const monthFormat = "month";

/** The format of a point: `LATITUDE,LONGITUDE`. */
export const coordinatesFormat = "coordinates";

export const textFormats: Readonly<Record<string, TextFormat>> = {
  text: {
    accepts: (text) => text !== "" && text.trim() === text,
    wanted: "text, not empty, without spaces around it",
  },
  "web-address": {
    // It goes into links of pages and into headers, so anything that would end either is out.
    accepts: (text) => /^https?:\/\/[!#-;=?-~]+$/.test(text) && URL.canParse(text),
    wanted: "an address that begins with http:// or https://, in ASCII without spaces",
  },
  uuid: { accepts: (text) => toUuid(text) !== undefined, wanted: "a UUID of 36 characters" },
  instant: { accepts: (text) => instantFromText(text) !== undefined, wanted: "an RFC 3339 time" },
  date: { accepts: (text) => dayFromText(text) !== undefined, wanted: "an existing day as YYYY-MM-DD" },
  [monthFormat]: {
    accepts: (text) => /^\d{4}-\d{2}$/.test(text) && dayFromText(`${text}-01`) !== undefined,
    wanted: "an existing month as YYYY-MM",
    pattern: "^[0-9]{4}-(?:0[1-9]|1[0-2])$",
  },
  [coordinatesFormat]: {
    accepts: (text) => coordinatesFromText(text) !== undefined,
    wanted: coordinatesWanted,
    pattern: coordinatesPattern,
  },
  // A text of blanks or accents alone would match everything, and half a surrogate pair nothing.
  [matchTextFormat]: {
    accepts: (text) => text.isWellFormed() && foldText(text).trim() !== "",
    pattern: "\\S",
  },
  [searchTextFormat]: {
    accepts: (text) => text.isWellFormed() && searchWords(text).length > 0,
    pattern: "[^\\s'`´‘’ʻʼ]",
  },
};
