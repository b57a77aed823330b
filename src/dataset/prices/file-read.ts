/** What has been read of one file of prices: runs of rows with the lines they come from, and what is wrong with lines. */
import { type Fault, ProblemList } from "../problem.ts";
import type { FileReading, PriceFile } from "../record-file.ts";
import type { FileDigest } from "../stored-file.ts";
import type { BlockReading, ColumnTexts } from "./block-reader.ts";

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
export function placeOfRow(files: readonly FileRead[], row: number | undefined): { file: string; line: number } {
  const read = files.find(({ rowFirst, rowEnd }) => row !== undefined && row >= rowFirst && row < rowEnd);
  if (read === undefined || row === undefined) throw new RangeError(`row is ${row}, expected one of the table`);
  return { file: read.file.name, line: read.lineOf(row) };
}
