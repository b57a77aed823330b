import { visibleText } from "../engine/model/visible-text.ts";

const gap = "  ";

/**
 * Rows of text as a table for a person: a line of headings, then a line for each row, columns aligned to the left.
 * Control characters in cells are escaped, line ends too.
 */
export function textTable(headings: readonly string[], cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map(visibleText));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  return [headings, ...rows]
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join(gap)
        .trimEnd(),
    )
    .join("\n");
}
