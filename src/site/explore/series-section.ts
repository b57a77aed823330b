/** Series of prices as a table: the markets of a product, or the products of a market. */

import { type Day, firstDayOf, type MonthNumber, monthOf } from "../../engine/model/calendar.ts";
import { seriesFigures } from "../../engine/query/find-series.ts";
import { findJudged, type JudgedSubject } from "../../engine/query/measures/find-judged.ts";
import { pageBounds, pageCount } from "../../engine/query/page.ts";
import { countyRecord, type ProductCode, recordAt } from "../../engine/store/catalogue.ts";
import { ageOfRow, dayOfRow } from "../../engine/store/periods.ts";
import type { Store } from "../../engine/store/store.ts";
import { suspiciousReasonOf } from "../../engine/store/suspicious-prices.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, type MarkupValue, markup } from "../pages/markup.ts";
import { courseColumn, courseOf, courseSpan } from "./course.ts";
import {
  anomalyRequests,
  apiGet,
  columnKinds,
  type DataColumn,
  type DataTable,
  fromDesktop,
  fromTablet,
  type PriceScope,
  roundedOrNull,
  scopeParameters,
  shownIf,
} from "./data-table.ts";
import type { Section } from "./explorer-page.ts";
import { dashNote, judgementColumns, knownMeasures } from "./judgement.ts";
import { baseUnitOf, figuresByType, marketPlace, type SeriesFigures } from "./monthly-series.ts";
import type { PageRequest } from "./request.ts";

/** Rows of a page of the table. */
const seriesPageSize = 30;

/** The cost of a row of the table beside its figures, as a number of prices read. */
const rowsPerSeries = 3000;

/** A series, and the course and judgement of its product at its market where it is the first of these. */
interface SeriesRow extends ReturnType<typeof seriesRow> {
  readonly course?: SeriesFigures | undefined;
  readonly judged?: JudgedSubject | undefined;
}

/**
 * Some series, page by page.
 *
 * @param scope Their product, where the first column names markets; otherwise it names products.
 * @param positions In `store.series`, newest first; at least one.
 * @throws {PageProblem} for a page that is not there.
 */
export function* seriesSection(
  request: PageRequest,
  scope: PriceScope,
  positions: Uint32Array,
): Generator<number, Section> {
  const { store, words } = request;
  const by = scope.productUuid === undefined ? "product" : "market";
  const heading = words.say(by === "market" ? "marketsHeading" : "marketProducts");
  const lead =
    by === "market"
      ? words.say("marketsLead", { count: positions.length })
      : words.say("latestLead", { last: request.newestRecorded() });
  const pages = pageCount(positions.length, seriesPageSize);
  const page = request.pageNumber(pages);
  const { from, to } = pageBounds(positions.length, page, seriesPageSize);
  const rows: SeriesRow[] = Array.from(positions, (at) => seriesRow(store, at));
  const lastMonth = monthOf(rows[0]?.lastDay ?? (store.periods.newestDay as Day));
  const shown = yield* withCourses(store, scope, rows, rows.slice(from, to), lastMonth);
  const judged = shown.flatMap((row) => row.judged ?? []);
  const footer = pages > 1 ? renderPager(request, heading, page, pages) : undefined;
  const table: DataTable<SeriesRow> = {
    columns: seriesColumns(request, by, lastMonth, judged),
    rows,
    shown,
    note: dashNote(words, judged, knownMeasures(judged, ["yearBefore"])),
    requests: [
      apiGet("/exports/series.csv", { ...scopeParameters(scope), sort: "last_recorded_at" }),
      ...anomalyRequests(store, { level: "market", ...scope }, judged),
    ],
  };
  const content = markup`${renderParagraph(lead)}${renderParagraph(words.say("changeLead"), "quiet")}`;
  return { id: "series", heading, content, table, footer };
}

/** The rows shown; each that is the first of all of its product at its market has course and judgement. */
function* withCourses(
  store: Store,
  scope: PriceScope,
  all: readonly SeriesRow[],
  shown: readonly SeriesRow[],
  lastMonth: MonthNumber,
): Generator<number, SeriesRow[]> {
  const productUuids = [...new Set(shown.map(({ product }) => product.uuid))];
  const markets = new Set(shown.map(({ figures }) => figures.market));
  const question = { level: "market", ...scope, productUuids, markets, measures: ["yearBefore"] } as const;
  const judged = yield* findJudged(store, question);
  const dayFirst = firstDayOf(courseSpan(lastMonth).from);
  const rows: SeriesRow[] = [];
  for (const row of shown) {
    const { product: code, market } = row.figures;
    const isOfRow = (found: { readonly product: number; readonly market?: number | undefined }): boolean =>
      found.product === code && found.market === market;
    if (row === all.find(({ figures }) => isOfRow(figures))) {
      const series = { code: code as ProductCode, marketType: row.market.type, place: marketPlace(row.market) };
      // A small line shows the last months alone.
      const [course] = (yield* figuresByType(store, { ...series, dayFirst })).byType;
      rows.push({ ...row, course, judged: judged.find(({ newest }) => isOfRow(newest)) });
    } else {
      rows.push(row);
    }
    yield rowsPerSeries;
  }
  return rows;
}

/** A series with the day of its newest price, and the days from there to the newest of all. */
function seriesRow(store: Store, at: number) {
  const { catalogue, prices, periods, series } = store;
  const figures = seriesFigures(store, at);
  const market = recordAt(catalogue.markets, figures.market);
  const newestRow = series.newestRows[at] as number;
  return {
    figures,
    product: recordAt(catalogue.products, figures.product),
    market,
    county: countyRecord(catalogue, market.countyId).name,
    unit: prices.unitNames[figures.unit] as string,
    currency: prices.currencyCodes[figures.currency] as string,
    newestRow,
    lastDay: dayOfRow(periods, newestRow),
    age: ageOfRow(periods, newestRow),
  };
}

/** @param heading That of the section, which names the links. */
function renderPager(request: PageRequest, heading: string, page: number, pages: number): Markup {
  const { words } = request;
  const link = (to: number, text: string): Markup =>
    markup`<a href="${request.linkWith({ page: to })}#series">${text}</a>`;
  return markup`<nav class="pager" aria-label="${words.say("pages")}: ${heading}">
${page > 1 && link(page - 1, words.say("previousPage"))}
<span>${words.say("pageOf", { page, count: pages })}</span>
${page < pages && link(page + 1, words.say("nextPage"))}</nav>`;
}

/**
 * @param lastMonth The last month of the small lines: that of the newest price of the list.
 * @param judged The judgements of the rows that the page shows.
 */
function seriesColumns(
  request: PageRequest,
  by: "market" | "product",
  lastMonth: MonthNumber,
  judged: readonly JudgedSubject[],
): DataColumn<SeriesRow>[] {
  const { words } = request;
  const { text, recorded, count, csv, product, market, marketType } = columnKinds<SeriesRow>(request);
  const hidden = by === "market" ? ["product", "age_days"] : ["market", "market_type", "county"];
  const linkProduct = (row: SeriesRow): Markup => request.productLink(row.product, { market: row.market.uuid });
  const showLatest = (row: SeriesRow): MarkupValue => showPrice(request, row);
  const nameOf = ({ place, product }: SeriesFigures): string => (by === "market" ? place.name : words.product(product));
  const showAge = ({ age }: SeriesRow): string => words.say("days", { count: age });
  const columns: DataColumn<SeriesRow>[] = [
    ...product((row) => row.product, linkProduct),
    ...market((row) => row.market),
    count("latest_price", words.say("latestPrice"), ({ figures }) => figures.latestPrice, showLatest),
    csv("unit", ({ unit }) => unit),
    csv("currency", ({ currency }) => currency),
    csv("latest_price_per_base_unit", ({ figures }) => roundedOrNull(figures.latestPricePerBaseUnit)),
    fromTablet(recorded("last_day", words.say("day"), ({ newestRow }) => newestRow)),
    fromTablet(count("age_days", words.say("daysBefore"), ({ age }) => age, showAge)),
    // In HTML only: of the other rows nothing is judged.
    ...judgementColumns<SeriesRow>(request, (row) => row.judged, ["yearBefore"], judged).flatMap(
      ({ heading, show, kind }) => (show === undefined ? [] : [{ heading, show, kind }]),
    ),
    courseColumn(words, lastMonth, ({ course }) => course && courseOf(course, nameOf(course))),
    fromDesktop(marketType((row) => row.market.type)),
    fromTablet(text("county", words.say("county"), ({ county }) => county)),
    fromDesktop(count("price_count", words.say("samples"), ({ figures }) => figures.count)),
  ];
  return columns.map((column) => shownIf(!hidden.includes(column.name ?? ""), column));
}

/** Per base unit, with what was recorded where that is another unit. */
function showPrice(request: PageRequest, { figures, currency, unit, newestRow }: SeriesRow): MarkupValue {
  const { store, words } = request;
  const { latestPrice, latestPricePerBaseUnit } = figures;
  const reason = suspiciousReasonOf(store.suspicious, newestRow);
  const why =
    reason !== null &&
    markup`<br><span class="why">⊗ ${words.say("suspiciousMark")}: ${words.say(`suspicious ${reason}`)}</span>`;
  // A phone has no column for the day.
  const day = markup` <br><span class="quiet to-tablet">${request.recorded(newestRow)}</span>`;
  const recorded = markup`${words.priceOf(latestPrice, currency, unit)}${day}${why}`;
  const base = baseUnitOf(store, unit);
  if (base === undefined || latestPricePerBaseUnit === null || base === unit) return recorded;
  const price = words.priceOf(latestPricePerBaseUnit, currency, base);
  const asRecorded = words.priceOf(latestPrice, currency, unit);
  return markup`${price}${day}<br><span class="quiet from-tablet">${asRecorded}</span>${why}`;
}
