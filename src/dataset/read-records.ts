import type { Dataset } from "../domain/dataset.ts";
import type { Instant } from "../domain/instant.ts";
import type { PriceFile, PricesReading } from "./prices/read-prices.ts";
import { readPrices, startPriceReaders } from "./prices/read-prices.ts";
import { ProblemList } from "./problem.ts";
import type { FileReading, Tables } from "./read-tables.ts";
import { readTables, type TableFile } from "./read-tables.ts";
import { type BytesObserver, ReadingTally, storedBytes } from "./stored-file.ts";

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
  tally.expect(await storedBytes(directory, files));
  const priceFiles = files.filter((file) => file.kind === "prices");
  const tableFiles = files.filter((file) => file.kind !== "prices");
  // First, so that threads start while the small tables are read.
  const readers = await startPriceReaders(directory, priceFiles);
  try {
    const { tables, readings: tableReadings } = await readTables(directory, tableFiles, problems, tally);
    const prices = await readPrices(directory, priceFiles, tables, recordedAtMax, problems, readers, tally);
    problems.throwIfAny(directory, tally.rows);
    const readings = new Map(tableReadings);
    priceFiles.forEach((file, position) => {
      readings.set(file.name, prices.readings[position]);
    });
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
}

/** What is there whenever no problem was found. */
function known<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError("a file without problems has no reading, expected one");
  return value;
}
