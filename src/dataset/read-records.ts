import type { Dataset } from "../domain/dataset.ts";
import type { Instant } from "../domain/instant.ts";
import { bytesToRead } from "./bytes-to-read.ts";
import type { Tables } from "./check-links.ts";
import { DatasetError, ProblemList, problemsReadMax } from "./problem.ts";
import { readPrices, startPriceReaders } from "./read-prices.ts";
import type { PriceFile, PricesReading } from "./read-prices-by-line.ts";
import type { FileReading } from "./read-record-file.ts";
import { readTables, type TableFile } from "./read-tables.ts";
import { type BytesObserver, ReadingTally } from "./reading-tally.ts";

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
 * @throws {DatasetError} when there is any problem; after `problemsReadMax` of them the rest is not read.
 * @throws {ReadingThreadError} when a thread that reads prices ends before its time.
 */
export async function readRecords(
  directory: string,
  files: readonly (TableFile | PriceFile)[],
  recordedAtMax: Instant,
  { problems = new ProblemList(problemsReadMax), onBytes }: ReadingOptions = {},
): Promise<RecordsReading> {
  const tally = new ReadingTally(onBytes);
  tally.expect(await bytesToRead(directory, files));
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
  } catch (error) {
    if (error instanceof DatasetError && problems.isCut) problems.throwIfAny(directory, tally.rows);
    throw error;
  } finally {
    await readers.end();
  }
}

/** What is there whenever no problem was found. */
function known<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError("a file without problems has no reading, expected one");
  return value;
}
