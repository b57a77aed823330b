import {
  type FolderClaim,
  type FolderFile,
  requireFreeFolder,
  writeWholeFolder,
} from "../../src/engine/files/whole-folder.ts";
import { type Day, dayText, type Instant, instantText } from "../../src/engine/model/calendar.ts";
import { readUuid } from "../../src/engine/model/ids.ts";
import { type PriceRows, type PriceTexts, sharedPriceRows } from "../../src/engine/model/price-columns.ts";
import { missingCode } from "../../src/engine/model/shared-columns.ts";
import { recordFileText } from "../../src/publishing/publish/record-files.ts";
import { PriceGenerator } from "./price-generator.ts";
import type { SampleOptions } from "./sample-options.ts";
import { makeSampleTables, type SampleTables } from "./sample-tables.ts";

export interface SampleFolder extends SampleOptions {
  /** Folder to make; it must be new or empty. */
  readonly outputPath: string;
  /** An earlier sample in that folder may be replaced. */
  readonly replacesSample?: boolean;
  /** Receives how many prices have been written so far. */
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
  const { outputPath, replacesSample = false, onPrices = () => {}, ...options } = work;
  const sample = makeSampleTables(options);
  const files = sampleFiles(sample, onPrices);
  const fileNames = files.map(({ name }) => name);
  const claim: FolderClaim = { path: outputPath, fileNames, called: "record files", replaces: replacesSample };
  await requireFreeFolder(claim);
  const bytes = await writeWholeFolder(claim, files);
  const { dayFirst, dayCount } = sample.period;
  return {
    options: sample.options,
    dayFirst: dayText(dayFirst),
    dayLast: dayText((dayFirst + dayCount - 1) as Day),
    bytes,
  };
}

function sampleFiles(sample: SampleTables, onPrices: (count: number) => void): FolderFile[] {
  const { snapshot, counties, crops, unitCategories, marketTypes, products, markets } = sample.tables;
  const { timeZone: time_zone, note, attribution, sources } = snapshot;
  return [
    { name: "manifest.json", pieces: [JSON.stringify({ time_zone, note, attribution, sources }, null, 2), "\n"] },
    { name: "counties.json", pieces: [recordFileText("counties", counties)] },
    { name: "crops.json", pieces: [recordFileText("crops", crops)] },
    { name: "units.json", pieces: [recordFileText("units", unitCategories)] },
    { name: "market-types.json", pieces: [recordFileText("market-types", marketTypes)] },
    { name: "products.ndjson", pieces: [recordFileText("products", products)] },
    { name: "markets.ndjson", pieces: [recordFileText("markets", markets)] },
    { name: "prices.ndjson", pieces: pricePieces(sample, onPrices) },
  ];
}

function* pricePieces(sample: SampleTables, onPrices: (count: number) => void): Generator<string> {
  const generator = new PriceGenerator(sample);
  const rows = sharedPriceRows(blockRows);
  const total = sample.options.prices;
  for (let done = 0; done < total; ) {
    const count = Math.min(blockRows, total - done);
    generator.fill(rows, count);
    let lines = "";
    for (let row = 0; row < count; row++) lines += priceLine(rows, row, sample, generator.texts);
    yield lines;
    done += count;
    onPrices(done);
  }
}

/** A price as a line of the snapshot format. Fields that are null are left out, as the format allows. */
function priceLine(rows: PriceRows, row: number, { products, markets }: SampleTables, texts: PriceTexts): string {
  const product = products[rows.products[row] as number]?.record.uuid;
  const market = markets[rows.markets[row] as number]?.record.uuid;
  const unit = texts.unitNames[rows.units[row] as number];
  const currency = texts.currencyCodes[rows.currencies[row] as number];
  const source = texts.sourceNames[rows.sources[row] as number];
  const [recorded, created, updated] = [rows.recordedAt[row], rows.createdAt[row], rows.updatedAt[row]] as Instant[];
  const createdAt = instantText(created as Instant);
  const updatedAt = updated === created ? createdAt : instantText(updated as Instant);
  const grade = rows.grades[row] as number;
  const notes = rows.notes[row] as number;
  const gradeField =
    grade === missingCode(rows.grades) ? "" : `,"quality_grade":${JSON.stringify(texts.gradeNames[grade])}`;
  const notesField = notes === missingCode(rows.notes) ? "" : `,"notes":${JSON.stringify(texts.noteTexts[notes])}`;
  // Units, currencies and sources need no escapes in JSON; notes do.
  const ids = `"uuid":"${readUuid(rows.uuids, row)}","product_uuid":"${product}","market_uuid":"${market}"`;
  const price = `"price":${rows.prices[row]},"unit":"${unit}","currency":"${currency}"`;
  const origin = `"recorded_at":"${instantText(recorded as Instant)}","source":"${source}"`;
  const times = `"created_at":"${createdAt}","updated_at":"${updatedAt}"`;
  return `{${ids},${price},${origin}${gradeField}${notesField},${times}}\n`;
}
