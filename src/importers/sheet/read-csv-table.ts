/** A CSV file → a table. */
import { CsvError, parse } from "csv-parse/sync";
import { ImportRefusedError } from "../import-refused.ts";
import { decodeText, type Encoding } from "./decode-text.ts";
import {
  cellBytesMax,
  cellsMax,
  rowBytesMax,
  rowCellsMax,
  rowsMax,
  type Table,
  type TableRow,
  textCell,
} from "./table.ts";

export const delimiters = [",", ";", "\t", "|"] as const;
export type Delimiter = (typeof delimiters)[number];

/** All that end a line, and not the first of them alone: tables that were pasted together have several. */
const lineEnds = ["\r\n", "\n", "\r"];

/** Lines that decide the delimiter. */
const sampleLines = 100;

/** What the mapping says of the text; what it does not say is detected. */
export interface TextForm {
  readonly encoding?: Encoding | undefined;
  readonly delimiter?: Delimiter | undefined;
}

/**
 * Reads a CSV file (RFC 4180, with any of the delimiters). Spreadsheets' first line `sep=;` names the delimiter.
 *
 * @param file Its name, for messages.
 * @throws {ImportRefusedError} when it is no text, no whole CSV, or has too many rows.
 */
export function readCsvTable(file: string, bytes: Buffer, form: TextForm): Table {
  const { text, encoding } = decodeText(file, bytes, form.encoding);
  const [separatorLine = "", separator] = /^sep=([,;\t|])\r?\n/i.exec(text) ?? [];
  const content = text.slice(separatorLine.length);
  refuseLongLine(file, content);
  const linesBefore = separatorLine === "" ? 0 : 1;
  const delimiter = form.delimiter ?? (separator as Delimiter | undefined) ?? detectDelimiter(content);
  const rows: TableRow[] = [];
  let line = linesBefore + 1;
  for (const record of parseRows(file, content, delimiter, linesBefore)) {
    rows.push({ line, cells: record.map(textCell) });
    // The parser's own count takes CR LF inside quotes for two lines.
    line += record.reduce((lines, text) => lines + (text.match(/\r\n|\n|\r/g)?.length ?? 0), 1);
  }
  return { file, rows, epoch: 1900, sheet: null, text: { encoding, delimiter } };
}

/** Refuses a line that is longer than a row may be, before anything looks for cells in it. */
function refuseLongLine(file: string, content: string): void {
  for (let start = 0; content.length - start > rowBytesMax; ) {
    const line = content.slice(start, start + rowBytesMax);
    const end = Math.max(line.lastIndexOf("\n"), line.lastIndexOf("\r"));
    if (end === -1) {
      const found = `found a line of more than ${rowBytesMax} characters`;
      throw new ImportRefusedError(`${file}: ${found}, expected at most that`);
    }
    start += end + 1;
  }
}

function parseRows(file: string, content: string, delimiter: string, linesBefore: number): readonly string[][] {
  let cells = 0;
  try {
    const options = {
      delimiter,
      record_delimiter: lineEnds,
      relax_column_count: true,
      max_record_size: rowBytesMax,
      on_record: (record: string[]) => {
        cells += record.length;
        refuseLargeRow(file, record, cells);
        return record;
      },
    };
    const rows = parse(content, { ...options, to: rowsMax + 1 });
    if (rows.length <= rowsMax) return rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = "lines" in error ? `:${linesBefore + Number(error["lines"])}` : "";
    throw new ImportRefusedError(`${file}${line}: not a whole CSV file: ${error.message}`, { cause: error });
  }
  throw new ImportRefusedError(`${file}: found more than ${rowsMax} rows, expected at most that; import it in parts`);
}

/** @param cells Those of all rows so far. */
function refuseLargeRow(file: string, record: readonly string[], cells: number): void {
  const found =
    record.length > rowCellsMax
      ? `a row of more than ${rowCellsMax} cells`
      : cells > cellsMax
        ? `more than ${cellsMax} cells`
        : record.some((cell) => cell.length > cellBytesMax)
          ? `a cell of more than ${cellBytesMax} characters`
          : undefined;
  if (found !== undefined) throw new ImportRefusedError(`${file}: found ${found}, expected at most that`);
}

/**
 * The delimiter that cuts the most of the first lines into one number of cells above one; of equal ones that with more cells,
 * then the first of the list. A comma where none does.
 */
export function detectDelimiter(content: string): Delimiter {
  const sample = content
    .slice(0, rowBytesMax)
    .split(/\r\n|\n|\r/, sampleLines)
    .join("\n");
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
