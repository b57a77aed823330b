/** Cells as a file holds them: their values, and the texts of these. */
import { foundText } from "../../../engine/snapshots/problem.ts";

/** Digits that Excel keeps and shows; the sixteenth and seventeenth of a double are noise of calculation. */
export const significantDigits = 15;

/** A date cell of a spreadsheet: milliseconds since 1970 on a UTC clock that shows what the cell shows. */
export interface ClockCell {
  readonly clock: number;
}

/** A cell without a usable value; `unusable` says what it is, ready to follow "is". */
export interface UnusableCell {
  readonly unusable: string;
}

/** A number whose format shows text around it: `UGX 4,100` or `90 kg bag`. */
export interface ShownNumber {
  readonly number: number;
  /** Empty where the format shows none there. */
  readonly before: string;
  readonly after: string;
}

/** A cell below the first of merged cells: it shows the value of the first. */
export interface MergedCell {
  readonly merged: string | number | boolean | ClockCell | ShownNumber | UnusableCell;
}

/** The value of a cell. Text is trimmed and not empty; an empty cell is null. */
export type Cell = string | number | boolean | ClockCell | ShownNumber | UnusableCell | MergedCell | null;

/** The trimmed text as a cell; null when nothing is left. */
export function textCell(text: string): string | UnusableCell | null {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  return trimmed.isWellFormed() ? trimmed : { unusable: "text with half of a surrogate pair" };
}

export function isMerged(cell: Cell): cell is MergedCell {
  return typeof cell === "object" && cell !== null && "merged" in cell;
}

/** The cell itself; for merged cells the value that they show. */
export function unmerged(cell: Cell = null): Exclude<Cell, MergedCell> {
  return isMerged(cell) ? cell.merged : cell;
}

/** The number of characters of the texts of a cell. */
export function textLengthOf(cell: Cell): number {
  const value = unmerged(cell);
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null || "clock" in value) return 0;
  return "unusable" in value ? value.unusable.length : value.before.length + value.after.length;
}

/** The text of a cell, numbers and dates included; undefined when it is empty or unusable. */
export function cellText(cell: Cell | undefined): string | undefined {
  const value = unmerged(cell);
  if (value === null) return undefined;
  if (typeof value === "object") {
    if ("clock" in value) return clockText(value);
    return "number" in value ? `${value.before} ${value.number} ${value.after}`.trim() : undefined;
  }
  return typeof value === "boolean" ? String(value).toUpperCase() : String(value);
}

/** The value of a cell, for a message. */
export function foundInCell(cell: Cell | undefined): string {
  const value = unmerged(cell);
  if (value === null) return "empty";
  if (typeof value !== "object") return foundText(value);
  if ("number" in value) return foundText(cellText(value) ?? "");
  return "clock" in value ? `the date ${clockText(value)}` : value.unusable;
}

/** `2026-05-31`, or `2026-05-31 14:30:00` where the cell has a time of day. */
function clockText({ clock }: ClockCell): string {
  const text = new Date(clock).toISOString();
  return text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : `${text.slice(0, 10)} ${text.slice(11, 19)}`;
}
