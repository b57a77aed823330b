/**
 * The prices of all files into columns, line by line and record by record: the slow and obvious twin of the product's
 * reader. Files that replace rows of others are read first: then the first row of a uuid is the one that counts.
 */
import { join } from "node:path";
import { type Instant, instantText } from "../../src/engine/model/calendar.ts";
import { recordFormats } from "../../src/engine/model/records.ts";
import { checkRecord } from "../../src/engine/snapshots/check-record.ts";
import type { PricesReading } from "../../src/engine/snapshots/prices/read-prices.ts";
import { foundText, type Problem, type ProblemList } from "../../src/engine/snapshots/problem.ts";
import type { Tables } from "../../src/engine/snapshots/read-tables.ts";
import type { RecordFile } from "../../src/engine/snapshots/record-file.ts";
import { parseRecord, type RecordText, readNdjson } from "../../src/engine/snapshots/record-texts.ts";
import {
  type FileReading,
  faultOfReading,
  inspectStoredFile,
  readStoredFile,
} from "../../src/engine/snapshots/stored-file.ts";
import { type AppendedPrice, PriceAppender } from "./price-appender.ts";

/** Where a uuid was met first, and in which file last. */
interface Met {
  readonly file: RecordFile<"prices">;
  readonly line: number;
  latest: RecordFile<"prices">;
}

/** Characters of the texts that a file which is handed in may choose. */
const greatestLengths: Readonly<Record<string, number>> = { notes: 2000, source: 200, quality_grade: 200 };

/** Control characters but tab and line ends, and bidirectional ones, written out. */
function isHidden(code: number): boolean {
  const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const isBidirectional =
    [0x061c, 0x200e, 0x200f].includes(code) || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return (isControl && ![0x09, 0x0a, 0x0d].includes(code)) || isBidirectional;
}

/**
 * Reads all prices and checks everything that is to be checked of them.
 *
 * @param recordedAtMax Last instant at which a price may be recorded (inclusive).
 * @param chunkBytes That of the reader it is compared with: of damaged gzip data whole chunks alone can be read.
 */
export async function readPricesByLine(
  directory: string,
  files: readonly RecordFile<"prices">[],
  tables: Tables,
  recordedAtMax: Instant,
  problems: ProblemList,
  chunkBytes: number,
): Promise<PricesReading & { readonly readings: readonly (FileReading | undefined)[] }> {
  const isHandedIn = files.some(({ entry }) => entry === undefined);
  const newestFirst = files.toSorted((a, b) => (b.sequence ?? 0) - (a.sequence ?? 0));
  const met = new Map<string, Met>();
  const replaced = new Map<RecordFile<"prices">, number>(files.map((file) => [file, 0]));
  const prices: AppendedPrice[] = [];
  const readings = new Map<RecordFile<"prices">, FileReading | undefined>();
  for (const file of newestFirst) readings.set(file, await readFile(file));
  const table = problems.total === 0 ? tableOf() : undefined;
  if (problems.total === 0) compareReplaced();
  const places = [...met.values()];
  return {
    table: problems.total === 0 ? table : undefined,
    readings: files.map((file) => readings.get(file)),
    locationOf(row) {
      const { file, line } = places[row] as Met;
      return { file: file.name, line };
    },
  };

  async function readFile(file: RecordFile<"prices">): Promise<FileReading | undefined> {
    const { name, entry } = file;
    const size = await inspectStoredFile(directory, name);
    if (typeof size !== "number") {
      problems.add({ file: name, ...size });
      return undefined;
    }
    const isOfManifest = "as the manifest says";
    if (entry !== undefined && size !== entry.bytes) {
      const wanted = `${entry.bytes}, ${isOfManifest}`;
      problems.add({ file: name, kind: "checksum", found: `${size} bytes`, wanted });
      return undefined;
    }
    const stored = readStoredFile(join(directory, name), undefined, chunkBytes);
    let rows = 0;
    try {
      for await (const texts of readNdjson(stored.content)) {
        for (const text of texts) {
          rows++;
          readLine(file, text);
        }
      }
    } catch (error) {
      problems.add({ file: name, ...faultOfReading(error) });
      return undefined;
    }
    const reading = { ...stored.digest(), rows, isWhole: true };
    for (const property of ["bytes", "sha256", "rows"] as const) {
      if (entry === undefined || entry[property] === reading[property]) continue;
      const wanted = `${entry[property]}, ${isOfManifest}`;
      problems.add({ file: name, kind: "checksum", found: `${property} ${reading[property]}`, wanted });
    }
    return reading;
  }

  function readLine(file: RecordFile<"prices">, { line, text, fault }: RecordText): void {
    const parsed = fault === undefined ? parseRecord(text) : { fault };
    if (parsed.fault !== undefined) {
      problems.add({ file: file.name, line, ...parsed.fault });
      return;
    }
    const { record, faults } = checkRecord(recordFormats.prices, parsed.value);
    if (record === undefined) {
      for (const fault of faults) problems.add({ file: file.name, line, ...fault });
      return;
    }
    const written = parsed.value;
    const product = tables.products.records.findIndex(({ uuid }) => uuid === record.productUuid);
    const market = tables.markets.records.findIndex(({ uuid }) => uuid === record.marketUuid);
    const unit = tables.units.records.findIndex(({ units }) => units.some(({ name }) => name === record.unit));
    if (product === -1 && tables.products.isWhole) reportReference("product_uuid", "product");
    if (market === -1 && tables.markets.isWhole) reportReference("market_uuid", "market");
    if (unit === -1 && tables.units.isWhole) reportReference("unit", "unit");
    if (record.recordedAt > recordedAtMax) {
      const wanted = `a time up to a day after publication, ${instantText(recordedAtMax)}`;
      report({ kind: "recorded-late", field: "recorded_at", found: foundText(written["recorded_at"]), wanted });
    }
    for (const [field, value] of isHandedIn ? Object.entries(written) : []) {
      if (typeof value !== "string") continue;
      const letters = [...value];
      const code = letters.map((one) => one.charCodeAt(0)).find(isHidden);
      if (code !== undefined) {
        const found = `U+${code.toString(16).toUpperCase().padStart(4, "0")} in ${foundText(value)}`;
        report({ kind: "value", field, found, wanted: "text without control and bidirectional characters" });
      }
      const max = greatestLengths[field] ?? Number.POSITIVE_INFINITY;
      if (letters.length <= max) continue;
      const found = `${foundText(value)}, ${letters.length} characters`;
      report({ kind: "value", field, found, wanted: `at most ${max} characters` });
    }
    const before = met.get(record.uuid);
    if (before === undefined) {
      met.set(record.uuid, { file, line, latest: file });
      const { productUuid: _product, marketUuid: _market, ...fields } = record;
      prices.push({ ...fields, product, market });
    } else if (before.latest.sequence === file.sequence) {
      // Only the first place of a uuid is known with its line.
      const where = before.file === before.latest ? `${before.file.name}:${before.line}` : before.latest.name;
      const found = `${foundText(record.uuid)}, as in ${where}`;
      report({ kind: "duplicate", field: "uuid", found, wanted: "another one in every price" });
    } else {
      replaced.set(before.latest, (replaced.get(before.latest) as number) + 1);
      before.latest = file;
    }

    function report(fault: Omit<Problem, "file" | "line">): void {
      problems.add({ file: file.name, line, ...fault });
    }

    function reportReference(field: string, target: string): void {
      const found = `${foundText(written[field])}, which names no ${target}`;
      report({ kind: "reference", field, found, wanted: `a ${target} of this directory` });
    }
  }

  function tableOf(): PricesReading["table"] {
    const appender = new PriceAppender(prices.length);
    for (const [row, price] of prices.entries()) {
      try {
        appender.append(price);
      } catch (error) {
        const { file, line } = [...met.values()][row] as Met;
        const found = (error as RangeError).message;
        problems.add({ file: file.name, line, kind: "value", found, wanted: "fewer different texts" });
        return undefined;
      }
    }
    return appender.finish();
  }

  function compareReplaced(): void {
    for (const file of newestFirst) {
      if (replaced.get(file) === file.replaces) continue;
      const count = replaced.get(file) ?? 0;
      const found = count === 1 ? "1 row that replaces another" : `${count} rows that replace others`;
      const wanted = `${file.replaces}, as the manifest says`;
      problems.add({ file: file.name, kind: "checksum", found, wanted });
    }
  }
}
