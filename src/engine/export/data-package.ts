/**
 * The description of files of tables that tools for open data read: a Data Package of Frictionless Data
 * (specs.frictionlessdata.io, version 1), with a Table Schema for each table.
 */

import { instantText } from "../model/calendar.ts";
import { type SourceDetails, sourceDetails } from "../model/dataset.ts";
import { allSources } from "../query/describe-prices.ts";
import type { Store } from "../store/store.ts";
import { citationOf, datasetName } from "./citation.ts";
import { type TableName, withTable } from "./select-table.ts";
import type { Column, ColumnType } from "./table-columns.ts";

/** A file of a table. */
export interface PackagedFile {
  /** Its name beside the description. */
  readonly name: string;
  readonly table: TableName;
  readonly mediaType: string;
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** Types of Table Schema; lists are texts there, as in CSV. */
const fieldTypes: Readonly<Record<ColumnType, object>> = {
  uuid: { type: "string", format: "uuid" },
  text: { type: "string" },
  texts: { type: "string" },
  type_counts: { type: "string" },
  number: { type: "number" },
  integer: { type: "integer" },
  boolean: { type: "boolean" },
  date: { type: "date" },
  timestamp: { type: "datetime", format: "%Y-%m-%dT%H:%M:%S.%fZ" },
};

/** The column that identifies the rows of a table, or the columns that do so together. */
const primaryKeys: Readonly<Partial<Record<TableName, string | readonly string[]>>> = {
  prices: "uuid",
  products: "uuid",
  markets: "uuid",
  counties: "id",
  units: "name",
  "exchange-rates": ["month", "currency"],
  continuations: ["product_uuid", "continues_uuid", "market_type"],
  "market-continuations": "market_uuid",
};

/** Tables whose rows another table refers to, by the column that does so. */
const referredTables: Readonly<Record<string, TableName>> = {
  product_uuid: "products",
  market_uuid: "markets",
  county_id: "counties",
  unit: "units",
};

/** The table that `continues_uuid` of a table refers to. */
const continuedTables: Readonly<Partial<Record<TableName, TableName>>> = {
  continuations: "products",
  "market-continuations": "markets",
};

/** The content of `datapackage.json`. @param files In the order in which they are described. */
export function dataPackage(store: Store, files: readonly PackagedFile[]): object {
  const { snapshot } = store;
  const sources = allSources(store);
  const details = sources.map((source) => ({ source, ...sourceDetails(snapshot, source) }));
  const licences = new Map(details.flatMap(({ licence }) => (licence === null ? [] : [[licence.id, licence]])));
  const names = new Map<TableName, string>();
  for (const { name, table } of files) if (name.endsWith(".csv")) names.set(table, resourceName(name));
  return {
    profile: "data-package",
    name: "kenya-farm-prices",
    id: snapshot.id,
    title: datasetName,
    description: [snapshot.note, `Cite as: ${citationOf(snapshot, sources)}`]
      .filter((text) => text !== null)
      .join("\n\n"),
    version: snapshot.id,
    created: instantText(snapshot.createdAt),
    ...(licences.size === 0 ? {} : { licenses: [...licences.values()].map(licenceEntry) }),
    ...(details.length === 0 ? {} : { sources: details.map(sourceEntry) }),
    resources: files.map((file) => ({ ...fileEntry(file), schema: tableSchema(store, file.table, names) })),
  };
}

function licenceEntry({ id, url }: NonNullable<SourceDetails["licence"]>): object {
  return { name: id.replaceAll(/[^A-Za-z0-9._-]+/g, "-"), title: id, ...(url === null ? {} : { path: url }) };
}

function sourceEntry({ source, title, url }: SourceDetails & { readonly source: string }): object {
  return { title: title ?? source, ...(url === null ? {} : { path: url }) };
}

function fileEntry({ name, mediaType, bytes, sha256 }: PackagedFile): object {
  const [, format, compression] = name.split(".");
  return {
    profile: format === "csv" ? "tabular-data-resource" : "data-resource",
    name: resourceName(name),
    path: name,
    format,
    mediatype: mediaType,
    ...(format === "csv" ? { encoding: "utf-8" } : {}),
    ...(compression === undefined ? {} : { compression }),
    bytes,
    hash: `sha256:${sha256}`,
  };
}

function resourceName(fileName: string): string {
  return fileName.replaceAll(".", "-");
}

/** @param names By table, the name of the resource that others refer to. */
function tableSchema(store: Store, table: TableName, names: ReadonlyMap<TableName, string>): object {
  return withTable(store, table, {}, (columns) => {
    const foreignKeys = columns.flatMap(({ name }) => {
      const referred = (name === "continues_uuid" ? continuedTables[table] : referredTables[name]) as TableName;
      const resource = names.get(referred);
      return resource === undefined ? [] : [{ fields: name, reference: { resource, fields: primaryKeys[referred] } }];
    });
    const primaryKey = primaryKeys[table];
    return {
      fields: columns.map(fieldEntry),
      missingValues: [""],
      ...(primaryKey === undefined ? {} : { primaryKey }),
      ...(foreignKeys.length === 0 ? {} : { foreignKeys }),
    };
  });
}

function fieldEntry<Row>({ name, type, description, values, isNullable }: Column<Row>): object {
  // A list may be empty, and is an empty cell then.
  const isRequired = !isNullable && type !== "texts" && type !== "type_counts";
  const constraints = { ...(isRequired && { required: true }), ...(values !== undefined && { enum: values }) };
  return { name, ...fieldTypes[type], description, ...(Object.keys(constraints).length > 0 && { constraints }) };
}
