/** Series of prices as a table: the markets of a product, or the products of a market. */

import { monthDaysMax } from "../charts/gaps.ts";
import { renderSparkline } from "../charts/sparkline.ts";
import { type Day, dayOfInstant, dayText } from "../domain/calendar-day.ts";
import { firstDayOf, type MonthNumber, monthNumber, monthText, monthTextOf } from "../domain/calendar-month.ts";
import type { Instant } from "../domain/instant.ts";
import type { MarketRecord, ProductRecord } from "../domain/records.ts";
import { roundFigure } from "../domain/round-figure.ts";
import type { MarketType } from "../domain/vocabulary.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { type SeriesFigures, seriesFigures } from "../query/find-series.ts";
import { pageBounds, pageCount } from "../query/page.ts";
import { countyRecord, recordAt } from "../store/catalogue.ts";
import type { Store } from "../store/store.ts";
import { columnKinds, type DataColumn, type DataTable, shownIf } from "./data-table.ts";
import {
  changeOf,
  figuresByType,
  figuresOf,
  type MonthFigures,
  newestOf,
  type TypeFigures,
} from "./monthly-figures.ts";
import type { Section } from "./page.ts";
import { marketPlace } from "./place.ts";
import {
  badParameter,
  linkTo,
  linkWith,
  marketPath,
  type PageRequest,
  placeParameters,
  productLink,
} from "./request.ts";

/** Rows of a page of the table. */
const seriesPageSize = 30;

/** What a row of the table costs beside its figures, as so many rows looked at. */
const rowsPerSeries = 3000;

/** Months of the small lines. */
const courseMonths = 24;

/** A series, and the course of its product at its market where it is the first of these. */
interface SeriesRow {
  readonly at: number;
  readonly figures: SeriesFigures;
  readonly product: ProductRecord;
  readonly market: MarketRecord;
  readonly course?: TypeFigures | undefined;
}

interface SeriesList {
  readonly heading: string;
  readonly lead: string;
  /** What the first column names. */
  readonly by: "market" | "product";
  /** Positions in `store.series`, newest first. */
  readonly positions: Uint32Array;
  /** The page of the list that the address asks for, counted from 1. */
  readonly page: string | undefined;
  /** Path and query string of the request for them. */
  readonly path: string;
}

/**
 * The series of a list, page by page.
 *
 * @throws {PageProblem} for a page that is not there.
 */
export function* seriesSection(request: PageRequest, list: SeriesList): Generator<number, Section> {
  const { store } = request;
  const { positions, heading, lead, by, path } = list;
  const page = list.page === undefined ? 1 : pageNumber(list.page);
  const pages = Math.max(1, pageCount(positions.length, seriesPageSize));
  if (page > pages) throw badParameter("page", String(page), `1–${pages}`);
  const { from, to } = pageBounds(positions.length, page, seriesPageSize);
  const rows = Array.from(positions, (at) => seriesRow(store, at));
  const shown: SeriesRow[] = [];
  const seen = new Set<string>();
  for (const [at, row] of rows.slice(0, to).entries()) {
    const { product, market } = row.figures;
    const key = `${product} ${market}`;
    const isFirst = !seen.has(key);
    seen.add(key);
    if (at < from) continue;
    shown.push({ ...row, course: isFirst ? yield* courseOf(request, row) : undefined });
    yield rowsPerSeries;
  }
  const table: DataTable<SeriesRow> = {
    name: "series",
    title: heading,
    columns: seriesColumns(request, by, newestMonthOf(request, rows)),
    rows,
    shown,
    requests: [{ method: "GET", path }],
  };
  return {
    id: "series",
    heading,
    content: renderParagraph(lead),
    table,
    footer: pages > 1 ? renderPager(request, page, pages) : undefined,
  };
}

/** @throws {PageProblem} */
function pageNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw badParameter("page", text, "1, 2, 3 …");
  return Number(text);
}

function seriesRow(store: Store, at: number): SeriesRow {
  const figures = seriesFigures(store, at);
  const product = recordAt(store.catalogue.products, figures.product);
  return { at, figures, product, market: recordAt(store.catalogue.markets, figures.market) };
}

/** The monthly figures of the product of a series at its market. */
function* courseOf({ store }: PageRequest, { product, market }: SeriesRow): Generator<number, TypeFigures | undefined> {
  const { byType } = yield* figuresByType(store, product.uuid, marketPlace(market), undefined, [market.type]);
  return byType[0];
}

function renderPager(request: PageRequest, page: number, pages: number): Markup {
  const { words } = request;
  const link = (to: number, text: string): Markup =>
    markup`<a href="${linkWith(request, { page: to })}#series">${text}</a>`;
  return markup`<nav class="pager" aria-label="${words.say("pages")}: ${words.say("marketsHeading")}">
${page > 1 && link(page - 1, words.say("previousPage"))}
<span>${words.say("pageOf", { page, count: pages })}</span>
${page < pages && link(page + 1, words.say("nextPage"))}</nav>`;
}

/** The month of the newest price of a list, with which its small lines end. */
function newestMonthOf({ store: { periods, snapshot } }: PageRequest, [newest]: readonly SeriesRow[]): MonthNumber {
  const day = newest && dayOfInstant(newest.figures.lastRecordedAt, snapshot.utcOffset);
  return monthNumber(monthTextOf(day ?? (periods.newestDay as Day)));
}

/** @param lastMonth The last month of the small lines. */
function seriesColumns(
  request: PageRequest,
  by: "market" | "product",
  lastMonth: MonthNumber,
): DataColumn<SeriesRow>[] {
  const { store, words } = request;
  const { catalogue, prices, periods, snapshot } = store;
  const typeOf = (row: SeriesRow): MarketType => row.market.type;
  const countyOf = (row: SeriesRow): string => countyRecord(catalogue, row.market.countyId).name;
  const unitOf = ({ figures }: SeriesRow): string => prices.unitNames[figures.unit] as string;
  const currencyOf = ({ figures }: SeriesRow): string => prices.currencyCodes[figures.currency] as string;
  const dayOf = (instant: Instant): Day => dayOfInstant(instant, snapshot.utcOffset);
  const baseOf = (row: SeriesRow): string | undefined => catalogue.units.get(unitOf(row))?.baseUnit;
  const ageOf = ({ figures }: SeriesRow): number => periods.newestDay - dayOf(figures.lastRecordedAt);
  const { text, day, count, csv } = columnKinds<SeriesRow>(words);
  const [ofMarkets, ofProducts] = [by === "market", by === "product"];
  return [
    shownIf(
      ofProducts,
      text("product", words.say("product"), (row) => row.product.name, productLinkOf),
    ),
    csv("product_uuid", (row) => row.product.uuid),
    shownIf(
      ofMarkets,
      text("market", words.say("market"), (row) => row.market.name, marketLinkOf),
    ),
    csv("market_uuid", (row) => row.market.uuid),
    count("latest_price", words.say("latestPrice"), ({ figures }) => figures.latestPrice, showPrice),
    csv("unit", unitOf),
    csv("currency", currencyOf),
    csv("latest_price_per_base_unit", ({ figures }) =>
      figures.latestPricePerBaseUnit === null ? null : roundFigure(figures.latestPricePerBaseUnit),
    ),
    day(
      "last_day",
      words.say("day"),
      ({ figures }) => dayText(dayOf(figures.lastRecordedAt)),
      ({ at }) => words.recorded(store, store.series.newestRows[at] as number),
    ),
    shownIf(
      ofProducts,
      count("age_days", words.say("age"), ageOf, (row) => words.say("days", { count: ageOf(row) })),
    ),
    { heading: words.say("changeOnYear"), show: showChange, kind: "number" },
    {
      heading: words.say("course", { count: courseMonths, month: words.month(monthText(lastMonth)) }),
      show: showCourse,
    },
    shownIf(
      ofMarkets,
      text("market_type", words.say("type"), typeOf, (row) => words.type(typeOf(row))),
    ),
    shownIf(ofMarkets, text("county", words.say("county"), countyOf)),
    count("price_count", words.say("samples"), ({ figures }) => figures.count),
  ];

  /** Leads to the product at the market of a series. */
  function productLinkOf(row: SeriesRow): Markup {
    return productLink(request, row.product, placeParameters(marketPlace(row.market).conditions));
  }

  function marketLinkOf(row: SeriesRow): Markup {
    return markup`<a href="${linkTo(request, marketPath(row.market.uuid))}">${row.market.name}</a>`;
  }

  /** Per base unit, with what was recorded where that is another unit. */
  function showPrice(row: SeriesRow): Markup {
    const { latestPrice, latestPricePerBaseUnit } = row.figures;
    const recorded = words.priceOf(latestPrice, currencyOf(row), unitOf(row));
    const base = baseOf(row);
    if (base === undefined || latestPricePerBaseUnit === null || base === unitOf(row)) return markup`${recorded}`;
    const price = words.priceOf(latestPricePerBaseUnit, currencyOf(row), base);
    return markup`${price}<br><span class="quiet">${recorded}</span>`;
  }

  /** The newest month of the market against the same month a year before. */
  function showChange({ course }: SeriesRow): string {
    if (course === undefined) return "";
    const newest = newestOf(course);
    const before = figuresOf(course, newest.month - 12);
    const change = before && changeOf(before.median, newest.median);
    return change === undefined ? "–" : words.change(change);
  }

  function describePoint(point: MonthFigures | undefined): string {
    return point === undefined ? "" : `${words.month(monthText(point.month))}: ${words.price(point.median)}`;
  }

  function showCourse(row: SeriesRow): Markup | undefined {
    const { course } = row;
    const first = lastMonth - courseMonths + 1;
    const points = course?.months.filter(({ month }) => month >= first) ?? [];
    if (course === undefined || points.length === 0) return undefined;
    return renderSparkline({
      title: `${by === "market" ? row.market.name : row.product.name}, ${words.measure(course.currency, course.unit)}`,
      description: [points[0], points.at(-1)].map(describePoint).join(" – "),
      points: points.map(({ month, median }) => ({ day: firstDayOf(month), value: median })),
      joinDaysMax: monthDaysMax,
      dayFirst: firstDayOf(first),
      dayLast: firstDayOf(lastMonth),
    });
  }
}
