/** Reads a CSV export of WFP food prices row by row: bytes → strict UTF-8 → csv-parse → rows by column name. */
import { createReadStream } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { ImportRefusedError } from "./import-refused-error.ts";

/** Columns that are read; the export has others (admin1, usdprice), in any order. */
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

/** Columns that exports of 2023 and before do not have. */
const newerColumns: readonly Column[] = ["market_id", "commodity_id"];

/** One line of the export: its trimmed text by column, and where it ends in the file (the header is line 1). */
export type ExportRow = Readonly<Record<Column, string>> & { readonly line: number };

/**
 * The rows of an export in order of the file, one at a time.
 *
 * @param onBytes Told how many bytes have been read so far.
 * @throws {ImportRefusedError} when the file cannot be read, is not UTF-8, is not whole CSV or lacks a column.
 */
export async function* readExport(path: string, onBytes: (bytes: number) => void): AsyncGenerator<ExportRow> {
  const parser = parse({ info: true, skip_empty_lines: true, trim: true });
  // The callback is empty because an error of any stage is thrown by the loop below.
  pipeline(Readable.from(decodedText(path, onBytes)), parser, () => {});
  let positions: Readonly<Record<Column, number>> | undefined;
  try {
    for await (const item of parser) {
      const { record, info } = item as { record: string[]; info: { lines: number } };
      if (positions === undefined) positions = columnPositions(path, record);
      else yield rowOf(record, positions, info.lines);
    }
  } catch (error) {
    throw refusalOf(path, error);
  }
  if (positions === undefined) throw new ImportRefusedError(`${path}: the file is empty, expected a header line`);
}

async function* decodedText(path: string, onBytes: (bytes: number) => void): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let byteCount = 0;
  for await (const chunk of createReadStream(path)) {
    byteCount += (chunk as Buffer).length;
    onBytes(byteCount);
    yield decoder.decode(chunk as Buffer, { stream: true });
  }
  yield decoder.decode();
}

function columnPositions(path: string, header: readonly string[]): Readonly<Record<Column, number>> {
  const missing = columns.filter((column) => !header.includes(column));
  if (missing.length > 0) {
    const hint = missing.some((column) => newerColumns.includes(column))
      ? "; exports of 2023 and before have no ids, please download a newer one"
      : "";
    throw new ImportRefusedError(
      `${path}: the header has no column ${missing.map(quoted).join(", ")}, found ${header.map(quoted).join(", ")}${hint}`,
    );
  }
  const repeated = columns.find((column) => header.indexOf(column) !== header.lastIndexOf(column));
  if (repeated !== undefined) {
    throw new ImportRefusedError(`${path}: the header has column ${quoted(repeated)} twice, expected it once`);
  }
  return Object.fromEntries(columns.map((column) => [column, header.indexOf(column)])) as Record<Column, number>;
}

function rowOf(record: readonly string[], positions: Readonly<Record<Column, number>>, line: number): ExportRow {
  const text = (column: Column): string => record[positions[column]] ?? "";
  return {
    line,
    date: text("date"),
    admin2: text("admin2"),
    market: text("market"),
    market_id: text("market_id"),
    latitude: text("latitude"),
    longitude: text("longitude"),
    category: text("category"),
    commodity: text("commodity"),
    commodity_id: text("commodity_id"),
    unit: text("unit"),
    priceflag: text("priceflag"),
    pricetype: text("pricetype"),
    currency: text("currency"),
    price: text("price"),
  };
}

function refusalOf(path: string, error: unknown): unknown {
  if (error instanceof CsvError) {
    const line = "lines" in error ? `:${String(error["lines"])}` : "";
    return new ImportRefusedError(`${path}${line}: not a whole CSV file: ${error.message}`, { cause: error });
  }
  switch (codeOf(error)) {
    case "ENOENT":
      return new ImportRefusedError(`${path}: no such file, expected a CSV export of WFP food prices`, {
        cause: error,
      });
    case "EISDIR":
      return new ImportRefusedError(`${path}: is a folder, expected a CSV file`, { cause: error });
    case "EACCES":
      return new ImportRefusedError(`${path}: may not be read by this user`, { cause: error });
    case "ERR_ENCODING_INVALID_ENCODED_DATA":
      return new ImportRefusedError(`${path}: is not UTF-8 text, expected a CSV file in UTF-8`, { cause: error });
    default:
      return error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function quoted(text: string): string {
  return `"${text}"`;
}
