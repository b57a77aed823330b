import { availableParallelism } from "node:os";
import type { Instant } from "../domain/instant.ts";
import { bytesToRead } from "./bytes-to-read.ts";
import type { Tables } from "./check-links.ts";
import { type BlockReaders, ownReader, startReaderThreads } from "./columns/block-readers.ts";
import { type PieceSizes, readPriceColumns } from "./columns/read-columns.ts";
import type { ProblemList } from "./problem.ts";
import { announceRows, type PriceFile, type PricesReading, readPricesByLine } from "./read-prices-by-line.ts";
import { faultOfReading, inspectStoredFile } from "./read-stored-file.ts";
import type { ReadingTally } from "./reading-tally.ts";

/** From how many stored bytes on threads read faster than they start. */
const threadedBytesMin = 32 * 1024 * 1024;
/** Beside the thread that reads the files and hashes them; more would wait for it. */
const threadsMax = 3;
const pieceBytes = 1024 * 1024;

/**
 * Makes ready who will read prices: threads for large files, which take a while to start, or this thread alone. The caller
 * ends them.
 */
export async function startPriceReaders(directory: string, files: readonly PriceFile[]): Promise<BlockReaders> {
  let bytes = 0;
  for (const { name } of files) {
    const size = await inspectStoredFile(directory, name);
    bytes += typeof size === "number" ? size : 0;
  }
  return bytes < threadedBytesMin ? ownReader() : startReaderThreads(threadCount());
}

function threadCount(): number {
  return Math.max(1, Math.min(availableParallelism() - 1, threadsMax));
}

/**
 * Reads all prices and checks their links: flawless files by several threads into columns, all others line by line.
 *
 * @param files In the order in which their rows are wanted.
 * @param tables What prices refer to. References into a table with refused records are not judged.
 * @param recordedAtMax Last instant at which a price may be recorded (inclusive).
 * @param problems What is wrong already; receives what is wrong with the prices.
 * @param readers See `startPriceReaders`; of no use afterwards.
 * @param tally Counts bytes and, of files that are not flawless, rows.
 * @throws {ReadingThreadError} when a thread ends before its time.
 */
export async function readPrices(
  directory: string,
  files: readonly PriceFile[],
  tables: Tables,
  recordedAtMax: Instant,
  problems: ProblemList,
  readers: BlockReaders,
  tally: ReadingTally,
): Promise<PricesReading> {
  // Where something is wrong already there will be no columns.
  if (problems.total === 0) {
    const reading = await readColumns(directory, files, tables, recordedAtMax, readers, tally);
    if (reading !== undefined) return reading;
  }
  await readers.end();
  tally.expect(await bytesToRead(directory, files));
  return await readPricesByLine(directory, files, tables, recordedAtMax, problems, tally);
}

async function readColumns(
  directory: string,
  files: readonly PriceFile[],
  tables: Tables,
  recordedAtMax: Instant,
  readers: BlockReaders,
  tally: ReadingTally,
): Promise<PricesReading | undefined> {
  const newestFirst = files.toSorted((a, b) => b.sequence - a.sequence);
  try {
    const announced = await announceRows(directory, newestFirst, tally);
    const given = { directory, files: newestFirst, announced, tables, recordedAtMax, tally };
    const reading = await readPriceColumns(given, readers, sizesFor(readers));
    if (reading === undefined) return undefined;
    const { table, placeOf } = reading;
    return { table, readings: files.map((file) => reading.readings[newestFirst.indexOf(file)]), placeOf };
  } catch (error) {
    // What is wrong with a file is told by the one who reads it line by line; anything else is thrown again.
    faultOfReading(error);
    return undefined;
  }
}

function sizesFor({ count }: BlockReaders): PieceSizes {
  // One that is read, one that waits to be, for each reader; and those that the file is read into.
  return { pieces: 2 * count + 2, pieceBytes };
}
