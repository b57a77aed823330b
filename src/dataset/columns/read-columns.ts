/**
 * The prices of all files into columns without an object a price: bytes are read where they lie, by several threads. It
 * answers for flawless files only. Of others it says nothing but that they are not flawless; what is wrong with them is
 * told by the reader that takes them line by line (read-prices-by-line.ts), and makes the same columns of flawless files.
 */
import type { PriceTable } from "../../domain/dataset.ts";
import type { Instant } from "../../domain/instant.ts";
import { sharedPriceRows } from "../../domain/price-columns.ts";
import { type Tables, unitNamesOf } from "../check-links.ts";
import type { PriceFile, PricesReading } from "../read-prices-by-line.ts";
import type { FileReading } from "../read-record-file.ts";
import type { ReadingTally } from "../reading-tally.ts";
import { BlockMemory } from "./block-memory.ts";
import type { BlockReaders } from "./block-readers.ts";
import { type FedFile, feedFiles } from "./feed-files.ts";
import { keepRows } from "./keep-rows.ts";
import { ReadBlocks } from "./read-blocks.ts";
import type { RowsOfFile } from "./repeated-uuids.ts";
import type { RowsOfReader } from "./settle-codes.ts";
import { settleTable } from "./settle-table.ts";

/** What is to be read, and what it is held to. */
export interface PriceFiles {
  readonly directory: string;
  /** Those of higher sequence first; their rows come in this order. */
  readonly files: readonly PriceFile[];
  /** How many rows each file is said to have. */
  readonly announced: ReadonlyMap<PriceFile, number>;
  /** What prices refer to; without any fault. */
  readonly tables: Tables;
  /** Last instant at which a price may be recorded (inclusive). */
  readonly recordedAtMax: Instant;
  /** Counts the bytes. */
  readonly tally: ReadingTally;
}

/** In which memory files are read. */
export interface PieceSizes {
  /** How many pieces are in memory at a time, at least two. */
  readonly pieces: number;
  readonly pieceBytes: number;
}

/** A file that was read, and which rows came from it. */
interface ReadFile extends RowsOfFile {
  readonly file: PriceFile;
  readonly reading: FileReading;
}

/**
 * Reads all prices and checks everything that is to be checked of them.
 *
 * @param readers Who reads. The caller ends them.
 * @returns Undefined when anything is not in order. Readings come in the order of the files given.
 * @throws {ReadingThreadError} when a thread ends before its time, and whatever the file system and zlib throw.
 */
export async function readPriceColumns(
  { directory, files, announced, tables, recordedAtMax, tally }: PriceFiles,
  readers: BlockReaders,
  { pieces, pieceBytes }: PieceSizes,
): Promise<PricesReading | undefined> {
  const capacity = files.reduce((sum, file) => sum + (announced.get(file) ?? 0), 0);
  const rows = sharedPriceRows(capacity);
  const products = new Map<string, number>(tables.products.records.map(({ uuid }, position) => [uuid, position]));
  const markets = new Map<string, number>(tables.markets.records.map(({ uuid }, position) => [uuid, position]));
  const blocks = new ReadBlocks({ products, markets, units: unitNamesOf(tables) });
  const memory = new BlockMemory(pieces, pieceBytes);
  readers.begin({ memory: memory.memory, table: rows, recordedAtMax });
  const fed = await feedFiles(directory, files, { memory, readers, blocks, rowCount: capacity, tally });
  if (fed === undefined) return undefined;
  const { runs } = blocks;
  const readFiles = fed.map((file) => toReadFile(file, runs));
  if (!readFiles.every(({ file, reading }) => isAsAnnounced(file, reading, announced.get(file)))) return undefined;

  const isReplaced = new Uint8Array(new SharedArrayBuffer(capacity));
  const rowsOfFiles = readFiles.map(({ rowFirst, rows: count, sequence }) => ({ rowFirst, rows: count, sequence }));
  const repeats = readers.findRepeats({ uuids: rows.uuids, files: rowsOfFiles, isReplaced });
  const meanings = { blocks, products, markets };
  let table: PriceTable | undefined;
  const mayReplace = readFiles.some(({ sequence }) => sequence !== readFiles[0]?.sequence);
  if (!mayReplace) {
    // Done while the readers look for repeated uuids: no row can drop out, unless all are refused.
    repeats.catch(() => {});
    table = settleTable(rows, capacity, runs, meanings);
  }
  const replaced = await repeats;
  if (replaced === undefined || readFiles.some(({ file }, index) => replaced[index] !== file.replaces)) {
    return undefined;
  }
  const kept = keepRows(
    rows,
    runs,
    isReplaced,
    replaced.reduce((sum, count) => sum + count, 0),
  );
  if (mayReplace) table = settleTable(kept.rows, kept.rowCount, kept.runs, meanings);
  if (table === undefined) return undefined;
  return {
    table,
    readings: readFiles.map(({ reading }) => reading),
    placeOf: (row) => placeIn(readFiles, kept.rowsBefore === undefined ? row : kept.rowsBefore[row], row),
  };
}

function toReadFile({ file, blockFirst, blockEnd, digest }: FedFile, runs: readonly RowsOfReader[]): ReadFile {
  const rows = rowsIn(runs.slice(blockFirst, blockEnd));
  const rowFirst = rowsIn(runs.slice(0, blockFirst));
  return { file, reading: { ...digest, rows, isWhole: true }, rowFirst, rows, sequence: file.sequence };
}

function rowsIn(runs: readonly RowsOfReader[]): number {
  return runs.reduce((sum, { rows }) => sum + rows, 0);
}

function isAsAnnounced({ claim }: PriceFile, reading: FileReading, rows: number | undefined): boolean {
  if (reading.rows !== rows) return false;
  return claim === undefined || (reading.bytes === claim.bytes && reading.sha256 === claim.sha256);
}

/** The place of a row as it was read; every line holds one. */
function placeIn(files: readonly ReadFile[], readAs: number | undefined, row: number): { file: string; line: number } {
  const from = files.find(
    ({ rowFirst, rows }) => readAs !== undefined && readAs >= rowFirst && readAs < rowFirst + rows,
  );
  if (from === undefined || readAs === undefined) throw new RangeError(`row is ${row}, expected one of the table`);
  return { file: from.file.name, line: readAs - from.rowFirst + 1 };
}
