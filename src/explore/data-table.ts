/**
 * A table of a page: shown as HTML, loaded as CSV from the address of the page, and the requests to the API that give
 * its figures.
 */

import { roundFigure } from "../domain/round-figure.ts";
import { blocksOf, type Cell, type Column, column } from "../export/table.ts";
import { tableText } from "../export/table-text.ts";
import { renderCodeBlock, renderDetails, renderParagraph } from "../pages/elements.ts";
import { type Markup, type MarkupValue, markup } from "../pages/markup.ts";
import { renderTable, type TableColumn } from "../pages/table.ts";
import type { ApiRequest } from "./api-request.ts";
import { linkWith, type PageRequest } from "./request.ts";
import type { Words } from "./words.ts";

/** Its functions are methods, so that tables of different rows fit in one list; a table is asked about its own rows. */
export interface DataColumn<Row> {
  /** In CSV; as the interface calls it where it has the figure. */
  readonly name?: string;
  readonly heading: string;
  /** In CSV; absent where only the HTML has the column. */
  cell?(row: Row): Cell;
  /** In HTML; absent where only the CSV has the column. */
  show?(row: Row): MarkupValue;
  readonly kind?: TableColumn<Row>["kind"];
}

export interface DataTable<Row = unknown> {
  /** In the address of its CSV and in the name of that file. */
  readonly name: string;
  readonly title: string;
  readonly columns: readonly DataColumn<Row>[];
  /** In the order of the CSV. */
  readonly rows: readonly Row[];
  /** The rows that the page shows; all of them, or the first `rowsShownMax`, when absent. */
  readonly shown?: readonly Row[];
  readonly requests: readonly ApiRequest[];
}

/** Rows of a table that a page shows, unless it says otherwise. */
export const rowsShownMax = 60;

type TextOf<Row> = (row: Row) => string | null;
type NumberOf<Row> = (row: Row) => number | null | undefined;

/** Makes columns of a kind; `show` is what the HTML has, where that is not the cell. */
export interface ColumnKinds<Row> {
  text(name: string, heading: string, cell: TextOf<Row>, show?: (row: Row) => MarkupValue): DataColumn<Row>;
  day(name: string, heading: string, cell: TextOf<Row>, show: (row: Row) => MarkupValue): DataColumn<Row>;
  count(name: string, heading: string, of: NumberOf<Row>, show?: (row: Row) => MarkupValue): DataColumn<Row>;
  /** A price that is rounded in CSV, and missing where it is null or undefined. */
  price(name: string, heading: string, of: NumberOf<Row>, show?: (row: Row) => MarkupValue): DataColumn<Row>;
  /** In CSV only. */
  csv(name: string, cell: (row: Row) => Cell): DataColumn<Row>;
}

export function columnKinds<Row>(words: Words): ColumnKinds<Row> {
  const shown = (value: number | null | undefined, write: (value: number) => string): string =>
    value == null ? "–" : write(value);
  return {
    text: (name, heading, cell, show = (row) => cell(row) ?? "") => ({ name, heading, cell, show }),
    day: (name, heading, cell, show) => ({ name, heading, cell, show, kind: "day" }),
    count: (name, heading, of, show = (row) => shown(of(row), (value) => words.integer(value))) => ({
      name,
      heading,
      cell: (row) => of(row) ?? null,
      show,
      kind: "number",
    }),
    price: (name, heading, of, show = (row) => shown(of(row), (value) => words.price(value))) => ({
      name,
      heading,
      cell: (row) => roundedOrNull(of(row)),
      show,
      kind: "number",
    }),
    csv: (name, cell) => ({ name, heading: name, cell }),
  };
}

/** A price as the interface has it. */
export function roundedOrNull(value: number | null | undefined): number | null {
  return value == null ? null : roundFigure(value);
}

/** A column that the HTML leaves out unless a condition holds. */
export function shownIf<Row>(isShown: boolean, { show, ...column }: DataColumn<Row>): DataColumn<Row> {
  return isShown && show !== undefined ? { ...column, show } : column;
}

/** CSV as the exports write it. */
export function tableAsCsv({ store }: PageRequest, { columns, rows }: DataTable): string {
  const exported = columns.flatMap(({ name, heading, cell }): Column<unknown>[] =>
    name === undefined || cell === undefined ? [] : [column(name, "text", heading, () => cell)],
  );
  return [...tableText(store, exported, blocksOf(rows), "csv")].join("");
}

/** The table alone. */
export function renderDataTable(
  { words }: PageRequest,
  { title, columns, rows, shown = rows.slice(0, rowsShownMax) }: DataTable,
): Markup {
  const visible = columns.flatMap(({ heading, show, kind }) => (show === undefined ? [] : [{ heading, show, kind }]));
  const table = renderTable(
    visible.map((column, at) => ({ ...column, isRowHeading: at === 0 })),
    shown,
    { label: words.say("scrollsSideways", { name: title }), caption: title },
  );
  const cut = shown.length < rows.length && words.say("tableCut", { shown: shown.length, count: rows.length });
  return markup`${table}
${cut !== false && renderParagraph(cut, "quiet")}`;
}

/** Where the numbers come from: the CSV, and requests that give them. @param charts Links to the charts of them. */
export function renderSources(request: PageRequest, { name, requests }: DataTable, charts: readonly Markup[]): Markup {
  const csv = markup`<a href="${linkWith(request, { table: name })}">${request.words.say("csv")}</a>`;
  return markup`<div class="sources">${csv}${charts}${renderRequests(request, requests)}</div>`;
}

/** The requests to the API that give some figures, folded up. */
export function renderRequests({ words, site }: PageRequest, requests: readonly ApiRequest[]): Markup | false {
  const docs = markup`<a href="${site.docsUrl}">${words.say("documentation")}</a>`;
  const explained = renderParagraph([words.say("requestVariables"), " ", docs]);
  const commands = requests.map((command) => renderCodeBlock(site.curlOf(command)));
  return commands.length > 0 && renderDetails(words.say("requestForProgram"), [explained, commands]);
}
