/** Tables of pages. */
import { type Markup, type MarkupValue, markup } from "./markup.ts";

export interface TableColumn<Row> {
  readonly heading: MarkupValue;
  readonly show: (row: Row) => MarkupValue;
  /** Numbers stand at the right, days on one line; text otherwise. */
  readonly kind?: "number" | "day" | undefined;
  /** True if its cells name their rows. */
  readonly isRowHeading?: boolean;
}

export interface TableText {
  /** The name of the box in which the table scrolls. */
  readonly label?: string;
  /** The name of the table for screen readers alone. */
  readonly caption?: string;
}

/** A table in a box of its own, which scrolls where the page is too narrow. */
export function renderTable<Row>(
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
  { label, caption }: TableText = {},
): Markup {
  const heads = columns.map((column) => markup`<th scope="col"${classOf(column)}>${column.heading}</th>`);
  const lines = rows.map((row) => markup`<tr>${columns.map((column) => renderCell(column, row))}</tr>\n`);
  const region = label !== undefined && markup` role="region" aria-label="${label}"`;
  return markup`<div class="wide" tabindex="0"${region}><table>
${caption !== undefined && markup`<caption class="unseen">${caption}</caption>`}
<thead><tr>${heads}</tr></thead>
<tbody>
${lines}</tbody></table></div>`;
}

function renderCell<Row>(column: TableColumn<Row>, row: Row): Markup {
  const content = column.show(row);
  if (column.isRowHeading === true) return markup`<th scope="row"${classOf(column)}>${content}</th>`;
  return markup`<td${classOf(column)}>${content}</td>`;
}

function classOf({ kind }: TableColumn<never>): Markup | undefined {
  return kind && markup` class="${kind}"`;
}

/** Columns of rows that are lists of cells, in the order of the headings. */
export function cellColumns(headings: readonly MarkupValue[]): TableColumn<readonly MarkupValue[]>[] {
  return headings.map((heading, at) => ({ heading, show: (cells) => cells[at] }));
}
