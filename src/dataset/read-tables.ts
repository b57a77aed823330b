/** The small tables, with the line of each record. */
import type { CountyRecord } from "../domain/records.ts";
import type { Fault, ProblemList } from "./problem.ts";
import { type FileReading, readRecordFile, type TableFile } from "./record-file.ts";
import type { Records } from "./record-formats.ts";
import { type TableKind, tableFileNames } from "./snapshot-layout.ts";
import type { ReadingCounter } from "./stored-file.ts";

/** The small tables, and what each file was when it was read; undefined where it could not be read to its end. */
export interface TablesReading {
  readonly tables: Tables;
  readonly readings: ReadonlyMap<string, FileReading | undefined>;
}

/**
 * Reads the small tables. The links between them are not checked, see check-links.ts.
 *
 * @param files One of each kind.
 * @param problems Receives whatever is wrong.
 * @param counter Counts bytes and rows.
 */
export async function readTables(
  directory: string,
  files: readonly TableFile[],
  problems: ProblemList,
  counter: ReadingCounter,
): Promise<TablesReading> {
  const readings = new Map<string, FileReading | undefined>();
  const tables: Tables = {
    counties: await readTable("counties", inOrderOfId),
    crops: await readTable("crops"),
    units: await readTable("units"),
    "market-types": await readTable("market-types"),
    products: await readTable("products"),
    markets: await readTable("markets"),
  };
  return { tables, readings };

  async function readTable<Kind extends TableKind>(
    kind: Kind,
    arranged: (record: Records[Kind]) => Records[Kind] = (record) => record,
  ): Promise<RecordTable<Records[Kind]>> {
    const table = new RecordTable<Records[Kind]>(tableFileNames[kind]);
    const file = files.find((candidate) => candidate.kind === kind);
    if (file === undefined) {
      problems.add({ file: table.file, kind: "file", found: "no such file", wanted: "a file" });
      table.isWhole = false;
      return table;
    }
    const reading = await readRecordFile(directory, { ...file, kind }, problems, counter, (record, line) => {
      table.add(arranged(record), line);
    });
    readings.set(file.name, reading);
    table.isWhole = reading?.isWhole ?? false;
    return table;
  }
}

/** The county, its sub-counties sorted. */
function inOrderOfId(county: CountyRecord): CountyRecord {
  return { ...county, subCounties: county.subCounties.toSorted((a, b) => a.id - b.id) };
}

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

/** The small tables of a directory. */
export type Tables = { readonly [Kind in TableKind]: RecordTable<Records[Kind]> };

/** The names of all units. */
export function unitNamesOf(tables: Tables): ReadonlySet<string> {
  return new Set(tables.units.records.flatMap((unitCategory) => unitCategory.units.map((unit) => unit.name)));
}
