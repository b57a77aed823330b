/** A CSV file → a table. */
import { isUtf8 } from "node:buffer";
import { CsvError, parse } from "csv-parse/sync";
import { brokenCsv } from "../import-refused.ts";
import { decodeText, type Encoding, findEncoding } from "./decode-text.ts";
import { rowCharactersMax, SerializedRows, type Table, textCell } from "./table.ts";

export const delimiters = [",", ";", "\t", "|"] as const;
export type Delimiter = (typeof delimiters)[number];

/** All that end a line, and not the first of them alone: tables that were pasted together have several. */
const lineEnds = ["\r\n", "\n", "\r"];

/** Lines that decide the delimiter, and the bytes among which they are looked for. */
const sampleLines = 100;
const sampleBytes = 1024 * 1024;

const byteOrderMark = Buffer.from("\ufeff");

/** What the mapping says of the text; what it does not say is detected. */
export interface TextForm {
  readonly encoding?: Encoding | undefined;
  readonly delimiter?: Delimiter | undefined;
}

/**
 * Reads a CSV file (RFC 4180, with any of the delimiters). Spreadsheets' first line `sep=;` names the delimiter.
 *
 * @param file Its name, for messages.
 * @throws {ImportRefusedError} when it is no text, or no whole CSV.
 */
export function readCsvTable(file: string, bytes: Buffer, form: TextForm): Table {
  const encoding = findEncoding(file, bytes, form.encoding);
  const content = utf8Of(file, bytes, encoding);
  const head = content.toString("utf8", 0, sampleBytes);
  const [separatorLine = "", separator] = /^sep=([,;\t|])\r?\n/i.exec(head) ?? [];
  const delimiter =
    form.delimiter ?? (separator as Delimiter | undefined) ?? detectDelimiter(head.slice(separatorLine.length));
  const rows = parseRows(file, content.subarray(separatorLine.length), delimiter, separatorLine === "" ? 0 : 1);
  return { file, rows, epoch: 1900, sheet: null, unread: [], text: { encoding, delimiter } };
}

/** The text without byte order mark, in the encoding that the parser reads: most files are not copied. */
function utf8Of(file: string, bytes: Buffer, encoding: Encoding): Buffer {
  if (encoding !== "utf-8" || !isUtf8(bytes)) return Buffer.from(decodeText(file, bytes, encoding));
  return bytes.subarray(bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? byteOrderMark.length : 0);
}

function parseRows(file: string, content: Buffer, delimiter: string, linesBefore: number): SerializedRows {
  const rows = new SerializedRows(file);
  let line = linesBefore + 1;
  try {
    parse(content, {
      delimiter,
      record_delimiter: lineEnds,
      relax_column_count: true,
      max_record_size: rowCharactersMax,
      // The parser keeps no record for which it gets null.
      on_record: (record: string[]) => {
        rows.add({ line, cells: record.map(textCell) });
        // The parser's own count takes CR LF inside quotes for two lines.
        line += record.reduce((lines, text) => lines + (text.match(/\r\n|\n|\r/g)?.length ?? 0), 1);
        return null;
      },
    });
  } catch (error) {
    throw error instanceof CsvError ? brokenCsv(file, error, linesBefore) : error;
  }
  return rows;
}

/**
 * The delimiter that cuts the most of the first lines into the same number of cells, at least two; of equal delimiters
 * that with more cells, then the first of the list. A comma where none does.
 */
export function detectDelimiter(content: string): Delimiter {
  const sample = content.split(/\r\n|\n|\r/, sampleLines).join("\n");
  let best: { delimiter: Delimiter; rows: number; cells: number } = { delimiter: ",", rows: 0, cells: 0 };
  for (const delimiter of delimiters) {
    const widths = widthsOf(sample, delimiter).filter((width) => width > 1);
    const byWidth = [...Map.groupBy(widths, (width) => width)].map(([cells, rows]) => ({ cells, rows: rows.length }));
    for (const { cells, rows } of byWidth) {
      if (rows > best.rows || (rows === best.rows && cells > best.cells)) best = { delimiter, rows, cells };
    }
  }
  return best.delimiter;
}

/** How many cells each row of a sample has. It may end inside quotes, which must not count against a delimiter. */
function widthsOf(sample: string, delimiter: string): number[] {
  const options = { delimiter, relax_column_count: true, relax_quotes: true, skip_empty_lines: true };
  try {
    return parse(sample, options).map((row) => row.length);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return sample.split("\n").map((line) => line.split(delimiter).length);
  }
}
