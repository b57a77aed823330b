/** The course of a product's prices, month by month: a line for each type of market. */

import { type Chart, narrowWidth, renderBoth, wideWidth } from "../charts/chart-frame.ts";
import { type ChartBreak, type ChartLine, type ChartMark, renderLineChart } from "../charts/line-chart.ts";
import { firstDayOf, lastDayOf, type MonthNumber, monthOf, monthText } from "../domain/calendar-month.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { columnKinds, type DataColumn, type DataTable, rowsShownMax, shownIf } from "./data-table.ts";
import {
  figuresOf,
  type MonthFigures,
  type MonthlyLine,
  type MonthSpan,
  newestOf,
  statisticsRequest,
  type TypeFigures,
} from "./monthly-figures.ts";
import { type Section, type SectionChart, sectionRows } from "./page.ts";
import type { PageRequest } from "./request.ts";
import type { Words } from "./words.ts";

/** A month of a line. */
interface LineMonth {
  readonly line: MonthlyLine;
  readonly month: MonthFigures;
}

export interface MonthsChoice {
  readonly span: MonthSpan;
  /** The month in which each line is 100; prices as they are without it. */
  readonly index?: MonthNumber | undefined;
  readonly breaks?: readonly ChartBreak[];
  /** Stands below the chart. */
  readonly remarks?: Markup | undefined;
}

/** @param lines At most `linesMax` of a chart, in one unit and currency. */
export function* monthsSection(
  request: PageRequest,
  heading: string,
  lines: readonly MonthlyLine[],
  choice: MonthsChoice,
): Generator<number, Section> {
  const { words } = request;
  const { span, index, remarks } = choice;
  const rows = lines.flatMap((line) => monthsWithin(line.figures, span).map((month): LineMonth => ({ line, month })));
  const table: DataTable<LineMonth> = {
    columns: monthColumns(request, lines.length > 1, index),
    rows,
    shown: [...rows].sort((a, b) => b.month.month - a.month.month).slice(0, rowsShownMax),
    requests: lines.map(({ productUuid, place, figures }) =>
      statisticsRequest(productUuid, figures, place, [firstDayOf(span.from), lastDayOf(span.to)]),
    ),
  };
  const drawn = lines.filter((line) => isDrawn(line, choice));
  const absent = lines.filter((line) => !drawn.includes(line));
  const notes = [...Map.groupBy(absent, ({ figures }) => monthsWithin(figures, span).length > 0)].flatMap(
    ([hasMonths, found]) => (hasMonths ? indexNote(words, found, index) : found.map((line) => periodNote(words, line))),
  );
  const chart = drawn.length === 0 ? undefined : chartOf(request, heading, drawn, choice);
  yield sectionRows;
  const narrow = chart?.draw(narrowWidth);
  yield sectionRows;
  const wide = chart?.draw(wideWidth);
  const shown = narrow && wide ? renderBoth(narrow, wide) : renderParagraph(words.say("noPricesInPeriod"));
  const lead = chart && renderParagraph(leadText(words, drawn, span));
  const content = markup`${lead}${notes}${shown}${remarks}`;
  return { id: "months", heading, content, charts: chart === undefined ? [] : [chart], table, foldsTable: true };
}

/** Whether a chart has a line. */
export function isDrawn({ figures }: MonthlyLine, { span, index }: MonthsChoice): boolean {
  return monthsWithin(figures, span).length > 0 && (index === undefined || baseOf(figures, index) !== undefined);
}

/** The median that is 100; undefined in a month without one, and where it is 0. */
function baseOf(figures: TypeFigures, index: MonthNumber): number | undefined {
  return figuresOf(figures, index)?.median || undefined;
}

/** The lines that have no median in the month of the index. */
function indexNote(words: Words, lines: readonly MonthlyLine[], index: MonthNumber | undefined): Markup {
  const month = words.month(monthText(index ?? 0));
  const series = lines.map(({ label }) => label).join("; ");
  return renderParagraph(words.say("lineWithoutIndex", { series, month }), "note");
}

function periodNote(words: Words, { label, figures }: MonthlyLine): Markup {
  const [first = "", last = ""] = [figures.months[0], newestOf(figures)].map((found) =>
    words.month(monthText(found?.month ?? 0)),
  );
  return renderParagraph(words.say("lineNotInPeriod", { series: label, first, last }), "note");
}

/** What the chart shows, and nothing that it does not. */
function leadText(words: Words, lines: readonly MonthlyLine[], span: MonthSpan): string {
  const shown = lines.map(({ figures }) => monthsWithin(figures, span));
  const gaps = shown.map((months) => months.slice(1).map(({ month }, at) => month - (months[at]?.month ?? 0) > 1));
  const hasDot = gaps.some(
    (line) => line.every(Boolean) || line[0] || line.at(-1) || line.some((gap, at) => gap && line[at + 1]),
  );
  return [
    words.say("byMonthLead"),
    shown.flat().some(hasRange) && words.say("byMonthBand"),
    gaps.flat().some(Boolean) && words.say("byMonthGap"),
    hasDot && words.say("byMonthDot"),
  ]
    .filter(Boolean)
    .join(" ");
}

function hasRange({ min, max }: MonthFigures): boolean {
  return min < max;
}

/** Months of all lines that show their figures under the pointer; each takes some 100 bytes, compressed 10. */
const readoutsMax = 2000;

function monthsWithin({ months }: TypeFigures, { from, to }: MonthSpan): MonthFigures[] {
  return months.filter(({ month }) => month >= from && month <= to);
}

function monthColumns(
  request: PageRequest,
  hasLines: boolean,
  index: MonthNumber | undefined,
): DataColumn<LineMonth>[] {
  const { words } = request;
  const { text, day, count, price, csv } = columnKinds<LineMonth>(request);
  const periodOf = ({ month }: LineMonth): string => monthText(month.month);
  return [
    day("period", words.say("month"), periodOf, (row) => words.month(periodOf(row))),
    shownIf(
      hasLines,
      text("series", words.say("seriesShown"), ({ line }) => line.label),
    ),
    price("median_price", words.say("median"), ({ month }) => month.median),
    ...(index === undefined
      ? []
      : [price("index", words.say("index"), ({ line, month }) => indexOf(line.figures, index, month.median))]),
    price("min_price", words.say("least"), ({ month }) => month.min),
    price("max_price", words.say("greatest"), ({ month }) => month.max),
    price("average_price", words.say("average"), ({ month }) => month.average),
    count("sample_count", words.say("samples"), ({ month }) => month.samples),
    csv("currency", ({ line }) => line.figures.currency),
    csv("unit", ({ line }) => line.figures.unit),
    csv("product", ({ line }) => line.product),
    csv("product_uuid", ({ line }) => line.productUuid),
    csv("market_type", ({ line }) => line.figures.marketType),
    csv("county_id", ({ line }) => line.place.conditions.countyId ?? null),
    csv("market_uuid", ({ line }) => line.place.conditions.marketUuid ?? null),
  ];
}

/** A price as a percentage of the median of a month; null where there is none. */
function indexOf(figures: TypeFigures, index: MonthNumber, price: number): number | null {
  const base = baseOf(figures, index);
  return base === undefined ? null : (price / base) * 100;
}

function chartOf(
  request: PageRequest,
  heading: string,
  lines: readonly MonthlyLine[],
  { span, index, breaks = [] }: MonthsChoice,
): SectionChart {
  const { words } = request;
  const [{ figures: first }] = lines as readonly [MonthlyLine, ...MonthlyLine[]];
  const measure = words.measure(first.currency, first.unit);
  const unit = index === undefined ? measure : words.say("indexUnit", { month: words.month(monthText(index)) });
  const drawn = lines.map(({ label, figures }): ChartLine => {
    const scaled = (price: number): number => (index === undefined ? price : (indexOf(figures, index, price) ?? price));
    const points = monthsWithin(figures, span).map((found) => ({
      day: firstDayOf(found.month),
      ...{ period: words.month(monthText(found.month)), month: monthText(found.month) },
      ...{ value: scaled(found.median), low: scaled(found.min), high: scaled(found.max) },
      readout: readoutOf(words, figures, found, index),
    }));
    return { label, points };
  });
  const marks = index === undefined ? lines.flatMap((line) => suspiciousMarks(request, line, span)) : [];
  const hasBand = lines.some(({ figures }) => monthsWithin(figures, span).some(hasRange));
  const hasReadouts = drawn.reduce((sum, { points }) => sum + points.length, 0) <= readoutsMax;
  const draw = (width: number): Chart =>
    renderLineChart({
      title: `${heading}, ${unit}`,
      description: lines.map(({ label }) => label).join("; "),
      lines: drawn,
      unit,
      marks,
      markLabel: words.say("suspiciousMark"),
      breaks,
      breakLabel: words.say("breakLabel"),
      ...(hasBand ? { bandLabel: words.say("bandLabel") } : {}),
      dayFirst: firstDayOf(span.from),
      dayLast: firstDayOf(span.to),
      // The script takes the texts of the narrow chart from the wide one: a phone has no pointer to hover with.
      strips: hasReadouts ? (width === wideWidth ? "texts" : "positions") : undefined,
      width,
      plotHeight: 240,
      language: words.language,
    });
  return { name: "months", subtitle: `${heading}, ${unit}`, draw };
}

/** `46.70 KES per kg, 3 prices, lowest 44.00, highest 52.00` */
function readoutOf(
  words: Words,
  figures: TypeFigures,
  { median, min, max, samples }: MonthFigures,
  index: MonthNumber | undefined,
): string {
  const price = words.priceOf(median, figures.currency, figures.unit);
  const range = min < max && words.say("readoutRange", { least: words.price(min), greatest: words.price(max) });
  const count = words.say("readoutPrices", { count: samples });
  const value = index === undefined ? undefined : indexOf(figures, index, median);
  return [value != null && words.decimal(value), price, count, range].filter(Boolean).join(", ");
}

/** Marks of a chart: the newest of a line; each takes some 200 bytes. The table has them all. */
const marksMax = 40;

/** The suspicious prices of a line as marks in the months that its figures would stand at. */
function suspiciousMarks(
  { store, words }: PageRequest,
  { suspicious, figures, label }: MonthlyLine,
  span: MonthSpan,
): ChartMark[] {
  return suspicious
    .flatMap(({ row, market, day, price, reason }): ChartMark[] => {
      const month = monthOf(day);
      if (price === undefined || month < span.from || month > span.to) return [];
      const cost = words.priceOf(price, figures.currency, figures.unit);
      const texts = [label, market.name, words.recorded(store, row), cost, words.say(`suspicious ${reason}`)];
      return [{ day: firstDayOf(month), value: price, reason: texts.join(", ") }];
    })
    .slice(0, marksMax);
}
