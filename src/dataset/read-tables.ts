import { checkLinks, type Tables } from "./check-links.ts";
import type { ProblemList } from "./problem.ts";
import { type FileReading, type RecordFile, readRecordFile } from "./read-record-file.ts";
import type { ReadingTally } from "./reading-tally.ts";
import { RecordTable } from "./record-table.ts";
import { type TableKind, tableFileNames } from "./snapshot-layout.ts";
import { type TableRecords, translators } from "./translate-records.ts";

export interface TableFile extends RecordFile {
  readonly kind: TableKind;
}

/** The small tables, and what each file was when it was read; undefined where it could not be read to its end. */
export interface TablesReading {
  readonly tables: Tables;
  readonly readings: ReadonlyMap<string, FileReading | undefined>;
}

/**
 * Reads the small tables and checks the links between them.
 *
 * @param files One of each kind.
 * @param problems Receives whatever is wrong.
 * @param tally Counts bytes and rows.
 */
export async function readTables(
  directory: string,
  files: readonly TableFile[],
  problems: ProblemList,
  tally: ReadingTally,
): Promise<TablesReading> {
  const readings = new Map<string, FileReading | undefined>();
  const tables: Tables = {
    counties: await readTable("counties"),
    crops: await readTable("crops"),
    units: await readTable("units"),
    "market-types": await readTable("market-types"),
    products: await readTable("products"),
    markets: await readTable("markets"),
  };
  checkLinks(tables, problems);
  return { tables, readings };

  async function readTable<Kind extends TableKind>(kind: Kind): Promise<RecordTable<TableRecords[Kind]>> {
    const table = new RecordTable<TableRecords[Kind]>(tableFileNames[kind]);
    const file = files.find((candidate) => candidate.kind === kind);
    if (file === undefined) {
      problems.add({ file: table.file, kind: "file", found: "no such file", wanted: "a file" });
      table.isWhole = false;
      return table;
    }
    const reading = await readRecordFile<TableKind>(directory, file, problems, tally, (record, line) => {
      const translate = translators[kind] as (wire: typeof record) => TableRecords[Kind];
      table.add(translate(record), line);
    });
    readings.set(file.name, reading);
    table.isWhole = reading?.isWhole ?? false;
    return table;
  }
}
