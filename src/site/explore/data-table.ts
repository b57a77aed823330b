/**
 * A table of a page: shown as HTML, loaded as CSV from the address of the page, and the requests to the API that give
 * its figures.
 */

import { apiPrefix } from "../../contract/paths.ts";
import { blocksOf, type Cell, type Column, ofRow } from "../../engine/export/table-columns.ts";
import { tableText } from "../../engine/export/table-text.ts";
import { type Day, dayText, firstDayOf, lastDayOf, monthText } from "../../engine/model/calendar.ts";
import type { Uuid } from "../../engine/model/ids.ts";
import type { CountyRecord, MarketRecord, ProductRecord } from "../../engine/model/records.ts";
import type { MarketType } from "../../engine/model/vocabulary.ts";
import type { JudgedSubject } from "../../engine/query/measures/find-judged.ts";
import type { MarketConditions } from "../../engine/query/questions.ts";
import { roundFigure } from "../../engine/store/figures.ts";
import { dayOfRow } from "../../engine/store/periods.ts";
import type { Store } from "../../engine/store/store.ts";
import { renderDetails, renderParagraph, renderTable, type TableColumn } from "../pages/elements.ts";
import { type Markup, type MarkupValue, markup } from "../pages/markup.ts";
import type { MonthSpan, Place, SeriesFigures } from "./monthly-series.ts";
import type { ApiRequest, PageRequest, QueryParameters } from "./request.ts";

/** Its functions are methods, so that tables of different rows fit in one list; each is called with its own rows. */
export interface DataColumn<Row> {
  /** In CSV; as the interface calls it where it has the figure. */
  readonly name?: string;
  readonly heading: string;
  /** The address of what the heading means. */
  readonly headingLink?: string;
  /** In CSV; absent where only the HTML has the column. */
  cell?(row: Row): Cell;
  /** In HTML; absent where only the CSV has the column. */
  show?(row: Row): MarkupValue;
  readonly kind?: TableColumn<Row>["kind"];
  /** The narrowest screen that shows it; phones do when absent. */
  readonly from?: TableColumn<Row>["from"];
}

export interface DataTable<Row = unknown> {
  /** The heading of its section when absent. */
  readonly title?: string;
  readonly columns: readonly DataColumn<Row>[];
  /** In the order of the CSV. */
  readonly rows: readonly Row[];
  /** The rows that the page shows; all of them, or the first `rowsShownMax`, when absent. */
  readonly shown?: readonly Row[];
  /** Rows that the page has folded up below these. */
  readonly folded?: { readonly summary: string; readonly rows: readonly Row[] } | undefined;
  /** Follows the table in HTML. */
  readonly note?: string | undefined;
  readonly requests: readonly ApiRequest[];
}

/** Rows of a table that a page shows, unless it says otherwise. */
export const rowsShownMax = 60;

type NamedCounty = Pick<CountyRecord, "id" | "name">;

/**
 * Makes columns of a kind. Where `show` is absent, the HTML has the cell; `csv` makes columns that only the CSV has. A
 * `price` is rounded in CSV.
 */
export function columnKinds<Row>(request: PageRequest) {
  type Text = (row: Row) => string | null;
  type Shown = (row: Row) => MarkupValue;
  type Figure = (row: Row) => number | null | undefined;
  const { store, words } = request;
  const text = (name: string, heading: string, cell: Text, show: Shown = (row) => cell(row) ?? ""): DataColumn<Row> => {
    return { name, heading, cell, show };
  };
  const day = (name: string, heading: string, cell: Text, show: Shown): DataColumn<Row> => {
    return { name, heading, cell, show, kind: "day" };
  };
  const csv = (name: string, cell: (row: Row) => Cell): DataColumn<Row> => ({ name, heading: name, cell });
  const numbers = (round: (value: number) => number, write: (value: number) => string) => {
    return (name: string, heading: string, of: Figure, shown?: Shown): DataColumn<Row> => {
      const cell = (row: Row): number | null => mapNumber(of(row), round);
      const show = shown ?? ((row: Row): string => mapNumber(of(row), write) ?? "–");
      return { name, heading, cell, show, kind: "number" };
    };
  };
  const dayOf = (priceRow: number): string => dayText(dayOfRow(store.periods, priceRow));
  return {
    text,
    day,
    csv,
    /** The day on which the price of a row of the store was recorded. */
    recorded: (name: string, heading: string, priceRowOf: (row: Row) => number) => {
      const show = (row: Row): string => request.recorded(priceRowOf(row));
      return day(name, heading, (row) => dayOf(priceRowOf(row)), show);
    },
    count: numbers(
      (value) => value,
      (value) => words.integer(value),
    ),
    price: numbers(roundFigure, (value) => words.price(value)),
    /** The name with a link, and the uuid in CSV. */
    product: (of: (row: Row) => ProductRecord, show: Shown = (row) => request.productLink(of(row))) => [
      text("product", words.say("product"), (row) => of(row).name, show),
      csv("product_uuid", (row) => of(row).uuid),
    ],
    market: (of: (row: Row) => MarketRecord, show: Shown = (row) => request.marketLink(of(row))) => [
      text("market", words.say("market"), (row) => of(row).name, show),
      csv("market_uuid", (row) => of(row).uuid),
    ],
    /** The name with a link, and the number in CSV. */
    county: (of: (row: Row) => NamedCounty, show: Shown = (row) => request.countyLink(of(row))) => [
      text("county", words.say("county"), (row) => of(row).name, show),
      csv("county_id", (row) => of(row).id),
    ],
    marketType: (of: (row: Row) => MarketType) =>
      text("market_type", words.say("type"), of, (row) => words.type(of(row))),
  };
}

function mapNumber<Result>(value: number | null | undefined, change: (value: number) => Result): Result | null {
  return value == null ? null : change(value);
}

/** A price as the interface has it. */
export function roundedOrNull(value: number | null | undefined): number | null {
  return mapNumber(value, roundFigure);
}

/** A column that the HTML leaves out unless a condition holds. */
export function shownIf<Row>(isShown: boolean, { show, ...column }: DataColumn<Row>): DataColumn<Row> {
  return isShown && show !== undefined ? { ...column, show } : column;
}

/** A column that phones leave out. */
export function fromTablet<Row>(column: DataColumn<Row>): DataColumn<Row> {
  return { ...column, from: "tablet" };
}

/** A column that phones and tablets leave out. */
export function fromDesktop<Row>(column: DataColumn<Row>): DataColumn<Row> {
  return { ...column, from: "desktop" };
}

/** CSV as the exports write it. */
export function tableAsCsv({ store }: PageRequest, { columns, rows }: DataTable): string {
  const exported = columns.flatMap(({ name, heading, cell }): Column<unknown>[] =>
    name === undefined || cell === undefined ? [] : [ofRow(name, "text", heading, cell)],
  );
  return [...tableText(store, exported, blocksOf(rows), "csv")].join("");
}

/** The table alone. */
export function renderDataTable(
  { words }: PageRequest,
  { columns, rows, shown = rows.slice(0, rowsShownMax), folded, note }: DataTable,
  title: string,
): Markup {
  const visible = columns.flatMap(({ heading, headingLink: link, show, kind, from }) =>
    show === undefined
      ? []
      : [{ heading: link ? markup`<a href="${link}">${heading}</a>` : heading, show, kind, from }],
  );
  const columnsShown = visible.map((column, at) => ({ ...column, isRowHeading: at === 0 }));
  const className = isNamePriceChange(columnsShown) ? "two-lines" : undefined;
  const tableOf = (some: readonly unknown[], caption: string): Markup =>
    renderTable(columnsShown, some, { label: words.say("scrollsSideways", { name: caption }), caption, className });
  const count = shown.length + (folded?.rows.length ?? 0);
  const cut = count < rows.length && words.say("tableCut", { shown: count, count: rows.length });
  const below = folded && renderDetails(folded.summary, tableOf(folded.rows, `${title}: ${folded.summary}`));
  return markup`${shown.length > 0 && tableOf(shown, title)}
${[note, cut].map((text) => text && renderParagraph(text, "quiet"))}${below}`;
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
export function scopeParameters({ productUuid, marketType, countyId, marketUuid }: PriceScope): QueryParameters {
  return { product_uuid: productUuid, market_type: marketType, county_id: countyId, market_uuid: marketUuid };
}

/** @param parameters In this order; undefined ones are left out, and none is escaped. */
export function apiGet(path: string, parameters: QueryParameters = {}): ApiRequest {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const query = given.map(([name, value]) => `${name}=${value}`).join("&");
  return { path: `${apiPrefix}${path}${query === "" ? "" : "?"}${query}` };
}

/** The request that gives the figures of a series. */
export function statisticsRequest(
  { product, marketType, place, unit, currency, isConverted }: SeriesFigures,
  { from, to }: MonthSpan,
): ApiRequest {
  return {
    path: `${apiPrefix}/prices/statistics`,
    body: {
      product_uuid: product.uuid,
      start_date: dayText(firstDayOf(from)),
      end_date: dayText(lastDayOf(to)),
      county_id: place.conditions.countyId,
      market_uuid: place.conditions.marketUuid,
      market_type: marketType,
      suspicious: false,
      group_by: "month",
      unit,
      currency: isConverted ? currency : undefined,
    },
  };
}

/**
 * The request that gives the comparable prices of a series of a county or the country.
 */
export function indexRequest(
  { product, marketType, place, unit, currency, isConverted }: SeriesFigures,
  { from, to }: MonthSpan,
): ApiRequest {
  return apiGet("/prices/index", {
    ...scopeParameters({ productUuid: product.uuid, marketType, ...place.conditions }),
    start_month: monthText(from),
    end_month: monthText(to),
    unit: encodeURIComponent(unit.toWellFormed()),
    currency: isConverted ? (currency ?? undefined) : undefined,
    ...allMarkets,
  });
}

/** Pages show figures of all markets, of which requests for counties and the country leave out camps by default. */
export const allMarkets = { refugee_camps: "include" } as const;

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
  const parameters = { product_uuid, level, ...ofMarkets, ...allMarkets, recorded_since: since };
  const months = judged.flatMap(({ newest, yearBefore, fiveYears, alps }) =>
    [yearBefore, fiveYears, alps].flatMap((found) =>
      found === undefined || found.month === newest.month ? [] : monthText(found.month),
    ),
  );
  const others = [...new Set(months)].sort().reverse();
  return [undefined, ...others].map((month) => apiGet("/exports/anomalies.csv", { ...parameters, month }));
}
