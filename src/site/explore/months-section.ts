/**
 * The course of prices, month by month: the months that an address chooses, the form that chooses them, and a section
 * with a line for each series.
 */

import { docsPath } from "../../contract/paths.ts";
import { firstDayOf, type MonthNumber, monthNumber, monthOf, monthText } from "../../engine/model/calendar.ts";
import { fewMarkets } from "../../engine/query/measures/fit-comparable.ts";
import { type Chart, narrowWidth, renderBoth, wideWidth } from "../charts/chart-frame.ts";
import { styleOf } from "../charts/comparable-month.ts";
import { type ChartBreak, type ChartLine, type ChartMark, renderLineChart } from "../charts/line-chart.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import type { Words } from "../pages/words.ts";
import type { SectionChart } from "./chart-forms.ts";
import { renderHidden, renderSelect } from "./choices.ts";
import {
  columnKinds,
  type DataColumn,
  type DataTable,
  fromDesktop,
  fromTablet,
  indexRequest,
  rowsShownMax,
  shownIf,
  statisticsRequest,
} from "./data-table.ts";
import { type Section, sectionRows } from "./explorer-page.ts";
import { campShareWithin, campText } from "./figures-by-market.ts";
import {
  type MonthlyLine,
  type MonthSpan,
  newestOf,
  type PricedMonth,
  placeName,
  pricedMonths,
  type SeriesFigures,
  type SeriesMonth,
} from "./monthly-series.ts";
import {
  type ApiRequest,
  badParameter,
  type PageRequest,
  periodNames,
  periods,
  type QueryParameters,
} from "./request.ts";

type Period = (typeof periodNames)[number];
const periodDefault: Period = "5y";

/** The months to show, as an address names them. */
export interface PeriodChoice {
  readonly period?: Period | undefined;
  /** First and last month, inclusive; `period` goes before them. */
  readonly from?: MonthNumber | undefined;
  readonly to?: MonthNumber | undefined;
}

/** @throws {PageProblem} */
export function readPeriod(request: PageRequest): PeriodChoice {
  const month = (name: "from" | "to"): MonthNumber | undefined => {
    const text = request.value(name);
    return text === undefined ? undefined : monthNumber(text);
  };
  return { from: month("from"), to: month("to"), period: request.value("period") };
}

/**
 * The months of a period up to the newest month of some figures, or from `from` to `to` where no period is given.
 *
 * @param shown At least one element.
 * @throws {PageProblem}
 */
export function spanOf({ period, ...given }: PeriodChoice, shown: readonly SeriesFigures[]): MonthSpan {
  const first = Math.min(...shown.map(({ months }) => months[0]?.month ?? Infinity));
  const last = Math.max(...shown.map((figures) => newestOf(figures).month));
  const to = (period === undefined ? given.to : undefined) ?? last;
  const earliest = Math.max(Math.min(first, to), to - periods[period ?? periodDefault] + 1);
  const from = (period === undefined ? given.from : undefined) ?? earliest;
  if (from > to) throw badParameter("from", monthText(from), `≤ ${monthText(to)}`);
  return { from, to };
}

/** The parameters of an address that shows the same months when there are newer ones. */
export function fixedPeriod({ from, to }: MonthSpan): QueryParameters {
  return { period: undefined, from: monthText(from), to: monthText(to) };
}

/** The fields of a form. */
export function renderPeriodChoice(words: Words, { period, from, to }: PeriodChoice): Markup {
  const options = periodNames.map((name) => [name, words.say(`periodChoice ${name}`)] as const);
  if (period !== undefined || (from === undefined && to === undefined)) {
    return renderSelect("period", words.say("period"), options, period ?? periodDefault);
  }
  // Months drawn in the chart: the form keeps them unless a period is chosen.
  const span = [from, to].map((month) => (month === undefined ? "…" : words.month(month))).join(" – ");
  return markup`${from !== undefined && renderHidden("from", monthText(from))}
${to !== undefined && renderHidden("to", monthText(to))}
${renderSelect("period", words.say("period"), [["", span], ...options], "")}`;
}

/** A line with the months of the chart alone. */
interface ShownLine extends MonthlyLine {
  /** The months that the line has a price in. */
  readonly drawn: readonly PricedMonth[];
  /** True if a chart has it. */
  readonly isDrawn: boolean;
}

/** A month of a line. */
interface LineMonth {
  readonly line: ShownLine;
  readonly month: SeriesMonth;
}

export interface MonthsChoice {
  readonly span: MonthSpan;
  readonly breaks?: readonly ChartBreak[];
  /** Follows the chart. */
  readonly remarks?: Markup | undefined;
}

/** @param lines At most `linesMax` of a chart, in one unit and currency. */
export function* monthsSection(
  request: PageRequest,
  lines: readonly MonthlyLine[],
  choice: MonthsChoice,
): Generator<number, Section> {
  const { words } = request;
  const { span } = choice;
  const heading = words.say("byMonthHeading");
  const all = lines.map((line) => shownLine(line, span));
  const rows = all.flatMap((line) => line.months.map((month): LineMonth => ({ line, month })));
  const table: DataTable<LineMonth> = {
    columns: monthColumns(request, all),
    rows,
    shown: rows.toSorted((a, b) => b.month.month - a.month.month).slice(0, rowsShownMax),
    requests: all.flatMap((line) => requestsOf(line, span)),
  };
  const drawn = all.filter(({ isDrawn }) => isDrawn);
  const notes = absenceNotes(words, lines, all);
  yield sectionRows;
  const camps = yield* campNotes(request, drawn, span);
  if (drawn.length === 0) {
    const content = markup`${notes}${renderParagraph(words.say("noPricesInPeriod"))}${choice.remarks}`;
    return { id: "months", heading, content, table, foldsTable: true };
  }
  const chart = chartOf(request, heading, drawn, choice);
  const narrow = chart.draw(narrowWidth);
  yield sectionRows;
  const shown = renderBoth(narrow, chart.draw(wideWidth));
  const content = markup`${renderParagraph(leadOf(words, drawn))}${notes}${shown}${camps}${choice.remarks}`;
  return { id: "months", heading, content, charts: [chart], table, foldsTable: true };
}

/** The part of a line that a chart of some months shows. */
export function shownLine(line: MonthlyLine, { from, to }: MonthSpan): ShownLine {
  const months = line.months.filter(({ month }) => month >= from && month <= to);
  const drawn = pricedMonths({ ...line, months });
  return { ...line, months, drawn, isDrawn: drawn.length > 0 };
}

/** The requests that give the figures of a line. */
function requestsOf(line: ShownLine, span: MonthSpan): ApiRequest[] {
  const statistics = statisticsRequest(line, span);
  if (line.place.kind === "market") return [statistics];
  return [indexRequest(line, span), statistics];
}

/** Names the lines of all of Kenya of whose prices more than half are from refugee camps. */
function* campNotes(
  { store, words }: PageRequest,
  lines: readonly ShownLine[],
  span: MonthSpan,
): Generator<number, Markup[]> {
  const notes: Markup[] = [];
  for (const line of lines) {
    const text = campText(words, yield* campShareWithin(store, line, span), "mostlyCamps");
    if (text !== undefined) notes.push(renderParagraph(`${words.titled(line.label)}: ${text}`, "quiet"));
  }
  return notes;
}

/** Says why the chart lacks lines: they have no price in its months. @param all The shown part of each line. */
function absenceNotes(words: Words, lines: readonly MonthlyLine[], all: readonly ShownLine[]): Markup[] {
  return lines.flatMap((line, at) => {
    if (all[at]?.isDrawn === true) return [];
    const first = words.month(line.months[0]?.month ?? 0);
    const months = words.span(first, words.month(newestOf(line).month));
    const values = { series: words.titled(line.label), months };
    return renderParagraph(words.say("lineNotInPeriod", values), "note");
  });
}

/** Explains the elements that the chart has, and no others. */
function leadOf(words: Words, lines: readonly ShownLine[]): Markup {
  const isComparable = hasArea(lines);
  const hasMarket = lines.some(({ place }) => place.kind === "market");
  const some = (isFound: (before: PricedMonth, month: PricedMonth) => boolean): boolean =>
    lines.some(({ drawn }) => drawn.slice(1).some((month, at) => isFound(drawn[at] as PricedMonth, month)));
  const hasMark = lines.some(({ drawn }) =>
    drawn.some((month, at) => !isJoined(drawn[at - 1], month) && !isJoined(month, drawn[at + 1])),
  );
  const texts = [
    isComparable && words.say("byMonthComparable"),
    hasMarket && words.say(isComparable ? "byMonthMarket" : "byMonthLead"),
    hasBand(lines) && words.say("byMonthBand"),
    some(isGap) && words.say("byMonthGap"),
    some(isBreak) && words.say("byMonthBreak"),
    hasMark && words.say("byMonthDot"),
  ];
  const explained = markup` <a href="${docsPath}/comparable-prices">${words.say("howComputed")}</a>`;
  return markup`${texts.filter(Boolean).join(" ")}${isComparable && explained}`;
}

function isGap(before: PricedMonth, { month }: PricedMonth): boolean {
  return month !== before.month + 1;
}

function isBreak(before: PricedMonth, { comparable }: PricedMonth): boolean {
  return comparable?.component !== before.comparable?.component;
}

function isJoined(before: PricedMonth | undefined, month: PricedMonth | undefined): boolean {
  return before !== undefined && month !== undefined && !isGap(before, month) && !isBreak(before, month);
}

/** Returns whether a line is of a county or the country. */
function hasArea(lines: readonly SeriesFigures[]): boolean {
  return lines.some(({ place }) => place.kind !== "market");
}

function hasBand(lines: readonly ShownLine[]): boolean {
  return lines.some(({ drawn }) => drawn.some(({ min, max }) => min < max));
}

function monthColumns(request: PageRequest, lines: readonly ShownLine[]): DataColumn<LineMonth>[] {
  const { words } = request;
  const { text, day, count, price, csv } = columnKinds<LineMonth>(request);
  const periodOf = ({ month }: LineMonth): string => monthText(month.month);
  const series = text("series", words.say("seriesShown"), ({ line }) => line.label);
  const median = price("median_price", words.say("median"), ({ month }) => month.median);
  const isArea = lines.every(({ place }) => place.kind !== "market");
  const ofComparable = [
    price("comparable_price", words.say("comparablePrice"), ({ month }) => month.comparable?.price),
    fromTablet(count("markets", words.say("markets"), ({ month }) => month.comparable?.markets)),
    csv("component", ({ month }) => month.comparable?.component ?? null),
  ];
  return [
    day("period", words.say("month"), periodOf, ({ month }) => words.month(month.month)),
    shownIf(lines.length > 1, series),
    ...(hasArea(lines) ? ofComparable : []),
    isArea ? fromTablet(median) : median,
    fromTablet(price("min_price", words.say("least"), ({ month }) => month.min)),
    fromTablet(price("max_price", words.say("greatest"), ({ month }) => month.max)),
    fromDesktop(price("average_price", words.say("average"), ({ month }) => month.average)),
    fromTablet(count("sample_count", words.say("samples"), ({ month }) => month.samples)),
    csv("currency", ({ line }) => line.currency),
    csv("unit", ({ line }) => line.unit),
    csv("product", ({ line }) => line.product.name),
    csv("product_uuid", ({ line }) => line.product.uuid),
    csv("market_type", ({ line }) => line.marketType),
    csv("county_id", ({ line }) => line.place.conditions.countyId ?? null),
    csv("market_uuid", ({ line }) => line.place.conditions.marketUuid ?? null),
  ];
}

/** Months of all lines that show their figures under the pointer; each takes some 100 bytes, compressed 10. */
const readoutsMax = 2000;

function chartOf(
  request: PageRequest,
  heading: string,
  lines: readonly ShownLine[],
  { span, breaks = [] }: MonthsChoice,
): SectionChart {
  const { words } = request;
  const [first] = lines as readonly [ShownLine, ...ShownLine[]];
  const unit = words.currencyPerUnit(first.currency, first.unit);
  const title = chartTitle(words, heading, lines, unit);
  const drawn = lines.map((line): ChartLine => {
    const points = line.drawn.map((found) => ({
      day: firstDayOf(found.month),
      period: words.month(found.month),
      month: monthText(found.month),
      ...styleOf(found.comparable),
      value: found.price,
      dot: found.comparable && found.median,
      low: found.min,
      high: found.max,
      readout: readoutOf(words, line, found),
    }));
    return { label: line.label, colour: line.colour, points };
  });
  const marks = lines.flatMap((line) => suspiciousMarks(request, line, span));
  const hasReadouts = drawn.reduce((sum, { points }) => sum + points.length, 0) <= readoutsMax;
  const draw = (width: number): Chart =>
    renderLineChart({
      title,
      description: lines.map(({ label }) => label).join("; "),
      lines: drawn,
      unit,
      marks,
      markLabel: words.say("suspiciousMark"),
      breaks,
      breakLabel: words.say("breakLabel"),
      ...(hasBand(lines) ? { bandLabel: words.say("bandLabel") } : {}),
      dotLabel: words.say("dotLabel"),
      hollowLabel: words.say("hollowLabel", { count: fewMarkets }),
      dayFirst: firstDayOf(span.from),
      dayLast: firstDayOf(span.to),
      // The script takes the texts of the narrow chart from the wide one: a phone has no pointer to hover with.
      strips: hasReadouts ? (width === wideWidth ? "texts" : "positions") : undefined,
      width,
      plotHeight: 240,
      language: words.language,
    });
  return { name: "months", subtitle: title, draw };
}

/** `Month by month: comparable price, KES per kg, all of Kenya, up to 34 markets, May 2021 – April 2026` */
function chartTitle(words: Words, heading: string, lines: readonly ShownLine[], unit: string): string {
  const statistics = lines.map(({ place }) => words.say(place.kind === "market" ? "median" : "comparablePrice"));
  const places = lines.map(({ place }) => placeName(words, place));
  const drawn = lines.flatMap((line) => line.drawn);
  const months = drawn.map(({ month }) => month);
  const [first, last] = [Math.min(...months), Math.max(...months)].map((month) => words.month(month));
  const span = first === last ? first : `${first} – ${last}`;
  const markets = Math.max(...drawn.map(({ comparable }) => comparable?.markets ?? 1));
  const once = [statistics, places].map((texts) => [...new Set(texts)].join("; "));
  return [`${heading}: ${once[0]}`, unit, once[1], words.say("marketsUpTo", { count: markets }), span].join(", ");
}

/** `46.70 KES per kg, 7 markets, 12 prices, lowest 44.00, highest 52.00`; the table has the median. */
function readoutOf(words: Words, line: ShownLine, month: PricedMonth): string {
  const { price, comparable, min, max, samples } = month;
  const texts = [
    words.priceOf(price, line.currency, line.unit),
    comparable && words.say("marketsShort", { count: comparable.markets }),
    words.say("readoutPrices", { count: samples }),
    min < max && words.say("readoutRange", { least: words.price(min), greatest: words.price(max) }),
  ];
  return texts.filter(Boolean).join(", ");
}

/** Marks of a chart: the newest of a line; each takes some 200 bytes. The table has them all. */
const marksMax = 40;

/** The suspicious prices of a line as marks in the months of its figures. */
function suspiciousMarks(
  request: PageRequest,
  { suspicious, currency, unit, label }: ShownLine,
  span: MonthSpan,
): ChartMark[] {
  const { words } = request;
  return suspicious
    .flatMap(({ row, market, day, price, reason }): ChartMark[] => {
      const month = monthOf(day);
      if (price === undefined || month < span.from || month > span.to) return [];
      const cost = words.priceOf(price, currency, unit);
      const texts = [label, market.name, request.recorded(row), cost, words.say(`suspicious ${reason}`)];
      return [{ day: firstDayOf(month), value: price, reason: texts.join(", ") }];
    })
    .slice(0, marksMax);
}
