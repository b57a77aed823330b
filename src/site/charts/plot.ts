/**
 * A chart with values upwards: its frame with legend and axis, its lines and bands, the symbols of its lines, and the
 * strips under the pointer. A line ends where months have no price: a line across them would show prices that were not
 * recorded.
 */
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
import { joinMarkup, type Markup, type MarkupValue, markup } from "../pages/markup.ts";
import { type PlotArea, renderValueAxis, type ValueScale, valueAxisWidth, valueScale } from "./axes.ts";
import {
  type Chart,
  type ChartText,
  chartFrame,
  fittedText,
  type LegendEntry,
  narrowWidth,
  renderLegend,
  rounded,
} from "./chart-frame.ts";

export interface PlotOptions extends ChartText {
  /** The unit of values, `KES per kg`; stands above the value axis. */
  readonly unit: string;
  readonly width?: number;
  /** Without legend and axis. */
  readonly plotHeight?: number;
  /** The language of numbers and months. */
  readonly language?: string;
}

/** The content of a plot. */
export interface PlotContent {
  /** Class of the chart beside `chart`. */
  readonly kind: string;
  readonly legend: readonly LegendEntry[];
  /** The value at which the axis ends. */
  readonly top: number;
  /** Room at the right, for labels that reach beyond the data. */
  readonly marginRight: number;
  readonly draw: (area: PlotArea, y: ValueScale, language: string) => readonly MarkupValue[];
}

const axisHeight = 24;

export function renderPlot(options: PlotOptions, { kind, legend, top, marginRight, draw }: PlotContent): Chart {
  const { unit, width = narrowWidth, plotHeight = 180, language = "en" } = options;
  const drawnLegend = renderLegend(legend, 2, width - 4);
  const topY = drawnLegend.height + 24;
  const bottom = topY + plotHeight;
  const y = valueScale(top, { top: topY, bottom });
  const area = { left: valueAxisWidth(y, language), right: width - marginRight, top: topY, bottom };
  const content = joinMarkup([
    drawnLegend.content,
    fittedText(unit, 2, topY - 11, width - 4, "quiet"),
    renderValueAxis(y, area, language),
    ...draw(area, y, language),
  ]);
  return chartFrame(kind, options, { width, height: bottom + axisHeight }, content);
}

/** A legend entry with a stroke. */
export function strokeEntry(label: string, className: string): LegendEntry {
  return { label, symbolAt: (x, y) => markup`<path class="${className}" d="M${rounded(x - 8)} ${y}h16"/>` };
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

/** @param line As many as `linesMax`. */
export function symbolAt(line: number, x: number, y: number): Markup {
  const shape = symbol(lineSymbols[line], symbolArea).digits(1)();
  return markup`<path class="fill-${line}" transform="translate(${rounded(x)} ${rounded(y)})" d="${shape ?? ""}"/>`;
}

/** A legend entry with a stroke and the symbol of a line. */
export function lineEntry(label: string, line: number, className = "line"): LegendEntry {
  const stroke = strokeEntry(label, `${className} stroke-${line}`);
  return { label, symbolAt: (x, y) => markup`${stroke.symbolAt(x, y)}${symbolAt(line, x, y)}` };
}

/** Something on a day, counted from 1970-01-01. */
interface Dated {
  readonly day: number;
}

/** The greatest number of days from one month to the next. */
export const monthDaysMax = 31;

/** The drawing of a list of points. */
interface Drawn<Point> {
  /** The shapes of all stretches of two points or more; empty without one. */
  readonly path: string;
  /** Points without neighbours. */
  readonly isolated: readonly Point[];
}

type Scale = (value: number) => number;

/**
 * A line through points, and the points that have a mark: those without neighbours, and the last one, so that its shape
 * names the line where colours are hard to tell apart.
 *
 * @param points By day, ascending.
 * @param joinDaysMax Two neighbours further apart than this are not joined.
 */
export function drawLine<Point extends Dated & { readonly value: number }>(
  points: readonly Point[],
  joinDaysMax: number,
  x: Scale,
  y: Scale,
): { readonly path: string; readonly marked: readonly Point[] } {
  const shape = lineOf<Point>(
    ({ day }) => x(day),
    ({ value }) => y(value),
  ).digits(1);
  const { path, isolated } = drawStretches(points, joinDaysMax, shape);
  const last = points.at(-1);
  return { path, marked: last === undefined || isolated.includes(last) ? isolated : [...isolated, last] };
}

/** A band between two values of each point, see `drawLine`. */
export function drawBand<Point extends Dated & { readonly low: number; readonly high: number }>(
  points: readonly Point[],
  joinDaysMax: number,
  x: Scale,
  y: Scale,
): Drawn<Point> {
  const shape = areaOf<Point>(
    ({ day }) => x(day),
    ({ low }) => y(low),
    ({ high }) => y(high),
  ).digits(1);
  return drawStretches(points, joinDaysMax, shape);
}

/** Draws points without bridging gaps. @param shape The path of points that are joined. */
function drawStretches<Point extends Dated>(
  points: readonly Point[],
  joinDaysMax: number,
  shape: (stretch: Point[]) => string | null,
): Drawn<Point> {
  const stretches: Point[][] = [];
  for (const point of points) {
    const stretch = stretches.at(-1);
    if (stretch !== undefined && point.day - (stretch.at(-1) as Point).day <= joinDaysMax) stretch.push(point);
    else stretches.push([point]);
  }
  const long = stretches.filter(({ length }) => length > 1);
  return {
    path: long.map((stretch) => shape(stretch) ?? "").join(""),
    isolated: stretches.filter(({ length }) => length === 1).flat(),
  };
}

/** An invisible strip over a month, with the text that shows while the pointer is on it. */
export interface Strip {
  readonly x: number;
  /** Its text by line, the month first. A script finds a strip without a text by its position. */
  readonly texts: readonly string[] | undefined;
  /** `2026-05`, for a script that takes a period; absent where months have no year. */
  readonly month?: string | undefined;
}

/** Wider strips would say something far from a point. */
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
