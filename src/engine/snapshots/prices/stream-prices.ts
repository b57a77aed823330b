/**
 * The prices of all files in parts, in one pass and in bounded memory: for programs that hand rows on and keep none.
 * Files that replace rows of others are read first, so that a row is known to be replaced when it is met.
 */
import { join } from "node:path";
import type { Instant } from "../../model/calendar.ts";
import { counted } from "../../model/counted.ts";
import type { PriceTable } from "../../model/dataset.ts";
import { UuidSet } from "../../model/ids.ts";
import { mapColumns, type TextColumnName, textColumnNames } from "../../model/price-columns.ts";
import type { PriceDecision } from "../../model/records.ts";
import type { Tables } from "../read-tables.ts";
import { type DirectoryReading, faultsAgainstManifest, inspectRecordFile, type RecordFile } from "../record-file.ts";
import { unfinishedFile } from "../record-texts.ts";
import { faultOfReading, readStoredFile } from "../stored-file.ts";
import { BlockReader, type BlockReading, type BlockTable, type ReadingPlan } from "./block-reader.ts";
import { BlockMemory, feedBlocks, type Lines } from "./feed-blocks.ts";
import type { BlockRows } from "./file-progress.ts";
import { finishValid } from "./finish-table.ts";
import { linksOf, tableOf } from "./read-prices.ts";

/** Prices to read, and what becomes of them. */
export interface PriceStream extends DirectoryReading {
  /** Of one manifest, in any order. */
  readonly files: readonly RecordFile<"prices">[];
  /** Tables that prices refer to, without problems. */
  readonly tables: Tables;
  /** Last instant at which a price may be recorded (inclusive). */
  readonly recordedAtMax: Instant;
  readonly withdrawals: readonly PriceDecision[];
  /** A part is handed on when it has so many rows. */
  readonly partRows?: number | undefined;
  /** Number of bytes that are read at once. */
  readonly pieceBytes?: number | undefined;
  /**
   * Takes the next part. Reading goes on when its promise has been fulfilled; then the memory of the part is used
   * again.
   */
  readonly onPart: (prices: PriceTable) => Promise<void>;
}

/** What became of the rows of a stream. */
export interface StreamedRows {
  /** Rows that were handed on. */
  readonly rows: number;
  /** Rows that rows of later files replace. */
  readonly replaced: number;
  /** Rows that are withdrawn. */
  readonly withheld: number;
}

/** With the rows of one piece more, a part has fewer rows than any of its columns has codes for texts. */
const partRowsUsual = 60_000;
const pieceBytesUsual = 1024 * 1024;
/** A published file has no problems; of a damaged one the first few are enough. */
const problemsPerBlockMax = 20;

/**
 * Reads all prices and checks them by themselves and their links. Of uuids it checks that as many are repeated as the
 * manifest says; rows of equal sequence were compared when they were published.
 *
 * @throws {DatasetError} at the first block or file that has problems. Parts before it have been handed on.
 * Cost: memory for a part, and 22 to 27 bytes for each row of the files that may replace others.
 */
export async function streamPrices(stream: PriceStream): Promise<StreamedRows> {
  const newestFirst = stream.files.toSorted((a, b) => sequenceOf(b) - sequenceOf(a));
  const parts = new PartReader(stream);
  try {
    for (const file of newestFirst) await streamFile(stream, file, parts);
    await parts.handOn();
  } catch (error) {
    throw error instanceof PartNotTakenError ? error.cause : error;
  }
  const wanted = stream.files.reduce((sum, { replaces = 0 }) => sum + replaces, 0);
  if (parts.replaced !== wanted) {
    const found = counted(parts.replaced, "row that another replaces", "rows that others replace");
    const file = newestFirst[0]?.name ?? "";
    stream.problems.add({ file, kind: "checksum", found, wanted: `${wanted}, as the manifest says of all files` });
    stream.problems.throwIfAny(stream.directory, stream.counter.rows);
  }
  const { rows, replaced, withheld } = parts;
  return { rows, replaced, withheld };
}

function sequenceOf({ sequence = 0 }: RecordFile): number {
  return sequence;
}

async function streamFile(stream: PriceStream, file: RecordFile<"prices">, parts: PartReader): Promise<void> {
  const { directory, problems, counter } = stream;
  const { name, path = name, entry } = file;
  const fault = await inspectRecordFile(directory, path, entry);
  if (fault !== undefined) problems.add({ file: name, ...fault });
  problems.throwIfAny(directory, counter.rows);
  let lineCount = 0;
  try {
    const stored = readStoredFile(join(directory, path), counter, parts.memory.pieceBytes);
    const isUnfinished = await feedBlocks(stored.content, parts.memory, async (lines) => {
      const reading = await parts.read(file, lines);
      for (const problem of reading.problems) {
        problems.add({ ...problem, file: name, line: lineCount + 1 + (problem.line as number) });
      }
      lineCount += reading.lineCount;
      counter.addRows("prices", reading.lineCount);
      problems.throwIfAny(directory, counter.rows);
      if (parts.isFull) await parts.handOn();
    });
    if (isUnfinished) problems.add({ file: name, line: lineCount + 1, ...unfinishedFile });
    else if (entry !== undefined) {
      const found = { ...stored.digest(), rows: lineCount };
      for (const fault of faultsAgainstManifest(found, entry)) problems.add({ file: name, ...fault });
    }
  } catch (error) {
    if (problems.total > 0) throw error;
    problems.add({ file: name, ...faultOfReading(error) });
  }
  problems.throwIfAny(directory, counter.rows);
}

/**
 * Its cause is what `onPart` threw. It has no code of the system, so `faultOfReading` never takes it for a fault of the
 * file being read.
 */
class PartNotTakenError extends Error {}

/** Reads blocks into the rows of a part, and leaves out those that are replaced or withdrawn. */
class PartReader {
  readonly memory: BlockMemory;
  rows = 0;
  replaced = 0;
  withheld = 0;
  readonly #stream: PriceStream;
  readonly #partRows: number;
  readonly #table: BlockTable;
  readonly #withdrawn: UuidSet;
  /** Those of rows that replace rows of the files still to be read. */
  readonly #replacing: UuidSet;
  readonly #sequenceMin: number;
  readonly #plan: ReadingPlan;
  #reader: BlockReader;
  /** Those of the dictionaries of the reader, in order of their codes. */
  #texts = noTexts();
  #blocks: BlockRows[] = [];
  #rowEnd = 0;

  constructor(stream: PriceStream) {
    const { files, tables, recordedAtMax, withdrawals } = stream;
    const { partRows = partRowsUsual, pieceBytes = pieceBytesUsual } = stream;
    this.#stream = stream;
    this.#partRows = partRows;
    this.memory = new BlockMemory(1, pieceBytes);
    this.#table = tableOf(partRows + this.memory.rowsMax);
    this.#withdrawn = new UuidSet(withdrawals.map(({ uuid }) => uuid));
    this.#sequenceMin = Math.min(...files.map(sequenceOf));
    const mayReplace = files.filter((file) => sequenceOf(file) > this.#sequenceMin);
    // A file with more rows than its manifest says is refused at its end.
    const rowsMax = mayReplace.reduce((sum, { entry }) => sum + (entry?.rows ?? 0), 0);
    this.#replacing = new UuidSet([], rowsMax);
    this.#plan = {
      memory: this.memory.memory,
      links: { ...linksOf(tables), recordedAtMax, areHandedIn: false },
      problemsMax: problemsPerBlockMax,
      problemsPerKindMax: problemsPerBlockMax,
    };
    this.#reader = new BlockReader(this.#plan, this.#table);
  }

  get isFull(): boolean {
    return this.#rowEnd >= this.#partRows;
  }

  /** Reads a block of lines, and releases their start. */
  async read(file: RecordFile<"prices">, lines: Lines): Promise<BlockReading> {
    const rowFirst = this.#rowEnd;
    this.#rowEnd += lines.rows;
    const reading = await this.#reader.read({ ...lines, rowFirst });
    this.memory.release(lines.start);
    if (reading.startsDictionaries) this.#texts = noTexts();
    for (const name of textColumnNames) this.#texts[name].push(...reading.newTexts[name]);
    this.#blocks.push({ rowFirst, rows: lines.rows, texts: this.#texts });
    this.#leaveOut(file, rowFirst);
    return reading;
  }

  /** Hands on the rows that were read since the last time. */
  async handOn(): Promise<void> {
    const part = finishValid({ ...this.#table, blocks: this.#blocks });
    if (part === undefined) throw new RangeError(`a part of ${this.#rowEnd} rows has too many different texts`);
    this.rows += part.table.rowCount;
    if (part.table.rowCount > 0) {
      try {
        await this.#stream.onPart(part.table);
      } catch (cause) {
        throw new PartNotTakenError("a part was not taken", { cause });
      }
    }
    this.#table.isDeleted.fill(0, 0, this.#rowEnd);
    this.#blocks = [];
    this.#rowEnd = 0;
    // Its dictionaries would grow with the stream.
    this.#reader = new BlockReader(this.#plan, this.#table);
  }

  #leaveOut(file: RecordFile<"prices">, rowFirst: number): void {
    const { rows, isDeleted } = this.#table;
    const mayReplace = sequenceOf(file) > this.#sequenceMin;
    for (let row = rowFirst; row < this.#rowEnd; row++) {
      if (isDeleted[row] !== 0) continue;
      const isReplaced = this.#replacing.positionOf(rows.uuids, row) !== undefined;
      if (isReplaced) this.replaced++;
      else if (mayReplace) this.#replacing.add(rows.uuids, row);
      const isWithheld = !isReplaced && this.#withdrawn.positionOf(rows.uuids, row) !== undefined;
      if (isWithheld) this.withheld++;
      if (isReplaced || isWithheld) isDeleted[row] = 1;
    }
  }
}

function noTexts(): { readonly [Name in TextColumnName]: string[] } {
  return mapColumns(textColumnNames, () => []);
}
