/** Prices over time: lines of medians, each with a band from the least to the greatest price where it is given. */
import {
  area,
  line,
  type SymbolType,
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
} from "d3-shape";
import { joinMarkup, type Markup, markup } from "../pages/markup.ts";
import {
  axisTop,
  type DayScale,
  dayScale,
  type PlotArea,
  renderTimeAxis,
  renderValueAxis,
  type ValueScale,
  valueAxisWidth,
  valueScale,
} from "./axes.ts";
import {
  type ChartText,
  chartFrame,
  fittedText,
  type LegendEntry,
  narrowWidth,
  renderLegend,
  rounded,
  textWidth,
} from "./chart-frame.ts";
import { lineColours } from "./chart-style.ts";
import { splitAtGaps } from "./gaps.ts";
import { shortNumber } from "./number-text.ts";

export interface LinePoint {
  /** First day of the period, counted from 1970-01-01. */
  readonly day: number;
  /** As people write the period: `2026-05`. */
  readonly period: string;
  readonly value: number;
  /** Ends of the band; both or neither. */
  readonly low?: number;
  readonly high?: number;
  /** How many prices the value is made of. */
  readonly samples?: number;
}

export interface ChartLine {
  readonly label: string;
  /** By day, ascending; values at least 0. */
  readonly points: readonly LinePoint[];
}

/** A single price that stands out, such as a suspicious one. */
export interface ChartMark {
  readonly day: number;
  readonly value: number;
  /** Shown on hover: which price, and why it stands out. */
  readonly reason: string;
}

export interface LineChart extends ChartText {
  /** In the order of the legend, at most as many as `lineColours`. */
  readonly lines: readonly ChartLine[];
  /** What values are in: `KES per kg`. Stands above the value axis. */
  readonly unit: string;
  /** Two points of a line further apart than this many days are not joined, see `daysToNext`. */
  readonly joinDaysMax: number;
  readonly marks?: readonly ChartMark[];
  /** Legend entry of the marks; needed where there are any. */
  readonly markLabel?: string;
  /** Legend entry of the bands; without it they have none. */
  readonly bandLabel?: string;
  /** The time axis goes at least from here to there. */
  readonly dayFirst?: number;
  readonly dayLast?: number;
  /** Whether each period shows its figures on hover. Costs about 150 bytes a period. */
  readonly hasHover?: boolean;
  readonly width?: number;
  /** Of the plot, without legend and axis. */
  readonly plotHeight?: number;
  /** Of numbers and months. */
  readonly language?: string;
}

/** The shape of each line's marks, so that lines differ by more than colour. */
const lineSymbols: readonly SymbolType[] = [
  symbolCircle,
  symbolSquare,
  symbolTriangle,
  symbolDiamond,
  symbolCross,
  symbolStar,
];

const symbolArea = 36;
const axisHeight = 24;

/**
 * Draws lines over time. Gaps are never bridged; a point without neighbours is a mark by itself, its band an upright bar. The value
 * axis begins at 0; values beyond its end (see `axisTop`), ends of bands too, are a triangle at its edge with the value.
 *
 * @throws {RangeError} for more lines than there are colours.
 */
export function renderLineChart(chart: LineChart): Markup {
  const { lines, unit, joinDaysMax, marks = [], width = narrowWidth, plotHeight = 180, language = "en" } = chart;
  if (lines.length > lineColours.length) {
    throw new RangeError(`the chart has ${lines.length} lines, expected at most ${lineColours.length}`);
  }
  const points = lines.flatMap((line) => line.points);
  const legend = renderLegend(legendEntries(chart), 2, width - 4);
  const top = legend.height + 24;
  const bottom = top + plotHeight;
  const height = bottom + axisHeight;
  const values = points.flatMap(({ value, low = value, high = value }) => [value, low, high]);
  const y = valueScale(axisTop([...values, ...marks.map(({ value }) => value)]), { top, bottom });
  const plot: PlotArea = { left: valueAxisWidth(y, language), right: width - 10, top, bottom };
  const days = [...points, ...marks].map(({ day }) => day);
  const dayFirst = Math.min(...days, chart.dayFirst ?? Infinity);
  const dayLast = Math.max(...days, chart.dayLast ?? -Infinity);
  const hasDays = Number.isFinite(dayFirst) && Number.isFinite(dayLast);
  const x = hasDays ? dayScale(dayFirst, dayLast, plot) : () => 0;
  const content = joinMarkup([
    legend.content,
    fittedText(unit, 2, top - 11, width - 4, "quiet"),
    renderValueAxis(y, plot, language),
    hasDays && renderTimeAxis(dayFirst, dayLast, x, plot, language),
    ...lines.map((line, at) => renderBand(line, at, joinDaysMax, x, y)),
    ...lines.map((line, at) => renderLine(line, at, joinDaysMax, x, y)),
    chart.hasHover === true && renderStrips(lines, x, plot, language),
    ...marks.filter(({ value }) => !isBeyond(value, y)).map((mark) => renderMark(mark, x, y)),
    renderBeyond(points, marks, x, y, language),
  ]);
  return chartFrame("lineChart", chart, { width, height }, content);
}

function legendEntries({ lines, marks = [], markLabel, bandLabel }: LineChart): LegendEntry[] {
  const entries = lines.map(
    ({ label }, at): LegendEntry => ({
      label,
      symbolAt: (x, y) =>
        markup`<path class="line stroke-${at}" d="M${rounded(x - 8)} ${y}h16"/>${symbolAt(at, x, y, `fill-${at}`)}`,
    }),
  );
  if (bandLabel !== undefined) {
    const symbolAt = (x: number, y: number): Markup =>
      markup`<path class="band fill-0" d="M${rounded(x - 8)} ${y - 5}h16v10h-16z"/>`;
    entries.push({ label: bandLabel, symbolAt });
  }
  if (marks.length > 0 && markLabel !== undefined) entries.push({ label: markLabel, symbolAt: markAt });
  return entries;
}

function symbolAt(line: number, x: number, y: number, className: string): Markup {
  const shape = symbol(lineSymbols[line], symbolArea).digits(1)();
  return markup`<path class="${className}" transform="translate(${rounded(x)} ${rounded(y)})" d="${shape ?? ""}"/>`;
}

function renderBand({ points }: ChartLine, at: number, joinDaysMax: number, x: DayScale, y: ValueScale): Markup {
  const shape = area<LinePoint>(
    (point) => x(point.day),
    (point) => y(point.low ?? point.value),
    (point) => y(point.high ?? point.value),
  ).digits(1);
  const stretches = splitAtGaps(
    points.filter(({ low, high }) => low !== undefined && high !== undefined),
    joinDaysMax,
  );
  const bands = stretches.filter(({ length }) => length > 1).map((stretch) => shape(stretch) ?? "");
  const stems = stretches
    .filter(({ length }) => length === 1)
    .flat()
    .flatMap(({ day, low = 0, high = 0 }) =>
      low < high ? [`M${rounded(x(day))} ${rounded(y(low))}V${rounded(y(high))}`] : [],
    );
  return joinMarkup([
    bands.length > 0 && markup`<path class="band fill-${at}" d="${bands.join("")}"/>`,
    stems.length > 0 && markup`<path class="stem stroke-${at}" d="${stems.join("")}"/>`,
  ]);
}

function renderLine({ points }: ChartLine, at: number, joinDaysMax: number, x: DayScale, y: ValueScale): Markup {
  const shape = line<LinePoint>(
    (point) => x(point.day),
    (point) => y(point.value),
  ).digits(1);
  const stretches = splitAtGaps(points, joinDaysMax);
  const strokes = stretches.filter(({ length }) => length > 1).map((stretch) => shape(stretch) ?? "");
  const isolated = stretches.filter(({ length }) => length === 1).flat();
  const last = points.at(-1);
  // The last point of a line is marked as well, so that its shape names the line where colours are hard to tell apart.
  const marked = last === undefined || isolated.includes(last) ? isolated : [...isolated, last];
  // A value beyond the axis has a triangle; a symbol at the edge would show it as less.
  const shown = marked.filter(({ value }) => !isBeyond(value, y));
  const symbols = shown.map(({ day, value }) => symbolAt(at, x(day), y(value), `fill-${at}`));
  return joinMarkup([
    strokes.length > 0 && markup`<path class="line stroke-${at}" d="${strokes.join("")}"/>`,
    ...symbols,
  ]);
}

function isBeyond(value: number, y: ValueScale): boolean {
  return value > (y.domain()[1] as number);
}

/** A value that lies beyond the axis: a median, the upper end of a band, or a mark. */
interface BeyondValue {
  readonly day: number;
  readonly value: number;
  /** Of a mark. */
  readonly reason?: string;
}

/**
 * A triangle at the upper edge for each day with values beyond it, in the colour of marks where one is among them. The greatest value
 * of the day stands beside it, with the number of marks where there are several, as far as labels have room; the greatest first.
 */
function renderBeyond(
  points: readonly LinePoint[],
  marks: readonly ChartMark[],
  x: DayScale,
  y: ValueScale,
  language: string,
): Markup {
  const values: BeyondValue[] = [
    ...points.map(({ day, value, high = value }) => ({ day, value: Math.max(value, high) })),
    ...marks,
  ];
  const byDay = Map.groupBy(
    values.filter(({ value }) => isBeyond(value, y)),
    ({ day }) => day,
  );
  const days = [...byDay].map(([day, ofDay]) => {
    const greatest = Math.max(...ofDay.map(({ value }) => value));
    return { day, greatest, reasons: ofDay.flatMap(({ reason }) => reason ?? []) };
  });
  const taken: [from: number, to: number][] = [];
  const drawn = days
    .sort((a, b) => b.greatest - a.greatest)
    .map(({ day, greatest, reasons }) => {
      const at = rounded(x(day));
      const edge = rounded(y(greatest));
      const className = reasons.length > 0 ? "alert" : "";
      const label = `${shortNumber(greatest, language)}${reasons.length > 1 ? ` (${reasons.length})` : ""}`;
      const width = textWidth(label) + 14;
      // At the left where there is room, so that a label at the end of the axis stays within the chart.
      const isAtLeft = at > width + 40;
      const [from, to] = isAtLeft ? [at - width, at + 6] : [at - 6, at + width];
      const isFree = !taken.some(([otherFrom, otherTo]) => from < otherTo && to > otherFrom);
      if (isFree) taken.push([from, to]);
      const text = markup`<text x="${isAtLeft ? at - 7 : at + 7}" y="${edge + 9}" class="${isAtLeft ? "end " : ""}${className}">${label}</text>`;
      const title = reasons.length > 0 && markup`<title>${joinMarkup(reasons, "\n")}</title>`;
      return markup`<g>${title}<path class="${className}" d="M${at} ${edge}l5 8h-10z"/>${isFree && text}</g>`;
    });
  return joinMarkup(drawn);
}

function renderMark({ day, value, reason }: ChartMark, x: DayScale, y: ValueScale): Markup {
  return markup`<g><title>${reason}</title>${markAt(x(day), y(value))}</g>`;
}

/** A ring with a cross. */
function markAt(x: number, y: number): Markup {
  return markup`<path class="alert" d="M${rounded(x)} ${rounded(y)}m-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0m2.5-3.5l7 7m0-7l-7 7"/>`;
}

/** An invisible strip a period, as wide as it is from one to the next, with its figures. */
function renderStrips(
  lines: readonly ChartLine[],
  x: DayScale,
  { left, right, top, bottom }: PlotArea,
  language: string,
): Markup {
  const byDay = new Map<number, { readonly period: string; readonly texts: string[] }>();
  for (const { label, points } of lines) {
    for (const point of points) {
      const strip = byDay.get(point.day) ?? { period: point.period, texts: [] };
      strip.texts.push(`${label}: ${figuresText(point, language)}`);
      byDay.set(point.day, strip);
    }
  }
  const days = [...byDay.keys()].sort((a, b) => a - b);
  const distances = days.slice(1).map((day, at) => x(day) - x(days[at] as number));
  const half = Math.min(20, ...distances) / 2;
  const strips = days.map((day) => {
    const { period, texts } = byDay.get(day) as { period: string; texts: string[] };
    const from = Math.max(left, x(day) - half);
    const to = Math.min(right, x(day) + half);
    return markup`<path class="strip" d="M${rounded(from)} ${top}H${rounded(to)}V${bottom}H${rounded(from)}z"><title>${joinMarkup([period, ...texts], "\n")}</title></path>`;
  });
  return joinMarkup(strips);
}

/** `46.4 (40 – 52), n = 12` */
function figuresText({ value, low, high, samples }: LinePoint, language: string): string {
  const number = (figure: number): string => shortNumber(figure, language);
  const band = low === undefined || high === undefined ? "" : ` (${number(low)} – ${number(high)})`;
  return `${number(value)}${band}${samples === undefined ? "" : `, n = ${samples}`}`;
}
