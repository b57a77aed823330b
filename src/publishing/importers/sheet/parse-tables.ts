/** A file of a spreadsheet program → its tables. The first bytes of the file decide its format, not its name. */
import { basename } from "node:path";
import { ImportRefusedError } from "../import-refused.ts";
import { readInputFile } from "../read-input-file.ts";
import { kindOfFile, wantedFile } from "./file-kind.ts";
import { readCsvTable, type TextForm } from "./read-csv-table.ts";
import { readWorkbook } from "./read-workbook.ts";
import { fileBytesMax, isEmptyRow, type ParsedTable } from "./sheet-table.ts";

/** The form of a file by its mapping; the rest of it is detected. */
export interface TableChoice extends TextForm {
  /** The sheet of a workbook to read. */
  readonly sheet?: string | undefined;
}

/** Begins every record of a ZIP archive. Readers find the archive from its end, so other bytes may stand before it. */
const archiveStart = Buffer.from("PK\x03\x04", "latin1");

/**
 * Parses a file. The memory and time that this takes have no limit here: call it in a process that may be killed
 * (read-sheet-tables.ts).
 *
 * @returns One table of a CSV file, of a workbook one for each sheet that is wanted.
 * @throws {ImportRefusedError} when it cannot be read, is neither CSV nor a workbook, or has more than a table may.
 */
export async function parseTables(path: string, choice: TableChoice): Promise<readonly ParsedTable[]> {
  const file = basename(path);
  const bytes = await readInputFile(path, fileBytesMax, "CSV or a workbook (.xlsx)");
  if (bytes.length === 0) throw new ImportRefusedError(`${file}: is empty (0 bytes), expected a table of prices`);
  const tables = await parseBytes(file, bytes, choice);
  if (tables.some(({ rows }) => Iterator.from(rows).some((row) => !isEmptyRow(row)))) return tables;
  const found = tables[0]?.sheet === null ? "blank lines alone" : "no cell with a value";
  throw new ImportRefusedError(`${tables[0]?.file ?? file}: holds ${found}, expected a table of prices`);
}

async function parseBytes(file: string, bytes: Buffer, choice: TableChoice): Promise<readonly ParsedTable[]> {
  if (bytes.subarray(0, archiveStart.length).equals(archiveStart)) {
    return await readWorkbook(file, bytes, choice.sheet);
  }
  const kind = kindOfFile(bytes);
  if (kind !== undefined) throw new ImportRefusedError(`${file}: found ${kind}, expected ${wantedFile}`);
  if (choice.sheet !== undefined) {
    throw new ImportRefusedError(`${file}: is no workbook, but the mapping names the sheet "${choice.sheet}"`);
  }
  return [readCsvTable(file, bytes, choice)];
}
