/**
 * Prices read into columns and, by the plain twin, line by line. The two must agree on everything: the columns and places
 * of flawless files, and which files are flawless at all.
 */
import assert from "node:assert/strict";
import type { Tables } from "../../src/dataset/check-links.ts";
import { type BlockReaders, ownReader } from "../../src/dataset/columns/block-readers.ts";
import { readPriceColumns } from "../../src/dataset/columns/read-columns.ts";
import { ProblemList, problemText } from "../../src/dataset/problem.ts";
import {
  announceRows,
  type PriceFile,
  type PricesReading,
  readPricesByLine,
} from "../../src/dataset/read-prices-by-line.ts";
import { faultOfReading } from "../../src/dataset/read-stored-file.ts";
import { ReadingTally } from "../../src/dataset/reading-tally.ts";
import { RecordTable } from "../../src/dataset/record-table.ts";
import { translators } from "../../src/dataset/translate-records.ts";
import type { PriceTable } from "../../src/domain/dataset.ts";
import type { Instant } from "../../src/domain/instant.ts";
import { marketRow, productRow, testUuid, unitCategoryRow } from "./snapshot-files.ts";

/** The uuid of a product whose letters can be written in either case; the other one is that of `priceRow`. */
export const letteredUuid = "abcdef00-0000-4000-8000-00000000000f";

const recordedAtMax = Date.UTC(2026, 1, 1) as Instant;

/** Two products, two markets, kilograms and bags. */
function smallTables(): Tables {
  const tables = {
    counties: new RecordTable<never>("counties.json"),
    crops: new RecordTable<never>("crops.json"),
    "market-types": new RecordTable<never>("market-types.json"),
    units: new RecordTable<ReturnType<typeof translators.units>>("units.json"),
    products: new RecordTable<ReturnType<typeof translators.products>>("products.ndjson"),
    markets: new RecordTable<ReturnType<typeof translators.markets>>("markets.ndjson"),
  };
  tables.units.add(translators.units(unitCategoryRow()), 1);
  tables.products.add(translators.products(productRow({ uuid: letteredUuid })), 1);
  tables.products.add(translators.products(productRow()), 2);
  tables.markets.add(translators.markets(marketRow({ uuid: testUuid(3) })), 1);
  tables.markets.add(translators.markets(marketRow()), 2);
  return tables;
}

export interface TwiceOptions {
  readonly readers?: BlockReaders;
  /** So small that lines lie across the ends of pieces, unless the test says otherwise. */
  readonly pieceBytes?: number;
}

/**
 * Reads files both ways and holds one to the other.
 *
 * @returns The table, or the problems that both or the one that can tell them found.
 */
export async function readPricesTwice(
  directory: string,
  files: readonly PriceFile[],
  { readers = ownReader(), pieceBytes = 1000 }: TwiceOptions = {},
): Promise<{ readonly table: PriceTable | undefined; readonly problems: readonly string[] }> {
  const tables = smallTables();
  const problems = new ProblemList();
  const tally = new ReadingTally();
  const byLine = await readPricesByLine(directory, files, tables, recordedAtMax, problems, tally);
  const newestFirst = files.toSorted((a, b) => b.sequence - a.sequence);
  let columns: PricesReading | undefined;
  try {
    const announced = await announceRows(directory, newestFirst, tally);
    const given = { directory, files: newestFirst, announced, tables, recordedAtMax, tally };
    columns = await readPriceColumns(given, readers, { pieces: 2 * readers.count + 2, pieceBytes });
  } catch (error) {
    faultOfReading(error);
  } finally {
    await readers.end();
  }
  const texts = problems.problems.map(problemText);
  assert.equal(columns === undefined, byLine.table === undefined, `columns for flawless files only: ${texts[0]}`);
  if (columns?.table !== undefined && byLine.table !== undefined) {
    assert.deepEqual(inPlainMemory(columns.table), inPlainMemory(byLine.table));
    const readings = files.map((file) => columns.readings[newestFirst.indexOf(file)]);
    assert.deepEqual(readings, byLine.readings);
    for (let row = 0; row < byLine.table.rowCount; row++) assert.deepEqual(columns.placeOf(row), byLine.placeOf(row));
  }
  return { table: columns?.table, problems: texts };
}

/** A table whose columns can be compared by value, wherever their memory lies. */
function inPlainMemory(table: PriceTable): object {
  return Object.fromEntries(
    Object.entries(table).map(([name, column]) => [
      name,
      ArrayBuffer.isView(column) ? Array.from(column as never) : column,
    ]),
  );
}
