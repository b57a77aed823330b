/** A table of a page: shown as HTML, loaded as CSV from the address of the page, and the requests to the API that give its figures. */

import { joinMarkup, type Markup, type MarkupValue, markup } from "../domain/markup.ts";
import { blocksOf, type Cell, type Column, column } from "../export/table.ts";
import { tableText } from "../export/table-text.ts";
import type { ApiRequest } from "./api-request.ts";
import { linkWith, type PageRequest } from "./request.ts";

export interface DataColumn<Row> {
  /** In CSV; as the interface calls it where it has the figure. */
  readonly name?: string;
  readonly heading: string;
  /** In CSV; absent where only the HTML has the column. */
  readonly cell?: (row: Row) => Cell;
  /** In HTML; absent where only the CSV has the column. */
  readonly show?: (row: Row) => MarkupValue;
  readonly isNumber?: boolean;
  /** Whether its cells are days, which do not wrap. */
  readonly isDay?: boolean;
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

/** Forgets the type of the rows, so that tables fit in one list. Safe, because a table is only ever asked about its own rows. */
export function dataTable<Row>(table: DataTable<Row>): DataTable {
  return table as unknown as DataTable;
}

/** CSV as the exports write it. */
export function tableAsCsv({ store }: PageRequest, { columns, rows }: DataTable): string {
  const exported = columns.flatMap(({ name, heading, cell }): Column<unknown>[] =>
    name === undefined || cell === undefined ? [] : [column(name, "text", heading, () => cell)],
  );
  return [...tableText(store, exported, blocksOf(rows), "csv")].join("");
}

/** The table alone, which scrolls sideways where the screen is too narrow. */
export function renderTable(
  { words }: PageRequest,
  { title, columns, rows, shown = rows.slice(0, rowsShownMax) }: DataTable,
): Markup {
  const visible = columns.filter(({ show }) => show !== undefined);
  const classOf = ({ isNumber, isDay }: DataColumn<unknown>): Markup | undefined => {
    if (isNumber === true) return markup` class="number"`;
    return isDay === true ? markup` class="day"` : undefined;
  };
  const head = visible.map((one) => markup`<th scope="col"${classOf(one)}>${one.heading}</th>`);
  const lines = shown.map((row) => {
    const cells = visible.map((one, at) => {
      const content = one.show?.(row);
      return at === 0
        ? markup`<th scope="row"${classOf(one)}>${content}</th>`
        : markup`<td${classOf(one)}>${content}</td>`;
    });
    return markup`<tr>${cells}</tr>\n`;
  });
  const cut = shown.length < rows.length && words.say("tableCut", { shown: shown.length, count: rows.length });
  return markup`<div class="wide" tabindex="0" role="region" aria-label="${words.say("scrollsSideways", { name: title })}"><table>
<caption class="unseen">${title}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${lines}</tbody></table></div>
${cut !== false && markup`<p class="quiet">${cut}</p>`}`;
}

/** Where the numbers come from: the CSV, and requests that give them. */
export function renderSources(request: PageRequest, { name, requests }: DataTable): Markup {
  const { words, site } = request;
  const commands = requests.map((one) => {
    // A value shows line breaks as escapes, so those of a command come from the template.
    const lines = joinMarkup(site.curlOf(one).split("\n"), "\n");
    return markup`<pre tabindex="0"><code>${lines}</code></pre>`;
  });
  const api =
    commands.length > 0 &&
    markup`<details><summary>${words.say("requestForProgram")}</summary>
<p>${words.say("requestVariables")} <a href="${site.docsUrl}">${words.say("documentation")}</a></p>${joinMarkup(commands)}</details>`;
  return markup`<div class="sources"><a href="${linkWith(request, { table: name })}">${words.say("csv")}</a>${api}</div>`;
}

/** The numbers behind a chart, folded up. */
export function renderNumbers(request: PageRequest, table: DataTable): Markup {
  return markup`<details class="numbers"><summary>${request.words.say("numbers")}</summary>
${renderTable(request, table)}</details>
${renderSources(request, table)}`;
}
