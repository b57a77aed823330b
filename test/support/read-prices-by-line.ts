/**
 * The prices of all files into columns, line by line: the slow and obvious twin of the reader of the
 * product. Files that replace rows of others are read first: then the first row of a uuid
 * that comes by is the one that counts, nothing is ever overwritten, and the columns have their exact size from the
 * start, namely all rows less those that the manifest says are replaced.
 */
import { join } from "node:path";
import type { PriceFile, PricesReading } from "../../src/dataset/prices/read-prices.ts";
import { foundText, type ProblemList } from "../../src/dataset/problem.ts";
import { type FileReading, readRecordFile, type Tables } from "../../src/dataset/read-tables.ts";
import { faultOfReading, inspectStoredFile, type ReadingTally, readStoredFile } from "../../src/dataset/stored-file.ts";
import { translatePrice, uuidOf } from "../../src/dataset/translate-records.ts";
import type { WirePrice } from "../../src/dataset/wire-records.ts";
import type { Instant } from "../../src/domain/instant.ts";
import { PriceAppender } from "../../src/domain/price-appender.ts";
import { PriceLinks } from "./price-links.ts";
import { UuidRows } from "./uuid-rows.ts";

/**
 * Reads all prices and checks their links.
 *
 * @param files In the order in which their rows are wanted.
 * @param tables What prices refer to. References into a table with refused records are not judged.
 * @param recordedAtMax Last instant at which a price may be recorded (inclusive).
 * @param tally Counts bytes and rows.
 */
export async function readPricesByLine(
  directory: string,
  files: readonly PriceFile[],
  tables: Tables,
  recordedAtMax: Instant,
  problems: ProblemList,
  tally: ReadingTally,
): Promise<PricesReading> {
  const newestFirst = files.toSorted((a, b) => b.sequence - a.sequence);
  const announced = await announceRows(directory, newestFirst, tally);

  const uuids = new UuidRows();
  const replaced = newestFirst.map(() => 0);
  const links = new PriceLinks(tables, recordedAtMax, problems);
  const replacedTotal = files.reduce((sum, file) => sum + file.replaces, 0);
  const capacity = Math.max(0, [...announced.values()].reduce((sum, rows) => sum + rows, 0) - replacedTotal);
  const appender = new PriceAppender(problems.total === 0 ? capacity : 0);
  const readings = new Map<PriceFile, FileReading | undefined>();

  for (const [position, file] of newestFirst.entries()) {
    const reading = await readRecordFile(directory, file, problems, tally, (price, line) =>
      visit(position, price, line),
    );
    readings.set(file, reading);
    if (reading !== undefined && reading.rows !== announced.get(file) && file.claim === undefined) {
      const wanted = `${announced.get(file)}, as when they were counted just before`;
      problems.add({ file: file.name, kind: "checksum", found: `${reading.rows} lines`, wanted });
    }
  }
  if (problems.total === 0) compareReplaced();
  return {
    table: problems.total === 0 ? appender.finish() : undefined,
    readings: files.map((file) => readings.get(file)),
    placeOf(row) {
      const { file, line } = uuids.placeOf(row);
      return { file: fileAt(file).name, line };
    },
  };

  function visit(position: number, price: WirePrice, line: number): void {
    const { name, sequence } = fileAt(position);
    const uuid = uuidOf(price.uuid);
    const entry = uuids.add(uuid, { file: position, line });
    const linked = links.resolve(price, name, line);
    if (entry === undefined) {
      // After a problem the columns will not be used, and their size no longer fits.
      if (linked === undefined || problems.total > 0 || uuids.size > capacity) return;
      try {
        appender.append(translatePrice(price, linked.product, linked.market));
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        problems.add({ file: name, line, kind: "value", found: error.message, wanted: "fewer different texts" });
      }
      return;
    }
    const latest = uuids.latestFileOf(entry);
    if (fileAt(latest).sequence === sequence) {
      reportDuplicate(name, line, uuid, entry);
      return;
    }
    replaced[latest] = (replaced[latest] ?? 0) + 1;
    uuids.meetAgain(entry, position);
  }

  function reportDuplicate(file: string, line: number, uuid: string, entry: number): void {
    const latest = uuids.latestFileOf(entry);
    const first = uuids.placeOf(entry);
    // Only the first place of a uuid is kept with its line.
    const where = first.file === latest ? `${fileAt(latest).name}:${first.line}` : fileAt(latest).name;
    const found = `${foundText(uuid)}, as in ${where}`;
    problems.add({ file, line, kind: "duplicate", field: "uuid", found, wanted: "another one in every price" });
  }

  function compareReplaced(): void {
    for (const [position, file] of newestFirst.entries()) {
      if (replaced[position] === file.replaces) continue;
      const found = `${replaced[position]} rows that replace others`;
      const wanted = `${file.replaces}, as the manifest says`;
      problems.add({ file: file.name, kind: "checksum", found, wanted });
    }
  }

  function fileAt(position: number): PriceFile {
    const file = newestFirst[position];
    if (file === undefined) throw new RangeError(`file is ${position}, expected 0 to ${newestFirst.length - 1}`);
    return file;
  }
}

/** How many rows each file will bring, see `announcedRows`. */
async function announceRows(
  directory: string,
  files: readonly PriceFile[],
  tally: ReadingTally,
): Promise<ReadonlyMap<PriceFile, number>> {
  const announced = new Map<PriceFile, number>();
  for (const file of files) announced.set(file, await announcedRows(directory, file, tally));
  return announced;
}

/**
 * How many rows a file will bring: as its manifest says, or else as its lines are counted.
 *
 * @returns 0 for a file that cannot be read or has not the size its manifest says; reading it will tell.
 */
async function announcedRows(directory: string, file: PriceFile, tally: ReadingTally): Promise<number> {
  try {
    const size = await inspectStoredFile(directory, file.name);
    if (typeof size !== "number") return 0;
    if (file.claim === undefined) return await countLines(readStoredFile(join(directory, file.name), tally).content);
    return size === file.claim.bytes ? file.claim.rows : 0;
  } catch (error) {
    faultOfReading(error);
    return 0;
  }
}

/** How many lines a file has, broken ones and an unfinished last one included. */
async function countLines(content: AsyncIterable<Buffer>): Promise<number> {
  let lines = 0;
  let isUnfinished = false;
  for await (const chunk of content) {
    for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, at + 1)) lines++;
    if (chunk.length > 0) isUnfinished = chunk.at(-1) !== 0x0a;
  }
  return isUnfinished ? lines + 1 : lines;
}
