/**
 * Prices over time: lines of medians, each with a band from the least to the greatest price where it is given; and a
 * small line without axes, for a cell of a table.
 */
import { joinMarkup, type Markup, markup } from "../pages/markup.ts";
import {
  axisTop,
  type DayScale,
  dayScale,
  type PlotArea,
  renderTimeAxis,
  type ValueScale,
  valueScale,
  wholeAxisTop,
} from "./axes.ts";
import {
  type Chart,
  type ChartSize,
  type ChartText,
  chartFrame,
  type LabelRoom,
  type LegendEntry,
  narrowWidth,
  rounded,
  shortNumber,
  takeRoom,
  textAt,
  textWidth,
} from "./chart-frame.ts";
import { linesMax } from "./chart-style.ts";
import { fitEndLabels, type LineEnd, renderEndLabels } from "./end-labels.ts";
import {
  bandEntry,
  dotEntry,
  dotsAt,
  drawBand,
  drawLine,
  hollowEntry,
  lineEntry,
  monthDaysMax,
  type PlotOptions,
  type PointStyle,
  plotHeightUsual,
  renderPlot,
  renderStrips,
  renderStrokes,
  type Strip,
  strokeEntry,
  symbolAt,
} from "./plot.ts";

export interface LinePoint extends PointStyle {
  /** First day of the period, counted from 1970-01-01. */
  readonly day: number;
  /** The period in words: `May 2026`. */
  readonly period: string;
  /** `2026-05`, where the period is a month that can be requested. */
  readonly month?: string | undefined;
  readonly value: number;
  /** Another figure of the period, a small dot behind the line; from `low` to `high`. */
  readonly dot?: number | undefined;
  /** Ends of the band. */
  readonly low: number;
  readonly high: number;
  /** Shown while the pointer is on the point: `46.70 KES per kg, 3 prices`. */
  readonly readout: string;
}

export interface ChartLine {
  readonly label: string;
  /** The number of its colour and symbol, below `linesMax`, whatever else is drawn; its position when absent. */
  readonly colour?: number;
  /** By day, ascending; values at least 0. */
  readonly points: readonly LinePoint[];
}

/** With its colour. */
type ColouredLine = ChartLine & Required<Pick<ChartLine, "colour">>;

/** A single price that the chart marks, such as a suspicious one. */
export interface ChartMark {
  readonly day: number;
  readonly value: number;
  /** Shown on hover: the price, and why it is marked. */
  readonly reason: string;
}

/** The day on which a series ends under one name and continues under another. */
export type ChartBreak = Omit<ChartMark, "value">;

export interface LineChart extends PlotOptions {
  /** At most `linesMax`, in the order of the legend, which names those without points, and all where a label is cut. */
  readonly lines: readonly ChartLine[];
  readonly marks?: readonly ChartMark[];
  /** Legend entry of the marks; needed where there are any. */
  readonly markLabel?: string;
  /** Legend entry of the bands; without it they have none. */
  readonly bandLabel?: string;
  /** Legend entry of the dots; needed where there are any. */
  readonly dotLabel?: string | undefined;
  /** Legend entry of hollow points; needed where there are any. */
  readonly hollowLabel?: string | undefined;
  /** The time axis goes at least from here to there. */
  readonly dayFirst?: number;
  readonly dayLast?: number;
  readonly breaks?: readonly ChartBreak[];
  /** Legend entry of the breaks; needed where there are any. */
  readonly breakLabel?: string;
  /**
   * True if each period has a strip, and whether that has its readout, about 150 bytes a period: of two widths of a
   * chart one needs them.
   */
  readonly strips?: "texts" | "positions" | undefined;
}

/**
 * Draws lines over time, each with its label at its end. Months without a point are never bridged; a point without
 * neighbours is a mark by itself, its band an upright bar. The value axis begins at 0; values beyond its end (see
 * `axisTop`), ends of bands too, are a triangle at its edge with the value.
 *
 * @throws {RangeError} for more lines than there are colours.
 */
export function renderLineChart(chart: LineChart): Chart {
  const { marks = [], breaks = [], strips, width = narrowWidth } = chart;
  const lines = chart.lines.map((line, at) => ({ colour: at, ...line }));
  if (lines.length > linesMax)
    throw new RangeError(`the chart has ${lines.length} lines, expected at most ${linesMax}`);
  const points = lines.flatMap((line) => line.points);
  const values = points.flatMap(({ value, low, high }) => [value, low, high]);
  const days = [...points, ...marks].map(({ day }) => day);
  const dayFirst = Math.min(...days, chart.dayFirst ?? Infinity);
  const dayLast = Math.max(...days, chart.dayLast ?? -Infinity);
  const hasDays = Number.isFinite(dayFirst) && Number.isFinite(dayLast);
  const drawn = lines.filter((line) => line.points.length > 0);
  const labels = fitEndLabels(
    drawn.map(({ label }) => label),
    width,
    chart.plotHeight ?? plotHeightUsual,
  );
  return renderPlot(chart, {
    kind: "lineChart",
    legend: legendEntries(chart, lines, labels.areCut ? lines : lines.filter((line) => !drawn.includes(line))),
    top: axisTop([...values, ...marks.map(({ value }) => value)]),
    marginRight: labels.width,
    draw(plot, y, language) {
      const x = hasDays ? dayScale(dayFirst, dayLast, plot) : () => 0;
      return [
        hasDays && renderTimeAxis([dayFirst, dayLast], x, plot, language),
        ...breaks.map((found) => renderBreak(found, x, plot)),
        ...lines.map((line) => renderBand(line, x, y)),
        ...lines.map((line) => renderDots(line, x, y)),
        ...lines.map((line) => renderLine(line, lines.length > 1, x, y)),
        renderEndLabels(endsOf(drawn, x, y), labels, plot),
        strips !== undefined && renderStrips(stripsOf(lines, x, strips === "texts"), plot),
        ...marks.filter(({ value }) => !isBeyond(value, y)).map((mark) => renderMark(mark, x, y)),
        renderBeyond(points, marks, x, y, language),
      ];
    },
  });
}

/** @param named The lines that have entries. */
function legendEntries(
  chart: LineChart,
  lines: readonly ColouredLine[],
  named: readonly ColouredLine[],
): LegendEntry[] {
  const { marks = [], markLabel, bandLabel, dotLabel, hollowLabel, breaks = [], breakLabel } = chart;
  const entries = named.map(({ label, colour }) => lineEntry(label, colour));
  const points = lines.flatMap((line) => line.points);
  if (hollowLabel !== undefined && points.some(({ isHollow }) => isHollow)) entries.push(hollowEntry(hollowLabel));
  if (dotLabel !== undefined && points.some(({ dot }) => dot !== undefined)) entries.push(dotEntry(dotLabel));
  if (bandLabel !== undefined) entries.push(bandEntry(bandLabel, `band fill-${lines[0]?.colour ?? 0}`));
  if (breaks.length > 0 && breakLabel !== undefined) entries.push(strokeEntry(breakLabel, "break"));
  if (marks.length > 0 && markLabel !== undefined) entries.push({ label: markLabel, symbolAt: markAt });
  return entries;
}

function renderBand({ points, colour }: ColouredLine, x: DayScale, y: ValueScale): Markup {
  const { path, isolated } = drawBand(points, monthDaysMax, x, y);
  const stems = isolated.flatMap(({ day, low, high }) =>
    low < high ? [`M${rounded(x(day))} ${rounded(y(low))}V${rounded(y(high))}`] : [],
  );
  return joinMarkup([
    path !== "" && markup`<path class="band fill-${colour}" d="${path}"/>`,
    stems.length > 0 && markup`<path class="stem stroke-${colour}" d="${stems.join("")}"/>`,
  ]);
}

function renderDots({ points, colour }: ColouredLine, x: DayScale, y: ValueScale): Markup | undefined {
  const dots = points.flatMap(({ day, dot }) =>
    dot === undefined || isBeyond(dot, y) ? [] : [{ x: x(day), y: y(dot) }],
  );
  return dots.length === 0 ? undefined : dotsAt(dots, `stroke-${colour}`);
}

/** @param hasOthers True if the chart has other lines: symbols then distinguish them without colour. */
function renderLine({ points, colour }: ColouredLine, hasOthers: boolean, x: DayScale, y: ValueScale): Markup {
  const drawn = drawLine(points, monthDaysMax, x, y);
  const along = hasOthers ? pointsAlong(points, colour, x) : [];
  // A value beyond the axis has a triangle; a symbol at the edge would show it as less.
  const shown = [...new Set([...along, ...drawn.marked])].filter(({ value }) => !isBeyond(value, y));
  const symbols = shown.map(({ day, value, isHollow }) => symbolAt(colour, x(day), y(value), isHollow));
  return markup`${renderStrokes(drawn, colour)}${symbols}`;
}

/** About as far are the symbols along a line from each other. */
const symbolDistance = 70;

/** Points at about equal distances; those of two lines lie at different places where both have all days. */
function pointsAlong(points: readonly LinePoint[], colour: number, x: DayScale): LinePoint[] {
  const stepOf = ({ day }: LinePoint): number => Math.floor(x(day) / symbolDistance + colour / linesMax);
  return points.filter((point, at) => at > 0 && stepOf(point) !== stepOf(points[at - 1] as LinePoint));
}

function endsOf(lines: readonly ColouredLine[], x: DayScale, y: ValueScale): LineEnd[] {
  return lines.flatMap(({ label, colour, points }) => {
    const last = points.at(-1);
    return last === undefined ? [] : [{ label, colour, x: x(last.day), y: y(last.value) }];
  });
}

function isBeyond(value: number, y: ValueScale): boolean {
  return value > (y.domain()[1] as number);
}

/**
 * A triangle at the upper edge for each day with values beyond it, in the colour of marks where one is among them. The
 * greatest value of the day stands beside it, with the number of marks where there are several, as far as labels have
 * room; the greatest first.
 */
function renderBeyond(
  points: readonly LinePoint[],
  marks: readonly ChartMark[],
  x: DayScale,
  y: ValueScale,
  language: string,
): Markup {
  const ofPoints = points.map(({ day, value, high }) => ({ day, value: Math.max(value, high), reason: [] }));
  const byDay = Map.groupBy(
    [...ofPoints, ...marks].filter(({ value }) => isBeyond(value, y)),
    ({ day }) => day,
  );
  const days = [...byDay].map(([day, ofDay]) => {
    const greatest = Math.max(...ofDay.map(({ value }) => value));
    return { day, greatest, reasons: ofDay.flatMap(({ reason }) => reason) };
  });
  const taken: LabelRoom[] = [];
  const drawn = days
    .sort((a, b) => b.greatest - a.greatest)
    .map(({ day, greatest, reasons }) => {
      const at = rounded(x(day));
      const edge = rounded(y(greatest));
      const className = reasons.length > 0 ? "alert" : "";
      const label = `${shortNumber(greatest, language)}${reasons.length > 1 ? ` (${reasons.length})` : ""}`;
      const width = textWidth(label) + 14;
      // The label is at the left if it fits, so that one at the end of the axis stays within the chart.
      const isAtLeft = at > width + 40;
      const isFree = takeRoom(taken, isAtLeft ? [at - width, at + 6] : [at - 6, at + width]);
      const text = textAt(label, isAtLeft ? at - 7 : at + 7, edge + 9, `${isAtLeft ? "end " : ""}${className}`);
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
  const shape = "m-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0m2.5-3.5l7 7m0-7l-7 7";
  return markup`<path class="alert" d="M${rounded(x)} ${rounded(y)}${shape}"/>`;
}

/** A strip for each period that a line has, with what its points say. */
function stripsOf(lines: readonly ChartLine[], x: DayScale, hasTexts: boolean): Strip[] {
  const byDay = Map.groupBy(
    lines.flatMap(({ label, points }) => points.map((point) => ({ label, ...point }))),
    ({ day }) => day,
  );
  return [...byDay]
    .sort(([a], [b]) => a - b)
    .map(([day, points]) => {
      const { period, month, readout } = points[0] as LinePoint;
      const ofLines = points.map(({ label, readout }) => `${label}: ${readout}`);
      const texts = lines.length === 1 ? [`${period}: ${readout}`] : [period, ...ofLines];
      return { x: x(day), texts: hasTexts ? texts : undefined, month };
    });
}

/** A vertical line where a series continues under another name. */
function renderBreak({ day, reason }: ChartBreak, x: DayScale, { top, bottom }: PlotArea): Markup {
  const line = markup`<path class="break" d="M${rounded(x(day))} ${top}V${bottom}"/>`;
  return markup`<g><title>${reason}</title>${line}</g>`;
}

export interface Sparkline extends ChartText {
  /** By day, ascending; values at least 0. */
  readonly points: readonly (PointStyle & { readonly day: number; readonly value: number })[];
  /** Ends of the time axis, which the lines of a table share. */
  readonly dayFirst: number;
  readonly dayLast: number;
}

const sparklineSize: ChartSize = { width: 100, height: 26 };

/** Draws a line from 0 upwards, with a dot at its last point and at each point without neighbours. */
export function renderSparkline(chart: Sparkline): Chart {
  const { points, dayFirst, dayLast } = chart;
  const area = { left: 3, right: sparklineSize.width - 4, top: 4, bottom: sparklineSize.height - 3 };
  const x = dayScale(dayFirst, dayLast, area);
  const y = valueScale(wholeAxisTop(points.map(({ value }) => value)), area);
  const drawn = drawLine(points, monthDaysMax, x, y);
  const dots = drawn.marked.map(({ day, value, isHollow }) => {
    const className = isHollow ? "hollow stroke-0" : "fill-0";
    return markup`<circle class="${className}" cx="${rounded(x(day))}" cy="${rounded(y(value))}" r="2"/>`;
  });
  return chartFrame("sparkline", chart, sparklineSize, markup`${renderStrokes(drawn, 0)}${dots}`);
}
