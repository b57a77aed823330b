/** Reads a CSV export of WFP food prices row by row: bytes → strict UTF-8 → csv-parse → rows by column name. */
import { createReadStream } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { systemErrorCode } from "../../../engine/files/read-regular-file.ts";
import { foundText } from "../../../engine/snapshots/problem.ts";
import { ImportRefusedError } from "../import-refused.ts";
import { lineEncodings } from "../line-encodings.ts";
import { findRowInCell } from "../misplaced-quotes.ts";

/** The columns that are read, but for `usdprice`, which an export may lack. It has others (admin1), in any order. */
const columns = [
  "date",
  "admin2",
  "market",
  "market_id",
  "latitude",
  "longitude",
  "category",
  "commodity",
  "commodity_id",
  "unit",
  "priceflag",
  "pricetype",
  "currency",
  "price",
] as const;

type Column = (typeof columns)[number];

/** The columns that exports of 2023 and before do not have, and no others. */
const newerColumns: readonly Column[] = ["market_id", "commodity_id"];

/** Columns in which files of several countries name that of a row; those of Kenya alone have none. */
const countryColumns = [
  "countryiso3",
  "iso3",
  "country_code",
  "countrycode",
  "country",
  "adm0_name",
  "admin0",
] as const;

type OptionalColumn = "usdprice" | (typeof countryColumns)[number];

/** One row of the export: its trimmed text by column, and the line on which it ends (the header is line 1). */
export type ExportRow = Readonly<Record<Column, string>> & {
  readonly usdprice?: string;
  /** The texts of the columns of countries, empty ones aside. */
  readonly countries: readonly string[];
  readonly line: number;
};

interface ParsedRow {
  readonly record: ParsedRecord;
  readonly info: { readonly lines: number };
}

type ParsedRecord = Record<Column, string> & Partial<Record<OptionalColumn, string>>;

/**
 * The rows of an export in order of the file, one at a time.
 *
 * @param onBytes Called with the number of bytes read so far.
 * @throws {ImportRefusedError} when the file cannot be read, is not UTF-8, is not whole CSV or lacks a column.
 */
export async function* readExport(path: string, onBytes: (bytes: number) => void): AsyncGenerator<ExportRow> {
  let width = 0;
  let lineBefore = 0;
  const checkHeader = (header: string[]): string[] => {
    width = header.length;
    lineBefore = 1;
    return checkColumns(path, header);
  };
  // Rows that were parsed but not yet read are lost with an error, so only the parser knows which row it was in.
  const onRecord = ({ record, info }: ParsedRow): ParsedRow => {
    refuseRowInCell(path, lineBefore + 1, Object.values(record), width);
    lineBefore = info.lines;
    return { record, info };
  };
  const parser = parse({ columns: checkHeader, info: true, on_record: onRecord, skip_empty_lines: true, trim: true });
  // The callback is empty because the loop below throws an error of any stage.
  pipeline(Readable.from(decodedText(path, onBytes)), parser, () => {});
  try {
    for await (const item of parser) {
      const { record, info } = item as ParsedRow;
      const countries = countryColumns.flatMap((column) => record[column] || []);
      yield { ...record, countries, line: info.lines };
    }
  } catch (error) {
    throw await refusalOf(path, error, lineBefore + 1);
  }
  if (width === 0) throw new ImportRefusedError(`${path}: the file is empty, expected a header line`);
}

/** @param line On which the row begins. */
function refuseRowInCell(path: string, line: number, cells: readonly string[], width: number): void {
  const found = findRowInCell(cells, { delimiter: ",", width });
  if (found === undefined) return;
  const place = `${foundText(found.text)} stands inside a cell but looks like a row`;
  throw new ImportRefusedError(
    `${path}:${line + found.opened}: a quote opens a cell and does not close in its line: ${place}`,
  );
}

async function* decodedText(path: string, onBytes: (bytes: number) => void): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let byteCount = 0;
  for await (const chunk of createReadStream(path)) {
    byteCount += (chunk as Buffer).length;
    onBytes(byteCount);
    const text = decoder.decode(chunk as Buffer, { stream: true });
    if (byteCount === (chunk as Buffer).length) checkSeparator(path, text);
    yield text;
  }
  yield decoder.decode();
}

/** Signs that spreadsheet programs put between cells instead of commas. */
const otherSeparators = [";", "\t", "|"];

/**
 * Refuses a file that a spreadsheet program has saved with other separators, before a parser stumbles over it.
 *
 * @param start The beginning of the file, at least its first line.
 */
function checkSeparator(path: string, start: string): void {
  const [first = ""] = start.split(/\r?\n|\r/, 1);
  if (/^sep=/i.test(first)) {
    const found = `the first line is ${foundText(first)}`;
    throw new ImportRefusedError(`${path}:1: ${found}, expected the header, with cells separated by ","`);
  }
  const separator = otherSeparators.find((sign) => {
    const cells = first.split(sign).map((cell) => cell.trim().replace(/^"|"$/g, ""));
    return columns.filter((column) => cells.includes(column)).length > 1;
  });
  if (separator === undefined) return;
  const found = `the cells are separated by ${foundText(separator)}`;
  throw new ImportRefusedError(`${path}:1: ${found}, expected ","; save it as CSV with commas, or download it again`);
}

function checkColumns(path: string, header: string[]): string[] {
  const missing = columns.filter((column) => !header.includes(column));
  if (missing.length > 0) {
    const hint =
      missing.join() === newerColumns.join()
        ? "; exports of 2023 and before have no ids, please download a newer one"
        : "";
    const found = header.map(foundText).join(", ");
    throw new ImportRefusedError(
      `${path}: the header has no column ${missing.map(foundText).join(", ")}, found ${found}${hint}`,
    );
  }
  const repeated = columns.find((column) => header.indexOf(column) !== header.lastIndexOf(column));
  if (repeated !== undefined) {
    throw new ImportRefusedError(`${path}: the header has column ${foundText(repeated)} twice, expected it once`);
  }
  return header;
}

/** The words of a refusal, by the code of the error that reading the file gives. */
const unreadableFiles: Readonly<Record<string, string>> = {
  ENOENT: "no such file, expected a CSV export of WFP food prices",
  EISDIR: "is a folder, expected a CSV file",
  EACCES: "may not be read by this user",
};

/** The parser notices an open quote at the end of the file, or where it meets the next one. */
const quoteErrors: readonly string[] = ["CSV_QUOTE_NOT_CLOSED", "CSV_INVALID_CLOSING_QUOTE"];

/** @param line On which the row begins that was being read. */
async function refusalOf(path: string, error: unknown, line: number): Promise<unknown> {
  if (error instanceof CsvError) {
    const isQuote = quoteErrors.includes(error.code);
    const found = "a quote opens a cell in the row that begins here and does not close before other text";
    const message = `${path}:${line}: not a whole CSV file: ${isQuote ? found : error.message}`;
    return new ImportRefusedError(message, { cause: error });
  }
  if (systemErrorCode(error) === "ERR_ENCODING_INVALID_ENCODED_DATA") {
    const found = "is not UTF-8 text, expected a CSV file in UTF-8";
    return new ImportRefusedError(`${path}:${await lineNotUtf8(path)}: ${found}`, { cause: error });
  }
  const problem = unreadableFiles[systemErrorCode(error)];
  return problem === undefined ? error : new ImportRefusedError(`${path}: ${problem}`, { cause: error });
}

/** The first line that is not UTF-8, found in a second pass over the file. */
async function lineNotUtf8(path: string): Promise<number> {
  let linesBefore = 0;
  let pending: Buffer[] = [];
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const end = chunk.lastIndexOf("\n");
    if (end === -1) {
      pending.push(chunk);
      continue;
    }
    const { other, lineCount } = lineEncodings(Buffer.concat([...pending, chunk.subarray(0, end)]));
    if (other !== undefined) return linesBefore + other.first;
    linesBefore += lineCount;
    pending = [chunk.subarray(end + 1)];
  }
  return linesBefore + (lineEncodings(Buffer.concat(pending)).other?.first ?? 1);
}
