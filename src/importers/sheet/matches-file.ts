/**
 * matches.csv: the names that the snapshot does not have, for a person to say what each stands for. The import writes
 * it, a person completes it, in a spreadsheet or an editor, and the next import reads it.
 */
import { basename } from "node:path";
import type { ProblemList } from "../../dataset/problem.ts";
import { regularFileExists } from "../../files/read-regular-file.ts";
import { writeFileDurably } from "../../files/write-file-durably.ts";
import { ImportRefusedError } from "../import-refused.ts";
import { readTable } from "./read-tables.ts";
import { cellText, isEmptyRow } from "./table.ts";

/** What names stand for; in this order, because the county and the type narrow the choice of markets. */
export const nameKinds = ["county", "market_type", "market", "product", "unit"] as const;
export type NameKind = (typeof nameKinds)[number];

const columns = [
  "kind",
  "found",
  "county",
  "market_type",
  "rows",
  "first_row",
  "candidates",
  "use",
  "new_name",
  "new_category",
  "new_county",
  "new_market_type",
] as const;

/** A name and what it stands for; empty texts where nothing is said. */
export type MatchRow = Readonly<Record<(typeof columns)[number], string>> & {
  /** Where it stands in the file; 0 in none. */
  readonly line: number;
};

/** In `use`: make a new record, or leave the rows out. */
export const newWord = "new";
export const skipWord = "skip";

/**
 * Reads the file; a spreadsheet program may have saved it in another encoding, and with another delimiter.
 *
 * @returns Its rows in order; none when there is no file.
 * @throws {ImportRefusedError} when it is no table, or lacks a column.
 * @throws {NotRegularFileError} when the path leads to anything but a file.
 * @throws {DatasetError} when there are more problems than are of use.
 */
export async function readMatches(path: string, problems: ProblemList): Promise<readonly MatchRow[]> {
  if (!(await regularFileExists(path))) return [];
  const { rows } = await readTable(path, {});
  const file = basename(path);
  const [header, ...rest] = Iterator.from(rows).filter((row) => !isEmptyRow(row));
  const headings = (header?.cells ?? []).map((cell) => cellText(cell)?.toLowerCase());
  const missing = columns.filter((column) => !headings.includes(column));
  if (missing.length > 0) {
    throw new ImportRefusedError(
      `${file}: has no column ${missing.join(", ")}, expected the file that an import wrote`,
    );
  }
  return rest.map(({ line, cells }) => {
    const textOf = (column: string): string => unguarded(cellText(cells[headings.indexOf(column)]) ?? "");
    const row = Object.fromEntries(columns.map((column) => [column, textOf(column)]));
    if (!(nameKinds as readonly string[]).includes(row["kind"] ?? "")) {
      const wanted = `one of ${nameKinds.join(", ")}`;
      problems.add({ file, line, field: "kind", kind: "value", found: JSON.stringify(row["kind"]), wanted });
    }
    return { ...row, line } as MatchRow;
  });
}

/** Writes the file anew: UTF-8 with a byte order mark, by which spreadsheet programs know it, and CR LF line ends. */
export async function writeMatches(path: string, rows: readonly MatchRow[]): Promise<void> {
  const lines = rows.map((row) => columns.map((column) => csvCell(row[column])).join());
  await writeFileDurably(path, `\ufeff${[columns.join(), ...lines].map((line) => `${line}\r\n`).join("")}`, 0o644);
}

/** What spreadsheets take for the beginning of a formula. Source: OWASP, CSV Injection. */
const formulaStart = /^[=+\-@\t\r]/;

function csvCell(text: string): string {
  const guarded = formulaStart.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

function unguarded(text: string): string {
  return /^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}
