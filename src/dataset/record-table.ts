import type { Fault, ProblemList } from "./problem.ts";

/** The records of one file, each with its line, as the checks of links need them. */
export class RecordTable<T> {
  /** Name of the file, for messages. */
  readonly file: string;
  /** In order of the file. */
  readonly records: T[] = [];
  readonly #lines: number[] = [];
  /** False once a record of the file was refused: then a reference may fail only because its target is not here. */
  isWhole = true;

  constructor(file: string) {
    this.file = file;
  }

  add(record: T, line: number): void {
    this.records.push(record);
    this.#lines.push(line);
  }

  /** Reports a fault of the record at `position`. */
  report(problems: ProblemList, position: number, fault: Fault): void {
    problems.add({ file: this.file, line: this.lineOf(position), ...fault });
  }

  /** The line on which the record at `position` begins, counted from 1. */
  lineOf(position: number): number {
    const line = this.#lines[position];
    if (line === undefined) throw new RangeError(`position is ${position}, expected 0 to ${this.#lines.length - 1}`);
    return line;
  }
}
