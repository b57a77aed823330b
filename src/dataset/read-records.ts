import type { Dataset } from "../domain/dataset.ts";
import type { Instant } from "../domain/instant.ts";
import { bytesToRead } from "./bytes-to-read.ts";
import { checkLinks, type Tables } from "./check-links.ts";
import { ProblemList } from "./problem.ts";
import { readPrices, startPriceReaders } from "./read-prices.ts";
import type { PriceFile, PricesReading } from "./read-prices-by-line.ts";
import { type FileReading, type RecordFile, readRecordFile } from "./read-record-file.ts";
import { type BytesObserver, ReadingTally } from "./reading-tally.ts";
import { RecordTable } from "./record-table.ts";
import { type TableKind, tableFileNames } from "./snapshot-layout.ts";
import { type TableRecords, translators } from "./translate-records.ts";

export interface TableFile extends RecordFile {
  readonly kind: TableKind;
}

export interface ReadingOptions {
  /** What is wrong with the directory already; reading adds to it. */
  readonly problems?: ProblemList | undefined;
  readonly onBytes?: BytesObserver | undefined;
}

/** The records of a directory, checked one by one and together. */
export interface RecordsReading {
  readonly records: Omit<Dataset, "snapshot">;
  /** What each file was when it was read, in the order of the files given. */
  readonly files: readonly (FileReading & { readonly name: string })[];
  /** The small tables with the lines of their records. */
  readonly tables: Tables;
  /** The file and line from which a row of `records.prices` comes. */
  readonly placeOfPrice: PricesReading["placeOf"];
}

/**
 * Reads record files: each of them once, and all of them however much is wrong, so that the reader of the report can
 * mend everything at once.
 *
 * @param files One of each table kind, and any number of prices files.
 * @param recordedAtMax Last instant at which a price may be recorded (inclusive).
 * @throws {DatasetError} when there is any problem.
 * @throws {ReadingThreadError} when a thread that reads prices ends before its time.
 */
export async function readRecords(
  directory: string,
  files: readonly (TableFile | PriceFile)[],
  recordedAtMax: Instant,
  { problems = new ProblemList(), onBytes }: ReadingOptions = {},
): Promise<RecordsReading> {
  const tally = new ReadingTally(onBytes);
  tally.expect(await bytesToRead(directory, files));
  const readings = new Map<string, FileReading | undefined>();
  const priceFiles = files.filter((file) => file.kind === "prices");
  // First, so that threads start while the small tables are read.
  const readers = await startPriceReaders(directory, priceFiles);
  try {
    const tables = await readTables();
    checkLinks(tables, problems);
    const prices = await readPrices(directory, priceFiles, tables, recordedAtMax, problems, readers, tally);
    priceFiles.forEach((file, position) => {
      readings.set(file.name, prices.readings[position]);
    });
    problems.throwIfAny(directory, tally.rows);
    return {
      records: {
        counties: tables.counties.records,
        crops: tables.crops.records,
        unitCategories: tables.units.records,
        marketTypes: tables["market-types"].records,
        products: tables.products.records,
        markets: tables.markets.records,
        prices: known(prices.table),
      },
      files: files.map(({ name }) => ({ name, ...known(readings.get(name)) })),
      tables,
      placeOfPrice: prices.placeOf,
    };
  } finally {
    await readers.end();
  }

  async function readTables(): Promise<Tables> {
    return {
      counties: await readTable("counties"),
      crops: await readTable("crops"),
      units: await readTable("units"),
      "market-types": await readTable("market-types"),
      products: await readTable("products"),
      markets: await readTable("markets"),
    };
  }

  async function readTable<Kind extends TableKind>(kind: Kind): Promise<RecordTable<TableRecords[Kind]>> {
    const table = new RecordTable<TableRecords[Kind]>(tableFileNames[kind]);
    const file = files.find((candidate): candidate is TableFile & { readonly kind: Kind } => candidate.kind === kind);
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

/** What is there whenever no problem was found. */
function known<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError("a file without problems has no reading, expected one");
  return value;
}
