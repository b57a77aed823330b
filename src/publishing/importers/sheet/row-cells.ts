/** The cells of a row by field: empty texts are empty, and cells that are filled down have the values above them. */
import { foldText } from "../../../engine/model/folded-text.ts";
import { type Field, fields } from "./headings.ts";
import type { Mapping } from "./mapping.ts";
import { type Cell, cellText, type TableRow, unmerged } from "./sheet-table.ts";

/** Reads the rows of one table, one after the other. */
export class RowCells {
  readonly #positions: ReadonlyMap<Field, readonly number[]>;
  readonly #mapping: Pick<Mapping, "values" | "fill_down">;
  readonly #emptyTexts: ReadonlySet<string>;
  /** The last values of the columns of each field. */
  readonly #above = new Map<Field, readonly Cell[]>();

  /** @param positions The columns of each field. */
  constructor(
    positions: ReadonlyMap<Field, readonly number[]>,
    mapping: Pick<Mapping, "values" | "fill_down" | "empty_texts">,
  ) {
    this.#positions = positions;
    this.#mapping = mapping;
    this.#emptyTexts = new Set(mapping.empty_texts.map((text) => foldText(text)));
  }

  /** Returns whether the columns of a field had a value in a row above. */
  hasAbove(field: Field): boolean {
    return this.#above.has(field);
  }

  /** The cell of each field, or the value of the mapping for all rows; null where neither is. */
  read(row: TableRow): Record<Field, Cell> {
    const cellOf = (field: Field): Cell => this.#cellOf(field, row) ?? this.#mapping.values[field] ?? null;
    return Object.fromEntries(fields.map((field) => [field, cellOf(field)])) as Record<Field, Cell>;
  }

  /** What the columns of a field have: of several the texts, a date with spaces between its parts. */
  #cellOf(field: Field, { cells }: TableRow): Cell {
    const own = (this.#positions.get(field) ?? []).map((at) => {
      const cell = cells[at] ?? null;
      // The 0 of a workbook is a number.
      return this.#emptyTexts.has(foldText(cellText(cell) ?? "")) ? null : cell;
    });
    const isFilledDown = this.#mapping.fill_down.includes(field);
    const filled = isFilledDown ? filledDown(field, own, this.#above.get(field) ?? []) : own;
    if (own.some((cell) => cell !== null)) this.#above.set(field, filled.map(unmerged));
    if (filled.length === 1) return filled[0] as Cell;
    const given = filled.filter((cell) => cell !== null);
    const unusable = given.find((cell) => cellText(cell) === undefined);
    if (given.length === 0 || unusable !== undefined) return unusable ?? null;
    return given.map(cellText).join(field === "date" ? " " : ", ");
  }
}

/**
 * Cells with the values above them where they are empty. Of a date each column is filled by itself; of a name those to
 * the left of the first that the row has: another variety belongs to the product above, another product has none of its
 * varieties.
 */
function filledDown(field: Field, own: readonly Cell[], above: readonly Cell[]): readonly Cell[] {
  const first = own.findIndex((cell) => cell !== null);
  return own.map((cell, at) => {
    return cell ?? (field === "date" || first === -1 || at < first ? (above[at] ?? null) : null);
  });
}
