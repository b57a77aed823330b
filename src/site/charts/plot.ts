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
import type { Language } from "../pages/words.ts";
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

/** The strokes of a line, dashed where its points are hollow. */
export function renderStrokes({ path, dashedPath }: DrawnLine<unknown>, line: number): Markup {
  return joinMarkup([
    path !== "" && markup`<path class="line stroke-${line}" d="${path}"/>`,
    dashedPath !== "" && markup`<path class="line dashed stroke-${line}" d="${dashedPath}"/>`,
  ]);
}

/** Legend entry of hollow points: a dashed stroke and a ring. */
export function hollowEntry(label: string): LegendEntry {
  return {
    label,
    symbolAt: (x, y) => markup`<path class="line plain" d="M${rounded(x - 8)} ${y}h4M${rounded(x + 4)} ${y}h4"/>
<circle class="hollow plain" cx="${rounded(x)}" cy="${y}" r="3"/>`,
  };
}

/** Legend entry of dots. */
export function dotEntry(label: string): LegendEntry {
  return {
    label,
    symbolAt: (x, y) =>
      dotsAt(
        [
          { x: x - 5, y: y + 2 },
          { x, y: y - 2 },
          { x: x + 5, y },
        ],
        "plain",
      ),
  };
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

/** @param line As many as `linesMax`. */
export function symbolAt(line: number, x: number, y: number, isHollow = false): Markup {
  const shape = symbol(lineSymbols[line], symbolArea).digits(1)();
  const className = isHollow ? `hollow stroke-${line}` : `fill-${line}`;
  return markup`<path class="${className}" transform="translate(${rounded(x)} ${rounded(y)})" d="${shape ?? ""}"/>`;
}

/** A legend entry with a stroke and the symbol of a line. */
export function lineEntry(label: string, line: number): LegendEntry {
  const stroke = strokeEntry(label, `line stroke-${line}`);
  return { label, symbolAt: (x, y) => markup`${stroke.symbolAt(x, y)}${symbolAt(line, x, y)}` };
}

/** Something on a day, counted from 1970-01-01. */
interface Dated {
  readonly day: number;
}

/** The greatest number of days from one month to the next. */
export const monthDaysMax = 31;

/** The style of a point of a line. */
export interface PointStyle {
  /** True if few markets have the figure: it is dashed in a line, and hollow by itself. */
  readonly isHollow?: boolean;
  /** Neighbours of different stretches are not joined. */
  readonly stretch?: number;
}

type Scale = (value: number) => number;

interface LineDated extends Dated, PointStyle {
  readonly value: number;
}

/** The drawing of a line. */
export interface DrawnLine<Point> {
  /** The shapes of all stretches of two points or more; empty without one. */
  readonly path: string;
  /** The shapes of the dashed parts: from each hollow point halfway to its neighbours. */
  readonly dashedPath: string;
  /** The points without neighbours, and the last one, so that its shape names the line. */
  readonly marked: readonly Point[];
}

/**
 * A line through points.
 *
 * @param points By day, ascending.
 * @param joinDaysMax Two neighbours further apart than this are not joined.
 */
export function drawLine<Point extends LineDated>(
  points: readonly Point[],
  joinDaysMax: number,
  x: Scale,
  y: Scale,
): DrawnLine<Point> {
  const shape = lineOf<Dated & { readonly value: number }>(
    ({ day }) => x(day),
    ({ value }) => y(value),
  ).digits(1);
  const { long, isolated } = splitStretches(points, joinDaysMax);
  const parts = long.flatMap(splitHollow);
  const draw = (isHollow: boolean): string =>
    parts.map((part) => (part.isHollow === isHollow ? (shape(part.points) ?? "") : "")).join("");
  const last = points.at(-1);
  const marked = last === undefined || isolated.includes(last) ? isolated : [...isolated, last];
  return { path: draw(false), dashedPath: draw(true), marked };
}

/** The parts of a stretch that are hollow and those that are not; they meet halfway between two points. */
function splitHollow(stretch: readonly LineDated[]): { isHollow: boolean; points: (Dated & { value: number })[] }[] {
  const parts: ReturnType<typeof splitHollow> = [];
  for (const [at, { day, value, isHollow = false }] of stretch.entries()) {
    const part = parts.at(-1);
    if (part?.isHollow === isHollow) {
      part.points.push({ day, value });
      continue;
    }
    const before = stretch[at - 1];
    const points = [{ day, value }];
    if (before !== undefined) {
      const halfway = { day: (before.day + day) / 2, value: before.value / 2 + value / 2 };
      part?.points.push(halfway);
      points.unshift(halfway);
    }
    parts.push({ isHollow, points });
  }
  return parts;
}

/**
 * A band between two values of each point, see `drawLine`. Its edges are at whole units, as dots are.
 *
 * @returns The shapes of all stretches of two points or more, empty without one; and the points without neighbours.
 */
export function drawBand<Point extends Dated & PointStyle & { readonly low: number; readonly high: number }>(
  points: readonly Point[],
  joinDaysMax: number,
  x: Scale,
  y: Scale,
) {
  const shape = areaOf<Point>(
    ({ day }) => x(day),
    ({ low }) => y(low),
    ({ high }) => y(high),
  ).digits(0);
  const { long, isolated } = splitStretches(points, joinDaysMax);
  return { path: long.map((stretch) => shape(stretch) ?? "").join(""), isolated };
}

/** Splits points where they are not joined: into stretches of two or more, and points without neighbours. */
function splitStretches<Point extends Dated & PointStyle>(
  points: readonly Point[],
  joinDaysMax: number,
): { readonly long: Point[][]; readonly isolated: Point[] } {
  const stretches: Point[][] = [];
  let before: Point | undefined;
  for (const point of points) {
    const isJoined = before !== undefined && point.day - before.day <= joinDaysMax && point.stretch === before.stretch;
    if (isJoined) stretches.at(-1)?.push(point);
    else stretches.push([point]);
    before = point;
  }
  return {
    long: stretches.filter(({ length }) => length > 1),
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
