/** Price rows that a quarantine rejects: finding them, and keeping a record of them. */
import { isUtf8 } from "node:buffer";
import { join } from "node:path";
import { openRegularFile, orMissing } from "../../engine/files/read-regular-file.ts";
import { toUuid, type Uuid } from "../../engine/model/ids.ts";
import { foundText, type Problem } from "../../engine/snapshots/problem.ts";
import { lineBytesMax, parseRecord, type StoredLine, splitLines } from "../../engine/snapshots/record-texts.ts";
import { rejectedFileName, type SnapshotId, snapshotPath } from "../../engine/snapshots/snapshot-layout.ts";
import { readStoredFile } from "../../engine/snapshots/stored-file.ts";

/** One row, where it stood and why it was rejected. */
export interface RejectedRow {
  readonly file: string;
  readonly line: number;
  readonly problems: readonly Omit<Problem, "file" | "line">[];
  /** The line as it stood there; null where it is no UTF-8 text or longer than a line may be. */
  readonly text: string | null;
}

/** The rows to reject, among how many. */
export interface RowRejection {
  /** By file in the order given, then line. */
  readonly rows: readonly RejectedRow[];
  /** Lines of all files, rejected ones included. */
  readonly lineCount: number;
  /** A file whose last line does not end: more of it may be missing than one row. */
  readonly unfinishedFile: string | undefined;
}

/**
 * Finds the rows to reject: those with problems, and every other row with the uuid of one of them, because of rows with
 * one uuid it is unknown which one is meant.
 *
 * @param files Names of all prices files.
 * @param problems By file and line.
 * Cost: reads every file twice, the second time parsing every line.
 */
export async function findRejectedRows(
  directory: string,
  files: readonly string[],
  problems: ReadonlyMap<string, ReadonlyMap<number, readonly Problem[]>>,
): Promise<RowRejection> {
  const locations = new Map<Uuid, string>();
  let lineCount = 0;
  let unfinishedFile: string | undefined;
  for (const file of files) {
    await eachLine(directory, file, (stored) => {
      lineCount++;
      if (!stored.isEnded) unfinishedFile ??= file;
      const uuid = problems.get(file)?.has(stored.line) ? uuidOfLine(stored) : undefined;
      if (uuid !== undefined && !locations.has(uuid)) locations.set(uuid, `${file}:${stored.line}`);
    });
  }
  const rows: RejectedRow[] = [];
  for (const file of files) {
    await eachLine(directory, file, (stored) => {
      const { line } = stored;
      const known = problems.get(file)?.get(line);
      if (known !== undefined) {
        rows.push({ file, line, problems: known.map(withoutLocation), text: textOfLine(stored) });
        return;
      }
      const uuid = uuidOfLine(stored);
      const other = uuid === undefined ? undefined : locations.get(uuid);
      if (other === undefined) return;
      const found = `${foundText(uuid)}, as in ${other}`;
      const duplicate = { kind: "duplicate", field: "uuid", found, wanted: "another one in every price" } as const;
      rows.push({ file, line, problems: [duplicate], text: textOfLine(stored) });
    });
  }
  return { rows, lineCount, unfinishedFile };
}

/** The text of `rejected.ndjson`; empty without rows. */
export function rejectedText(rows: readonly RejectedRow[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/** Returns the number of price rows that were rejected when a snapshot was published. */
export async function countRejectedRows(dataDirectory: string, id: SnapshotId): Promise<number> {
  await using file = await orMissing(openRegularFile(join(snapshotPath(dataDirectory, id), rejectedFileName)));
  return file === undefined ? 0 : (await file.readFile("utf8")).split("\n").length - 1;
}

async function eachLine(directory: string, file: string, visit: (line: StoredLine) => void): Promise<void> {
  const { content } = readStoredFile(join(directory, file));
  for await (const lines of splitLines(content)) for (const line of lines) visit(line);
}

function textOfLine({ bytes }: StoredLine): string | null {
  const text = isUtf8(bytes) ? bytes.toString("utf8").replace(/\r?\n$/, "") : null;
  return text === null || Buffer.byteLength(text) > lineBytesMax ? null : text;
}

/** The uuid of a row, as far as it can be read. */
function uuidOfLine(stored: StoredLine): Uuid | undefined {
  const text = textOfLine(stored);
  const uuid = text === null ? undefined : parseRecord(text).value?.["uuid"];
  return typeof uuid === "string" ? toUuid(uuid) : undefined;
}

function withoutLocation({ file: _file, line: _line, ...fault }: Problem): RejectedRow["problems"][number] {
  return fault;
}
