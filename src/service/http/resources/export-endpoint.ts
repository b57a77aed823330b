/** Exports: whole tables as files, with no limit of rows. Each table is an endpoint in each format. */

import { type ByteText, byteText } from "../../../contract/byte-text.ts";
import { type DeclaredEndpoint, type ExampleRequest, endpoint } from "../../../contract/endpoint.ts";
import type { FieldProblem } from "../../../contract/errors.ts";
import { CitedTexts, type HeaderList } from "../../../contract/reply-body.ts";
import * as s from "../../../contract/schema.ts";
import { citationOf, licenceUrls } from "../../../engine/export/citation.ts";
import type { Columns, RowBlocks } from "../../../engine/export/table-columns.ts";
import { type FormulaForm, formulaForms, type TextFormat, tableText } from "../../../engine/export/table-text.ts";
import type { ObjectSchema, Schema, ValueOf } from "../../../engine/model/json-schema.ts";
import { capitalized } from "../../../engine/model/snake-case.ts";
import { findSources } from "../../../engine/query/describe-prices.ts";
import type { PriceSelection } from "../../../engine/query/walk-prices.ts";
import type { Store } from "../../../engine/store/store.ts";
import { exportedField } from "./table-fields.ts";

const mediaTypes: Readonly<Record<TextFormat, string>> = {
  csv: "text/csv; charset=utf-8; header=present",
  ndjson: "application/x-ndjson",
};

/** Only CSV is opened by spreadsheets. */
const formulaFields = s.optionalFields({
  formulas: s.oneOf(
    formulaForms,
    "Whether text that a spreadsheet would read as a formula gets an apostrophe in front.",
    { default: "escaped" },
  ),
});

/** Task, summary and description are as those of an endpoint, without the format. */
interface ExportDefinition<Query extends ObjectSchema, Row>
  extends Pick<DeclaredEndpoint, "access" | "task" | "summary" | "description"> {
  /** Name of the table, in path and file name. */
  readonly table: string;
  /** Name of the schema of a row. */
  readonly rowName: string;
  /** The query of the example request; empty when absent. */
  readonly example?: ExampleRequest["query"];
  /** No fields when absent. */
  readonly query?: Query;
  readonly check?: (query: ValueOf<Query>) => readonly FieldProblem[];
  readonly columns: Columns<Row>;
  /** The rows, made while they are sent; what is refused is thrown at once. */
  readonly rows: (store: Store, query: ValueOf<Query>) => RowBlocks<Row>;
  /** The prices that the rows are made of, whose sources are cited; absent for tables without prices. */
  readonly pricesOf?: (query: ValueOf<Query>) => PriceSelection;
}

/** The endpoints of a table: CSV and NDJSON. */
export function exportEndpoints<Row, Query extends ObjectSchema = typeof s.noInput>(
  definition: ExportDefinition<Query, Row>,
): DeclaredEndpoint[] {
  const { query = s.noInput } = definition;
  const csvQuery = s.exactly({ ...query.properties, ...formulaFields });
  return [exportEndpoint(definition, "csv", csvQuery), exportEndpoint(definition, "ndjson", query)];
}

function exportEndpoint<Query extends ObjectSchema, Row>(
  definition: ExportDefinition<Query, Row>,
  format: TextFormat,
  query: ObjectSchema,
): DeclaredEndpoint {
  const { table, rowName, check, columns, pricesOf } = definition;
  return endpoint({
    path: `/exports/${table}.${format}`,
    access: definition.access,
    task: `${definition.task} as ${format.toUpperCase()}`,
    summary: `${definition.summary}, as ${format.toUpperCase()}`,
    id: `export${table.split("-").map(capitalized).join("")}${capitalized(format)}`,
    description: `${definition.description} See [exports](/docs/exports).`,
    example: { query: definition.example ?? {} },
    query,
    // Prices are many, all else is a few hundred rows.
    isLong: () => pricesOf !== undefined,
    ...(check === undefined ? {} : { check: (input) => check(input.query as ValueOf<Query>) }),
    form: {
      kind: "table",
      mediaType: mediaTypes[format],
      isRows: format === "ndjson",
      isCited: pricesOf !== undefined,
      headers: ({ snapshot }) => ["Content-Disposition", `attachment; filename="${table}-${snapshot.id}.${format}"`],
    },
    answer: format === "csv" ? s.text(describeText(columns)) : rowSchema(rowName, table, columns),
    handle: ({ store, query: received }, run) =>
      run(exportedTexts(definition, format, store, received as ValueOf<Query>)),
  });
}

function* exportedTexts<Query extends ObjectSchema, Row>(
  { columns, rows, pricesOf }: ExportDefinition<Query, Row>,
  format: TextFormat,
  store: Store,
  received: ValueOf<Query> & { readonly formulas?: FormulaForm },
): Generator<number, Iterable<ByteText>> {
  const { formulas, ...filter } = received;
  const blocks = rows(store, filter as ValueOf<Query>);
  const texts = tableText(store, columns, blocks, format, formulas).map((text) => byteText(text));
  if (pricesOf === undefined) return texts;
  const sources = yield* findSources(store, [pricesOf(filter as ValueOf<Query>)]);
  return new CitedTexts(citationHeaders(store, sources), texts);
}

/**
 * Returns headers with the citation of the prices of an export and their licences: a file of rows has no `meta`.
 */
function citationHeaders({ snapshot }: Store, sources: readonly string[]): HeaderList {
  const licences = licenceUrls(snapshot, sources).map((url) => `<${url}>; rel="license"`);
  const citation = ["X-Citation", asciiText(citationOf(snapshot, sources))];
  return licences.length === 0 ? citation : [...citation, "Link", licences.join(", ")];
}

/**
 * A text for a header: `%` and what is not printable in ASCII as percent-encoded UTF-8, so that decoding gives it back.
 */
function asciiText(text: string): string {
  return text.toWellFormed().replace(/[^ -$&-~]+/gu, (part) => encodeURIComponent(part));
}

function describeText(columns: Columns<never>): string {
  const lines = columns.map(({ name, type, description }) => `- ${name} (${type}): ${description}`);
  return ["RFC 4180 in UTF-8, with a header line; null is an empty cell. Columns:", ...lines].join("\n");
}

/** Returns the schema of a line of NDJSON. */
function rowSchema<Row>(rowName: string, table: string, columns: Columns<Row>): Schema {
  const fields = columns.map((column) => [column.name, exportedField(column)] as const);
  return s.object(rowName, `A row of the export of ${table}: an object a line.`, Object.fromEntries(fields));
}
