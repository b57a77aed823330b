/** A table as its file holds it, before anything is known of its columns: rows of cells. */
import { foundText } from "../../dataset/problem.ts";

/** Most bytes of a file as it lies on the disk. */
export const fileBytesMax: number = 64 * 1024 * 1024;

/** Most bytes of all files inside a workbook together, unpacked. */
export const unpackedBytesMax: number = 256 * 1024 * 1024;

/** Most bytes of a cell: Excel's 32,767 characters, each in four bytes at most. */
export const cellBytesMax = 131_072;

/** Most bytes of the texts of a row. */
export const rowBytesMax: number = 1024 * 1024;

/** Most bytes of the texts of all cells of a file, each shared string counted wherever it is referred to. */
export const textBytesMax: number = 128 * 1024 * 1024;

/** Most cells of a file. */
export const cellsMax = 10_000_000;

/** Most cells of a row: those of Excel. */
export const rowCellsMax = 16_384;

/** Most strings that the cells of a workbook share. */
export const sharedStringsMax = 1_000_000;

/** Most tags of a workbook that are not of rows and cells: shared strings, styles, merged cells, comments. */
export const workbookTagsMax = 5_000_000;

/** The last row that a workbook can have. */
export const excelRowsMax = 1_048_576;

/** Most rows of a table, empty ones included. */
export const rowsMax = 500_000;

/** Columns of a sheet that are read; cells to the right of them are passed over. */
export const columnsMax = 64;

/** A date cell of a spreadsheet: milliseconds since 1970 on a UTC clock that shows what the cell shows. */
export interface ClockCell {
  readonly clock: number;
}

/** A cell without a usable value; `unusable` says what it is, ready to follow "is". */
export interface UnusableCell {
  readonly unusable: string;
}

/** A cell below the first one of merged cells: it shows the value of that one. */
export interface MergedCell {
  readonly merged: string | number | boolean | ClockCell | UnusableCell;
}

/** What stands in a cell. Text is trimmed and not empty; an empty cell is null. */
export type Cell = string | number | boolean | ClockCell | UnusableCell | MergedCell | null;

export interface TableRow {
  /** Counted from 1: of a sheet the number of the row, of a CSV file the line on which the row begins. */
  readonly line: number;
  readonly cells: readonly Cell[];
}

export interface Table {
  /** What messages call it: the name of the file, and of the sheet where it has several. */
  readonly file: string;
  readonly rows: readonly TableRow[];
  /** Day 0 of dates that are plain numbers. */
  readonly epoch: SerialEpoch;
  /** Of a workbook; null for a CSV file. */
  readonly sheet: string | null;
  /** Of a CSV file; null for a workbook. */
  readonly text: { readonly encoding: string; readonly delimiter: string } | null;
}

/** The two ways in which spreadsheets count days. Source: ECMA-376 part 1, 18.17.4.1. */
export type SerialEpoch = 1900 | 1904;

/** The trimmed text as a cell; null when nothing is left. */
export function textCell(text: string): string | UnusableCell | null {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  return trimmed.isWellFormed() ? trimmed : { unusable: "text with half of a surrogate pair" };
}

/** The cell itself, or what the merged cells show that it belongs to. */
export function unmerged(cell: Cell | undefined): Exclude<Cell, MergedCell> {
  if (cell === undefined || cell === null) return null;
  return typeof cell === "object" && "merged" in cell ? cell.merged : cell;
}

/** The text of a cell, numbers and dates included; undefined when it is empty or unusable. */
export function cellText(cell: Cell | undefined): string | undefined {
  const value = unmerged(cell);
  if (value === null) return undefined;
  if (typeof value === "object") return "clock" in value ? clockText(value) : undefined;
  return typeof value === "boolean" ? String(value).toUpperCase() : String(value);
}

/** What stands in a cell, for a message. */
export function foundInCell(cell: Cell | undefined): string {
  const value = unmerged(cell);
  if (value === null) return "empty";
  if (typeof value !== "object") return foundText(value);
  return "clock" in value ? `the date ${clockText(value)}` : value.unusable;
}

/** `2026-05-31`, or `2026-05-31 14:30:00` where the cell has a time of day. */
function clockText({ clock }: ClockCell): string {
  const text = new Date(clock).toISOString();
  return text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : `${text.slice(0, 10)} ${text.slice(11, 19)}`;
}

/** Whether a row has nothing in it, merged cells from above aside. */
export function isEmptyRow({ cells }: TableRow): boolean {
  return cells.every((cell) => cell === null || (typeof cell === "object" && "merged" in cell));
}

/** The name of a column by its position: A, B, … Z, AA, … */
export function columnLetters(position: number): string {
  const last = String.fromCharCode(65 + (position % 26));
  return position < 26 ? last : `${columnLetters(Math.floor(position / 26) - 1)}${last}`;
}
