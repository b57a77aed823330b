/** The mapping file: it says which column of a table is what, and how its texts are read. */
import { basename } from "node:path";
import { writeWholeFile } from "../../../engine/files/write-whole-file.ts";
import { type Schema, type ValueOf, wanted } from "../../../engine/model/json-schema.ts";
import * as schema from "../../../engine/model/record-schema.ts";
import { conversionFactorMax, conversionFactorMin } from "../../../engine/model/records.ts";
import { checkValue } from "../../../engine/snapshots/check-record.ts";
import { inputFaults } from "../../../engine/snapshots/input-values.ts";
import { type Fault, fieldFault, ProblemList } from "../../../engine/snapshots/problem.ts";
import { parseRecord } from "../../../engine/snapshots/record-texts.ts";
import { readInputFile } from "../read-input-file.ts";
import { DateReader, isDateFormat } from "./date-cell.ts";
import { decodeText, encodings, findEncoding } from "./decode-text.ts";
import { type Field, fields } from "./headings.ts";
import { decimals, thousands } from "./price-cell.ts";
import { delimiters } from "./read-csv-table.ts";
import { rowsMax } from "./sheet-table.ts";
import { formsOfHeadings, type WidePrices, wideFields, widePrices } from "./wide-columns.ts";

/** Every price needs these, and a unit and a currency, which may also stand beside the price in its cell. */
export const requiredFields = ["date", "market", "product", "price"] as const satisfies Field[];

type ByField<Value> = Readonly<Partial<Record<Field, Value>>>;

type MappedColumns = Omit<ByField<string | readonly string[]>, "price"> & { readonly price?: string | WidePrices };

function byField<Value>(
  names: readonly Field[],
  schemaOf: (field: Field) => Schema<Value>,
  called: string,
): Schema<ByField<Value>> {
  const properties = Object.fromEntries(names.map((field) => [field, schemaOf(field)]));
  const expected = `an object of ${called} by field: ${names.join(", ")}`;
  return { type: "object", properties, additionalProperties: false, [wanted]: expected };
}

const heading: Schema<string> = { ...schema.text, [wanted]: "the heading of a column" };

/** The headings of one field: a text, or several where it stands in several columns. */
const headings: Schema<string | readonly string[]> = {
  type: ["string", "array"],
  format: "text",
  items: heading,
  minItems: 1,
  maxItems: 8,
  [wanted]: "the heading of a column, or an array of the headings of several",
};

/** The heading of the prices, or what their headings are in a wide table. */
const priceHeadings: Schema<string | WidePrices> = {
  ...{ type: ["string", "object"], format: "text", additionalProperties: false, required: ["headings"] },
  properties: {
    headings: oneOfTexts(wideFields),
    form: { type: ["string", "null"], [wanted]: "a form of dates" },
    columns: { type: ["array", "null"], items: heading, minItems: 1, [wanted]: "an array of headings" },
  },
  [wanted]: 'the heading of a column, or "headings" with "form" or "columns"',
};

/** A text that is one of these values. */
function oneOfTexts<T extends string>(values: readonly T[]): Schema<T> {
  const quoted = values.map((value) => JSON.stringify(value));
  return { ...schema.oneOf(values), [wanted]: `one of ${quoted.join(", ")}` };
}

const dateFormat: Schema<string> = {
  type: "string",
  format: "text",
  [wanted]: 'a form of dates, such as "dd/MM/yyyy", "d MMM yyyy" or "serial"',
};

const unitFormat = {
  ...schema.object({
    base_unit: schema.unitName,
    /** The number of base units in one. */
    factor: schema.range(conversionFactorMin, conversionFactorMax),
    /** Its name when absent. */
    abbreviation: schema.nullableName,
  }),
  [wanted]: "a unit: base_unit and factor",
};

/** Most delimiters that may end every row of a CSV file. */
export const trailingDelimitersMax = 1000;

/** Bounds of `scale`. */
const [scaleMin, scaleMax] = [0.001, 1e9];

/** Rows that the headings of a table can take. */
const headerRowsMax = 3;

const otherFields = fields.filter((field) => field !== "price");

/** The fields of a mapping. */
const mappingFormat = {
  ...schema.object({
    source: schema.name,
    sheet: schema.nullableText,
    encoding: schema.nullable(oneOfTexts(encodings)),
    delimiter: schema.nullable(oneOfTexts(delimiters)),
    header_row: schema.nullable(schema.integer(0, rowsMax)),
    header_rows: schema.nullable(schema.integer(1, headerRowsMax)),
    columns: byField<string | readonly string[] | WidePrices>(
      fields,
      (field) => (field === "price" ? priceHeadings : headings),
      "headings",
    ) as Schema<MappedColumns>,
    values: schema.nullable(byField(otherFields, () => schema.text, "texts")),
    date_formats: schema.nullable({
      ...schema.list(dateFormat),
      minItems: 1,
      [wanted]: "an array of at least one form of dates",
    }),
    decimal: schema.nullable(oneOfTexts(decimals)),
    thousands: schema.nullable(oneOfTexts(thousands)),
    /** What a number in the column of prices is multiplied by: 1000 where they are in thousands. */
    scale: schema.nullable(schema.range(scaleMin, scaleMax)),
    three_decimals: schema.nullable(schema.flag),
    trailing_delimiters: schema.nullable(schema.integer(0, trailingDelimitersMax)),
    fill_down: schema.nullable(schema.list(schema.oneOf(fields))),
    empty_texts: schema.nullableTexts,
    skip_rows: schema.nullableTexts,
    /** Words of the heading of the prices, titles, and headings of columns that say nothing of the prices. */
    ignored: schema.nullableTexts,
    attribution: schema.nullableTexts,
    /** True if the heading of the price column is part of the identity of its prices; the headings decide if absent. */
    heading_in_key: schema.nullable(schema.flag),
    /** True if hour and minute are part of the identity of prices. */
    time_in_key: schema.nullable(schema.flag),
    /** Units that the snapshot does not have, by name. */
    units: schema.nullable(schema.mapOf(unitFormat)),
    /** Codes by signs of currencies that mean several, such as `$`, or that are not known. */
    currencies: schema.nullable(schema.mapOf(schema.pattern("^[A-Z]{3}$", "three capital letters"))),
  }),
  [wanted]: "a mapping",
};

type MappingFields = ValueOf<typeof mappingFormat>;
type Stated = { readonly [Name in keyof MappingFields]: NonNullable<MappingFields[Name]> };
type Detected = "sheet" | "encoding" | "delimiter" | "heading_in_key" | "time_in_key";

/** A mapping as it stands in its file, which may leave out most of it; null counts as left out. */
export type MappingFile = Pick<Stated, "source" | "columns"> & Partial<Stated>;

/** The same with defaults for what the file leaves out; some of it is then detected. */
export type Mapping = Omit<Stated, Detected> & { readonly [Name in Detected]: Stated[Name] | undefined };

export const mappingDefaults = {
  header_row: 1,
  header_rows: 1,
  values: {},
  date_formats: ["yyyy-MM-dd"],
  decimal: ".",
  thousands: ",",
  scale: 1,
  three_decimals: false,
  trailing_delimiters: 0,
  fill_down: [],
  empty_texts: ["-", "n/a"],
  skip_rows: ["total", "subtotal", "grand total", "jumla", "average"],
  ignored: [],
  attribution: [],
  units: {},
  currencies: {},
} as const satisfies Partial<MappingFile>;

const mappingBytesMax = 1024 * 1024;

/**
 * Reads a mapping file.
 *
 * @param date The day or month of all prices of a table without dates; a mapping would give it to the next table too.
 * @throws {ImportRefusedError} when there is none, or it is not text in UTF-8.
 * @throws {DatasetError} naming every field that does not fit.
 */
export async function readMapping(path: string, date?: string): Promise<Mapping> {
  const file = basename(path);
  const problems = new ProblemList();
  const bytes = await readInputFile(path, mappingBytesMax, "a mapping; --init makes one");
  const encoding = findEncoding(file, bytes, "utf-8");
  const parsed = parseRecord(decodeText(file, bytes, encoding));
  const faults = parsed.fault === undefined ? checkValue(mappingFormat, parsed.value) : [parsed.fault];
  const written = parsed.value as unknown as MappingFile;
  // What fields say together is checked of fields that fit by themselves.
  for (const fault of faults.length > 0 ? faults : faultsTogether(written, date)) problems.add({ file, ...fault });
  problems.throwIfAny(path);
  const mapping = withDefaults(written);
  return date === undefined ? mapping : { ...mapping, values: { ...mapping.values, date }, date_formats: statedDates };
}

/** The forms of a date that is stated for a whole table. */
const statedDates = ["yyyy-MM-dd", "yyyy-MM"];

/** The faults of a date for the whole table, which the mapping has or a person states. */
function dateFaults({ columns, values }: MappingFile, date: string | undefined): Fault[] {
  const fault = (found: string, wanted: string): Fault[] => [
    fieldFault("value", "values.date", JSON.stringify(found), wanted),
  ];
  const mapped = values?.date ?? date;
  if (mapped === undefined) return [];
  if ((columns.date ?? null) !== null || widePrices(columns)?.headings === "date") {
    return fault(mapped, 'none beside "columns.date", or headings that are dates');
  }
  if (date === undefined) return fault(mapped, "--date with the day or month of this table: another table has another");
  const isRead = typeof new DateReader(statedDates, 1900).read(date) !== "object";
  if (!isRead) return fault(date, "a day 2026-06-15 or a month 2026-06 in --date");
  return mapped === date ? [] : fault(mapped, `no other date than --date ${date}`);
}

/** A mapping with defaults; null counts as left out. */
export function withDefaults(written: MappingFile): Mapping {
  const present = Object.fromEntries(
    Object.entries(written).filter(([, value]) => value !== null),
  ) as unknown as MappingFile;
  const detected = { sheet: undefined, encoding: undefined, delimiter: undefined };
  const wide = widePrices(present.columns);
  const forms = wide?.headings === "date" ? { date_formats: formsOfHeadings(wide) } : {};
  return { ...detected, heading_in_key: undefined, time_in_key: undefined, ...mappingDefaults, ...present, ...forms };
}

/** Fields that every price needs and the mapping names neither a column nor a text for. */
function missingColumns({ columns, values }: MappingFile, date: string | undefined): Fault[] {
  return requiredFields
    .filter((field) => (columns[field] ?? null) === null && (values?.[field] ?? null) === null)
    .filter((field) => field !== widePrices(columns)?.headings)
    .filter((field) => field !== "date" || date === undefined)
    .map((field) => {
      const orValue = `, or a text for all rows in "values.${field}"`;
      const orText = field === "price" ? "" : field === "date" ? ", or --date for all rows" : orValue;
      const wanted = `the heading of its column${orText}`;
      return { kind: "missing-field", field: `columns.${field}`, found: "missing", wanted };
    });
}

/** The faults of a mapping whose fields fit by themselves. */
function faultsTogether(written: MappingFile, date: string | undefined): Fault[] {
  const { source, attribution, units } = written;
  const published = inputFaults(mappingFormat, { source, attribution, units });
  const faults = [...published, ...missingColumns(written, date), ...dateFaults(written, date)];
  const { header_row, header_rows, date_formats, decimal, thousands } = withDefaults(written);
  const wide = widePrices(written.columns)?.headings;
  const twice = wide && (written.columns[wide] ?? written.values?.[wide] ?? undefined);
  if (wide && twice) {
    faults.push(fieldFault("value", wide, JSON.stringify(twice), "none, because headings of prices have it"));
  }
  if (header_row === 0 && header_rows > 1) {
    faults.push(fieldFault("value", "header_rows", String(header_rows), '1, where "header_row" is 0'));
  }
  date_formats.forEach((format, at) => {
    if (isDateFormat(format)) return;
    const days = "one of d, dd with M, MM, MMM, MMMM and yy, yyyy; HH:mm:ss or h:mm:ss a, and XXX, may follow";
    const wanted = `"serial", ${days}; or a month and a year alone`;
    const field = wide === "date" ? "columns.price.form" : `date_formats[${at}]`;
    faults.push(fieldFault("value", field, JSON.stringify(format), wanted));
  });
  if (decimal === thousands) {
    faults.push(fieldFault("value", "thousands", JSON.stringify(thousands), 'another sign than "decimal"'));
  }
  return faults;
}

/**
 * Writes a new mapping file, its fields in the order of the manual.
 *
 * @throws {FolderTakenError} when the file is there.
 */
export async function writeMapping(path: string, mapping: MappingFile): Promise<void> {
  await writeWholeFile(path, [`${JSON.stringify(mapping, null, 2)}\n`]);
}
