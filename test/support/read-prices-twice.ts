/**
 * Prices read by the product and, by its plain twin, line by line. The two must agree on everything: the columns and
 * places of flawless files, and every problem of all others, in order and wording.
 */
import assert from "node:assert/strict";
import type { Instant } from "../../src/engine/model/calendar.ts";
import type { PriceTable } from "../../src/engine/model/dataset.ts";
import type { Schema } from "../../src/engine/model/json-schema.ts";
import { recordFormats } from "../../src/engine/model/records.ts";
import { checkRecord } from "../../src/engine/snapshots/check-record.ts";
import { PriceReaders } from "../../src/engine/snapshots/prices/price-readers.ts";
import { readPrices } from "../../src/engine/snapshots/prices/read-prices.ts";
import { ProblemList, problemText } from "../../src/engine/snapshots/problem.ts";
import { RecordTable, type Tables } from "../../src/engine/snapshots/read-tables.ts";
import type { RecordFile } from "../../src/engine/snapshots/record-file.ts";
import type { UncheckedRecord } from "../../src/engine/snapshots/record-texts.ts";
import { type FileReading, ReadingCounter } from "../../src/engine/snapshots/stored-file.ts";
import { readPricesByLine } from "./read-prices-by-line.ts";
import { marketRow, productRow, testUuid, unitCategoryRow } from "./snapshot-files.ts";

/** The uuid of a product whose letters can be written in either case; the other one is that of `priceRow`. */
export const letteredUuid = "abcdef00-0000-4000-8000-00000000000f";

export const recordedAtMax: Instant = Date.UTC(2026, 1, 1) as Instant;

/** Two products, two markets, kilograms and bags. */
export function smallTables(): Tables {
  const tables: Tables = {
    counties: new RecordTable("counties.json"),
    crops: new RecordTable("crops.json"),
    "market-types": new RecordTable("market-types.json"),
    units: new RecordTable("units.json"),
    products: new RecordTable("products.ndjson"),
    markets: new RecordTable("markets.ndjson"),
    "exchange-rates": new RecordTable("exchange-rates.ndjson"),
    continuations: new RecordTable("continuations.ndjson"),
    "market-continuations": new RecordTable("market-continuations.ndjson"),
  };
  const add = (kind: "units" | "products" | "markets", row: object, line: number): void => {
    const { record } = checkRecord(recordFormats[kind] as Schema, row as UncheckedRecord);
    tables[kind].add(record as never, line);
  };
  add("units", unitCategoryRow(), 1);
  add("products", productRow({ uuid: letteredUuid }), 1);
  add("products", productRow(), 2);
  add("markets", marketRow({ uuid: testUuid(3) }), 1);
  add("markets", marketRow(), 2);
  return tables;
}

export interface TwiceOptions {
  readonly readers?: PriceReaders;
  /** So small that lines lie across the ends of pieces, unless the test says otherwise. */
  readonly pieceBytes?: number;
}

/**
 * Reads files both ways and holds one to the other.
 *
 * @returns The table, or the problems that both or the one that can find them found.
 */
export async function readPricesTwice(
  directory: string,
  files: readonly RecordFile<"prices">[],
  { readers = new PriceReaders(0), pieceBytes = 1000 }: TwiceOptions = {},
): Promise<{ readonly table: PriceTable | undefined; readonly problems: readonly string[] }> {
  const tables = smallTables();
  const problems = new ProblemList();
  const byLine = await readPricesByLine(directory, files, tables, recordedAtMax, problems, pieceBytes);
  const ourProblems = new ProblemList();
  const counter = new ReadingCounter();
  const ours = await readPrices({
    directory,
    files,
    tables,
    recordedAtMax,
    problems: ourProblems,
    readers,
    counter,
    pieceBytes,
  });
  await readers.end();
  const texts = ourProblems.problems.map(problemText);
  assert.deepEqual(texts, problems.problems.map(problemText));
  assert.deepEqual(ourProblems.counts, problems.counts);
  const table = ourProblems.total === 0 ? ours.table : undefined;
  assert.equal(table === undefined, byLine.table === undefined);
  const readings = files.map(({ name }) => counter.readings.get(name));
  assert.deepEqual(readings.map(withoutWhole), byLine.readings.map(withoutWhole));
  if (table !== undefined && byLine.table !== undefined) {
    assert.deepEqual(inPlainMemory(table), inPlainMemory(byLine.table));
    for (let row = 0; row < byLine.table.rowCount; row++)
      assert.deepEqual(ours.locationOf(row), byLine.locationOf(row));
  }
  return { table, problems: texts };
}

/** What was read of a file: its digest and number of rows. */
function withoutWhole(reading: FileReading | undefined): object | undefined {
  if (reading === undefined) return undefined;
  const { isWhole: _, ...digest } = reading;
  return digest;
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
