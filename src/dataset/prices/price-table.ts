/**
 * From rows that several readers have filled to a price table. `FileProgress` puts the blocks of a file back in order; then
 * repeated uuids are found, problems reported in order, deleted rows removed, and the codes of each reader remapped to one
 * dictionary for each column.
 */
import type { PriceTable } from "../../domain/dataset.ts";
import { Dictionary } from "../../domain/dictionary.ts";
import {
  elementsPerRow,
  firstRows,
  type PriceRows,
  type PriceTexts,
  priceColumnNames,
  priceColumns,
  textColumnNames,
} from "../../domain/price-columns.ts";
import { missingCode } from "../../domain/shared-columns.ts";
import { readUuid } from "../../domain/uuid-words.ts";
import { type Fault, foundText, type Problem, ProblemList } from "../problem.ts";
import { type FileReading, faultsOfClaim, type PriceFile } from "../record-file.ts";
import { unfinishedFile } from "../record-texts.ts";
import type { FileDigest } from "../stored-file.ts";
import type { BlockReading, BlockTable, ColumnTexts, PriceReaders } from "./price-readers.ts";
import type { DuplicateUuid } from "./repeated-uuids.ts";

/** Rows of one block. */
export interface RowRun {
  readonly rowFirst: number;
  readonly rows: number;
  /** What the codes in these rows stand for; the runs of one reader share one. */
  readonly texts: ColumnTexts;
}

/** Rows of a block, and the lines that they come from. */
interface BlockRows extends RowRun {
  /** Counted from 1. */
  readonly lineFirst: number;
  readonly linesWithoutRow: readonly number[];
}

/** A file that is being read, block by block. */
export class FileProgress {
  readonly file: PriceFile;
  readonly rowFirst: number;
  /** Behind its last row. */
  rowEnd: number;
  blockCount = 0;
  /** How many lines the blocks read so far have. */
  lineCount = 0;
  readonly runs: BlockRows[] = [];
  /** Of its lines. */
  readonly problems: ProblemList;
  /** Why the file, or the rest of it, could not be read. */
  fault: Fault | undefined;
  /** Whether its last line has no end. */
  isUnfinished = false;
  /** Of the whole file. */
  digest: FileDigest | undefined;
  readonly #allProblems: ProblemList;
  readonly #early = new Map<number, [BlockReading, RowRun]>();

  /** @param allProblems Receives the problems of its lines too, as soon as they are known. It may have too little room. */
  constructor(file: PriceFile, rowFirst: number, allProblems: ProblemList) {
    this.file = file;
    this.rowFirst = rowFirst;
    this.rowEnd = rowFirst;
    this.problems = new ProblemList(Number.POSITIVE_INFINITY, allProblems.detailsMax);
    this.#allProblems = allProblems;
  }

  get reading(): FileReading | undefined {
    if (this.digest === undefined) return undefined;
    const rows = this.lineCount + (this.isUnfinished ? 1 : 0);
    return { ...this.digest, rows, isWhole: this.problems.total === 0 && !this.isUnfinished };
  }

  /**
   * Takes what became of a block.
   *
   * @param number Counts blocks from 0; they come in any order.
   * @throws {DatasetError} when there are too many problems in all.
   */
  add(number: number, reading: BlockReading, run: RowRun): void {
    this.#early.set(number, [reading, run]);
    for (;;) {
      const next = this.#early.get(this.runs.length);
      if (next === undefined) return;
      this.#early.delete(this.runs.length);
      this.#addNext(...next);
    }
  }

  #addNext({ lineCount, linesWithoutRow, problems, problemCounts }: BlockReading, run: RowRun): void {
    const lineFirst = this.lineCount + 1;
    const file = this.file.name;
    const placed = problems.map((problem) => ({ ...problem, file, line: lineFirst + (problem.line as number) }));
    this.problems.addAll(placed, problemCounts);
    this.runs.push({ ...run, lineFirst, linesWithoutRow });
    this.lineCount += lineCount;
    this.#allProblems.addAll(placed, problemCounts);
  }

  /** The line of a row. */
  lineOf(row: number): number {
    let [from, to] = [0, this.runs.length];
    while (to - from > 1) {
      const middle = (from + to) >>> 1;
      if ((this.runs[middle] as BlockRows).rowFirst <= row) from = middle;
      else to = middle;
    }
    const { rowFirst, lineFirst, linesWithoutRow } = this.runs[from] as BlockRows;
    let offset = row - rowFirst;
    for (const line of linesWithoutRow) if (line <= offset) offset++;
    return lineFirst + offset;
  }
}

/** The file and line of a row as it was read. */
export function placeOfRow(files: readonly FileProgress[], row: number | undefined): { file: string; line: number } {
  const read = files.find(({ rowFirst, rowEnd }) => row !== undefined && row >= rowFirst && row < rowEnd);
  if (read === undefined || row === undefined) throw new RangeError(`row is ${row}, expected one of the table`);
  return { file: read.file.name, line: read.lineOf(row) };
}

/** A finished table, and which row each of its rows was before others were deleted, if any were. */
export interface FinishedTable {
  readonly table: PriceTable;
  readonly rowsBefore: Uint32Array | undefined;
}

/**
 * Makes a table of the rows of all files, if there is no problem.
 *
 * @param files In the order of their rows: higher sequence first.
 * @param problems Receives what is wrong, by file and line.
 */
export async function finishTable(
  files: readonly FileProgress[],
  { rows, isDeleted }: BlockTable,
  problems: ProblemList,
  readers: PriceReaders,
): Promise<FinishedTable | undefined> {
  const rowsOfFiles = files.map(({ file, rowFirst, rowEnd }) => {
    return { rowFirst, rows: rowEnd - rowFirst, sequence: file.sequence };
  });
  const runs = files.flatMap((file) => file.runs);
  const repeats = readers.findRepeats({ uuids: rows.uuids, files: rowsOfFiles, isDeleted });
  const mayReplace = files.some(({ file }) => file.sequence !== files[0]?.file.sequence);
  const isClean = problems.total === 0 && files.every(({ reading }) => reading?.isWhole);
  let table: PriceTable | DictionaryFull | undefined;
  if (isClean && !mayReplace) {
    // Done while the readers look for repeated uuids, because no row can be deleted.
    repeats.catch(() => {});
    table = remapTexts(withoutDeleted(rows, runs, isDeleted, 0));
  }
  const answers = await repeats;
  reportProblems(
    files,
    answers.flatMap(({ duplicates }) => duplicates),
    rows.uuids,
    problems,
  );
  if (problems.total > 0) return undefined;

  const replaced = files.map((_, at) => answers.reduce((sum, answer) => sum + (answer.replaced[at] as number), 0));
  const replacedTotal = replaced.reduce((sum, count) => sum + count, 0);
  let rowsBefore: Uint32Array | undefined;
  if (table === undefined) {
    const kept = withoutDeleted(rows, runs, isDeleted, replacedTotal);
    rowsBefore = kept.rowsBefore;
    table = remapTexts(kept);
  }
  if ("reason" in table) {
    const { fullAtRow, reason } = table;
    const place = placeOfRow(files, rowsBefore === undefined ? fullAtRow : rowsBefore[fullAtRow]);
    problems.add({ ...place, kind: "value", found: reason, wanted: "fewer different texts" });
    return undefined;
  }
  for (const [at, { file }] of files.entries()) {
    if (replaced[at] === file.replaces) continue;
    const found = `${replaced[at]} rows that replace others`;
    const wanted = `${file.replaces}, as the manifest says`;
    problems.add({ file: file.name, kind: "checksum", found, wanted });
  }
  return problems.total > 0 ? undefined : { table, rowsBefore };
}

/** Reports what is wrong with each file: its lines in order, then the file. */
function reportProblems(
  files: readonly FileProgress[],
  duplicates: readonly DuplicateUuid[],
  uuids: Uint32Array,
  problems: ProblemList,
): void {
  const sorted = duplicates.toSorted((a, b) => a.row - b.row);
  for (const read of files) {
    const { name, claim } = read.file;
    const own = sorted.filter(({ row }) => row >= read.rowFirst && row < read.rowEnd);
    const listed = own.slice(0, problems.detailsMax).map((duplicate) => duplicateProblem(duplicate, read));
    // Sorting keeps the order of problems of one line, and a repeated uuid is the last of them.
    const ofLines = [...read.problems.problems, ...listed].sort((a, b) => (a.line as number) - (b.line as number));
    problems.addAll(ofLines, new Map([...read.problems.counts, ["duplicate", own.length]]));
    if (read.isUnfinished) problems.add({ file: name, line: read.lineCount + 1, ...unfinishedFile });
    if (read.fault !== undefined) problems.add({ file: name, ...read.fault });
    else if (claim !== undefined && read.reading !== undefined) {
      for (const fault of faultsOfClaim(read.reading, claim)) problems.add({ file: name, ...fault });
    }
  }

  function duplicateProblem({ row, first, file }: DuplicateUuid, read: FileProgress): Problem {
    const place = placeOfRow(files, first);
    const latest = (files[file] as FileProgress).file.name;
    // Where a uuid stands in a file that is not its first, only the file is known.
    const where = place.file === latest ? `${latest}:${place.line}` : latest;
    const found = `${foundText(readUuid(uuids, row))}, as in ${where}`;
    const wanted = "another one in every price";
    return { file: read.file.name, line: read.lineOf(row), kind: "duplicate", field: "uuid", found, wanted };
  }
}

/** Rows that are left. */
interface KeptRows {
  readonly rowCount: number;
  readonly rows: PriceRows<SharedArrayBuffer>;
  readonly runs: readonly RowRun[];
  /** Which row each of them was before; undefined where none was deleted. */
  readonly rowsBefore: Uint32Array | undefined;
}

/** A column has more different texts than its type has codes. */
interface DictionaryFull {
  /** Where the text stands that has no place. */
  readonly fullAtRow: number;
  readonly reason: string;
}

/**
 * Moves the rows that stay to the front of their columns, in order.
 *
 * @param isDeleted A byte for each row.
 * @param deletedCount How many of them are 1.
 */
function withoutDeleted(
  rows: PriceRows<SharedArrayBuffer>,
  runs: readonly RowRun[],
  isDeleted: Uint8Array,
  deletedCount: number,
): KeptRows {
  const rowsRead = runs.reduce((sum, run) => sum + run.rows, 0);
  const rowCount = rowsRead - deletedCount;
  if (deletedCount === 0) return { rowCount, rows: firstRows(rows, rowCount), runs, rowsBefore: undefined };
  const rowsBefore = new Uint32Array(rowCount);
  let kept = 0;
  const keptRuns = runs.map(({ rowFirst, rows: count, texts }) => {
    const keptFirst = kept;
    for (let row = rowFirst; row < rowFirst + count; row++) {
      if (isDeleted[row] === 0) rowsBefore[kept++] = row;
    }
    return { rowFirst: keptFirst, rows: kept - keptFirst, texts };
  });
  for (const name of priceColumnNames) {
    const width = elementsPerRow(name);
    for (let row = 0; row < rowCount; row++) {
      const from = (rowsBefore[row] as number) * width;
      rows[name].copyWithin(row * width, from, from + width);
    }
  }
  return { rowCount, rows: firstRows(rows, rowCount), runs: keptRuns, rowsBefore };
}

/**
 * Replaces the codes of readers, in place, by those of one dictionary a column, which count from 0 in order of first
 * appearance.
 */
function remapTexts({ rowCount, rows, runs }: KeptRows): PriceTable | DictionaryFull {
  const dictionaries: [string, readonly string[]][] = [];
  for (const name of textColumnNames) {
    const { called, texts: dictionaryName } = priceColumns[name];
    const column = rows[name];
    const dictionary = new Dictionary(`${called} of prices`, missingCode(column));
    const codes = new Map<ColumnTexts, Int32Array>();
    for (const { rowFirst, rows: count, texts } of runs) {
      const known = codes.get(texts) ?? new Int32Array(texts[name].length).fill(-1);
      codes.set(texts, known);
      const full = remapRun(column, rowFirst, rowFirst + count, known, texts[name], dictionary);
      if (full !== undefined) return full;
    }
    dictionaries.push([dictionaryName, dictionary.texts]);
  }
  return { rowCount, ...rows, ...(Object.fromEntries(dictionaries) as PriceTexts) };
}

/** @param codes By code of the reader; -1 where the dictionary has not been asked yet. */
function remapRun(
  column: Uint16Array | Uint32Array,
  rowFirst: number,
  rowEnd: number,
  codes: Int32Array,
  texts: readonly string[],
  dictionary: Dictionary,
): DictionaryFull | undefined {
  const missing = missingCode(column);
  for (let row = rowFirst; row < rowEnd; row++) {
    const own = column[row] as number;
    if (own === missing) continue;
    if (codes[own] === -1) {
      try {
        codes[own] = dictionary.codeOf(texts[own] as string);
      } catch (error) {
        return { fullAtRow: row, reason: (error as RangeError).message };
      }
    }
    column[row] = codes[own] as number;
  }
  return undefined;
}
