/**
 * The downloads of a snapshot: files that hold the whole of it, made once, so that serving them costs no more than
 * reading.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline, Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { createGzip } from "node:zlib";
import { citationOf } from "../../engine/export/citation.ts";
import { dataPackage } from "../../engine/export/data-package.ts";
import { type TableName, withTable } from "../../engine/export/select-table.ts";
import { tableParquet } from "../../engine/export/table-parquet.ts";
import { tableText } from "../../engine/export/table-text.ts";
import { LockHeldError, takeExclusiveLock } from "../../engine/files/exclusive-lock.ts";
import { Digester, type FileDigest } from "../../engine/files/hash-file.ts";
import { namesIn } from "../../engine/files/list-folder.ts";
import { orUnreadable, regularFileExists } from "../../engine/files/read-regular-file.ts";
import {
  blocksOf,
  type FilePieces,
  type FolderClaim,
  type FolderFile,
  partialFolders,
  requireFreeFolder,
  writeWholeFolder,
} from "../../engine/files/whole-folder.ts";
import { instantText } from "../../engine/model/calendar.ts";
import { describeSource } from "../../engine/model/dataset.ts";
import { allSources } from "../../engine/query/describe-prices.ts";
import { SnapshotUnavailableError } from "../../engine/snapshots/current-snapshot.ts";
import { readDownloadsMetadata } from "../../engine/snapshots/downloads-metadata.ts";
import {
  type DownloadTableName,
  dataPackageName,
  downloadsFolderPath,
  downloadsMetadataName,
  downloadsPath,
  downloadTableNames,
  type SnapshotId,
  snapshotPath,
} from "../../engine/snapshots/snapshot-layout.ts";
import type { Store } from "../../engine/store/store.ts";
import { openSnapshotStore } from "./open-published.ts";

/** The metadata of a table in a file. */
interface WrittenTable extends FileDigest {
  readonly name: DownloadTableName;
  readonly table: TableName;
  readonly media_type: string;
  readonly rows: number;
}

/** The media type of a file by the end of its name. */
const mediaTypes: Readonly<Record<string, string>> = {
  gz: "application/gzip",
  parquet: "application/vnd.apache.parquet",
  csv: "text/csv",
};

/** The table that a file holds. */
function tableOf(name: DownloadTableName): TableName {
  return name.split(".")[0] as TableName;
}

const lockFileName = ".downloads.lock";
const lockPollMilliseconds = 500;

export interface MakeDownloadsOptions {
  /** The store of the snapshot, where the caller has it; otherwise it is opened. */
  readonly store?: Store | undefined;
  /** Called when another process makes downloads in this dataset directory, before its end is waited for. */
  readonly onWaiting?: () => void;
  /** Called with the prices that are written, and those that are to be: each is in two files. */
  readonly onPrices?: (done: number, total: number) => void;
}

export interface DownloadsReport {
  readonly id: SnapshotId;
  /** `already-made`: they are never made twice. */
  readonly outcome: "made" | "already-made";
  readonly path: string;
  /** 0 when they were there. */
  readonly bytes: number;
}

/**
 * Makes the downloads of a published snapshot, all or none. One process at a time does so in a dataset directory, under
 * a lock that no publisher waits for; it removes what killed ones have left.
 *
 * Cost: each table is written once; for ten million prices some minutes, most of them compression.
 * @throws {SnapshotUnavailableError} {DatasetError} when the snapshot cannot be opened, or is removed meanwhile.
 * @throws {LockUnusableError} when the dataset directory cannot be written.
 */
export async function makeDownloads(
  dataDirectory: string,
  id: SnapshotId,
  { store, onWaiting, onPrices }: MakeDownloadsOptions = {},
): Promise<DownloadsReport> {
  const path = downloadsPath(dataDirectory, id);
  const report = { id, path };
  // Downloads that are there need no lock, which a read-only dataset directory cannot have.
  if (await areMade(dataDirectory, id)) return { ...report, outcome: "already-made", bytes: 0 };
  using _lock = await takeDownloadsLock(dataDirectory, onWaiting);
  if (await areMade(dataDirectory, id)) return { ...report, outcome: "already-made", bytes: 0 };
  // A folder whose metadata are damaged, or that someone has removed files from, is made again.
  const fileNames = [downloadsMetadataName, dataPackageName, ...downloadTableNames];
  const folder: FolderClaim = { path, fileNames, called: "downloads", replaces: true };
  await requireFreeFolder(folder);
  for (const partial of await partialFolders(downloadsFolderPath(dataDirectory))) {
    await rm(partial, { recursive: true, force: true });
  }
  const files = filesOf(store ?? (await openSnapshotStore(dataDirectory, id)), onPrices);
  const bytes = await writeWholeFolder(folder, files);
  // Garbage collection removes the snapshot first, then its downloads, of which there were none then.
  if ((await namesIn(snapshotPath(dataDirectory, id))).length === 0) {
    await rm(path, { recursive: true, force: true });
    throw new SnapshotUnavailableError(`snapshot ${id} was removed while its downloads were being made`);
  }
  return { ...report, outcome: "made", bytes };
}

/**
 * Returns whether all files are there that the metadata name. An earlier release made fewer tables; they stay as they
 * are, because a file that was made never changes.
 */
async function areMade(dataDirectory: string, id: SnapshotId): Promise<boolean> {
  const found = await readDownloadsMetadata(dataDirectory, id);
  if (found === undefined) return false;
  const path = downloadsPath(dataDirectory, id);
  const paths = found.metadata.files.map(({ name }) => join(path, name));
  const exist = await Promise.all(paths.map((file) => orUnreadable(regularFileExists(file))));
  return exist.every((exists) => exists === true);
}

/** Waits for as long as another process holds the lock, without blocking the thread. */
async function takeDownloadsLock(dataDirectory: string, onWaiting: (() => void) | undefined): Promise<Disposable> {
  const path = join(dataDirectory, lockFileName);
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await takeExclusiveLock(path, 0);
    } catch (error) {
      if (!(error instanceof LockHeldError)) throw error;
    }
    if (isFirst) onWaiting?.();
    await delay(lockPollMilliseconds);
  }
}

/** All files, those that describe others behind them: what they say of these is known once they are written. */
function filesOf(store: Store, onPrices: MakeDownloadsOptions["onPrices"]): FolderFile[] {
  const tables: WrittenTable[] = [];
  const digester = new Digester();
  const total = 2 * store.prices.rowCount;
  let done = 0;
  const onRows = (rows: number): void => {
    done += rows;
    onPrices?.(done, total);
  };
  return [
    ...downloadTableNames.map((name) => ({ name, pieces: tablePieces(store, name, tables, onRows) })),
    { name: dataPackageName, pieces: digester.pass(dataPackageText(store, tables)) },
    { name: downloadsMetadataName, pieces: metadataText(store, tables, digester) },
  ];
}

/** The content of the file of a table. @param written Receives what it was, at its end. */
async function* tablePieces(
  store: Store,
  name: DownloadTableName,
  written: WrittenTable[],
  onRows: (rows: number) => void,
): AsyncGenerator<Uint8Array> {
  const table = tableOf(name);
  const digester = new Digester();
  const count = { rows: 0 };
  const pieces = withTable<FilePieces>(store, table, {}, (columns, blocks, partOf) => {
    const counted = countRows(blocks, count, table === "prices" ? onRows : undefined);
    if (name.endsWith(".parquet")) return tableParquet(store, columns, counted, partOf);
    const text = blocksOf(tableText(store, columns, counted, "csv"));
    if (!name.endsWith(".gz")) return text;
    // An error of the rows ends the compressor as well, and is thrown where that is read.
    return pipeline(Readable.from(text, { objectMode: false }), createGzip(), () => {});
  });
  yield* digester.pass(pieces);
  written.push({
    name,
    table,
    media_type: mediaTypes[name.split(".").at(-1) as string] as string,
    ...count,
    ...digester.digest(),
  });
}

function* countRows<Row>(
  blocks: Iterable<ArrayLike<Row>>,
  count: { rows: number },
  onRows: ((rows: number) => void) | undefined,
): Generator<ArrayLike<Row>> {
  for (const block of blocks) {
    count.rows += block.length;
    onRows?.(block.length);
    yield block;
  }
}

function* dataPackageText(store: Store, written: readonly WrittenTable[]): Generator<string> {
  const files = written.map(({ media_type: mediaType, ...file }) => ({ ...file, mediaType }));
  yield `${JSON.stringify(dataPackage(store, files), null, 2)}\n`;
}

/**
 * Describes the files: whose data, how to cite them, and each column with its meaning. It comes when the others are
 * written.
 */
function* metadataText(store: Store, written: readonly WrittenTable[], packaged: Digester): Generator<string> {
  const { snapshot } = store;
  const sources = allSources(store);
  const tables = [...new Set(downloadTableNames.map(tableOf))];
  const columnsOf = (table: TableName): object[] =>
    withTable(store, table, {}, (columns) =>
      columns.map(({ name, type, description, unit }) => ({ name, type, description, unit })),
    );
  const description = { name: dataPackageName, table: null, media_type: "application/json", rows: null };
  const metadata = {
    snapshot: snapshot.id,
    published_at: instantText(snapshot.createdAt),
    note: snapshot.note,
    time_zone: snapshot.timeZone,
    attribution: snapshot.attribution,
    sources: sources.map((source) => describeSource(snapshot, source)),
    citation: citationOf(snapshot, sources),
    files: [...written, { ...description, ...packaged.digest() }],
    columns: Object.fromEntries(tables.map((table) => [table, columnsOf(table)])),
  };
  yield `${JSON.stringify(metadata, null, 2)}\n`;
}
