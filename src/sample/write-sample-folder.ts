import type { Day } from "../domain/calendar-day.ts";
import { dayText } from "../domain/calendar-day.ts";
import { type FolderClaim, type FolderFile, requireFreeFolder, writeWholeFolder } from "../files/whole-folder.ts";
import { createPriceBlock } from "./price-block.ts";
import { PriceGenerator } from "./price-generator.ts";
import { createSampleFrame, type SampleFrame } from "./sample-frame.ts";
import type { SampleOptions } from "./sample-options.ts";
import { PriceLines } from "./text/price-lines.ts";
import { recordJson } from "./text/record-json.ts";

export interface SampleFolder extends SampleOptions {
  /** Folder to make; it must be new or empty. */
  readonly outputPath: string;
  /** An earlier sample in that folder may be replaced. */
  readonly replacesSample?: boolean;
  /** Told how many prices have been written so far. */
  readonly onPrices?: (count: number) => void;
}

/** What was written. */
export interface SampleReport {
  readonly options: Required<SampleOptions>;
  /** The days within which all prices were recorded, `YYYY-MM-DD`. */
  readonly dayFirst: string;
  readonly dayLast: string;
  readonly bytes: number;
}

/** How many prices are in memory at a time, about a megabyte of text. */
const blockRows = 2048;

/**
 * Writes a sample as the record files of a snapshot, ready to be validated and published. Equal options give equal
 * bytes. Either the output folder is complete afterwards or it is as it was.
 *
 * Cost: memory for one block of prices, however many there are.
 * @throws {RangeError} that names an option outside its limits.
 * @throws {FolderTakenError} when the folder must not be written to.
 */
export async function writeSampleFolder(work: SampleFolder): Promise<SampleReport> {
  const { outputPath, replacesSample = false, onPrices = () => {}, ...given } = work;
  const frame = createSampleFrame(given);
  const files = sampleFiles(frame, onPrices);
  const fileNames = files.map(({ name }) => name);
  const claim: FolderClaim = { path: outputPath, fileNames, called: "record files", replaces: replacesSample };
  await requireFreeFolder(claim);
  const bytes = await writeWholeFolder(claim, files);
  const { dayFirst, dayCount } = frame.period;
  return {
    options: frame.options,
    dayFirst: dayText(dayFirst),
    dayLast: dayText((dayFirst + dayCount - 1) as Day),
    bytes,
  };
}

function sampleFiles(frame: SampleFrame, onPrices: (count: number) => void): FolderFile[] {
  const { snapshot, counties, crops, unitCategories, marketTypes, products, markets } = frame.tables;
  const { timeZone, note, attribution } = snapshot;
  return [
    { name: "manifest.json", pieces: jsonPieces({ timeZone, note, attribution }) },
    { name: "counties.json", pieces: jsonPieces(counties) },
    { name: "crops.json", pieces: jsonPieces(crops) },
    { name: "units.json", pieces: jsonPieces(unitCategories) },
    { name: "market-types.json", pieces: jsonPieces(marketTypes) },
    { name: "products.ndjson", pieces: linePieces(products) },
    { name: "markets.ndjson", pieces: linePieces(markets) },
    { name: "prices.ndjson", pieces: pricePieces(frame, onPrices) },
  ];
}

function jsonPieces(value: unknown): string[] {
  return [JSON.stringify(recordJson(value), null, 2), "\n"];
}

function linePieces(records: readonly unknown[]): string[] {
  return records.map((record) => `${JSON.stringify(recordJson(record))}\n`);
}

function* pricePieces(frame: SampleFrame, onPrices: (count: number) => void): Generator<string> {
  const generator = new PriceGenerator(frame);
  const lines = new PriceLines(frame, generator.texts);
  const block = createPriceBlock(blockRows);
  const total = frame.options.prices;
  for (let done = 0; done < total; ) {
    const count = Math.min(blockRows, total - done);
    generator.fill(block, count);
    yield lines.of(block, count);
    done += count;
    onPrices(done);
  }
}
