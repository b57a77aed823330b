/**
 * A chart with values upwards: its frame with legend and axis, its lines and bands, the symbols of its lines, and the
 * strips under the pointer. A line ends where its caller does not join two points.
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
import type { Language } from "../../contract/words.ts";
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
