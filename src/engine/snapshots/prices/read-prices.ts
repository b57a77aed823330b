/**
 * The prices of all files into columns, without an object a price: blocks of lines are read where they lie, by several
 * threads. Files that replace rows of others are read first: then the first row of a uuid is the one that counts.
 */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Instant } from "../../model/calendar.ts";
import type { PriceTable } from "../../model/dataset.ts";
import {
  mapColumns,
  priceColumnNames,
  rowBefore,
  sharedPriceRows,
  type TextColumnName,
  textColumnNames,
} from "../../model/price-columns.ts";
import { type Place, ProblemList } from "../problem.ts";
import { type Tables, unitNamesOf } from "../read-tables.ts";
import { type DirectoryReading, inspectRecordFile, type RecordFile } from "../record-file.ts";
import { isGzipName } from "../snapshot-layout.ts";
import { faultOfReading, inspectStoredFile, readStoredFile, storedBytes } from "../stored-file.ts";
import type { BlockTable, ColumnTexts } from "./block-reader.ts";
import type { PriceLinks } from "./check-price-line.ts";
import { BlockMemory, feedBlocks, type Lines, priceBytesMin } from "./feed-blocks.ts";
import { FileProgress, locationOfRow } from "./file-progress.ts";
import { finishTable } from "./finish-table.ts";
import { PriceReaders, type ReadBlock } from "./price-readers.ts";

export interface PricesReading {
  /** The prices without problems; undefined where texts are too many. */
  readonly table: PriceTable | undefined;
  /** The file and line from which a row of the table comes. */
  locationOf(row: number): Place;
}

/** From how many stored bytes on threads read faster than they start. */
const threadedBytesMin = 32 * 1024 * 1024;
/** Beside the thread that reads the files and hashes them; more would wait for it. */
const threadsMax = 3;
const pieceBytesUsual = 1024 * 1024;
const pieceBytesMin = 16 * 1024;
/** A generous guess, since pages of memory that are not written to cost nothing. */
const gzipRatioGuess = 12;
/** Of one file; a table grows beyond it. */
const guessedRowsMax = 1 << 24;

/** Prices to read, and what they are checked against. */
export interface PriceReading extends DirectoryReading {
  /** In any order; rows come in order of sequence, highest first, then as given. */
  readonly files: readonly RecordFile<"prices">[];
  /** Tables that prices refer to. References into a table with refused records are not judged. */
  readonly tables: Tables;
  /** Last instant at which a price may be recorded (inclusive). */
  readonly recordedAtMax: Instant;
  /** See `startPriceReaders`; of no use afterwards. */
  readonly readers: PriceReaders;
  /** Number of bytes that are read at once; by default those of all files, up to a megabyte. */
  readonly pieceBytes?: number;
  /** True if rows that others replace stay in the table. */
  readonly keepsReplaced?: boolean;
}

/** Starts the readers of prices: threads for large files, or this thread alone. The caller ends them. */
export async function startPriceReaders(
  directory: string,
  files: readonly RecordFile<"prices">[],
): Promise<PriceReaders> {
  const isSmall = (await storedBytes(directory, files)) < threadedBytesMin;
  return new PriceReaders(isSmall ? 0 : Math.max(1, Math.min(availableParallelism() - 1, threadsMax)));
}

/**
 * Reads all prices and checks them by themselves, their links and their uuids.
 *
 * @throws {DatasetError} when `problems` has no room for more; the rest is not read.
 * @throws {WorkerEndedError} when a thread ends before its time.
 */
export async function readPrices(request: PriceReading): Promise<PricesReading> {
  const { directory, files, tables, recordedAtMax, problems, readers, counter } = request;
  const { keepsReplaced = false } = request;
  const newestFirst = files.toSorted((a, b) => (b.sequence ?? 0) - (a.sequence ?? 0));
  const expected = await expectContent(directory, newestFirst);
  // A small dataset takes little memory, which the garbage collector counts.
  const { pieceBytes = Math.max(pieceBytesMin, Math.min(pieceBytesUsual, expected.bytes)) } = request;
  // One piece that is read and one that waits for each reader, and the one that comes.
  const memory = new BlockMemory(2 * readers.count + 1, pieceBytes);
  // A file without an entry is in no manifest yet.
  const areHandedIn = files.some(({ entry }) => entry === undefined);
  const links = { ...linksOf(tables), recordedAtMax, areHandedIn };
  const { perKindMax: problemsPerKindMax, room: problemsMax } = problems;
  const plan = { memory: memory.memory, links, problemsPerKindMax, problemsMax };
  const rows = new GrowingRows(expected.rows, (table) => readers.begin(plan, table));
  await readers.begin(plan, rows.table);
  // Problems are reported in order of lines, repeated uuids among them, when all is read. Until then this list limits
  // them.
  const problemsSoFar = new ProblemList(problemsMax, problemsPerKindMax);
  const reads: FileProgress[] = [];
  try {
    for (const file of newestFirst) {
      const read = new FileProgress(file, rows.rowCount, problemsSoFar);
      reads.push(read);
      await readFile(read);
      read.rowEnd = rows.rowCount;
    }
    await rows.awaitBlocks();
  } catch (error) {
    if (!problemsSoFar.isCut) throw error;
    problems.addAll(problemsSoFar.problems, problemsSoFar.counts);
    return problems.cut();
  } finally {
    for (const { lineCount } of reads) if (lineCount > 0) counter.addRows("prices", lineCount);
  }
  for (const { file, reading } of reads) if (reading !== undefined) counter.readings.set(file.name, reading);
  const kept = finishTable(reads, rows.table, problems, keepsReplaced);
  return {
    table: kept?.table,
    locationOf: (row) => locationOfRow(reads, rowBefore(kept?.removed ?? [], row)),
  };

  async function readFile(read: FileProgress): Promise<void> {
    const { name, path = name, entry } = read.file;
    const fault = await inspectRecordFile(directory, path, entry);
    if (fault !== undefined) {
      read.fault = fault;
      return;
    }
    try {
      const stored = readStoredFile(join(directory, path), counter, pieceBytes);
      read.isUnfinished = await feedBlocks(stored.content, memory, (lines) => readBlock(read, lines));
      read.digest = stored.digest();
    } catch (error) {
      read.fault = faultOfReading(error);
    }
  }

  async function readBlock(read: FileProgress, lines: Lines): Promise<void> {
    const rowFirst = await rows.reserve(lines.rows);
    const number = read.blockCount++;
    const reading = readers.read({ ...lines, rowFirst }).then((block) => {
      read.add(number, block, { rowFirst, rows: lines.rows, texts: rows.textsOf(block) });
    });
    rows.watch(reading.finally(() => memory.release(lines.start)));
  }
}

interface ExpectedContent {
  readonly rows: number;
  /** Decompressed. */
  readonly bytes: number;
}

/** Estimates what files hold: as many rows as their manifest says, or else as lines have room for. */
async function expectContent(directory: string, files: readonly RecordFile<"prices">[]): Promise<ExpectedContent> {
  let [rows, bytes] = [0, 0];
  for (const { name, path = name, entry } of files) {
    const size = await inspectStoredFile(directory, path);
    // A file of another size than its manifest says is not read.
    if (typeof size !== "number" || (entry !== undefined && size !== entry.bytes)) continue;
    const content = isGzipName(path) ? size * gzipRatioGuess : size;
    rows += entry?.rows ?? Math.min(guessedRowsMax, Math.ceil(content / priceBytesMin));
    bytes += content;
  }
  return { rows, bytes };
}

/** The references of prices, as the tables of a directory resolve them. */
export function linksOf(tables: Tables): Omit<PriceLinks, "recordedAtMax" | "areHandedIn"> {
  const { products, markets, units } = tables;
  return {
    products: new Map(products.records.map(({ uuid }, position) => [uuid, position])),
    markets: new Map(markets.records.map(({ uuid }, position) => [uuid, position])),
    units: unitNamesOf(tables),
    isWhole: { products: products.isWhole, markets: markets.isWhole, units: units.isWhole },
  };
}

/** The rows that readers fill. They are made larger where a file has more lines than was expected. */
class GrowingRows {
  rowCount = 0;
  table: BlockTable;
  readonly #useTable: (table: BlockTable) => Promise<void>;
  readonly #texts: { readonly [Name in TextColumnName]: string[] }[] = [];
  #readings: Promise<void>[] = [];
  #failure: unknown;

  /** @param useTable Has later blocks read into a larger table. */
  constructor(capacity: number, useTable: (table: BlockTable) => Promise<void>) {
    this.table = tableOf(capacity);
    this.#useTable = useTable;
  }

  /** @returns The first of `count` new rows. */
  async reserve(count: number): Promise<number> {
    const rowFirst = this.rowCount;
    const rowEnd = rowFirst + count;
    if (rowEnd > this.table.isDeleted.length) await this.#grow(Math.max(rowEnd, 2 * rowFirst));
    this.rowCount = rowEnd;
    if (this.#failure !== undefined) throw this.#failure;
    return rowFirst;
  }

  /** Tracks a block that is being read. */
  watch(reading: Promise<void>): void {
    this.#readings.push(
      reading.catch((error) => {
        this.#failure ??= error;
      }),
    );
  }

  /** Waits for all blocks. @throws {Error} that of reading one. */
  async awaitBlocks(): Promise<void> {
    await Promise.all(this.#readings);
    this.#readings = [];
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** The texts that the codes in a block stand for; they grow with the next blocks of its reader. */
  textsOf({ reader, startsDictionaries, newTexts }: ReadBlock): ColumnTexts {
    const known = startsDictionaries ? undefined : this.#texts[reader];
    const texts = known ?? mapColumns(textColumnNames, () => []);
    this.#texts[reader] = texts;
    for (const name of textColumnNames) texts[name].push(...newTexts[name]);
    return texts;
  }

  async #grow(capacity: number): Promise<void> {
    await this.awaitBlocks();
    const before = this.table;
    this.table = tableOf(capacity);
    for (const name of priceColumnNames) this.table.rows[name].set(before.rows[name]);
    this.table.isDeleted.set(before.isDeleted);
    await this.#useTable(this.table);
  }
}

/** Rows to be filled. */
export function tableOf(rowCount: number): BlockTable {
  return { rows: sharedPriceRows(rowCount), isDeleted: new Uint8Array(new SharedArrayBuffer(rowCount)) };
}
