/**
 * The process that reads files of other people: parses one, sends its tables to the process that started it, and ends.
 *
 * Arguments: the path of the file, and a `ReaderWork` as JSON.
 */
import { once } from "node:events";
import { basename } from "node:path";
import { Worker } from "node:worker_threads";
import { ImportRefusedError } from "../import-refused.ts";
import { readGivenFile } from "../read-given-file.ts";
import { parseTables, type TableChoice } from "./parse-tables.ts";
import { readShownTexts } from "./read-workbook.ts";
import type { ReaderLimits } from "./reader-limits.ts";
import { fileBytesMax, type ParsedTable, type Table, tableBytesMax } from "./sheet-table.ts";
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

const [path = "", work = ""] = process.argv.slice(2);
const { choice, formats, limits } = JSON.parse(work) as ReaderWork;
const guard = new Worker(new URL("reader-guard.ts", import.meta.url), { workerData: limits });
await once(guard, "online");
guard.unref();
try {
  if (formats === undefined) {
    for (const message of messagesOf(await parseTables(path, choice))) await send(message);
  } else {
    const bytes = await readGivenFile(path, fileBytesMax, "the workbook again");
    const shown = await readShownTexts(bytes, formats.sheets, formats.ranges);
    for (const shownTexts of shown) await send({ shownTexts });
    await send({ isWhole: true });
  }
} catch (failure) {
  await send(failure instanceof ImportRefusedError ? { refusal: failure.message } : { failure });
}
process.disconnect?.();

function* messagesOf(tables: readonly ParsedTable[]): Generator<ReaderMessage> {
  const bytes = tables.reduce((sum, { rows }) => sum + rows.serializedBytes, 0);
  if (bytes > tableBytesMax) {
    const found = `found cells of more than ${tableBytesMax} bytes together`;
    throw new ImportRefusedError(`${basename(path)}: ${found}, expected at most that; import it in parts`);
  }
  for (const { rows, ...table } of tables) {
    yield { table };
    for (const batch of rows.batches()) yield { batch };
  }
  yield { isWhole: true };
}

/** Waits until the message is written, so that no queue of messages grows. */
function send(message: ReaderMessage): Promise<void> {
  return new Promise((resolve) => void process.send?.(message, () => resolve()));
}
