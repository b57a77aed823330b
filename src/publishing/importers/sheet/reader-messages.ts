/** What a reader says of a file: the messages of reader-process.ts. */
import { basename } from "node:path";
import { ImportRefusedError } from "../import-refused.ts";
import { readInputFile } from "../read-input-file.ts";
import { parseTables, type TableChoice } from "./parse-tables.ts";
import { readShownTexts } from "./read-workbook.ts";
import type { ReaderLimits } from "./reader-limits.ts";
import { fileBytesMax, type Table, tableBytesMax } from "./sheet-table.ts";
import type { ShownTexts } from "./shown-numbers.ts";

export interface ReaderWork {
  readonly choice: TableChoice;
  /** Given to read what number formats of these sheets show, in place of the tables. */
  readonly formats?: { readonly sheets: readonly string[]; readonly ranges: readonly string[] };
  readonly limits: ReaderLimits;
}

/** Each table is followed by the batches of its rows; `isWhole` comes last. */
export type ReaderMessage =
  | { readonly table: Omit<Table, "rows"> }
  | { readonly batch: Buffer }
  /** The shown texts of one sheet; sheets come in the order of the work. */
  | { readonly shownTexts: ShownTexts }
  | { readonly isWhole: true }
  /** The message of an ImportRefusedError. */
  | { readonly refusal: string }
  /** Any other error. */
  | { readonly failure: unknown };

/** Reads a file. The last message is `isWhole`, `refusal` or `failure`; nothing is thrown. */
export async function* readerMessages(path: string, work: ReaderWork): AsyncGenerator<ReaderMessage> {
  try {
    yield* work.formats === undefined ? tableMessages(path, work.choice) : shownMessages(path, work.formats);
    yield { isWhole: true };
  } catch (failure) {
    yield failure instanceof ImportRefusedError ? { refusal: failure.message } : { failure };
  }
}

async function* tableMessages(path: string, choice: TableChoice): AsyncGenerator<ReaderMessage> {
  const tables = await parseTables(path, choice);
  const bytes = tables.reduce((sum, { rows }) => sum + rows.serializedBytes, 0);
  if (bytes > tableBytesMax) {
    const found = `found cells of more than ${tableBytesMax} bytes together`;
    throw new ImportRefusedError(`${basename(path)}: ${found}, expected at most that; import it in parts`);
  }
  for (const { rows, ...table } of tables) {
    yield { table };
    for (const batch of rows.batches()) yield { batch };
  }
}

async function* shownMessages(
  path: string,
  { sheets, ranges }: NonNullable<ReaderWork["formats"]>,
): AsyncGenerator<ReaderMessage> {
  const bytes = await readInputFile(path, fileBytesMax, "the workbook again");
  for (const shownTexts of await readShownTexts(bytes, sheets, ranges)) yield { shownTexts };
}
