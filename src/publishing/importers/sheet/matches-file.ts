/**
 * matches.csv: the names that the snapshot does not have, for a person to say what each stands for. The import writes
 * it, a person completes it, in a spreadsheet or an editor, and the next import reads it.
 */
import { basename } from "node:path";
import { regularFileExists } from "../../../engine/files/read-regular-file.ts";
import { writeFileDurably } from "../../../engine/files/write-file-durably.ts";
import { csvRow, guardFormula, unguardFormula } from "../../../engine/model/csv-text.ts";
import { ImportRefusedError } from "../import-refused.ts";
import { cellText } from "./cells.ts";
import { readTable } from "./read-sheet-tables.ts";
import { isEmptyRow } from "./sheet-table.ts";

/** The kinds of names, in the order in which they are matched: county and type narrow the choice of markets. */
export const nameKinds = ["county", "market_type", "market", "product", "unit"] as const;
export type NameKind = (typeof nameKinds)[number];

/** The columns of a name: its text in the table, and, of a market, the area in which it was looked for. */
const nameColumns = ["kind", "found", "county", "market_type"] as const;

/** The columns of a new record; empty where the name itself says it. */
const newColumns = ["new_name", "new_category", "new_county", "new_market_type"] as const;

/** A column that a person adds: of a unit the product that it is the unit of. */
const addedColumns = ["product"] as const;

const columns = [...nameColumns, "rows", "first_row", "candidates", "use", ...newColumns] as const;

/** A name and what it stands for; empty texts where nothing is said. */
export type MatchRow = Readonly<Record<(typeof columns)[number], string>> & {
  readonly kind: NameKind;
  readonly product?: string;
  /** Its line in the file. */
  readonly line: number;
};

/** A name of a table: of a market with the county and type of its row, empty where it has none. */
export interface TableName {
  readonly kind: NameKind;
  readonly found: string;
  readonly county: string;
  readonly marketType: string;
  /** The id of the product that an answer for a unit is for. */
  readonly product?: string | undefined;
}

/** A name that matches no record yet. */
export interface UnmatchedName extends TableName {
  /** The number of rows that have it. */
  rowCount: number;
  readonly lineFirst: number;
}

/** In `use`: make a new record, or leave the rows out. */
export const newWord = "new";
export const skipWord = "skip";

/**
 * Reads the file; a spreadsheet program may have saved it in another encoding, and with another delimiter.
 *
 * @returns Its rows in order; none when there is no file.
 * @throws {ImportRefusedError} when it is no table, lacks a column, or has a row that is no answer.
 * @throws {NotRegularFileError} when the path leads to anything but a file.
 */
export async function readMatches(path: string): Promise<readonly MatchRow[]> {
  if (!(await regularFileExists(path))) return [];
  const { rows } = await readTable(path, {});
  const refuse = (found: string, wanted: string): never => {
    throw new ImportRefusedError(`${basename(path)}: found ${found}, expected ${wanted}`);
  };
  const [header, ...rest] = Iterator.from(rows).filter((row) => !isEmptyRow(row));
  const headings = (header?.cells ?? []).map((cell) => cellText(cell)?.toLowerCase());
  const missing = columns.filter((column) => !headings.includes(column));
  if (missing.length > 0) refuse(`no column ${missing.join(", ")}`, "the file that an import wrote");
  return rest.map(({ line, cells }) => {
    const textOf = (column: string): string => unguardFormula(cellText(cells[headings.indexOf(column)]) ?? "");
    const row = Object.fromEntries([...columns, ...addedColumns].map((column) => [column, textOf(column)]));
    if (cells.length > headings.length) {
      const wanted = `at most ${headings.length}, one for each heading; a cell with a delimiter in it needs quotes`;
      refuse(`${cells.length} cells in line ${line}`, wanted);
    }
    const kind = nameKinds.find((known) => known === row["kind"]);
    if (kind === undefined) refuse(`"kind" ${JSON.stringify(row["kind"])} in line ${line}`, nameKinds.join(", or "));
    return { ...row, kind, line } as MatchRow;
  });
}

/**
 * Writes the file again: UTF-8 with a byte order mark, by which spreadsheet programs know it, and CR LF line ends. Rows
 * that a person has decided stay, in their order; then come the names without an answer, with what a person has written
 * there already.
 *
 * @param matches The rows that the file has.
 * @param decided The rows that a person has decided.
 * @param resolver The names without an answer, and the records that a person may choose from.
 * @param delimiter A semicolon for a table that has it: the program that wrote it shows commas in one column.
 */
export async function writeMatches(
  path: string,
  matches: readonly MatchRow[],
  decided: readonly MatchRow[],
  resolver: { readonly unmatched: readonly UnmatchedName[]; candidatesOf(name: UnmatchedName): readonly string[] },
  delimiter: "," | ";",
): Promise<void> {
  const keyOf = (row: Partial<MatchRow>): string => JSON.stringify(nameColumns.map((column) => row[column]));
  const unfinished = new Map(matches.filter(({ use }) => use === "").map((row) => [keyOf(row), row]));
  const unanswered = resolver.unmatched.map((name): Partial<MatchRow> => {
    const { kind, found, county, marketType: market_type } = name;
    const named = { kind, found, county, market_type };
    return {
      ...unfinished.get(keyOf(named)),
      ...named,
      rows: String(name.rowCount),
      first_row: String(name.lineFirst),
      candidates: resolver.candidatesOf(name).join(" | "),
    };
  });
  const hasProduct = matches.some(({ product = "" }) => product !== "");
  const written = [...columns, ...(hasProduct ? addedColumns : [])];
  const rows = [...decided, ...unanswered].map((row) => written.map((column) => guardFormula(row[column] ?? "")));
  const text = [written, ...rows].map((row) => csvRow(row, delimiter)).join("");
  await writeFileDurably(path, `\ufeff${text}`, 0o644);
}
