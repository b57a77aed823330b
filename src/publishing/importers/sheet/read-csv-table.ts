/** A CSV file → a table. */
import { isUtf8 } from "node:buffer";
import { CsvError, parse } from "csv-parse/sync";
import { foundText } from "../../../engine/snapshots/problem.ts";
import { ImportRefusedError } from "../import-refused.ts";
import { findRowInCell, type RowForm } from "../misplaced-quotes.ts";
import { textCell } from "./cells.ts";
import { decodeText, type Encoding, findEncoding } from "./decode-text.ts";
import { type ParsedTable, rowCharactersMax, SerializedRows } from "./sheet-table.ts";

export const delimiters = [",", ";", "\t", "|"] as const;
export type Delimiter = (typeof delimiters)[number];

/** All that end a line, and not the first of them alone: tables that were pasted together have several. */
const lineEnds = ["\r\n", "\n", "\r"];

/** Lines that decide the delimiter, and the bytes among which they are looked for. */
const sampleLines = 100;
const sampleBytes = 1024 * 1024;

const byteOrderMark = Buffer.from("\ufeff");

/** The form of the text by its mapping; the rest of it is detected. */
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
export function readCsvTable(file: string, bytes: Buffer, form: TextForm): ParsedTable {
  const encoding = findEncoding(file, bytes, form.encoding);
  const content = utf8Of(file, bytes, encoding);
  const head = content.toString("utf8", 0, sampleBytes);
  const [separatorLine = "", separator] = /^sep=([,;\t|])\r?\n/i.exec(head) ?? [];
  const rowForm = detectRowForm(
    head.slice(separatorLine.length),
    form.delimiter ?? (separator as Delimiter | undefined),
  );
  const rows = parseRows(file, content.subarray(separatorLine.length), rowForm, separatorLine === "" ? 1 : 2);
  return { file, rows, epoch: 1900, sheet: null, unread: [], text: { encoding, delimiter: rowForm.delimiter } };
}

/** The text without byte order mark, in the encoding that the parser reads: most files are not copied. */
function utf8Of(file: string, bytes: Buffer, encoding: Encoding): Buffer {
  if (encoding !== "utf-8" || !isUtf8(bytes)) return Buffer.from(decodeText(file, bytes, encoding));
  return bytes.subarray(bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? byteOrderMark.length : 0);
}

function parseRows(file: string, content: Buffer, form: RowForm, lineFirst: number): SerializedRows {
  const rows = new SerializedRows(file);
  let line = lineFirst;
  try {
    parse(content, {
      delimiter: form.delimiter,
      record_delimiter: lineEnds,
      relax_column_count: true,
      max_record_size: rowCharactersMax,
      // The parser keeps no record for which it gets null.
      on_record: (record: string[]) => {
        refuseRowInCell(file, line, record, form);
        rows.add({ line, cells: record.map(textCell) });
        // The parser's own count takes CR LF inside quotes for two lines.
        line += record.reduce((lines, text) => lines + (text.match(/\r\n|\n|\r/g)?.length ?? 0), 1);
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const found = "found a row that is too long, or has a quote inside a cell or one that does not close";
    const wanted = `each quote in a cell doubled, the cell in quotes, and at most ${rowCharactersMax} characters a row`;
    throw new ImportRefusedError(`${file}:${line}: ${found}, expected ${wanted}`, { cause: error });
  }
  return rows;
}

/** @param line On which the row begins. */
function refuseRowInCell(file: string, line: number, record: readonly string[], form: RowForm): void {
  const found = findRowInCell(record, form);
  if (found === undefined) return;
  const text = foundText(found.text);
  const wanted = "expected a quote that closes before it; write a note that is meant so in one line";
  const place = `in line ${line + found.line} of the file ${text} stands inside a cell but looks like a row`;
  throw new ImportRefusedError(
    `${file}:${line + found.opened}: a quote opens a cell and does not close in its line: ${place}, ${wanted}`,
  );
}

/**
 * Finds the delimiter that cuts the most of the first lines into the same number of cells, at least two; of equal ones
 * that with more cells, then the first of the list. A comma where none does. Cells in quotes do not count.
 *
 * @param expected The delimiter, where it is known.
 * @returns With it that number of cells.
 */
export function detectRowForm(content: string, expected?: Delimiter): RowForm & { readonly delimiter: Delimiter } {
  const unquoted = content.replace(/"(?:[^"]|"")*"/g, "q");
  const lines = unquoted.split(/\r\n|\n|\r/, sampleLines).filter((line) => line !== "");
  let best = { delimiter: expected ?? ",", rows: 0, width: 1 };
  for (const delimiter of expected === undefined ? delimiters : [expected]) {
    for (const [width, { length: rows }] of Map.groupBy(lines, (line) => line.split(delimiter).length)) {
      const isBetter = rows > best.rows || (rows === best.rows && width > best.width);
      if (width > 1 && isBetter) best = { delimiter, rows, width };
    }
  }
  return best;
}
