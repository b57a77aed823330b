/** Quotes that a person or program forgot to double or to close: they take the rows below into one cell. */

/** The delimiter of a line in a cell, and the number of cells of a row. */
export interface RowForm {
  readonly delimiter: string;
  readonly width: number;
}

/** A line that stands inside a cell; lines are counted from 0, the first one of the row. */
export interface LineInCell {
  readonly line: number;
  /** The line on which the cell begins. */
  readonly opened: number;
  readonly text: string;
}

/**
 * Finds a line inside a cell of several lines that looks like a row: it has as many cells as a row, and digits in at
 * least half of the columns in which the row around it has some, such as those of date and price. The last line counts
 * with the cells behind it. The first line must be a whole row as well: a quote that was not closed ends none.
 *
 * Cost: a read of each cell; more only for cells of several lines.
 */
export function findRowInCell(cells: readonly string[], form: RowForm): LineInCell | undefined {
  let opened = 0;
  for (const [column, cell] of cells.entries()) {
    if (!/[\r\n]/.test(cell)) continue;
    const lines = cell.split(/\r\n|\n|\r/);
    const isWhole = column + splitCount(lines[0], form) >= form.width;
    const line = lines.findIndex((text, at) => {
      if (at === 0 || !isWhole) return false;
      const isLast = at === lines.length - 1;
      return looksLikeRow([...text.split(form.delimiter), ...(isLast ? cells.slice(column + 1) : [])], cells, form);
    });
    if (line !== -1) return { line: opened + line, opened, text: lines[line] as string };
    opened += lines.length - 1;
  }
  return undefined;
}

function looksLikeRow(pieces: readonly string[], row: readonly string[], { width }: RowForm): boolean {
  if (width < 2 || pieces.length < width) return false;
  const columns = [...row.keys()].filter((column) => hasDigit(row[column]?.split(/[\r\n]/, 1)[0]));
  if (columns.length === 0) return pieces.some(hasDigit);
  return columns.filter((column) => hasDigit(pieces[column])).length * 2 >= columns.length;
}

function splitCount(text = "", { delimiter }: RowForm): number {
  return text.split(delimiter).length;
}

function hasDigit(text: string | undefined): boolean {
  return text !== undefined && /\d/.test(text);
}
