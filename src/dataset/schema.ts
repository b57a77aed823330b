/**
 * JSON Schemas of what stands in files, the check against them, and the step from checked JSON to records in memory.
 *
 * Every `description` is the message for a value that does not fit, ready to follow "expected". In these files a field
 * is either required or may be null, so the fields that may not be null are the required ones. Names are snake_case in
 * files and camelCase in memory; uuids are lower case and times are instants in memory, and what is missing is null.
 */
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { compareTexts } from "../domain/folded-text.ts";
import { toUuid } from "../domain/ids.ts";
import { type Instant, instantFromText, instantText } from "../domain/instant.ts";
import { camelCase, snakeCase } from "../domain/snake-case.ts";
import { type Fault, foundText } from "./problem.ts";
import { type LineText, parseRecord, type UncheckedRecord } from "./record-texts.ts";

declare const memory: unique symbol;

/** A piece of JSON Schema. @typeParam T What a value that fits is in memory. */
export interface Schema<T = unknown> {
  readonly description: string;
  readonly [keyword: string]: unknown;
  readonly [memory]?: T;
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
export const webAddress: Schema = {
  type: "string",
  format: "web-address",
  description: "an address that begins with http:// or https://, in ASCII without spaces",
};
export const uuid: Schema = { type: "string", format: "uuid", description: "a UUID of 36 characters" };
export const instant: Schema = { type: "string", format: "instant", description: "an RFC 3339 time" };
export const nullableText: NullableSchema = nullable(text);
export const nullableTexts: NullableSchema = nullable(list(text));

/** One schema a field, and one that knows null exactly where the type does. */
type FieldSchemas<T> = { readonly [Key in keyof T]-?: null extends T[Key] ? NullableSchema : Schema };

/** An object with these fields and no others. */
export function object<T extends object>(fields: FieldSchemas<T>): Schema<T> {
  const entries = Object.entries<Schema>(fields).map(([name, schema]) => [snakeCase(name), schema] as const);
  const required = entries.filter(([, schema]) => schema["nullable"] !== true).map(([name]) => name);
  const properties = Object.fromEntries(entries);
  return { type: "object", properties, required, additionalProperties: false, description: "an object" };
}

/** An object of any names whose values fit the same schema; it may be empty. */
export function mapOf<T>(values: Schema<T>): Schema<Readonly<Record<string, T>>> {
  return { type: "object", additionalProperties: values, description: "an object" };
}

/** An array, which may be empty. */
export function list(items: Schema): Schema {
  return { type: "array", items, description: "an array" };
}

/** One of a closed list of texts. */
export function oneOf(values: readonly string[]): Schema {
  return { type: "string", enum: values, description: `one of ${values.join(", ")}` };
}

/** A whole number between these (both inclusive); one that a double cannot represent exactly is none. */
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
  const values = schema["enum"] as readonly unknown[] | undefined;
  // The keyword `nullable` of the compiler concerns `type` alone.
  const withNull = values === undefined ? {} : { enum: [...values, null] };
  return { ...schema, ...withNull, nullable: true, description: `${schema.description}, or null` };
}

/** A record that has passed, as it is in memory; or what is wrong with its fields: at least one fault. */
export type CheckedRecord<T> =
  | { readonly record: T; readonly faults?: never }
  | { readonly record?: never; readonly faults: readonly Fault[] };

const validators = new Map<Schema, ValidateFunction>();
let ajv: Ajv | undefined;

/**
 * Checks one record by itself: fields, types, forms and ranges.
 *
 * Cost: the first record compiles the schema, some milliseconds.
 */
export function checkRecord<T>(schema: Schema<T>, value: UncheckedRecord): CheckedRecord<T> {
  const faults = checkValue(schema, value);
  return faults.length === 0 ? { record: convert(schema, value, inMemory) as T } : { faults };
}

/**
 * Checks a value of any kind.
 *
 * @returns What is wrong with it; empty when it fits.
 * Cost: the first value of a schema object compiles it, so schemas are constants.
 */
export function checkValue(schema: Schema, value: unknown): readonly Fault[] {
  const validate = validators.getOrInsertComputed(schema, () => {
    ajv ??= createAjv();
    return ajv.compile(schema);
  });
  return validate(value) ? [] : (validate.errors ?? []).map(toFault);
}

/**
 * Reads the text of one record.
 *
 * @returns With a record, `written` is its JSON value as it stands in the file.
 */
export function readRecord<T>(
  schema: Schema<T>,
  { text, fault }: LineText,
): CheckedRecord<T> & { readonly written?: UncheckedRecord } {
  const parsed = fault === undefined ? parseRecord(text) : { fault };
  if (parsed.fault !== undefined) return { faults: [parsed.fault] };
  return { ...checkRecord(schema, parsed.value), written: parsed.value };
}

function createAjv(): Ajv {
  // The schemas are ours and tested, so that checking them against the meta-schema at every start is left out.
  const made = new Ajv({ allErrors: true, verbose: true, strict: true, validateSchema: false, meta: false });
  made.addFormat("text", (text: string) => text !== "" && text.trim() === text);
  // It goes into links of pages and into headers, so anything that would end either is out.
  made.addFormat("web-address", (text: string) => /^https?:\/\/[!#-;=?-~]+$/.test(text) && URL.canParse(text));
  made.addFormat("uuid", (text: string) => toUuid(text) !== undefined);
  made.addFormat("instant", (text: string) => recentInstant(text) !== undefined);
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

function toFault(error: ErrorObject): Fault {
  const path = fieldPath(error.instancePath);
  switch (error.keyword) {
    case "required": {
      const name = String(error.params["missingProperty"]);
      const properties = (error.parentSchema?.["properties"] ?? {}) as Readonly<Record<string, Schema>>;
      const wanted = properties[name]?.description ?? "a value";
      return { kind: "missing-field", field: joinPath(path, name), found: "missing", wanted };
    }
    case "additionalProperties": {
      const field = joinPath(path, String(error.params["additionalProperty"]));
      return { kind: "unknown-field", field, found: "unknown", wanted: "only the fields of the format" };
    }
    default: {
      const wanted = String(error.parentSchema?.["description"] ?? error.message);
      return { kind: "value", field: path, found: foundText(error.data), wanted };
    }
  }
}

/** A JSON pointer as people write it: `/sub_counties/3/name` → `sub_counties[3].name`. */
function fieldPath(pointer: string): string {
  let path = "";
  for (const part of pointer.split("/").slice(1)) {
    path = /^\d+$/.test(part) ? `${path}[${part}]` : joinPath(path, part.replaceAll("~1", "/").replaceAll("~0", "~"));
  }
  return path;
}

function joinPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** A record in memory as it stands in files: the reverse of `checkRecord`. What is null is left out. */
export function writtenRecord<T>(schema: Schema<T>, record: T): UncheckedRecord {
  return convert(schema, record, inFiles) as UncheckedRecord;
}

/** How values are converted: what is missing, texts by their format, and the names of fields. */
interface Conversion {
  readonly missing: null | undefined;
  readonly formats: Readonly<Record<string, (value: never) => unknown>>;
  readonly from: "name" | "memoryName";
  readonly to: "name" | "memoryName";
}

const inMemory: Conversion = {
  missing: null,
  formats: { uuid: toUuid, instant: recentInstant },
  from: "name",
  to: "memoryName",
};
const inFiles: Conversion = { missing: undefined, formats: { instant: instantText }, from: "memoryName", to: "name" };

/** A value that has passed the check, converted. Objects without a list of fields stay as they are. */
function convert(schema: Schema, value: unknown, into: Conversion): unknown {
  const { format, items, properties, additionalProperties } = schema;
  if (value === null || value === undefined) return into.missing;
  const convertText = into.formats[format as string];
  if (convertText !== undefined) return convertText(value as never);
  if (items !== undefined) return (value as readonly unknown[]).map((item) => convert(items as Schema, item, into));
  if (typeof additionalProperties === "object") {
    return mapValues(value as UncheckedRecord, (item) => convert(additionalProperties as Schema, item, into));
  }
  if (properties === undefined) return value;
  const object = value as UncheckedRecord;
  const converted: Record<string, unknown> = {};
  for (const field of fieldsOf(properties as Properties)) {
    const member = convert(field.schema, object[field[into.from]], into);
    if (member !== undefined) converted[field[into.to]] = member;
  }
  return converted;
}

/** Names in order of code unit, so that equal objects are written alike. */
function mapValues(object: UncheckedRecord, convert: (value: unknown) => unknown): object {
  const entries = Object.entries(object).sort(([a], [b]) => compareTexts(a, b));
  return Object.fromEntries(entries.map(([name, value]) => [name, convert(value)]));
}

interface SchemaField {
  /** As in files. */
  readonly name: string;
  readonly memoryName: string;
  readonly schema: Schema;
}

type Properties = Readonly<Record<string, Schema>>;

const fieldLists = new WeakMap<Properties, readonly SchemaField[]>();

/** Listed once for each schema, because every record is taken over by its fields. */
function fieldsOf(properties: Properties): readonly SchemaField[] {
  return fieldLists.getOrInsertComputed(properties, () =>
    Object.entries(properties).map(([name, schema]) => ({ name, memoryName: camelCase(name), schema })),
  );
}

const recentInstantsMax = 4096;
const recentInstants = new Map<string, Instant>();

/** As `instantFromText`, remembering late answers: times are read twice, and whole market days carry the same one. */
function recentInstant(text: string): Instant | undefined {
  const known = recentInstants.get(text);
  if (known !== undefined) return known;
  const instant = instantFromText(text);
  if (instant === undefined) return undefined;
  if (recentInstants.size >= recentInstantsMax) recentInstants.clear();
  recentInstants.set(text, instant);
  return instant;
}
