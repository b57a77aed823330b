/**
 * Names of files and folders in a dataset directory and in a snapshot. The format itself is described in
 * data/FORMAT.md.
 */
import { join } from "node:path";
import type { Branded } from "../model/branded.ts";
import { snapshotIdPattern } from "../model/ids.ts";

/** Name of a snapshot: time of publication and the first 12 digits of the content hash. Ids sort by time. */
export type SnapshotId = Branded<string, "SnapshotId">;

/** A snapshot id ends in so many digits of the content hash. */
export const idHashDigits = 12;

/** The mode of published files, which are never edited. */
export const publishedMode = 0o444;

export const manifestFileName = "manifest.json";

/** The file of a dataset directory that holds the id of the snapshot being served. */
export const currentName = "CURRENT";

/** The log of publications of a dataset directory: person, snapshot and time. */
export const logFileName = "log.ndjson";

/** More than an id and its line end, so that a message can show what else is there. */
export const currentBytesMax = 4096;

/** Some 250,000 files. */
export const manifestBytesMax: number = 64 * 1024 * 1024;

/** Rows that an earlier program rejected when it published the snapshot: no manifest lists it, readers pass over it. */
export const rejectedFileName = "rejected.ndjson";

/** The list of changes of a publication; the manifest does not list it, and no reader of records opens it. */
export const changesFileName = "changes.csv.gz";

/** The file that says to other machines what to serve; of a dataset directory, and of a snapshot that was signed. */
export const announcementName = "announcement.json";

/** The files of the small tables, by kind, in the order in which a manifest lists them and messages name them. */
export const tableFileNames = {
  counties: "counties.json",
  crops: "crops.json",
  units: "units.json",
  "market-types": "market-types.json",
  products: "products.ndjson",
  markets: "markets.ndjson",
  "exchange-rates": "exchange-rates.ndjson",
  continuations: "continuations.ndjson",
  "market-continuations": "market-continuations.ndjson",
} as const;

/** The kinds that have one file each. */
export type TableKind = keyof typeof tableFileNames;
const tableKinds = Object.keys(tableFileNames) as TableKind[];

/** Tables that a snapshot may be without; then they have no record. */
export const optionalTableKinds: readonly TableKind[] = ["exchange-rates", "continuations", "market-continuations"];

/** The kinds of files of records. */
export type RecordKind = TableKind | "prices";
export const recordKinds: readonly RecordKind[] = [...tableKinds, "prices"];

/**
 * Decisions of a data team on single prices: marks that are cleared, and prices that are withdrawn. At most one file
 * each.
 */
export const decisionFileNames = { accepted: "accepted.ndjson", withdrawals: "withdrawals.ndjson" } as const;
export type DecisionKind = keyof typeof decisionFileNames;
export const decisionKinds = Object.keys(decisionFileNames) as readonly DecisionKind[];

/**
 * The kinds of files that a manifest lists, in its order. `origins` say where prices come from; each stands beside the
 * prices file it belongs to, and no service reads it.
 */
export type FileKind = RecordKind | DecisionKind | "origins";
export const fileKinds: readonly FileKind[] = [...recordKinds, ...decisionKinds, "origins"];

/** The folder of a snapshot that may hold prices files beside `prices.ndjson`. */
export const pricesDirectoryName = "prices";

const originsInfix = ".origins";
const priceNameEnd = /\.ndjson(?:\.gz)?$/;
/** The names of the files whose kind has one file at most. */
export const singleFileNames = { ...tableFileNames, ...decisionFileNames };
type SingleFileKind = keyof typeof singleFileNames;
const priceFileExpression = /^prices(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)?(?:\.origins)?\.ndjson(?:\.gz)?$/;
const snapshotIdExpression = new RegExp(snapshotIdPattern);
const compiledNameEnd = ".store";

/** The id that a text is, or undefined. */
export function toSnapshotId(text: string): SnapshotId | undefined {
  return snapshotIdExpression.test(text) ? (text as SnapshotId) : undefined;
}

/** The id in the content of `CURRENT`: one line, with or without its end. Undefined when it is anything else. */
export function idInCurrent(content: string): SnapshotId | undefined {
  return toSnapshotId(content.replace(/\r?\n$/, ""));
}

/** True where files of a kind hold decisions, not records. */
export function isDecisionKind(kind: FileKind): kind is DecisionKind {
  return Object.hasOwn(decisionFileNames, kind);
}

/**
 * Returns the kind of file that has this name.
 *
 * @param name Path inside the snapshot, `/` between folder and file.
 * @returns Undefined for every name outside the layout, so also for one that leads elsewhere (`../counties.json`).
 */
export function recordKindOf(name: string): FileKind | undefined {
  const kind = (Object.keys(singleFileNames) as SingleFileKind[]).find((single) => singleFileNames[single] === name);
  if (kind !== undefined) return kind;
  if (!priceFileExpression.test(name) || name.includes("..")) return undefined;
  return name.replace(priceNameEnd, "").endsWith(originsInfix) ? "origins" : "prices";
}

/** The file that says where the prices of a prices file come from: `prices.ndjson` → `prices.origins.ndjson`. */
export function originsNameOf(pricesName: string): string {
  return pricesName.replace(priceNameEnd, (end) => `${originsInfix}${end}`);
}

/** The prices file to which a file of origins belongs: `prices.origins.ndjson` → `prices.ndjson`. */
export function pricesNameOf(originsName: string): string {
  const end = priceNameEnd.exec(originsName)?.[0] ?? "";
  return `${originsName.slice(0, -(originsInfix.length + end.length))}${end}`;
}

/** Returns whether a record file is stored compressed. */
export function isGzipName(name: string): boolean {
  return name.endsWith(".gz");
}

/** The pointer to the snapshot being served: one line, its id. */
export function currentPath(dataDirectory: string): string {
  return join(dataDirectory, currentName);
}

/** The folder that holds all snapshots. */
export function snapshotsPath(dataDirectory: string): string {
  return join(dataDirectory, "snapshots");
}

/** The folder of one snapshot. */
export function snapshotPath(dataDirectory: string, id: SnapshotId): string {
  return join(snapshotsPath(dataDirectory), id);
}

/**
 * The folder of drafts: snapshots that wait for approval. It is a dataset directory of its own, without `CURRENT`, so
 * whatever reads a snapshot reads a draft, and no service serves one.
 */
export function draftsPath(dataDirectory: string): string {
  return join(dataDirectory, "drafts");
}

/** The folder of compiled stores: files made from snapshots, each of which may be deleted at any time. */
export function compiledFolderPath(dataDirectory: string): string {
  return join(dataDirectory, "compiled");
}

/**
 * The folder of downloads: a folder of files for each snapshot, made from it, each of which may be deleted at any time.
 */
export function downloadsFolderPath(dataDirectory: string): string {
  return join(dataDirectory, "downloads");
}

/** The downloads of a snapshot. */
export function downloadsPath(dataDirectory: string, id: SnapshotId): string {
  return join(downloadsFolderPath(dataDirectory), id);
}

/** The folder of cards: a folder of pictures for each snapshot and version of the code that draws them. */
export function cardsFolderPath(dataDirectory: string): string {
  return join(dataDirectory, "cards");
}

/** The cards of a snapshot. @param version Of the code that draws them. */
export function cardsPath(dataDirectory: string, id: string, version: string): string {
  return join(cardsFolderPath(dataDirectory), `${id}-${version}`);
}

/** The snapshot whose cards a folder has, by its name; undefined for every other name. */
export function cardsIdOf(name: string): SnapshotId | undefined {
  return toSnapshotId(name.split("-").slice(0, 2).join("-"));
}

/** The file that describes the downloads of a snapshot. */
export const downloadsMetadataName = "metadata.json";

/** The same for tools that read open data. */
export const dataPackageName = "datapackage.json";

/** The files that hold the tables of a snapshot, in the order in which their description lists them. */
export const downloadTableNames = [
  "prices.csv.gz",
  "prices.parquet",
  "series.csv",
  "products.csv",
  "markets.csv",
  "counties.csv",
  "units.csv",
  "exchange-rates.csv",
  "exchange-rates.parquet",
  "continuations.csv",
  "continuations.parquet",
  "market-continuations.csv",
  "market-continuations.parquet",
] as const;
export type DownloadTableName = (typeof downloadTableNames)[number];

/** The name of a snapshot's compiled store. */
export function compiledName(id: SnapshotId): string {
  return `${id}${compiledNameEnd}`;
}

/** The compiled store of a snapshot. */
export function compiledPath(dataDirectory: string, id: SnapshotId): string {
  return join(compiledFolderPath(dataDirectory), compiledName(id));
}

/** The snapshot whose compiled store has this name; undefined for every other name. */
export function compiledIdOf(name: string): SnapshotId | undefined {
  return name.endsWith(compiledNameEnd) ? toSnapshotId(name.slice(0, -compiledNameEnd.length)) : undefined;
}
