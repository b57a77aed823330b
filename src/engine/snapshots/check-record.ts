/** Checks JSON from files against schemas, and converts what has passed to records in memory, and back. */

import { instantFromText, instantText } from "../model/calendar.ts";
import { createChecker, pathText, type ValueChecker, type ValueProblem, wantedInstead } from "../model/check-value.ts";
import { compareTexts } from "../model/folded-text.ts";
import { getOrInsert } from "../model/get-or-insert.ts";
import { toUuid } from "../model/ids.ts";
import { lengthMax, type Schema } from "../model/json-schema.ts";
import { camelCase } from "../model/snake-case.ts";
import { type Fault, foundText } from "./problem.ts";
import { type LineText, parseRecord, type UncheckedRecord } from "./record-texts.ts";

/** A record that has passed, as it is in memory; or what is wrong with its fields: at least one fault. */
export type CheckedRecord<T> =
  | { readonly record: T; readonly faults?: never }
  | { readonly record?: never; readonly faults: readonly Fault[] };

const checkers = new Map<Schema, ValueChecker>();

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
 * @returns Its faults; empty when it fits.
 * Cost: the first value of a schema object compiles it, so schemas are constants.
 */
export function checkValue(schema: Schema, value: unknown): readonly Fault[] {
  return getOrInsert(checkers, schema, createChecker)(value).map(toFault);
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

function toFault(problem: ValueProblem): Fault {
  const field = pathText(problem.path);
  switch (problem.kind) {
    case "missing":
      return { kind: "missing-field", field, found: "missing", wanted: wantedInstead(problem) };
    case "unknown":
      return { kind: "unknown-field", field, found: "unknown", wanted: "only the fields of the format" };
    default:
      return { kind: "value", field, found: foundText(problem.found), wanted: wantedInstead(problem) };
  }
}

/** A record in memory as it stands in files: the reverse of `checkRecord`. What is null is left out. */
export function writtenRecord<T>(schema: Schema<T>, record: T): UncheckedRecord {
  return convert(schema, record, inFiles) as UncheckedRecord;
}

/**
 * A record in memory with other texts.
 *
 * @param change Is called with each text that has a greatest length.
 */
export function mapRecordTexts<T>(schema: Schema<T>, record: T, change: ChangeText): T {
  return convert(schema, record, { missing: null, formats: {}, from: "memoryName", to: "memoryName", change }) as T;
}

type ChangeText = (text: string, lengthMax: number) => string;

/** Says how values are converted: what is missing, texts by their format, and the names of fields. */
interface Conversion {
  readonly missing: null | undefined;
  readonly formats: Readonly<Record<string, (value: never) => unknown>>;
  readonly change?: ChangeText;
  readonly from: "name" | "memoryName";
  readonly to: "name" | "memoryName";
}

const inMemory: Conversion = {
  missing: null,
  formats: { uuid: toUuid, instant: instantFromText },
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
  const max = schema[lengthMax];
  if (typeof value === "string") return max === undefined ? value : (into.change?.(value, max) ?? value);
  if (items !== undefined) return (value as readonly unknown[]).map((item) => convert(items, item, into));
  if (typeof additionalProperties === "object") {
    return mapValues(value as UncheckedRecord, (item) => convert(additionalProperties, item, into));
  }
  if (properties === undefined) return value;
  const object = value as UncheckedRecord;
  const converted: Record<string, unknown> = {};
  for (const field of fieldsOf(properties)) {
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
  return getOrInsert(fieldLists, properties, () =>
    Object.entries(properties).map(([name, schema]) => ({ name, memoryName: camelCase(name), schema })),
  );
}
