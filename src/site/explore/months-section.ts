/** The course of a product's prices, month by month: a line for each series. */

import { firstDayOf, type MonthNumber, monthNumber, monthOf, monthText } from "../../engine/model/calendar.ts";
import type { MonthFigures } from "../../engine/query/monthly-figures.ts";
import { type Chart, narrowWidth, renderBoth, wideWidth } from "../charts/chart-frame.ts";
import { type ChartBreak, type ChartLine, type ChartMark, renderLineChart } from "../charts/line-chart.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import type { Words } from "../pages/words.ts";
import { statisticsRequest } from "./api-request.ts";
import { columnKinds, type DataColumn, type DataTable, rowsShownMax, shownIf } from "./data-table.ts";
import { type Section, type SectionChart, sectionRows } from "./explorer-page.ts";
import { figuresOf, type MonthlyLine, type MonthSpan, newestOf } from "./monthly-lines.ts";
import type { ProductView } from "./product-view.ts";
import type { PageRequest } from "./request.ts";

/** A line with the months of the chart alone. */
interface ShownLine extends MonthlyLine {
  /** The median that is 100; undefined without an index, in a month without a price, and where that is 0. */
  readonly base: number | undefined;
  /** True if a chart has it. */
  readonly isDrawn: boolean;
}

/** A month of a line. */
interface LineMonth {
  readonly line: ShownLine;
  readonly month: MonthFigures;
}

interface MonthsChoice {
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
  lines: readonly MonthlyLine[],
  choice: MonthsChoice,
): Generator<number, Section> {
  const { words } = request;
  const { span, index } = choice;
  const heading = words.say("byMonthHeading");
  const all = lines.map((line) => shownLine(line, choice));
  const rows = all.flatMap((line) => line.months.map((month): LineMonth => ({ line, month })));
  const table: DataTable<LineMonth> = {
    columns: monthColumns(request, lines.length > 1, index !== undefined),
    rows,
    shown: rows.toSorted((a, b) => b.month.month - a.month.month).slice(0, rowsShownMax),
    requests: lines.map((line) => statisticsRequest(line, span)),
  };
  const drawn = all.filter(({ isDrawn }) => isDrawn);
  const notes = absenceNotes(words, lines, choice);
  yield sectionRows;
  if (drawn.length === 0) {
    const content = markup`${notes}${renderParagraph(words.say("noPricesInPeriod"))}${choice.remarks}`;
    return { id: "months", heading, content, table, foldsTable: true };
  }
  const chart = chartOf(request, heading, drawn, choice);
  const narrow = chart.draw(narrowWidth);
  yield sectionRows;
  const shown = renderBoth(narrow, chart.draw(wideWidth));
  const content = markup`${renderParagraph(leadText(words, drawn))}${notes}${shown}${choice.remarks}`;
  return { id: "months", heading, content, charts: [chart], table, foldsTable: true };
}

/**
 * The months of the product of a page, with the products that it continues or that continue it; undefined without
 * prices.
 */
export function productMonths(request: PageRequest, view: ProductView): Generator<number, Section> | undefined {
  const { words } = request;
  const { span, period, currency, inCurrency } = view;
  if (span === undefined) return undefined;
  const choice = { span, index: period.index };
  const { byType, withoutRate } = inCurrency;
  const { lines, breaks, notes } = continuedWithin(request, view, choice);
  const missing = words.say("withoutRate", { count: withoutRate, currency: currency ?? "" });
  const remarks = markup`${notes}${withoutRate > 0 && renderParagraph(missing, "note")}`;
  const own = byType.map((shown) => ({ ...shown, label: words.type(shown.marketType) }));
  return monthsSection(request, [...own, ...lines], { ...choice, breaks, remarks });
}

/** The lines of the other products that the chart has, and what is said of all of them. */
function continuedWithin(
  request: PageRequest,
  { product: shown, continued }: ProductView,
  choice: MonthsChoice,
): { readonly lines: readonly MonthlyLine[]; readonly breaks: readonly ChartBreak[]; readonly notes: Markup } {
  const { words } = request;
  const { from, to } = choice.span;
  const allMonths = `${request.linkWith({ period: "all", from: undefined, to: undefined })}#months`;
  const lines: MonthlyLine[] = [];
  const breaks: ChartBreak[] = [];
  const notes: Markup[] = [];
  for (const { judgement, other, isEarlier, line } of continued) {
    const link = request.productLink(other);
    const last = words.month(judgement.lastMonth);
    const first = words.month(judgement.firstMonth);
    const type = words.type(judgement.marketType);
    const labelled = line && { ...line, label: `${words.product(other)}, ${words.type(line.marketType)}` };
    if (labelled !== undefined && shownLine(labelled, choice).isDrawn) {
      const later = words.product(isEarlier ? shown : other);
      const earlier = words.product(isEarlier ? other : shown);
      const reason = words.say(`continues ${judgement.judgement}`, { later, earlier, type, last, first });
      const month = monthNumber(judgement.firstMonth);
      if (month >= from && month <= to) breaks.push({ day: firstDayOf(month), reason });
      lines.push(labelled);
      notes.push(renderParagraph(markup`${reason} ${link}`, "quiet"));
    } else {
      // A line that is not drawn is only named.
      const named = words.say(isEarlier ? "earlierUnder" : "laterUnder", { month: isEarlier ? last : first, type });
      const toAll = markup`<a href="${allMonths}">${words.say("showAllMonths")}</a>`;
      notes.push(renderParagraph(markup`${named} ${link} · ${toAll}`, "quiet"));
    }
  }
  return { lines, breaks, notes: markup`${notes}` };
}

/** What a chart of some months has of a line. */
function shownLine(line: MonthlyLine, { span: { from, to }, index }: MonthsChoice): ShownLine {
  const base = index === undefined ? undefined : figuresOf(line, index)?.median || undefined;
  const months = line.months.filter(({ month }) => month >= from && month <= to);
  return { ...line, base, months, isDrawn: months.length > 0 && (index === undefined || base !== undefined) };
}

/** Says why the chart lacks lines: they have no price in its months, or none in the month that is 100. */
function absenceNotes(words: Words, lines: readonly MonthlyLine[], choice: MonthsChoice): Markup[] {
  const absent = Map.groupBy(lines, (line) => {
    const { isDrawn, months } = shownLine(line, choice);
    if (isDrawn) return undefined;
    return months.length === 0 ? "lineNotInPeriod" : "lineWithoutIndex";
  });
  return [...absent].flatMap(([kind, found]) => {
    if (kind === undefined) return [];
    if (kind === "lineWithoutIndex") {
      const values = { series: found.map(({ label }) => label).join("; "), month: words.month(choice.index ?? 0) };
      return renderParagraph(words.say(kind, values), "note");
    }
    return found.map((line) => {
      const first = words.month(line.months[0]?.month ?? 0);
      const values = { series: line.label, first, last: words.month(newestOf(line).month) };
      return renderParagraph(words.say(kind, values), "note");
    });
  });
}

/** What the chart shows, and nothing that it does not. */
function leadText(words: Words, lines: readonly ShownLine[]): string {
  const hasGap = lines.some(({ months }) => newestOf({ months }).month - (months[0]?.month ?? 0) >= months.length);
  const hasDot = lines.some(({ months }) =>
    months.some(({ month }, at) => months[at - 1]?.month !== month - 1 && months[at + 1]?.month !== month + 1),
  );
  const texts = [
    words.say("byMonthLead"),
    hasBand(lines) && words.say("byMonthBand"),
    hasGap && words.say("byMonthGap"),
    hasDot && words.say("byMonthDot"),
  ];
  return texts.filter(Boolean).join(" ");
}

function hasBand(lines: readonly ShownLine[]): boolean {
  return lines.some(({ months }) => months.some(({ min, max }) => min < max));
}

function monthColumns(request: PageRequest, hasLines: boolean, hasIndex: boolean): DataColumn<LineMonth>[] {
  const { words } = request;
  const { text, day, count, price, csv } = columnKinds<LineMonth>(request);
  const periodOf = ({ month }: LineMonth): string => monthText(month.month);
  const series = text("series", words.say("seriesShown"), ({ line }) => line.label);
  const indexOf = ({ line, month }: LineMonth) => line.base && scaled(line, month.median);
  return [
    day("period", words.say("month"), periodOf, ({ month }) => words.month(month.month)),
    shownIf(hasLines, series),
    price("median_price", words.say("median"), ({ month }) => month.median),
    ...(hasIndex ? [price("index", words.say("index"), indexOf)] : []),
    price("min_price", words.say("least"), ({ month }) => month.min),
    price("max_price", words.say("greatest"), ({ month }) => month.max),
    price("average_price", words.say("average"), ({ month }) => month.average),
    count("sample_count", words.say("samples"), ({ month }) => month.samples),
    csv("currency", ({ line }) => line.currency),
    csv("unit", ({ line }) => line.unit),
    csv("product", ({ line }) => line.product.name),
    csv("product_uuid", ({ line }) => line.product.uuid),
    csv("market_type", ({ line }) => line.marketType),
    csv("county_id", ({ line }) => line.place.conditions.countyId ?? null),
    csv("market_uuid", ({ line }) => line.place.conditions.marketUuid ?? null),
  ];
}

/** A price, or with an index its percentage of the base. */
function scaled({ base }: ShownLine, price: number): number {
  return base === undefined ? price : (price / base) * 100;
}

/** Months of all lines that show their figures under the pointer; each takes some 100 bytes, compressed 10. */
const readoutsMax = 2000;

function chartOf(
  request: PageRequest,
  heading: string,
  lines: readonly ShownLine[],
  { span, index, breaks = [] }: MonthsChoice,
): SectionChart {
  const { words } = request;
  const [first] = lines as readonly [ShownLine, ...ShownLine[]];
  const perUnit = words.currencyPerUnit(first.currency, first.unit);
  const unit = index === undefined ? perUnit : words.say("indexUnit", { month: words.month(index) });
  const title = `${heading}, ${unit}`;
  const drawn = lines.map((line): ChartLine => {
    const points = line.months.map((found) => ({
      day: firstDayOf(found.month),
      period: words.month(found.month),
      month: monthText(found.month),
      value: scaled(line, found.median),
      low: scaled(line, found.min),
      high: scaled(line, found.max),
      readout: readoutOf(words, line, found),
    }));
    return { label: line.label, points };
  });
  const marks = index === undefined ? lines.flatMap((line) => suspiciousMarks(request, line, span)) : [];
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

/** `46.70 KES per kg, 3 prices, lowest 44.00, highest 52.00` */
function readoutOf(words: Words, line: ShownLine, { median, min, max, samples }: MonthFigures): string {
  const price = words.priceOf(median, line.currency, line.unit);
  const range = min < max && words.say("readoutRange", { least: words.price(min), greatest: words.price(max) });
  const count = words.say("readoutPrices", { count: samples });
  return [line.base && words.decimal(scaled(line, median)), price, count, range].filter(Boolean).join(", ");
}

/** Marks of a chart: the newest of a line; each takes some 200 bytes. The table has them all. */
const marksMax = 40;

/** The suspicious prices of a line as marks in the months that its figures would stand at. */
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
