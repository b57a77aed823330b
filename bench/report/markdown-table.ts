/** A cell; numbers that are formatted already, and texts. */
export type Cell = string;

/**
 * A Markdown table whose columns are padded, so that it can be read in a terminal as well.
 *
 * @param header One text a column; those that begin with a space are set to the right.
 */
export function markdownTable(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const isRight = header.map((title) => title.startsWith(" "));
  const titles = header.map((title) => title.trim());
  const widths = titles.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => pad(cells[column] ?? "", width, isRight[column] === true)).join(" | ")} |`;
  const rule = `|${widths.map((width, column) => `${"-".repeat(width + 1)}${isRight[column] ? ":" : "-"}`).join("|")}|`;
  return [line(titles), rule, ...rows.map(line)].join("\n");
}

function pad(text: string, width: number, isRight: boolean): string {
  return isRight ? text.padStart(width) : text.padEnd(width);
}
