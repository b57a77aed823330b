/** The downloads of a snapshot: files that hold the whole of it, made once, so that serving them costs no more than reading. */
import { createHash, type Hash } from "node:crypto";
import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { downloadsMetadataName, downloadsPath, type SnapshotId } from "../dataset/snapshot-layout.ts";
import { instantText } from "../domain/instant.ts";
import { citationOf } from "../export/citation.ts";
import { type TableName, withTable } from "../export/select-table.ts";
import { tableParquet } from "../export/table-parquet.ts";
import { tableText } from "../export/table-text.ts";
import { namesIn } from "../files/list-folder.ts";
import {
  blocksOf,
  type FolderClaim,
  type FolderFile,
  requireFreeFolder,
  writeWholeFolder,
} from "../files/whole-folder.ts";
import type { Store } from "../store/store.ts";
import { openSnapshotStore } from "./open-published.ts";

/** A file of the downloads, as their metadata describe it. */
interface DownloadFile {
  readonly name: string;
  readonly table: TableName;
  readonly media_type: string;
}

const downloadFiles: readonly DownloadFile[] = [
  { name: "prices.csv.gz", table: "prices", media_type: "application/gzip" },
  { name: "prices.parquet", table: "prices", media_type: "application/vnd.apache.parquet" },
  { name: "series.csv", table: "series", media_type: "text/csv" },
  { name: "products.csv", table: "products", media_type: "text/csv" },
  { name: "markets.csv", table: "markets", media_type: "text/csv" },
];

export interface DownloadsReport {
  readonly id: SnapshotId;
  /** `already-made`: they are never made twice. */
  readonly outcome: "made" | "already-made";
  readonly path: string;
  /** 0 when they were there. */
  readonly bytes: number;
}

/**
 * Makes the downloads of a published snapshot, all or none. Holds no lock: no publisher waits for it.
 *
 * Cost: each table is written once; for ten million prices some minutes, most of them compression.
 * @throws {SnapshotUnavailableError} {DatasetError} when the snapshot cannot be opened.
 */
export async function makeDownloads(dataDirectory: string, id: SnapshotId): Promise<DownloadsReport> {
  const path = downloadsPath(dataDirectory, id);
  const report = { id, path };
  if ((await namesIn(path)).length > 0) return { ...report, outcome: "already-made", bytes: 0 };
  const fileNames = [downloadsMetadataName, ...downloadFiles.map(({ name }) => name)];
  const folder: FolderClaim = { path, fileNames, called: "downloads", replaces: false };
  await requireFreeFolder(folder);
  const store = await openSnapshotStore(dataDirectory, id);
  return { ...report, outcome: "made", bytes: await writeWholeFolder(folder, filesOf(store)) };
}

/** All files, the one that describes them last: what it says of the others is known once they are written. */
function filesOf(store: Store): FolderFile[] {
  const written: Written[] = [];
  const files = downloadFiles.map((file) => {
    const entry: Written = { file, hash: createHash("sha256"), bytes: 0, rows: 0 };
    written.push(entry);
    return { name: file.name, pieces: noted(piecesOf(store, entry), entry) };
  });
  return [...files, { name: downloadsMetadataName, pieces: metadataText(store, written) }];
}

interface Written {
  readonly file: DownloadFile;
  readonly hash: Hash;
  bytes: number;
  rows: number;
}

async function* noted(
  pieces: Iterable<string | Uint8Array> | AsyncIterable<Uint8Array>,
  entry: Written,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
    entry.hash.update(bytes);
    entry.bytes += bytes.length;
    yield bytes;
  }
}

function piecesOf(store: Store, entry: Written): Iterable<string | Uint8Array> | AsyncIterable<Uint8Array> {
  const { name, table } = entry.file;
  return withTable<Iterable<string | Uint8Array> | AsyncIterable<Uint8Array>>(
    store,
    table,
    {},
    (columns, blocks, partOf) => {
      const counted = countRows(blocks, entry);
      if (name.endsWith(".parquet")) return tableParquet(store, columns, counted, partOf);
      const text = blocksOf(tableText(store, columns, counted, "csv"));
      if (!name.endsWith(".gz")) return text;
      // An error of the rows ends the compressor as well, and is thrown where that is read.
      return pipeline(Readable.from(text, { objectMode: false }), createGzip(), () => {});
    },
  );
}

function* countRows<Row>(blocks: Iterable<ArrayLike<Row>>, entry: Written): Generator<ArrayLike<Row>> {
  for (const block of blocks) {
    entry.rows += block.length;
    yield block;
  }
}

/** What the files are: whose data, how to cite them, and each column with its meaning. Made when the others are written. */
function* metadataText(store: Store, written: readonly Written[]): Generator<string> {
  const { snapshot } = store;
  const tables = [...new Set(downloadFiles.map(({ table }) => table))];
  const columnsOf = (table: TableName): object[] =>
    withTable(store, table, {}, (columns) =>
      columns.map(({ name, type, description, unit }) => ({ name, type, description, unit })),
    );
  const metadata = {
    snapshot: snapshot.id,
    published_at: instantText(snapshot.createdAt),
    note: snapshot.note,
    time_zone: snapshot.timeZone,
    attribution: snapshot.attribution,
    citation: citationOf(snapshot),
    files: written.map(({ file, hash, bytes, rows }) => ({ ...file, rows, bytes, sha256: hash.digest("hex") })),
    columns: Object.fromEntries(tables.map((table) => [table, columnsOf(table)])),
  };
  yield `${JSON.stringify(metadata, null, 2)}\n`;
}
