/** Checks JSON from files against schemas, and converts what has passed to records in memory, and back. */
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { type Instant, instantFromText, instantText } from "../model/calendar.ts";
import { compareTexts } from "../model/folded-text.ts";
import { toUuid } from "../model/ids.ts";
import type { Schema } from "../model/record-schema.ts";
import { camelCase } from "../model/snake-case.ts";
import { type Fault, foundText } from "./problem.ts";
import { type LineText, parseRecord, type UncheckedRecord } from "./record-texts.ts";

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
  const made = new Ajv({
    allErrors: true,
    verbose: true,
    strict: true,
    allowUnionTypes: true,
    validateSchema: false,
    meta: false,
  });
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

/** Says how values are converted: what is missing, texts by their format, and the names of fields. */
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
