/**
 * A published snapshot in parts, in one pass and in bounded memory: for programs that hand its prices on and keep none.
 * Files that replace rows of others are read first, so that a row is known to be replaced when it is met.
 */
import { join } from "node:path";
import { counted } from "../model/counted.ts";
import type { Dataset, PriceTable } from "../model/dataset.ts";
import { UuidSet } from "../model/ids.ts";
import { mapColumns, type TextColumnName, textColumnNames } from "../model/price-columns.ts";
import type { PriceDecision } from "../model/records.ts";
import { checkLinks } from "./check-links.ts";
import { checkWithheld, recordedAtMax, snapshotIdentity, toListedFile } from "./load-dataset.ts";
import type { Manifest } from "./manifest.ts";
import { readDecisions } from "./price-decisions.ts";
import { BlockReader, type BlockReading, type BlockTable, type ReadingPlan } from "./prices/block-reader.ts";
import type { PriceLinks } from "./prices/check-price-line.ts";
import { BlockMemory, feedBlocks, type Lines } from "./prices/feed-blocks.ts";
import type { BlockRows } from "./prices/file-progress.ts";
import { finishValid } from "./prices/finish-table.ts";
import { linksOf, tableOf } from "./prices/read-prices.ts";
import { ProblemList } from "./problem.ts";
import { readTables, recordsOfTables } from "./read-tables.ts";
import { type DirectoryReading, faultsAgainstManifest, inspectRecordFile, type RecordFile } from "./record-file.ts";
import { unfinishedFile } from "./record-texts.ts";
import { type DecisionKind, isDecisionKind } from "./snapshot-layout.ts";
import { type BytesObserver, faultOfReading, ReadingCounter, readStoredFile, storedBytes } from "./stored-file.ts";

/**
 * Takes a part: all small tables, and some of the prices. Reading goes on when its promise has been fulfilled; then the
 * memory of the prices is used again.
 */
type PartTaker = (part: Dataset) => Promise<void>;

export interface StreamOptions {
  /** A part is handed on when it has so many rows. */
  readonly partRows?: number | undefined;
  /** Number of bytes that are read at once. */
  readonly pieceBytes?: number | undefined;
  readonly onBytes?: BytesObserver | undefined;
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
 * Reads a snapshot once and hands its prices on, part by part: each price as the last file that has it says, without
 * those withdrawn. Every file is compared with its manifest, but a price is handed on before the end of its file is
 * reached: use what came only if nothing is thrown. Of uuids it checks that as many are repeated as the manifest says;
 * rows of equal sequence were compared when they were published.
 *
 * @throws {DatasetError} with the first problems found, of prices those of the first block or file that has some.
 * Cost: memory for a part, and 21 to 27 bytes for each row of the files that may replace others.
 */
export async function streamManifestPrices(
  directory: string,
  manifest: Manifest,
  onPart: PartTaker,
  { onBytes, partRows = partRowsUsual, pieceBytes = pieceBytesUsual }: StreamOptions = {},
): Promise<StreamedRows> {
  const files = manifest.files.filter(({ kind }) => kind !== "origins").map(toListedFile);
  const priceFiles = files.filter((file) => file.kind === "prices").toSorted((a, b) => sequenceOf(b) - sequenceOf(a));
  const problems = new ProblemList();
  const counter = new ReadingCounter(onBytes);
  const reading = { directory, problems, counter };
  counter.expect(await storedBytes(directory, files));
  const tables = await readTables(reading, files);
  checkLinks(tables, problems);
  const decisionFiles = files.filter((file): file is RecordFile<DecisionKind> => isDecisionKind(file.kind));
  const { withdrawals } = await readDecisions(reading, decisionFiles);
  problems.throwIfAny(directory, counter.rows);
  const small = { snapshot: snapshotIdentity(manifest), ...recordsOfTables(tables), accepted: [] };
  const parts = new PartReader({
    files: priceFiles,
    links: { ...linksOf(tables), recordedAtMax: recordedAtMax(manifest.createdAt), areHandedIn: false },
    withdrawals,
    partRows,
    pieceBytes,
    onPart: (prices) => onPart({ ...small, prices }),
  });
  try {
    for (const file of priceFiles) await streamFile(reading, file, parts);
    await parts.handOn();
  } catch (error) {
    throw error instanceof PartNotTakenError ? error.cause : error;
  }
  const wanted = priceFiles.reduce((sum, { replaces = 0 }) => sum + replaces, 0);
  if (parts.replaced !== wanted) {
    const found = counted(parts.replaced, "row that another replaces", "rows that others replace");
    const file = priceFiles[0]?.name ?? "";
    problems.add({ file, kind: "checksum", found, wanted: `${wanted}, as the manifest says of all files` });
    problems.throwIfAny(directory, counter.rows);
  }
  const { rows, replaced, withheld } = parts;
  checkWithheld(decisionFiles, withheld, problems);
  problems.throwIfAny(directory, counter.rows);
  return { rows, replaced, withheld };
}

function sequenceOf({ sequence = 0 }: RecordFile): number {
  return sequence;
}

async function streamFile(reading: DirectoryReading, file: RecordFile<"prices">, parts: PartReader): Promise<void> {
  const { directory, problems, counter } = reading;
  const { name, path = name, entry } = file;
  const fault = await inspectRecordFile(directory, path, entry);
  if (fault !== undefined) problems.add({ file: name, ...fault });
  problems.throwIfAny(directory, counter.rows);
  let lineCount = 0;
  try {
    const stored = readStoredFile(join(directory, path), counter, parts.memory.pieceBytes);
    const isUnfinished = await feedBlocks(stored.content, parts.memory, async (lines) => {
      const block = await parts.read(file, lines);
      for (const problem of block.problems) {
        problems.add({ ...problem, file: name, line: lineCount + 1 + (problem.line as number) });
      }
      lineCount += block.lineCount;
      counter.addRows("prices", block.lineCount);
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

/** Prices to read, and what becomes of them. */
interface PriceStream {
  /** Those of higher sequence first. */
  readonly files: readonly RecordFile<"prices">[];
  readonly links: PriceLinks;
  readonly withdrawals: readonly PriceDecision[];
  readonly partRows: number;
  readonly pieceBytes: number;
  readonly onPart: (prices: PriceTable) => Promise<void>;
}

/** Reads blocks into the rows of a part, and leaves out those that are replaced or withdrawn. */
class PartReader {
  readonly memory: BlockMemory;
  rows = 0;
  replaced = 0;
  withheld = 0;
  readonly #stream: PriceStream;
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
    const { files, links, withdrawals, partRows, pieceBytes } = stream;
    this.#stream = stream;
    this.memory = new BlockMemory(1, pieceBytes);
    this.#table = tableOf(partRows + this.memory.rowsMax);
    this.#withdrawn = new UuidSet(withdrawals.map(({ uuid }) => uuid));
    this.#sequenceMin = Math.min(...files.map(sequenceOf));
    const mayReplace = files.filter((file) => sequenceOf(file) > this.#sequenceMin);
    // A file with more rows than its manifest says is refused at its end.
    const rowsMax = mayReplace.reduce((sum, { entry }) => sum + (entry?.rows ?? 0), 0);
    this.#replacing = new UuidSet([], rowsMax);
    const { memory } = this.memory;
    this.#plan = { memory, links, problemsMax: problemsPerBlockMax, problemsPerKindMax: problemsPerBlockMax };
    this.#reader = new BlockReader(this.#plan, this.#table);
  }

  get isFull(): boolean {
    return this.#rowEnd >= this.#stream.partRows;
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
