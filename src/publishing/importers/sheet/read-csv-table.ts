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
  const advice = 'where that is "encoding" in the mapping, correct or remove it';
  const given = form.encoding === undefined ? undefined : { encoding: form.encoding, advice };
  const encoding = findEncoding(file, bytes, given);
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
 * that which stands beside all quotes, then that with more cells, then the first of the list. A comma where none does.
 *
 * @param given The delimiter, where it is known.
 * @returns With it that number of cells.
 */
export function detectRowForm(content: string, given?: Delimiter): RowForm & { readonly delimiter: Delimiter } {
  const sample = content.split(/\r\n|\n|\r/, sampleLines).join("\n");
  let best: RowForm & { delimiter: Delimiter; fitsQuotes: boolean; rows: number } = {
    delimiter: given ?? ",",
    fitsQuotes: false,
    rows: 0,
    width: 0,
  };
  for (const delimiter of given === undefined ? delimiters : [given]) {
    const { widths, fitsQuotes } = widthsOf(sample, delimiter);
    const byWidth = Map.groupBy(
      widths.filter((width) => width > 1),
      (width) => width,
    );
    for (const [width, { length: rows }] of byWidth) {
      const [isEqual, isAlike] = [rows === best.rows, fitsQuotes === best.fitsQuotes];
      const isBetter = isEqual ? (isAlike ? width > best.width : fitsQuotes) : rows > best.rows;
      if (isBetter) best = { delimiter, fitsQuotes, rows, width };
    }
  }
  return best;
}

/** The number of cells of each row of a sample; and true if each quote opens or closes a cell, or is doubled in one. */
function widthsOf(
  sample: string,
  delimiter: string,
): { readonly widths: readonly number[]; readonly fitsQuotes: boolean } {
  const options = { delimiter, relax_column_count: true, skip_empty_lines: true };
  for (const relax_quotes of [false, true]) {
    try {
      const widths = parse(sample, { ...options, relax_quotes }).map((row) => row.length);
      return { widths, fitsQuotes: !relax_quotes };
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
    }
  }
  // The sample may end inside quotes, which must not count against a delimiter.
  return { widths: sample.split("\n").map((line) => line.split(delimiter).length), fitsQuotes: false };
}
