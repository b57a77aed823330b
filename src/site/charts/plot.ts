/**
 * A chart with values upwards: its scales and axes, its frame with legend, its lines and bands, the symbols of its
 * lines, and the strips under the pointer. A line ends where its caller does not join two points.
 */
import { type ScaleLinear, scaleLinear, scaleUtc } from "d3-scale";
import {
  area as areaOf,
  line as lineOf,
  type SymbolType,
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
} from "d3-shape";
import { type Language, wordsOf } from "../../contract/words.ts";
import { type Day, dayMilliseconds, dayText } from "../../engine/model/calendar.ts";
import { joinMarkup, type Markup, type MarkupValue, markup } from "../pages/markup.ts";
import {
  type Chart,
  type ChartText,
  chartFrame,
  fittedText,
  type LabelRoom,
  type LegendEntry,
  narrowWidth,
  renderLegend,
  rounded,
  shortNumber,
  takeRoom,
  textAt,
  textWidth,
} from "./chart-frame.ts";

export type ValueScale = ScaleLinear<number, number>;

/** The area of the data. */
export interface PlotArea {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The axis ends at this multiple of the 90th percentile of the values. */
const reachOfMost = 3;

/** Beyond these, arithmetic of scales leaves the range of numbers. */
const axisTopMin = 1e-290;
const axisTopMax = 1e290;

/**
 * The greatest value that the axis shows. Where single values are more than `reachOfMost` times above nine tenths of
 * all, the axis ends at the greatest of the others, so that one misplaced decimal point does not flatten the chart;
 * greater values are drawn at its edge.
 *
 * @param values At least 0. @returns At least some positive number.
 */
export function axisTop(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const most = sorted[Math.floor((sorted.length - 1) * 0.9)] ?? 0;
  const limit = most * reachOfMost;
  return positiveTop(sorted.findLast((value) => value <= limit) ?? sorted.at(-1) ?? 0);
}

function positiveTop(top: number): number {
  return top > 0 ? Math.min(Math.max(top, axisTopMin), axisTopMax) : 1;
}

/** Values from about `least` to about `top`, upwards; what is beyond stays at the edge. */
function valueScale(top: number, { top: y, bottom }: Pick<PlotArea, "top" | "bottom">, least = 0): ValueScale {
  return scaleLinear().domain([least, top]).nice(5).range([bottom, y]).clamp(true);
}

/** The width that the labels of a value axis take. */
function valueAxisWidth(scale: ValueScale, language: string): number {
  const widths = scale.ticks(5).map((tick) => textWidth(shortNumber(tick, language)));
  return Math.ceil(Math.max(...widths)) + 11;
}

/** Horizontal lines with their values at the left. */
function renderValueAxis(scale: ValueScale, { left, right }: PlotArea, language: string): Markup {
  const lines = scale.ticks(5).map((tick) => {
    const y = rounded(scale(tick));
    const line = markup`<path class="grid" d="M${rounded(left)} ${y}H${rounded(right)}"/>`;
    return markup`${line}${textAt(shortNumber(tick, language), left - 6, y + 4, "quiet end")}`;
  });
  return joinMarkup(lines);
}

/** Days to the right. */
export type DayScale = (day: number) => number;

/** @param dayFirst Inclusive, as `dayLast`; a single day lies in the middle. */
export function dayScale(dayFirst: number, dayLast: number, { left, right }: PlotArea): DayScale {
  if (dayFirst === dayLast) return () => (left + right) / 2;
  const scale = scaleLinear().domain([dayFirst, dayLast]).range([left, right]);
  return (day) => scale(day);
}

/** About the days of a month. */
const monthDays = 30;

/** Room for a label of the time axis. */
const tickWidth = 48;

/**
 * Below the plot: years; months where there are few years, with the year at January; days where there are few months.
 */
export function renderTimeAxis(
  [dayFirst, dayLast]: readonly [number, number],
  x: DayScale,
  { left, right, bottom }: PlotArea,
  language: Language,
): Markup {
  const count = Math.max(2, Math.floor((right - left) / tickWidth));
  const ticks = timeTicks(dayFirst, dayLast, count, language);
  const taken: LabelRoom[] = [];
  // Years come first: a month without a year is ambiguous.
  const labels = ticks
    .toSorted((a, b) => Number(b.isYear) - Number(a.isYear))
    .flatMap(({ day, label }) => {
      const half = textWidth(label) / 2;
      const at = rounded(Math.min(Math.max(x(day), left - 20 + half), right + 8 - half));
      const isFree = takeRoom(taken, [at - half - 5, at + half + 5]);
      return isFree ? [{ at, text: textAt(label, at, bottom + 17, "quiet middle") }] : [];
    });
  const inOrder = labels.sort((a, b) => a.at - b.at).map(({ text }) => text);
  const marks = [
    ...ticks.map(({ day }) => markup`<path class="axis" d="M${rounded(x(day))} ${bottom}v4"/>`),
    ...inOrder,
  ];
  return markup`<path class="axis" d="M${rounded(left)} ${bottom}H${rounded(right)}"/>${marks}`;
}

/** The marks of the time axis. */
function timeTicks(dayFirst: number, dayLast: number, count: number, language: Language) {
  const words = wordsOf(language);
  const dateOf = (day: number): Date => new Date(day * dayMilliseconds);
  if (dayFirst === dayLast) {
    // A month is drawn at its first day.
    const date = dateOf(dayFirst);
    const month = `${words.shortMonth(date.getUTCMonth() + 1)} ${date.getUTCFullYear()}`;
    const label = date.getUTCDate() === 1 ? month : dayText(dayFirst as Day);
    return [{ day: dayFirst, label, isYear: false }];
  }
  const ends = [dateOf(dayFirst), dateOf(dayLast)] as const;
  // Months are drawn at their first days: no day between two of them has a figure.
  const isOfMonths = ends.every((date) => date.getUTCDate() === 1);
  const ticks = scaleUtc()
    .domain(ends)
    .ticks(isOfMonths ? Math.min(count, Math.round((dayLast - dayFirst) / monthDays)) : count)
    // For a few days d3 makes ticks of hours.
    .filter((date) => date.getTime() % dayMilliseconds === 0);
  const areMonths = ticks.every((date) => date.getUTCDate() === 1);
  const isYear = (date: Date): boolean => areMonths && date.getUTCMonth() === 0;
  const hasYear = ticks.some(isYear);
  return ticks.map((date, at) => {
    const year = date.getUTCFullYear();
    const day = (date.getTime() / dayMilliseconds) as Day;
    const name = areMonths ? words.shortMonth(date.getUTCMonth() + 1) : words.shortDay(day);
    const label = isYear(date) ? String(year) : at === 0 && !hasYear ? `${name} ${year}` : name;
    return { day, label, isYear: isYear(date) };
  });
}

export interface PlotOptions extends ChartText {
  /** The unit of values, `KES per kg`, above the value axis. */
  readonly unit: string;
  readonly width?: number;
  /** Without legend and axis; `plotHeightUsual` when absent. */
  readonly plotHeight?: number;
  /** The language of numbers and months. */
  readonly language?: Language;
}

/** The content of a plot. */
export interface PlotContent {
  /** Class of the chart beside `chart`. */
  readonly kind: string;
  readonly legend: readonly LegendEntry[];
  /** The value at which the axis begins; 0 when absent. */
  readonly bottom?: number;
  /** The value at which the axis ends. */
  readonly top: number;
  /** Room at the right, for labels that reach beyond the data. */
  readonly marginRight: number;
  readonly draw: (area: PlotArea, y: ValueScale, language: Language) => readonly MarkupValue[];
}

export const plotHeightUsual = 180;

const axisHeight = 24;

export function renderPlot(options: PlotOptions, content: PlotContent): Chart {
  const { kind, legend, bottom: least, top, marginRight, draw } = content;
  const { unit, width = narrowWidth, plotHeight = plotHeightUsual, language = "en" } = options;
  const drawnLegend = renderLegend(legend, 2, width - 4);
  const topY = drawnLegend.height + 24;
  const bottom = topY + plotHeight;
  const y = valueScale(top, { top: topY, bottom }, least);
  const area = { left: valueAxisWidth(y, language), right: width - marginRight, top: topY, bottom };
  const drawn = joinMarkup([
    drawnLegend.content,
    fittedText(unit, 2, topY - 11, width - 4, "quiet"),
    renderValueAxis(y, area, language),
    ...draw(area, y, language),
  ]);
  return chartFrame(kind, options, { width, height: bottom + axisHeight }, drawn);
}

/** A legend entry with a stroke. */
export function strokeEntry(label: string, className: string): LegendEntry {
  return { label, symbolAt: (x, y) => markup`<path class="${className}" d="M${rounded(x - 8)} ${y}h16"/>` };
}

/** Legend entry of dots. @param className Of their colour. */
export function dotEntry(label: string, className: string): LegendEntry {
  const around = [
    [-5, 2],
    [0, -2],
    [5, 0],
  ] as const;
  return {
    label,
    symbolAt: (x, y) =>
      dotsAt(
        around.map(([dx, dy]) => ({ x: x + dx, y: y + dy })),
        className,
      ),
  };
}

/** Legend entry of bars. */
export function barEntry(label: string, className: string): LegendEntry {
  return { label, symbolAt: (x, y) => markup`<path class="bars ${className}" d="M${rounded(x)} ${y - 6}v12"/>` };
}

/** Small dots, at whole units: a long chart is smaller by a tenth. @param className Of their colour. */
export function dotsAt(points: readonly { readonly x: number; readonly y: number }[], className: string): Markup {
  let [lastX, lastY] = [0, 0];
  const shapes = points.map((point) => {
    const [x, y] = [Math.round(point.x), Math.round(point.y)];
    const move = `m${x - lastX} ${y - lastY}h0`;
    [lastX, lastY] = [x, y];
    return move;
  });
  return markup`<path class="dots ${className}" d="${shapes.join("")}"/>`;
}

/** A legend entry with an area. */
export function bandEntry(label: string, className: string): LegendEntry {
  return {
    label,
    symbolAt: (x, y) => markup`<path class="${className}" d="M${rounded(x - 8)} ${y - 5}h16v10h-16z"/>`,
  };
}

/** The symbol of each line, so that lines differ by more than colour. */
const lineSymbols: readonly SymbolType[] = [
  symbolCircle,
  symbolSquare,
  symbolTriangle,
  symbolDiamond,
  symbolCross,
  symbolStar,
];

const symbolArea = 36;

/** @param line Below `linesMax`. */
export function symbolAt(line: number, x: number, y: number): Markup {
  const shape = symbol(lineSymbols[line], symbolArea).digits(1)();
  return markup`<path class="fill-${line}" transform="translate(${rounded(x)} ${rounded(y)})" d="${shape ?? ""}"/>`;
}

/** A legend entry with a stroke and the symbol of a line. */
export function lineEntry(label: string, line: number): LegendEntry {
  const stroke = strokeEntry(label, `line stroke-${line}`);
  return { label, symbolAt: (x, y) => markup`${stroke.symbolAt(x, y)}${symbolAt(line, x, y)}` };
}

/** Something on a day, counted from 1970-01-01. */
export interface Dated {
  readonly day: number;
  /** False where nothing joins it to the one before it. */
  readonly isJoined?: boolean | undefined;
}

type Scale = (value: number) => number;

export interface LinePoint extends Dated {
  readonly value: number;
}

/**
 * A line through points.
 *
 * @param points By day, ascending.
 * @returns The shape of all stretches of two points or more, empty without one; and the points without neighbours.
 */
export function drawLine<Point extends LinePoint>(points: readonly Point[], x: Scale, y: Scale) {
  const shape = lineOf<Point>(
    ({ day }) => x(day),
    ({ value }) => y(value),
  ).digits(1);
  return drawStretches(points, shape);
}

/** A band between two values of each point, see `drawLine`. Its edges are at whole units, as dots are. */
export function drawBand<Point extends Dated & { readonly low: number; readonly high: number }>(
  points: readonly Point[],
  x: Scale,
  y: Scale,
) {
  const shape = areaOf<Point>(
    ({ day }) => x(day),
    ({ low }) => y(low),
    ({ high }) => y(high),
  ).digits(0);
  return drawStretches(points, shape);
}

/** Splits points where they are not joined: into stretches of two or more, and points without neighbours. */
function drawStretches<Point extends Dated>(points: readonly Point[], shape: (points: Point[]) => string | null) {
  const stretches: Point[][] = [];
  for (const point of points) {
    const stretch = stretches.at(-1);
    if (stretch === undefined || point.isJoined === false) stretches.push([point]);
    else stretch.push(point);
  }
  const [isolated, long] = [1, 2].map((least) => stretches.filter(({ length }) => Math.min(length, 2) === least));
  return { path: (long ?? []).map((stretch) => shape(stretch) ?? "").join(""), isolated: (isolated ?? []).flat() };
}

/** An invisible strip over a month, with the text that shows while the pointer is on it. */
export interface Strip {
  readonly x: number;
  /** Its text by line, the month first. A script finds a strip without a text by its position. */
  readonly texts: readonly string[] | undefined;
  /** `2026-05`, for a script that takes a period; absent where months have no year. */
  readonly month?: string | undefined;
}

/** The greatest width of a strip: wider ones would show text far from their point. */
const stripWidthMax = 60;

/** @param strips By `x`, ascending. Each is as wide as it is from one to the next. */
export function renderStrips(strips: readonly Strip[], { left, right, top, bottom }: PlotArea): Markup {
  const distances = strips.slice(1).map(({ x }, at) => x - (strips[at] as Strip).x);
  const half = Math.min(stripWidthMax, ...distances) / 2;
  const shapes = strips.map(({ x, texts, month }) => {
    const from = rounded(Math.max(left, x - half));
    const width = rounded(Math.min(right, x + half) - from);
    const title = texts !== undefined && markup`<title>${joinMarkup(texts, "\n")}</title>`;
    const data = month !== undefined && markup` data-month="${month}"`;
    return markup`<path class="strip"${data} d="M${from} ${top}h${width}V${bottom}h-${width}z">${title}</path>`;
  });
  return joinMarkup(shapes);
}
