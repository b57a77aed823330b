/** What is left to do when all blocks are read: repeated uuids, problems in order, one dictionary for each column. */
import type { PriceTable } from "../../domain/dataset.ts";
import { readUuid } from "../../domain/uuid-words.ts";
import { type Fault, foundText, type Problem, ProblemList } from "../problem.ts";
import { type FileReading, faultsOfClaim } from "../read-tables.ts";
import type { FileDigest } from "../stored-file.ts";
import type { BlockReading, BlockTable } from "./block-reader.ts";
import type { PriceReaders } from "./price-readers.ts";
import { DictionaryFullError, type KeptRows, type RowRun, remapTexts, withoutDeleted } from "./price-table.ts";
import type { PriceFile } from "./read-prices.ts";
import type { DuplicateUuid } from "./repeated-uuids.ts";

/** Rows of a block, and the lines that they come from. */
interface BlockRows extends RowRun {
  /** Counted from 1. */
  readonly lineFirst: number;
  readonly linesWithoutRow: readonly number[];
}

/** A file that is being read, block by block. */
export class FileRead {
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
  readonly #early = new Map<number, [BlockReading, RowRun]>();

  constructor(file: PriceFile, rowFirst: number, problemsPerKindMax: number) {
    this.file = file;
    this.rowFirst = rowFirst;
    this.rowEnd = rowFirst;
    this.problems = new ProblemList(problemsPerKindMax);
  }

  get reading(): FileReading | undefined {
    if (this.digest === undefined) return undefined;
    const rows = this.lineCount + (this.isUnfinished ? 1 : 0);
    return { ...this.digest, rows, isWhole: this.problems.total === 0 && !this.isUnfinished };
  }

  /** Takes what became of a block. @param number Counts blocks from 0; they come in any order. */
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
    this.problems.addAll(
      problems.map((problem) => ({ ...problem, file, line: lineFirst + (problem.line as number) })),
      problemCounts,
    );
    this.runs.push({ ...run, lineFirst, linesWithoutRow });
    this.lineCount += lineCount;
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
  files: readonly FileRead[],
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
  let table: PriceTable | DictionaryFullError | undefined;
  if (isClean && !mayReplace) {
    // Done while the readers look for repeated uuids, because no row can be deleted.
    repeats.catch(() => {});
    table = remapped(withoutDeleted(rows, runs, isDeleted, 0));
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
  const kept = table === undefined ? withoutDeleted(rows, runs, isDeleted, replacedTotal) : undefined;
  const rowsBefore = kept?.rowsBefore;
  if (kept !== undefined) table = remapped(kept);
  if (table instanceof DictionaryFullError) {
    const place = placeOfRow(files, rowsBefore === undefined ? table.row : rowsBefore[table.row]);
    problems.add({ ...place, kind: "value", found: table.message, wanted: "fewer different texts" });
    return undefined;
  }
  for (const [at, { file }] of files.entries()) {
    if (replaced[at] === file.replaces) continue;
    const found = `${replaced[at]} rows that replace others`;
    const wanted = `${file.replaces}, as the manifest says`;
    problems.add({ file: file.name, kind: "checksum", found, wanted });
  }
  return table === undefined || problems.total > 0 ? undefined : { table, rowsBefore };
}

function remapped(kept: KeptRows): PriceTable | DictionaryFullError {
  try {
    return remapTexts(kept);
  } catch (error) {
    if (error instanceof DictionaryFullError) return error;
    throw error;
  }
}

/** The file and line of a row as it was read. */
export function placeOfRow(files: readonly FileRead[], row: number | undefined): { file: string; line: number } {
  const read = files.find(({ rowFirst, rowEnd }) => row !== undefined && row >= rowFirst && row < rowEnd);
  if (read === undefined || row === undefined) throw new RangeError(`row is ${row}, expected one of the table`);
  return { file: read.file.name, line: read.lineOf(row) };
}

/** Reports what is wrong with each file: its lines in order, then the file. */
function reportProblems(
  files: readonly FileRead[],
  duplicates: readonly DuplicateUuid[],
  uuids: Uint32Array,
  problems: ProblemList,
): void {
  const sorted = duplicates.toSorted((a, b) => a.row - b.row);
  for (const read of files) {
    const { name, claim } = read.file;
    const own = sorted.filter(({ row }) => row >= read.rowFirst && row < read.rowEnd);
    const told = own.slice(0, problems.detailsMax).map((duplicate) => duplicateProblem(duplicate, read));
    // Sorting keeps the order of problems of one line, and a repeated uuid is the last of them.
    const ofLines = [...read.problems.problems, ...told].sort((a, b) => (a.line as number) - (b.line as number));
    problems.addAll(ofLines, new Map([...read.problems.counts, ["duplicate", own.length]]));
    if (read.isUnfinished) {
      const found = "a file that ends in the middle of a line";
      const wanted = "a line end after the last line too";
      problems.add({ file: name, line: read.lineCount + 1, kind: "line", found, wanted });
    }
    if (read.fault !== undefined) problems.add({ file: name, ...read.fault });
    else if (claim !== undefined && read.reading !== undefined) {
      for (const fault of faultsOfClaim(read.reading, claim)) problems.add({ file: name, ...fault });
    }
  }

  function duplicateProblem({ row, first, file }: DuplicateUuid, read: FileRead): Problem {
    const place = placeOfRow(files, first);
    const latest = (files[file] as FileRead).file.name;
    // Where a uuid stands in a file that is not its first, only the file is known.
    const where = place.file === latest ? `${latest}:${place.line}` : latest;
    const found = `${foundText(readUuid(uuids, row))}, as in ${where}`;
    const wanted = "another one in every price";
    return { file: read.file.name, line: read.lineOf(row), kind: "duplicate", field: "uuid", found, wanted };
  }
}
