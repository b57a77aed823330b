/** The course of a product's prices, month by month: a line for each type of market. */

import { renderForWidths, wideWidth } from "../charts/chart-frame.ts";
import { monthDaysMax } from "../charts/gaps.ts";
import { type ChartLine, type ChartMark, renderLineChart } from "../charts/line-chart.ts";
import { firstDayOf, lastDayOf, monthNumber, monthText, monthTextOf } from "../domain/calendar-month.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { columnKinds, type DataColumn, type DataTable, shownIf } from "./data-table.ts";
import {
  type MonthFigures,
  type MonthlyLine,
  type MonthSpan,
  statisticsRequest,
  type TypeFigures,
} from "./monthly-figures.ts";
import type { Section } from "./page.ts";
import type { PageRequest } from "./request.ts";
import type { Words } from "./words.ts";

/** A month of a line. */
interface LineMonth {
  readonly line: MonthlyLine;
  readonly month: MonthFigures;
}

/**
 * @param lines At most `linesMax` of a chart, in one unit and currency.
 * @param remarks Stand before the chart.
 */
export function monthsSection(
  request: PageRequest,
  heading: string,
  lines: readonly MonthlyLine[],
  span: MonthSpan,
  remarks: Markup = markup``,
): Section {
  const { words } = request;
  const rows = lines.flatMap((line) => monthsWithin(line.figures, span).map((month): LineMonth => ({ line, month })));
  const table: DataTable<LineMonth> = {
    name: "months",
    title: heading,
    columns: monthColumns(words, lines.length > 1),
    rows,
    shown: [...rows].sort((a, b) => b.month.month - a.month.month).slice(0, monthsShownMax),
    requests: lines.map(({ productUuid, place, figures }) =>
      statisticsRequest(productUuid, figures, place.conditions, "month", [firstDayOf(span.from), lastDayOf(span.to)]),
    ),
  };
  const lead = renderParagraph(words.say("byMonthLead"));
  const drawn = lines.filter(({ figures }) => monthsWithin(figures, span).length > 0);
  const absent = lines.filter((line) => !drawn.includes(line));
  const notes = absent.map(({ label, figures: { months } }) => {
    const [first, last] = [months[0], months.at(-1)].map((month) => words.month(monthText(month?.month ?? 0)));
    return renderParagraph(
      words.say("lineNotInPeriod", { series: label, first: first ?? "", last: last ?? "" }),
      "note",
    );
  });
  const chart =
    drawn.length === 0 ? renderParagraph(words.say("noPricesInPeriod")) : renderChart(request, heading, drawn, span);
  return { id: "months", heading, content: markup`${lead}${remarks}${notes}${chart}`, table, foldsTable: true };
}

/** Months of all lines that show their figures under the pointer; each takes some 150 bytes. */
const hoverMonthsMax = 480;

/** Rows of the table behind the chart. */
const monthsShownMax = 60;

export function monthsWithin({ months }: TypeFigures, { from, to }: MonthSpan): MonthFigures[] {
  return months.filter(({ month }) => month >= from && month <= to);
}

function monthColumns(words: Words, hasLines: boolean): DataColumn<LineMonth>[] {
  const { text, day, count, price, csv } = columnKinds<LineMonth>(words);
  const periodOf = ({ month }: LineMonth): string => monthText(month.month);
  return [
    day("period", words.say("month"), periodOf, (row) => words.month(periodOf(row))),
    shownIf(
      hasLines,
      text("series", words.say("seriesShown"), ({ line }) => line.label),
    ),
    price("median_price", words.say("median"), ({ month }) => month.median),
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

function renderChart(request: PageRequest, title: string, lines: readonly MonthlyLine[], span: MonthSpan): Markup {
  const { words } = request;
  const [first] = lines as readonly [MonthlyLine, ...MonthlyLine[]];
  const unit = words.measure(first.figures.currency, first.figures.unit);
  const drawn = lines.map(
    ({ label, figures }): ChartLine => ({
      label,
      points: monthsWithin(figures, span).map(({ month, median, min, max, samples }) => ({
        day: firstDayOf(month),
        period: monthText(month),
        value: median,
        low: min,
        high: max,
        samples,
      })),
    }),
  );
  const marks = lines.flatMap((line) => suspiciousMarks(request, line, span));
  const hasBand = drawn.some(({ points }) => points.some(({ low = 0, high = 0 }) => low < high));
  return renderForWidths((width) =>
    renderLineChart({
      title: `${title}, ${unit}`,
      description: lines.map(({ label }) => label).join("; "),
      lines: drawn,
      unit,
      joinDaysMax: monthDaysMax,
      marks,
      markLabel: words.say("suspiciousMark"),
      ...(hasBand ? { bandLabel: words.say("bandLabel") } : {}),
      dayFirst: firstDayOf(span.from),
      dayLast: firstDayOf(span.to),
      // A phone has no pointer to hover with, and beyond so many months the page would become too large; the table has
      // the figures.
      hasHover: width === wideWidth && drawn.reduce((sum, { points }) => sum + points.length, 0) <= hoverMonthsMax,
      width,
      plotHeight: 240,
      language: words.language,
    }),
  );
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
      const month = monthNumber(monthTextOf(day));
      if (price === undefined || month < span.from || month > span.to) return [];
      const cost = words.priceOf(price, figures.currency, figures.unit);
      const texts = [label, market.name, words.recorded(store, row), cost, words.say(`suspicious ${reason}`)];
      return [{ day: firstDayOf(month), value: price, reason: texts.join(", ") }];
    })
    .slice(0, marksMax);
}
