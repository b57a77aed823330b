/**
 * A table of a page: shown as HTML; its rows as CSV, in columns of an export; and the requests to the API that give its
 * figures.
 */

import { apiPrefix } from "../../contract/paths.ts";
import type { Columns, RowBlocks } from "../../engine/export/table-columns.ts";
import { tableText } from "../../engine/export/table-text.ts";
import { type Day, dayText, firstDayOf, lastDayOf, monthText } from "../../engine/model/calendar.ts";
import type { Uuid } from "../../engine/model/ids.ts";
import type { CountyRecord, MarketRecord, ProductRecord } from "../../engine/model/records.ts";
import type { MarketType } from "../../engine/model/vocabulary.ts";
import type { JudgedSubject } from "../../engine/query/measures/find-judged.ts";
import type { Place } from "../../engine/query/place.ts";
import type { MarketConditions } from "../../engine/query/questions.ts";
import type { Store } from "../../engine/store/store.ts";
import { renderDetails, renderParagraph, renderTable, type TableColumn } from "../pages/elements.ts";
import { type Markup, type MarkupValue, markup } from "../pages/markup.ts";
import type { MonthSpan, SeriesFigures } from "./monthly-series.ts";
import type { ApiRequest, PageRequest, QueryParameters } from "./request.ts";

/** Its functions are methods, so that tables of different rows fit in one list; each is called with its own rows. */
export interface DataColumn<Row> {
  readonly heading: string;
  show(row: Row): MarkupValue;
  readonly kind?: TableColumn<Row>["kind"];
  /** The narrowest screen that shows it; phones do when absent. */
  readonly from?: TableColumn<Row>["from"];
}

/** Rows of an export. */
export interface ExportedRows {
  /** The name of the export. */
  readonly name: string;
  readonly write: (store: Store) => string;
}

export interface DataTable<Row = unknown> {
  /** The heading of its section when absent. */
  readonly title?: string;
  readonly columns: readonly DataColumn<Row>[];
  readonly rows: readonly Row[];
  /** The rows that the page shows; all of them, or the first `rowsShownMax`, when absent. */
  readonly shown?: readonly Row[];
  /** Rows that the page has folded up below these. */
  readonly folded?: readonly { readonly summary: string; readonly rows: readonly Row[] }[];
  /** Its CSV; absent where no export has its rows. */
  readonly csv?: ExportedRows | undefined;
  readonly requests: readonly ApiRequest[];
}

/** Rows of a table that a page shows, unless it says otherwise. */
export const rowsShownMax = 60;

type NamedCounty = Pick<CountyRecord, "id" | "name">;

/** Makes columns of a kind; names of records are links. */
export function columnKinds<Row>(request: PageRequest) {
  type Shown = (row: Row) => MarkupValue;
  type Figure = (row: Row) => number | null | undefined;
  const { words } = request;
  const text = (heading: string, show: Shown): DataColumn<Row> => ({ heading, show });
  const day = (heading: string, show: Shown): DataColumn<Row> => ({ heading, show, kind: "day" });
  const number = (heading: string, show: Shown): DataColumn<Row> => ({ heading, show, kind: "number" });
  const ofFigure = (write: (value: number) => string) => (heading: string, of: Figure) =>
    number(heading, (row) => {
      const figure = of(row);
      return figure == null ? "–" : write(figure);
    });
  return {
    text,
    day,
    number,
    /** The day on which the price of a row of the store was recorded. */
    recorded: (heading: string, priceRowOf: (row: Row) => number) =>
      day(heading, (row) => request.recorded(priceRowOf(row))),
    count: ofFigure((value) => words.integer(value)),
    price: ofFigure((value) => words.price(value)),
    product: (of: (row: Row) => ProductRecord) => text(words.say("product"), (row) => request.productLink(of(row))),
    market: (of: (row: Row) => MarketRecord) => text(words.say("market"), (row) => request.marketLink(of(row))),
    county: (of: (row: Row) => NamedCounty) => text(words.say("county"), (row) => request.countyLink(of(row))),
    marketType: (of: (row: Row) => MarketType) => text(words.say("type"), (row) => words.type(of(row))),
  };
}

/** A column that phones leave out. */
export function fromTablet<Row>(column: DataColumn<Row>): DataColumn<Row> {
  return { ...column, from: "tablet" };
}

/** Means, and prices that nobody paid: pages and their files have prices. */
const notOnPages =
  /^(average_price|std_deviation|component)$|comparable_price|usual_price|expected_price|residual_deviation/;

/** Rows as their export writes them, without the columns that pages do not show. */
export function exportedRows<Row>(
  name: string,
  columns: Columns<Row>,
  blocksOf: (store: Store) => RowBlocks<Row>,
): ExportedRows {
  const shown = columns.filter((column) => !notOnPages.test(column.name));
  return { name, write: (store) => [...tableText(store, shown, blocksOf(store), "csv")].join("") };
}

/** The table alone. */
export function renderDataTable(
  { words }: PageRequest,
  { columns, rows, shown = rows.slice(0, rowsShownMax), folded = [] }: DataTable,
  title: string,
): Markup {
  const columnsShown = columns.map((column, at) => ({ ...column, isRowHeading: at === 0 }));
  const className = isNamePriceChange(columnsShown) ? "two-lines" : undefined;
  const tableOf = (some: readonly unknown[], caption: string): Markup =>
    renderTable(columnsShown, some, { label: words.say("scrollsSideways", { name: caption }), caption, className });
  const count = shown.length + folded.reduce((sum, { rows }) => sum + rows.length, 0);
  const cut = count < rows.length && words.say("tableCut", { shown: count, count: rows.length });
  const below = folded.map(({ summary, rows }) => renderDetails(summary, tableOf(rows, `${title}: ${summary}`)));
  return markup`${shown.length > 0 && tableOf(shown, title)}
${below}${cut && renderParagraph(cut, "quiet")}`;
}

/** Returns whether a phone shows a name, a price and its change alone, which fit there in rows of two lines. */
function isNamePriceChange(columns: readonly Pick<TableColumn<never>, "kind" | "from">[]): boolean {
  const kinds = columns.flatMap(({ kind, from }) => (from === undefined ? [kind ?? "text"] : []));
  return kinds.join(" ") === "text number number";
}

/** The prices that requests are about. */
export interface PriceScope extends MarketConditions {
  readonly productUuid?: Uuid | undefined;
}

/** The conditions of a scope as parameters of the interface. */
export function scopeParameters(scope: PriceScope): QueryParameters {
  const { productUuid, marketType, countyId, marketUuid, refugeeCamps } = scope;
  return {
    product_uuid: productUuid,
    market_type: marketType,
    county_id: countyId,
    market_uuid: marketUuid,
    refugee_camps: refugeeCamps,
  };
}

/** @param parameters In this order; undefined ones are left out, and none is escaped. */
export function apiGet(path: string, parameters: QueryParameters = {}): ApiRequest {
  const present = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const query = present.map(([name, value]) => `${name}=${value}`).join("&");
  return { path: `${apiPrefix}${path}${query === "" ? "" : "?"}${query}` };
}

/** The request that gives the figures of a series. */
export function statisticsRequest(
  { product, marketType, place, unit, currency, isConverted }: SeriesFigures,
  { from, to }: MonthSpan,
): ApiRequest {
  const { product_uuid: _, ...where } = scopeParameters({ marketType, ...place.conditions });
  return {
    path: `${apiPrefix}/prices/statistics`,
    body: {
      product_uuid: product.uuid,
      start_date: dayText(firstDayOf(from)),
      end_date: dayText(lastDayOf(to)),
      ...where,
      suspicious: false,
      group_by: "month",
      unit,
      currency: isConverted ? currency : undefined,
    },
  };
}

/** The requested entries of `/exports/anomalies.csv`. */
interface AnomalyScope extends PriceScope {
  readonly level: Place["kind"];
  readonly recordedSince?: Day | undefined;
}

/**
 * The requests that give judgements: one of the newest months, however old these are, and one of each other month that
 * a measure is of.
 */
export function anomalyRequests(
  { periods }: Store,
  { level, recordedSince, ...scope }: AnomalyScope,
  judged: readonly JudgedSubject[] = [],
): ApiRequest[] {
  const { product_uuid, ...ofMarkets } = scopeParameters(scope);
  const oldestDay = (periods.newestDay - (periods.ages.at(-1) ?? 0)) as Day;
  const since = dayText(recordedSince ?? oldestDay);
  const parameters = { product_uuid, level, ...ofMarkets, recorded_since: since };
  const months = judged.flatMap(({ newest, yearBefore, previous, fiveYears, alps }) =>
    [yearBefore, previous, fiveYears, alps].flatMap((found) =>
      found === undefined || found.month === newest.month ? [] : monthText(found.month),
    ),
  );
  const others = [...new Set(months)].sort().reverse();
  return [undefined, ...others].map((month) => apiGet("/exports/anomalies.csv", { ...parameters, month }));
}
