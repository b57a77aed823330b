/**
 * Writes rows as JSON objects. The schema of the object says which fields there are, and each field where its value is
 * found in a row (`withValue`): a column of a table, or what JSON alone has.
 *
 * The text around values is joined to the text of codes when the writer is made, so a price of twenty fields is put
 * together from ten pieces. None of them leaves this file, because alone they are no JSON.
 */

import type { ColumnType, RowValue, StoredValues } from "../../../engine/export/table-columns.ts";
import { type Instant, instantText } from "../../../engine/model/calendar.ts";
import type { Keywords, ObjectSchema, Schema } from "../../../engine/model/json-schema.ts";
import { roundFigure } from "../../../engine/store/figures.ts";
import type { Store } from "../../../engine/store/store.ts";
import { byStore, type Fragment, fragmentOf, type JsonWriter, type WriteItem } from "./json-writer.ts";
/** The value of a field: the cells of a column, or without a type anything that JSON has. */
export type FieldValue<Row> = RowValue<Row, unknown> & {
  readonly type?: ColumnType;
  readonly isRounded?: true;
  readonly isNullable?: true;
  readonly storedIn?: (store: Store) => StoredValues;
};

/** Keyword for the value of a field; a symbol, so no validator or reader of the schema sees it. */
const valueKey: unique symbol = Symbol("value");

interface ValuedKeywords extends Keywords {
  readonly [valueKey]?: FieldValue<never>;
}

/** A schema for a field with this value. */
export function withValue<Described extends Schema, Row>(schema: Described, value: FieldValue<Row>): Described {
  return { ...schema, [valueKey]: value };
}

/** A piece of the form of an object: text between values, a value, or an object that may be null. */
type Part<Row> = string | ValuePart<Row> | NullableObject<Row>;

interface ValuePart<Row> {
  readonly value: FieldValue<Row>;
  /** True if the value can be null. */
  readonly isNullable: boolean;
  /** Name and comma of a field that is left out where its value is null; of other fields they are text. */
  readonly around?: { readonly front: string; readonly behind: string };
}

/** An object that is null where the value of its first required field is. */
interface NullableObject<Row> {
  readonly first: FieldValue<Row>;
  readonly parts: readonly Part<Row>[];
}

interface RowForm {
  /** Fields that come first, in this order; the others follow in that of the schema. */
  readonly first?: readonly string[] | undefined;
  /** False for the fields alone that the schema requires. */
  readonly isDetailed?: boolean;
}

/**
 * Returns what writes the rows of a store. A value that is null is written so where the schema allows null; else the
 * field, which is optional then, is left out. An object that may be null is null where the
 * value of its first required field is.
 */
export function rowWriter<Row>(
  schema: ObjectSchema,
  { first = [], isDetailed = true }: RowForm = {},
): (store: Store) => WriteItem<Row> {
  const names = Object.keys(schema.properties);
  const order = [...new Set([...first.filter((name) => names.includes(name)), ...names])];
  const parts = partsOfObject<Row>(schema as ValuedKeywords, order, isDetailed);
  return byStore((store) => writerOf(parts, store));
}

/** The writers of rows without and with the fields of `detail`, which are those that the schema does not require. */
export function detailWriters<Row>(
  schema: ObjectSchema,
  first?: readonly string[],
): (store: Store, isDetailed?: boolean) => WriteItem<Row> {
  const plain = rowWriter<Row>(schema, { first, isDetailed: false });
  const detailed = rowWriter<Row>(schema, { first });
  return (store, isDetailed = false) => (isDetailed ? detailed : plain)(store);
}

/** @throws {RangeError} Where all fields can be left out: one that is always there has the commas on both sides. */
function partsOfObject<Row>(schema: ValuedKeywords, order: readonly string[], isDetailed: boolean): Part<Row>[] {
  const { properties = {}, required = [] } = schema;
  const names = isDetailed ? order : order.filter((name) => required.includes(name));
  const fields = names.map((name) => {
    const parts = partsOfField<Row>(properties[name] as ValuedKeywords, isDetailed);
    const [only] = parts;
    const canLack = !required.includes(name) && isValue(only) && only.value.isNullable === true && !only.isNullable;
    return { name, parts, leftOut: canLack ? only : undefined };
  });
  const always = fields.findIndex(({ leftOut }) => leftOut === undefined);
  if (always === -1) throw new RangeError(`An object of ${names.join(", ")} without a field that is always there`);
  const parts = fields.flatMap(({ name, parts: ofField, leftOut }, at): Part<Row>[] => {
    const front = `${at > always ? "," : ""}${JSON.stringify(name)}:`;
    if (leftOut === undefined) return [front, ...ofField];
    return [{ ...leftOut, around: { front, behind: at < always ? "," : "" } }];
  });
  return ["{", ...parts, "}"];
}

function partsOfField<Row>(field: ValuedKeywords, isDetailed: boolean): Part<Row>[] {
  const { type, anyOf: [choice, ...others] = [], properties = {}, [valueKey]: value } = field;
  const isNullable = type?.includes("null") === true || others.some((other) => other.type === "null");
  const found = (value ?? (choice as ValuedKeywords | undefined)?.[valueKey]) as FieldValue<Row> | undefined;
  if (found !== undefined) {
    const part = { value: found, isNullable };
    return isQuoted(part) ? ['"', part, '"'] : [part];
  }
  if (choice === undefined) return partsOfObject<Row>(field, Object.keys(properties), isDetailed);
  const parts = partsOfField<Row>(choice, isDetailed);
  const { value: first } = parts.find((part) => isValue(part) && part.around === undefined) as ValuePart<Row>;
  return first.isNullable === true ? [{ first, parts }] : parts;
}

/** Returns whether the quotes of a value are text around it: of a uuid or time that is written in its own form. */
function isQuoted<Row>({ value: { codeOf, type, storedIn }, isNullable }: ValuePart<Row>): boolean {
  return !isNullable && codeOf === undefined && (type === "timestamp" || (type === "uuid" && storedIn !== undefined));
}

function isValue<Row>(part: Part<Row> | undefined): part is ValuePart<Row> {
  return typeof part === "object" && "value" in part;
}

function isCoded<Row>(part: Part<Row>): part is ValuePart<Row> {
  return isValue(part) && part.value.codeOf !== undefined;
}

/** The text before a value, then the value. All have one shape, so that one loop writes them without calls. */
interface Step<Row> {
  /** The text where it is the same in all rows. */
  readonly text: Fragment;
  /** The texts by code, where it has values of codes; made when a code is first met. */
  readonly known: Fragment[];
  readonly make: ((code: number) => Fragment) | undefined;
  readonly codes: StoredValues | undefined;
  readonly codeAt: (row: Row) => number;
  readonly kind: "none" | "uuid" | "instant" | "number" | "other";
  /** The column that a value is read from. */
  readonly stored: StoredValues;
  readonly write: WriteItem<Row>;
}

function writerOf<Row>(parts: readonly Part<Row>[], store: Store): WriteItem<Row> {
  const steps = stepsOf(parts, store);
  return (writer, row) => {
    for (let at = 0; at < steps.length; at++) {
      const step = steps[at] as Step<Row>;
      const { make, codes } = step;
      if (make === undefined) writer.fragment(step.text);
      else {
        const code = codes === undefined ? step.codeAt(row) : (codes[row as number] as number);
        writer.fragment(step.known[code] ?? make(code));
      }
      if (step.kind === "number") writer.number(step.stored[row as number] as number);
      else if (step.kind === "instant") writer.instant(step.stored[row as number] as Instant);
      else if (step.kind === "uuid") writer.uuid(step.stored as Uint32Array, row as number);
      else if (step.kind === "other") step.write(writer, row);
    }
  };
}

/** Values of one code, each with the text before it. */
interface CodedTexts<Row> {
  readonly first: FieldValue<Row>;
  readonly values: { readonly before: string; readonly part: ValuePart<Row> }[];
}

/** Joins the text between values, and the values of one code, to the value behind them. */
function stepsOf<Row>(parts: readonly Part<Row>[], store: Store): Step<Row>[] {
  const steps: Step<Row>[] = [];
  let text = "";
  let coded: CodedTexts<Row> | undefined;
  const endStep = (part?: ValuePart<Row> | NullableObject<Row>): void => {
    steps.push({ ...textStep(coded, text, store), ...(part === undefined ? noValue : valueStep(part, store)) });
    coded = undefined;
    text = "";
  };
  for (const part of parts) {
    if (typeof part === "string") text += part;
    else if (isCoded(part)) {
      if (coded !== undefined && coded.first.codeOf !== part.value.codeOf) endStep();
      coded ??= { first: part.value, values: [] };
      coded.values.push({ before: text, part });
      text = "";
    } else endStep(part);
  }
  endStep();
  return steps;
}

type TextOfStep<Row> = Pick<Step<Row>, "text" | "known" | "make" | "codes" | "codeAt">;
type ValueOfStep<Row> = Pick<Step<Row>, "kind" | "stored" | "write">;

function textStep<Row>(coded: CodedTexts<Row> | undefined, behind: string, store: Store): TextOfStep<Row> {
  const known: Fragment[] = [];
  if (coded === undefined) {
    return { text: fragmentOf(behind), known, make: undefined, codes: undefined, codeAt: () => 0 };
  }
  const make = (code: number): Fragment => {
    const texts = coded.values.map(({ before, part: { value, around } }) => {
      const found = (value.cellOf as (code: number, store: Store) => unknown)(code, store);
      if (around === undefined) return before + jsonOf(value, found);
      return found === null ? before : before + around.front + jsonOf(value, found) + around.behind;
    });
    known[code] = fragmentOf(texts.join("") + behind);
    return known[code];
  };
  const { codeOf, storedIn } = coded.first as Extract<FieldValue<Row>, { codeOf: object }>;
  return { text: fragmentOf(""), known, make, codes: storedIn?.(store), codeAt: codeOf(store) };
}

const noStored = new Float64Array();
const noValue = { kind: "none", stored: noStored, write() {} } as const;

function valueStep<Row>(part: ValuePart<Row> | NullableObject<Row>, store: Store): ValueOfStep<Row> {
  if (!isValue(part)) return { kind: "other", stored: noStored, write: writerOfObject(part, store) };
  const { type, storedIn } = part.value;
  if (storedIn === undefined) return { kind: "other", stored: noStored, write: writerOfCells(part, store) };
  const kind = type === "uuid" ? "uuid" : type === "timestamp" ? "instant" : "number";
  return { kind, stored: storedIn(store), write() {} };
}

function jsonOf<Row>({ type, isRounded }: FieldValue<Row>, found: unknown): string {
  if (found === null) return "null";
  if (type === "timestamp") return JSON.stringify(instantText(found as Instant));
  return isRounded === true ? String(roundFigure(found as number)) : JSON.stringify(found);
}

function writerOfCells<Row>(part: ValuePart<Row>, store: Store): WriteItem<Row> {
  const { value, around } = part;
  const cellOf = value.cellOf as (row: Row, store: Store) => unknown;
  const write = writerOfType(part);
  if (around === undefined) {
    return (writer, row) => {
      const found = cellOf(row, store);
      if (found === null) writer.fragment(nullFragment);
      else write(writer, found);
    };
  }
  const front = fragmentOf(around.front);
  const behind = fragmentOf(around.behind);
  return (writer, row) => {
    const found = cellOf(row, store);
    if (found === null) return;
    writer.fragment(front);
    write(writer, found);
    writer.fragment(behind);
  };
}

const nullFragment = fragmentOf("null");

function writerOfType<Row>(part: ValuePart<Row>): (writer: JsonWriter, found: unknown) => void {
  const { type, isRounded } = part.value;
  if (isRounded === true) return (writer, found) => writer.figure(found as number);
  if (type === "number" || type === "integer") return (writer, found) => writer.number(found as number);
  if (isQuoted(part)) return (writer, found) => writer.instant(found as Instant);
  if (type === "timestamp") return (writer, found) => writer.text(JSON.stringify(instantText(found as Instant)));
  return (writer, found) => writer.text(JSON.stringify(found));
}

function writerOfObject<Row>({ first, parts }: NullableObject<Row>, store: Store): WriteItem<Row> {
  const write = writerOf(parts, store);
  const codeAt = first.codeOf?.(store);
  const isNull = (row: Row): boolean => {
    if (first.codeOf === undefined) return first.cellOf(row, store) === null;
    return first.cellOf((codeAt as (row: Row) => number)(row), store) === null;
  };
  return (writer, row) => {
    if (isNull(row)) writer.fragment(nullFragment);
    else write(writer, row);
  };
}
