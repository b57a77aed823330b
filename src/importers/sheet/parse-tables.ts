/** A file of a spreadsheet program → its tables. The first bytes of the file decide its format, not its name. */
import { basename } from "node:path";
import { ImportRefusedError } from "../import-refused.ts";
import { readGivenFile } from "../read-given-file.ts";
import { readCsvTable, type TextForm } from "./read-csv-table.ts";
import { readWorkbook } from "./read-workbook.ts";
import { fileBytesMax, type Table } from "./table.ts";

/** What the mapping says of the file; what it does not say is detected. */
export interface TableChoice extends TextForm {
  /** The sheet of a workbook to read. */
  readonly sheet?: string | undefined;
}

/** Begins every record of a ZIP archive. Readers find the archive from its end, so other bytes may stand before it. */
const archiveStart = Buffer.from("PK\x03\x04", "latin1");
/** Workbooks of Excel 97 to 2003, and any that is protected by a password. Source: MS-CFB 2.2. */
const compoundFileStart = Buffer.from("d0cf11e0a1b11ae1", "hex");

/**
 * Parses a file. The memory and time that this takes have no limit here: call it in a process that may be killed
 * (read-tables.ts).
 *
 * @returns One table of a CSV file, of a workbook one for each sheet that is wanted.
 * @throws {ImportRefusedError} when it cannot be read, is neither CSV nor a workbook, or has more than a table may.
 */
export async function parseTables(path: string, choice: TableChoice): Promise<readonly Table[]> {
  const file = basename(path);
  const bytes = await readGivenFile(path, fileBytesMax, "CSV or a workbook (.xlsx)");
  if (bytes.subarray(0, archiveStart.length).equals(archiveStart)) {
    return await readWorkbook(file, bytes, choice.sheet);
  }
  if (bytes.subarray(0, compoundFileStart.length).equals(compoundFileStart)) {
    const found = "a workbook of the old kind (.xls) or one with a password";
    throw new ImportRefusedError(`${file}: found ${found}, expected .xlsx without password, or CSV`);
  }
  if (choice.sheet !== undefined) {
    throw new ImportRefusedError(`${file}: is no workbook, but the mapping names the sheet "${choice.sheet}"`);
  }
  return [readCsvTable(file, bytes, choice)];
}
