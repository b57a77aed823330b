/**
 * A file of a spreadsheet program → its tables, read by a process that may be killed (reader-process.ts).
 *
 * A small file can make a parser take any memory and time, in more ways than a check before it can know: such a check
 * is a second parser, which must agree with the first about every byte. So the parsers run in a process with limits
 * (reader-limits.ts), and what comes of the file costs at most that.
 */
import { type ForkOptions, fork } from "node:child_process";
import { once } from "node:events";
import { findPackageJSON } from "node:module";
import { basename, dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { entryFile } from "../../../engine/threads/entry-file.ts";
import { ImportRefusedError } from "../import-refused.ts";
import type { TableChoice } from "./parse-tables.ts";
import { type ReaderLimits, readerLimits, timeSignal } from "./reader-limits.ts";
import type { ReaderMessage, ReaderWork } from "./reader-messages.ts";
import { type ParsedTable, SerializedRows, type Table } from "./sheet-table.ts";
import { rangesOfFormats, type ShownHeadings, type ShownTexts, withShownTexts } from "./shown-numbers.ts";

/** The headings of the columns of a workbook whose number formats count; of the first rows all when absent. */
interface ShownChoice extends TableChoice {
  readonly shown?: ShownHeadings | undefined;
}

/**
 * Does the work of a reader to its end.
 *
 * @throws {ImportRefusedError} as `readTables`.
 */
export type RunReader = (path: string, work: ReaderWork, receive: (message: ReaderMessage) => void) => Promise<void>;

/**
 * Reads a file.
 *
 * Cost: a process, and its start of some 300 ms of processor time (it has no compile cache), and another one for the
 * number formats of a workbook; here the rows serialized, at most `tableBytesMax`.
 * @returns One table of a CSV file, of a workbook one for each sheet that is wanted.
 * @throws {ImportRefusedError} when it cannot be read, is neither CSV nor a workbook, or exceeds a limit.
 */
export async function readTables(
  path: string,
  { shown: headings, ...choice }: ShownChoice,
  limits: ReaderLimits = readerLimits,
  runReader: RunReader = runReaderProcess,
): Promise<readonly Table[]> {
  const tables: ParsedTable[] = [];
  await runReader(path, { choice, limits }, (message) => {
    if ("table" in message) tables.push({ ...message.table, rows: new SerializedRows(message.table.file) });
    if ("batch" in message) tables.at(-1)?.rows.addBatch(message.batch);
  });
  const sheets = tables.map(({ sheet }) => sheet).filter((sheet) => sheet !== null);
  const ranges = sheets.length === 0 ? [] : rangesOfFormats(tables, headings);
  if (ranges.length === 0) return tables;
  const shown: ShownTexts[] = [];
  await runReader(path, { choice, formats: { sheets, ranges }, limits }, (message) => {
    if ("shownTexts" in message) shown.push(message.shownTexts);
  });
  return tables.map((table, at) => withShownTexts(table, shown[at] ?? []));
}

/** What the reader process imports: `src/`, and its packages. */
const importedFolders = [
  fileURLToPath(new URL("../../../", import.meta.url)),
  ...["csv-parse", "hucre"].map((name) => dirname(findPackageJSON(name, import.meta.url) ?? name)),
];

/**
 * How a reader process is started: it sees no environment, reads its file and its program, writes nothing, starts no
 * program and has no network. It drops the permission for threads once that of `reader-guard.ts` runs, where Node can
 * do that (26).
 */
export function readerOptions(path: string, { heapMebibytes }: ReaderLimits) {
  const readable = [...importedFolders, resolve(path)].map((one) => `--allow-fs-read=${one}`);
  // Otherwise Node examines the links above a package, which may lie elsewhere.
  const permissions = ["--permission", "--allow-worker", "--preserve-symlinks", ...readable];
  return {
    execArgv: [...permissions, `--max-old-space-size=${heapMebibytes}`, "--max-semi-space-size=8"],
    env: {},
    serialization: "advanced",
    // V8 prints pages when its heap is full; the message is one line.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  } satisfies ForkOptions;
}

async function runReaderProcess(...[path, work, receive]: Parameters<RunReader>): Promise<void> {
  const { limits } = work;
  const script = entryFile("./reader-process", import.meta.url);
  const child = fork(script, [path, JSON.stringify(work)], readerOptions(path, limits));
  let last: ReaderMessage | undefined;
  child.on("message", (message: ReaderMessage) => {
    last = message;
    receive(message);
  });
  // All messages have come when the channel is closed.
  const [[code, signal]] = await Promise.all([once(child, "exit"), once(child, "disconnect")]);
  if (last !== undefined && "isWhole" in last) return;
  if (last !== undefined && "refusal" in last) throw new ImportRefusedError(last.refusal);
  if (last !== undefined && "failure" in last) throw last.failure;
  if (signal === null) throw new Error(`${path}: the reader process ended with code ${code}, expected its tables`);
  const [cost, max] =
    signal === timeSignal ? ["time", `${limits.seconds} s of processor time`] : ["memory", `${limits.mebibytes} MiB`];
  const found = `takes too much ${cost} to read`;
  throw new ImportRefusedError(
    `${basename(path)}: ${found}, expected at most ${max}; import it in parts, a workbook perhaps as CSV`,
  );
}

/**
 * Reads the one table of a file.
 *
 * @throws {ImportRefusedError} as `readTables`, and when the file has several sheets and none is chosen.
 */
export async function readTable(path: string, choice: ShownChoice, runReader?: RunReader): Promise<Table> {
  const tables = await readTables(path, choice, readerLimits, runReader);
  if (tables.length === 1) return tables[0] as Table;
  const names = tables.map(({ sheet }) => JSON.stringify(sheet)).join(", ");
  throw new ImportRefusedError(
    `${basename(path)}: has the sheets ${names}, expected "sheet" in the mapping to name one`,
  );
}
