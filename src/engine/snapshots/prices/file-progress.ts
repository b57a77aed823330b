/**
 * The blocks of a file that is being read, put back in order: its rows, the lines that they come from, and their
 * problems.
 */

import type { FileDigest } from "../../files/hash-file.ts";
import { firstNotBefore } from "../../model/binary-search.ts";
import { type Fault, type Place, ProblemList } from "../problem.ts";
import type { RecordFile } from "../record-file.ts";
import type { FileReading } from "../stored-file.ts";
import type { BlockReading, ColumnTexts } from "./block-reader.ts";

/** The rows of one block. */
export interface BlockRows {
  readonly rowFirst: number;
  readonly rows: number;
  /** Texts that the codes in these rows stand for; the blocks of one reader share one. */
  readonly texts: ColumnTexts;
}

/** The rows of a block, and the lines that they come from. */
interface NumberedRows extends BlockRows {
  /** Counted from 1. */
  readonly lineFirst: number;
  readonly linesWithoutRow: readonly number[];
}

/** A file that is being read, block by block. */
export class FileProgress {
  readonly file: RecordFile<"prices">;
  readonly rowFirst: number;
  /** Exclusive. */
  rowEnd: number;
  blockCount = 0;
  /** Number of lines that the blocks read so far have. */
  lineCount = 0;
  readonly blocks: NumberedRows[] = [];
  /** The problems of its lines. */
  readonly problems: ProblemList;
  /** Why the file, or the rest of it, could not be read. */
  fault: Fault | undefined;
  /** True if its last line has no end. */
  isUnfinished = false;
  /** The digest of the whole file; undefined where it was not read to its end. */
  digest: FileDigest | undefined;
  readonly #allProblems: ProblemList;
  readonly #early = new Map<number, [BlockReading, BlockRows]>();

  /**
   * @param allProblems Receives the problems of its lines too, as soon as they are known. It may have too little room.
   */
  constructor(file: RecordFile<"prices">, rowFirst: number, allProblems: ProblemList) {
    this.file = file;
    this.rowFirst = rowFirst;
    this.rowEnd = rowFirst;
    this.problems = new ProblemList(Number.POSITIVE_INFINITY, allProblems.perKindMax);
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
  add(number: number, reading: BlockReading, rows: BlockRows): void {
    this.#early.set(number, [reading, rows]);
    for (;;) {
      const next = this.#early.get(this.blocks.length);
      if (next === undefined) return;
      this.#early.delete(this.blocks.length);
      this.#addNext(...next);
    }
  }

  #addNext({ lineCount, linesWithoutRow, problems, problemCounts }: BlockReading, rows: BlockRows): void {
    const lineFirst = this.lineCount + 1;
    const file = this.file.name;
    const placed = problems.map((problem) => ({ ...problem, file, line: lineFirst + (problem.line as number) }));
    this.problems.addAll(placed, problemCounts);
    this.blocks.push({ ...rows, lineFirst, linesWithoutRow });
    this.lineCount += lineCount;
    this.#allProblems.addAll(placed, problemCounts);
  }

  /** The line of a row. */
  lineOf(row: number): number {
    const { blocks } = this;
    const next = firstNotBefore(0, blocks.length, (at) => (blocks[at] as NumberedRows).rowFirst <= row);
    const { rowFirst, lineFirst, linesWithoutRow } = blocks[next - 1] as NumberedRows;
    let offset = row - rowFirst;
    for (const line of linesWithoutRow) if (line <= offset) offset++;
    return lineFirst + offset;
  }
}

/** The file and line of a row as it was read. */
export function locationOfRow(files: readonly FileProgress[], row: number): Place {
  const read = files.find(({ rowFirst, rowEnd }) => row >= rowFirst && row < rowEnd);
  if (read === undefined) throw new RangeError(`row is ${row}, expected one of the table`);
  return { file: read.file.name, line: read.lineOf(row) };
}
