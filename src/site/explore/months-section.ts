/**
 * Prices month by month: the months that an address chooses, the form that chooses them, and a section with a chart of
 * a series and its table.
 */

import { dataPath } from "../../contract/paths.ts";
import { figureSentence, whereText } from "../../contract/price-sentence.ts";
import type { Words } from "../../contract/words.ts";
import { statisticsRows, statisticsTable } from "../../engine/export/statistics-table.ts";
import {
  firstDayOf,
  lastDayOf,
  type MonthNumber,
  monthNumber,
  monthOf,
  monthText,
} from "../../engine/model/calendar.ts";
import type { MonthFigures, SuspiciousPrice } from "../../engine/query/monthly-figures.ts";
import type { Store } from "../../engine/store/store.ts";
import { type Chart, narrowWidth, renderBoth, wideWidth } from "../charts/chart-frame.ts";
import {
  type ChartBreak,
  type ChartLine,
  type ChartMark,
  type LineChart,
  type RangePoint,
  type Readout,
  renderLineChart,
} from "../charts/line-chart.ts";
import type { LinePoint } from "../charts/plot.ts";
import { renderHidden, renderParagraph, renderSelect } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import type { SectionChart } from "./chart-forms.ts";
import {
  columnKinds,
  type DataTable,
  exportedRows,
  fromTablet,
  rowsShownMax,
  statisticsRequest,
} from "./data-table.ts";
import { renderChoice, type Section, sectionRows } from "./explorer-page.ts";
import type { FoundChange } from "./figure-text.ts";
import { type MonthSpan, newestOf, type SeriesFigures } from "./monthly-series.ts";
import { badParameter, type PageRequest, periodNames, periods, type QueryParameters } from "./request.ts";

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
export function spanOf({ period, ...ends }: PeriodChoice, shown: readonly SeriesFigures[]): MonthSpan {
  const first = Math.min(...shown.map(({ months }) => months[0]?.month ?? Infinity));
  const last = Math.max(...shown.map((figures) => newestOf(figures).month));
  const to = (period === undefined ? ends.to : undefined) ?? last;
  const earliest = Math.max(Math.min(first, to), to - periods[period ?? periodDefault] + 1);
  const from = (period === undefined ? ends.from : undefined) ?? earliest;
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

/** A series of a chart. */
export interface MonthlyLine extends SeriesFigures {
  readonly label: string;
  /** The number of its colour, below `linesMax`: the same whatever else is drawn. */
  readonly colour: number;
}

export interface MonthsChoice {
  /** Its anchor. */
  readonly id: string;
  readonly heading: string;
  readonly span: MonthSpan;
  readonly breaks?: readonly ChartBreak[];
  readonly suspicious?: readonly SuspiciousPrice[];
  /** Changes on a year before of the first line, ascending, each of enough markets. */
  readonly changes?: readonly FoundChange[];
  /** True if the sentence of its page is that of its chart. */
  readonly isOfPage?: boolean;
  /** Precedes and follows the chart. */
  readonly before?: Markup | undefined;
  readonly after?: Markup | undefined;
}

/** A month of a line. */
interface LineMonth {
  readonly line: MonthlyLine;
  readonly month: MonthFigures;
  readonly change: FoundChange | undefined;
}

/** Points further apart are not joined: surveys are quarterly. */
const joinMonthsMax = 3;

/** A line for each market; of more, bars and dots. */
const thinLinesMax = 12;

/** The change is a chart of its own from so many months on. */
const changeMonthsMin = 12;

/** @param lines At most `linesMax`, in one unit and currency. A single one shows its markets. */
export function* monthsSection(
  request: PageRequest,
  lines: readonly MonthlyLine[],
  choice: MonthsChoice,
): Generator<number, Section> {
  const { store, words } = request;
  const { id, heading, span, changes = [], before, after } = choice;
  const view = request.value("view");
  const all = lines.map((line) => within(line, span));
  const changesShown = changes.filter(({ month }) => month >= span.from && month <= span.to);
  const changeOf = new Map(changesShown.map((change) => [change.month, change]));
  const rows = all
    .flatMap((line, at) =>
      line.months.map((month) => ({ line, month, change: at === 0 ? changeOf.get(month.month) : undefined })),
    )
    .sort((a, b) => b.month.month - a.month.month);
  const table: DataTable<LineMonth> = {
    rows,
    columns: monthColumns(request, all, changesShown.length > 0),
    shown: rows.slice(0, rowsShownMax),
    csv: exportedRows("statistics", statisticsTable, () => statisticsOf(store, all, span)),
    requests: all.map((line) => statisticsRequest(line, span)),
  };
  const section = { id, heading, table, foldsTable: true };
  const notes = absenceNotes(words, lines, all);
  yield sectionRows;
  const drawn = all.filter(({ months }) => months.length > 0);
  const [first] = drawn;
  if (first === undefined) {
    return { ...section, content: markup`${before}${notes}${renderParagraph(words.say("noPricesInPeriod"))}${after}` };
  }
  const hasChange = changesShown.length >= changeMonthsMin;
  const isChange = hasChange && view === "change";
  const chart = isChange
    ? changeChart(request, first, changesShown, choice)
    : priceChart(request, drawn, lines[0]?.months ?? [], choice);
  const tabs = (["prices", "change"] as const).map((view) => {
    return { text: words.say(`view ${view}`), changes: { view }, isCurrent: (view === "change") === isChange };
  });
  const narrow = chart.draw(narrowWidth);
  yield sectionRows;
  const shown = renderBoth(narrow, chart.draw(wideWidth));
  const choices = hasChange && renderChoice(request, words.say("chartShows"), id, tabs);
  const hasMarks = (choice.suspicious?.length ?? 0) > 0;
  const toReasons =
    hasMarks &&
    markup`<p class="quiet">⊗
<a href="${request.linkTo(dataPath)}#suspicious">${words.say("suspiciousReasons")}</a></p>`;
  return { ...section, content: markup`${before}${choices}${notes}${shown}${toReasons}${after}`, charts: [chart] };
}

/** The statistics of lines by month, as their export has them. */
function* statisticsOf(store: Store, lines: readonly SeriesFigures[], { from, to }: MonthSpan) {
  for (const { product, marketType, place, unit, currency, isConverted } of lines) {
    const days = { dayFirst: firstDayOf(from), dayLast: lastDayOf(to) };
    const target = { unit, currency: isConverted ? (currency ?? undefined) : undefined };
    const question = { productUuids: [product.uuid], marketType, ...place.conditions, ...days, ...target };
    yield* statisticsRows(store, { ...question, grouping: "month", isSuspicious: false });
  }
}

/** The part of a line in some months. */
export function within<Line extends SeriesFigures>(line: Line, { from, to }: MonthSpan): Line {
  const isWithin = ({ month }: { readonly month: MonthNumber }): boolean => month >= from && month <= to;
  const markets = line.markets.map((market) => ({ ...market, months: market.months.filter(isWithin) }));
  return { ...line, months: line.months.filter(isWithin), markets: markets.filter(({ months }) => months.length > 0) };
}

/** Says why the chart has no line of some: they have no price in its months. @param all The shown part of each line. */
function absenceNotes(words: Words, lines: readonly MonthlyLine[], all: readonly MonthlyLine[]): Markup[] {
  return lines.flatMap((line, at) => {
    if (all[at]?.months.length !== 0) return [];
    const months = words.span(words.month(line.months[0]?.month ?? 0), words.month(newestOf(line).month));
    return renderParagraph(words.say("lineNotInPeriod", { series: words.titled(line.label), months }), "note");
  });
}

function monthColumns(request: PageRequest, lines: readonly MonthlyLine[], hasChange: boolean) {
  const { words } = request;
  const { day, count, price, number } = columnKinds<LineMonth>(request);
  const isArea = lines.some(({ place }) => place.kind !== "market");
  const showChange = ({ change }: LineMonth): string => {
    if (change === undefined) return "–";
    const { changePercent, matched } = change.measure;
    return `${words.change(changePercent)} ${words.say("atMarkets", { count: matched?.count ?? 1 })}`;
  };
  return [
    day(words.say("month"), ({ month, line }) => {
      const label = lines.length > 1 && markup` <br><span class="quiet">${line.label}</span>`;
      return markup`${words.month(month.month)}${label}`;
    }),
    price(words.say("median"), ({ month }) => month.median),
    ...(isArea ? [count(words.say("markets"), ({ month }) => month.markets.length)] : []),
    fromTablet(price(words.say("least"), ({ month }) => month.min)),
    fromTablet(price(words.say("greatest"), ({ month }) => month.max)),
    fromTablet(count(words.say("samples"), ({ month }) => month.samples)),
    ...(hasChange ? [fromTablet(number(words.say("changeOnYear"), showChange))] : []),
  ];
}

/** Points of months; two are joined where they are near, and the later one has enough of the earlier one's markets. */
export function pointsOf(months: readonly MonthFigures[]): LinePoint[] {
  return months.map(({ month, median, markets }, at) => {
    const before = months[at - 1];
    const later = new Set(markets);
    const isJoined =
      before !== undefined &&
      month - before.month <= joinMonthsMax &&
      2 * before.markets.filter((market) => later.has(market)).length >= before.markets.length;
    return { day: firstDayOf(month), value: median, isJoined };
  });
}

/** The series of a line: with its markets where it is the only one. */
function seriesOf({ label, colour, markets, months }: MonthlyLine, isAlone: boolean): ChartLine {
  const points = pointsOf(months);
  if (!isAlone || markets.length < 2) return { label, colour, points };
  const ofMarkets = markets.map(({ record, months }) => ({
    name: record.name,
    points: months.map(({ month, median }, at): LinePoint => {
      const isJoined = month - (months[at - 1]?.month ?? -Infinity) <= joinMonthsMax;
      return { day: firstDayOf(month), value: median, isJoined };
    }),
  }));
  if (markets.length <= thinLinesMax) return { label, colour, points, markets: ofMarkets };
  const bars = months.map(({ month, low, high }): RangePoint => ({ day: firstDayOf(month), low, high }));
  return { label, colour, points, bars, dots: ofMarkets.flatMap((market) => market.points) };
}

/** Months that show their figures under the pointer; each takes some 100 bytes, compressed 10. */
const readoutsMax = 1000;

/** @param all All months of the first line of the section. */
function priceChart(
  request: PageRequest,
  lines: readonly MonthlyLine[],
  all: readonly MonthFigures[],
  choice: MonthsChoice,
): SectionChart {
  const { words } = request;
  const { span, breaks = [], suspicious = [] } = choice;
  const [first] = lines as readonly [MonthlyLine, ...MonthlyLine[]];
  const unit = words.currencyPerUnit(first.currency, first.unit);
  const months = lines.flatMap((line) => line.months);
  const title = chartTitle(request, lines, `${words.say("view prices")}, ${unit}`);
  const isAlone = lines.filter(({ product }) => product === first.product).length === 1;
  const usual = isAlone && first.place.kind === "market" ? usualRange(all, { ...span, to: newestOf(first).month }) : [];
  const byMonth = Map.groupBy(
    lines.flatMap((line) => line.months.map((month) => ({ line, month }))),
    ({ month }) => month.month,
  );
  const readouts = [...byMonth]
    .sort(([a], [b]) => a - b)
    .map(([month, found]): Readout => {
      const texts = found.map(
        ({ line, month }) => `${lines.length > 1 ? `${line.label}: ` : ""}${readoutOf(words, line, month)}`,
      );
      return { day: firstDayOf(month), month: monthText(month), texts: [words.month(month), ...texts] };
    });
  const sentences = lines.map((line) => {
    const { month, median, markets } = newestOf(line);
    return figureSentence(request.store, words, { ...line, month, median, markets: markets.length });
  });
  return {
    name: choice.id,
    subtitle: title,
    sentence: choice.isOfPage === true ? undefined : `${sentences.join("; ")}.`,
    draw: drawAt(words, {
      title,
      description: lines.map(({ label }) => label).join("; "),
      lines: lines.map((line, at) => seriesOf(line, isAlone && at === 0)),
      unit,
      formLabels: { bars: words.say("barLabel"), dots: words.say("dotLabel") },
      band: usual.length === 0 ? undefined : { label: words.say("usualBand"), points: usual },
      marks: suspiciousMarks(request, suspicious, first, span),
      markLabel: words.say("suspiciousMark"),
      breaks,
      breakLabel: words.say("breakLabel"),
      dayFirst: firstDayOf(span.from),
      dayLast: firstDayOf(span.to),
      readouts: months.length <= readoutsMax ? readouts : [],
    }),
  };
}

function changeChart(
  request: PageRequest,
  line: MonthlyLine,
  changes: readonly FoundChange[],
  { id, span }: MonthsChoice,
): SectionChart {
  const { words } = request;
  const unit = words.say("changeOnYear");
  const title = chartTitle(request, [line], `${unit}, %`);
  const textOf = ({ measure }: FoundChange): string => {
    const markets = words.say("atMarkets", { count: measure.matched?.count ?? 1 });
    const since = words.say("sinceMonth", { first: words.month(measure.month) });
    return `${words.change(measure.changePercent)} ${since} ${markets}`;
  };
  const newest = changes.at(-1) as FoundChange;
  const sentence = `${words.month(newest.month)}: ${textOf(newest)}`;
  const points = changes.map(({ month, measure }) => {
    return { day: firstDayOf(month), value: measure.changePercent, isJoined: false };
  });
  return {
    name: `${id}-change`,
    subtitle: title,
    sentence,
    draw: drawAt(words, {
      title,
      description: sentence,
      lines: [{ label: line.label, colour: line.colour, points }],
      unit: "%",
      hasNegative: true,
      dayFirst: firstDayOf(span.from),
      dayLast: firstDayOf(span.to),
      readouts: changes.map((change) => {
        const texts = [words.month(change.month), textOf(change)];
        return { day: firstDayOf(change.month), month: monthText(change.month), texts };
      }),
    }),
  };
}

function drawAt(words: Words, chart: Omit<LineChart, "width" | "plotHeight" | "language" | "hasTexts">) {
  return (width: number): Chart =>
    // The script takes the texts of the narrow chart from the wide one.
    renderLineChart({ ...chart, hasTexts: width === wideWidth, width, plotHeight: 240, language: words.language });
}

/** `Prices, KES per kg, Salt, retail outside refugee camps, 51 markets, May 2021 – March 2026` */
function chartTitle({ store, words }: PageRequest, lines: readonly MonthlyLine[], what: string): string {
  const months = lines.flatMap((line) => line.months.map(({ month }) => month));
  const [first, last] = [Math.min(...months), Math.max(...months)].map((month) => words.month(month)) as [
    string,
    string,
  ];
  const where = lines.map(({ marketType, place }) => `${words.type(marketType)} ${whereText(store, words, place)}`);
  const markets = new Set(lines.flatMap((line) => line.markets.map(({ market }) => market))).size;
  const texts = [what, [...new Set(where)].join("; "), words.say("marketsShort", { count: markets })];
  return [...texts, first === last ? first : `${first} – ${last}`].join(", ");
}

/** `median 46.70 KES a kg, 7 markets, lowest 44.00, highest 52.00`; of a market `1 price in that month`. */
function readoutOf(words: Words, line: SeriesFigures, { median, markets, samples, min, max }: MonthFigures): string {
  const texts = [
    `${words.say("median").toLowerCase()} ${words.priceOf(median, line.currency, line.unit)}`,
    line.place.kind === "market"
      ? words.say("pricesInMonth", { count: samples })
      : words.say("marketsShort", { count: markets.length }),
    min < max && words.say("readoutRange", { least: words.price(min), greatest: words.price(max) }),
  ];
  return texts.filter(Boolean).join(", ");
}

/** Years before a month whose same months are its usual range, and so many of these must have a price. */
const usualYears = 5;
const usualYearsMin = 3;

/** The range of the prices of the same months of the five years before. @param all All months of a market. */
function usualRange(all: readonly MonthFigures[], { from, to }: MonthSpan): RangePoint[] {
  const medians = new Map(all.map(({ month, median }) => [month, median]));
  const found: RangePoint[] = [];
  let isJoined = false;
  for (let month = from; month <= to; month++) {
    const years = Array.from({ length: usualYears }, (_, at) => medians.get(month - 12 * (at + 1)) ?? []).flat();
    const isKnown = years.length >= usualYearsMin;
    if (isKnown) found.push({ day: firstDayOf(month), low: Math.min(...years), high: Math.max(...years), isJoined });
    isJoined = isKnown;
  }
  return found;
}

/** Marks of a chart: the newest; each takes some 200 bytes. The table has them all. */
const marksMax = 40;

/** The suspicious prices of a series as marks in the months of its figures. */
function suspiciousMarks(
  request: PageRequest,
  suspicious: readonly SuspiciousPrice[],
  { currency, unit, marketType }: SeriesFigures,
  span: MonthSpan,
): ChartMark[] {
  const { words } = request;
  return suspicious
    .flatMap(({ row, market, day, price, reason }): ChartMark[] => {
      const month = monthOf(day);
      if (price === undefined || month < span.from || month > span.to || market.type !== marketType) return [];
      const cost = words.priceOf(price, currency, unit);
      const texts = [market.name, request.recorded(row), cost, words.say(`suspicious ${reason}`)];
      return [{ day: firstDayOf(month), value: price, reason: texts.join(", ") }];
    })
    .slice(0, marksMax);
}
