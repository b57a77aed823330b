/** The small tables, with the line of each record. */

import type { Dataset } from "../model/dataset.ts";
import type { CountyRecord, Records } from "../model/records.ts";
import type { Fault, Place, ProblemList } from "./problem.ts";
import { type DirectoryReading, type RecordFile, readRecordFile } from "./record-file.ts";
import { optionalTableKinds, type TableKind, tableFileNames } from "./snapshot-layout.ts";

/**
 * Reads the small tables. The links between them are not checked, see check-links.ts.
 *
 * @param files One of each kind, optional ones may be missing; others are passed over.
 */
export async function readTables(reading: DirectoryReading, files: readonly RecordFile[]): Promise<Tables> {
  const tables: Partial<Tables> = {};
  for (const kind of Object.keys(tableFileNames) as TableKind[]) Object.assign(tables, { [kind]: await readOne(kind) });
  return tables as Tables;

  async function readOne<Kind extends TableKind>(kind: Kind): Promise<RecordTable<Records[Kind]>> {
    const file = files.find((candidate) => candidate.kind === kind);
    if (file === undefined) {
      const missing = new RecordTable<Records[Kind]>(tableFileNames[kind]);
      if (optionalTableKinds.includes(kind)) return missing;
      reading.problems.add({ file: missing.file, kind: "file", found: "no such file", wanted: "a file" });
      missing.isWhole = false;
      return missing;
    }
    return await readTable(reading, { ...file, kind });
  }
}

/** Reads one small table. */
export async function readTable<Kind extends TableKind>(
  reading: DirectoryReading,
  file: RecordFile<Kind>,
): Promise<RecordTable<Records[Kind]>> {
  const table = new RecordTable<Records[Kind]>(file.name);
  const read = await readRecordFile(reading, file, (record, line) => {
    table.add("subCounties" in record ? (inOrderOfId(record) as Records[Kind]) : record, line);
  });
  table.isWhole = read?.isWhole ?? false;
  return table;
}

/** The county, its sub-counties sorted. */
function inOrderOfId(county: CountyRecord): CountyRecord {
  return { ...county, subCounties: county.subCounties.toSorted((a, b) => a.id - b.id) };
}

/** The records of a table, each with its file and line, as the checks of links need them. */
export class RecordTable<T> {
  /** Name of the file, for messages. */
  readonly file: string;
  /** In order of the file. */
  readonly records: T[] = [];
  readonly #locations: Place[] = [];
  /** False once a record of the file was refused: then a reference may fail only because its target is not here. */
  isWhole = true;

  constructor(file: string) {
    this.file = file;
  }

  /** @param file The file in which the record stands, if not in the file of the table. */
  add(record: T, line: number, file: string = this.file): void {
    this.records.push(record);
    this.#locations.push({ file, line });
  }

  /** Reports a fault of the record at `position`. */
  report(problems: ProblemList, position: number, fault: Fault): void {
    problems.add({ ...this.locationOf(position), ...fault });
  }

  /** The file and line on which the record at `position` begins. */
  locationOf(position: number): Place {
    const location = this.#locations[position];
    if (location === undefined)
      throw new RangeError(`position is ${position}, expected 0 to ${this.#locations.length - 1}`);
    return location;
  }
}

/** The small tables of a directory. */
export type Tables = { readonly [Kind in TableKind]: RecordTable<Records[Kind]> };

/** The records of all small tables, as a dataset holds them. */
export function recordsOfTables(tables: Tables): Omit<Dataset, "snapshot" | "prices" | "accepted"> {
  return {
    counties: tables.counties.records,
    crops: tables.crops.records,
    unitCategories: tables.units.records,
    marketTypes: tables["market-types"].records,
    products: tables.products.records,
    markets: tables.markets.records,
    exchangeRates: tables["exchange-rates"].records,
    continuations: tables.continuations.records,
    marketContinuations: tables["market-continuations"].records,
  };
}

/** Records that were checked one by one and together, and where they come from. */
export interface PlacedRecords {
  readonly records: Omit<Dataset, "snapshot">;
  /** The small tables with the lines of their records. */
  readonly tables: Tables;
  /** The file and line from which a row of `records.prices` comes; rows of one file are neighbours. */
  readonly locationOfPrice: (row: number) => Place;
  /** Of the files of origins that were read. An origin without a price is no problem. */
  readonly originsPaths: readonly string[];
}

/** The names of all units. */
export function unitNamesOf(tables: Tables): ReadonlySet<string> {
  return new Set(tables.units.records.flatMap((unitCategory) => unitCategory.units.map((unit) => unit.name)));
}
