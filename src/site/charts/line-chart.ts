/**
 * Prices or changes over time. A line of a chart, which the legend names, is one line; or a thin line for each of a few
 * markets; or of many markets a bar a month over the middle half of the prices, a dot for each market, and the medians.
 */
import { joinMarkup, type Markup, markup } from "../pages/markup.ts";
import {
  type Chart,
  type LabelRoom,
  type LegendEntry,
  rounded,
  shortNumber,
  takeRoom,
  textAt,
  textWidth,
} from "./chart-frame.ts";
import { linesMax } from "./chart-style.ts";
import {
  axisTop,
  bandEntry,
  barEntry,
  type Dated,
  type DayScale,
  dayScale,
  dotEntry,
  dotsAt,
  drawBand,
  drawLine,
  type LinePoint,
  lineEntry,
  type PlotArea,
  type PlotOptions,
  renderPlot,
  renderStrips,
  renderTimeAxis,
  type Strip,
  strokeEntry,
  symbolAt,
  type ValueScale,
} from "./plot.ts";

/** A range of values on a day. */
export interface RangePoint extends Dated {
  readonly low: number;
  readonly high: number;
}

/** What a chart shows in one colour. Points are by day, ascending; values of prices at least 0. */
export interface ChartLine {
  readonly label: string;
  /** The number of its colour and symbol, below `linesMax`; its position when absent. */
  readonly colour?: number;
  readonly points: readonly LinePoint[];
  /** A line for each market, in place of one of `points`. */
  readonly markets?: readonly { readonly name: string; readonly points: readonly LinePoint[] }[];
  /** The middle half of each month. */
  readonly bars?: readonly RangePoint[];
  /** The values that the bars are of; they share one path. */
  readonly dots?: readonly { readonly day: number; readonly value: number }[];
}

/** A single price that the chart marks, such as a suspicious one. */
export interface ChartMark {
  readonly day: number;
  readonly value: number;
  /** Shown on hover: the price, and why it is marked. */
  readonly reason: string;
}

/** The day on which a series ends under one name and continues under another. */
export type ChartBreak = Omit<ChartMark, "value">;

/** What a reader is told of a day: see `Strip`. */
export interface Readout extends Pick<Strip, "month"> {
  readonly day: number;
  readonly texts: readonly string[];
}

export interface LineChart extends PlotOptions {
  /** At most `linesMax`, in the order of the legend. */
  readonly lines: readonly ChartLine[];
  /** Legend entries of bars and of their dots; needed where there are any. */
  readonly formLabels?: { readonly bars: string; readonly dots: string } | undefined;
  /** A range behind all lines, with its legend entry. */
  readonly band?: { readonly label: string; readonly points: readonly RangePoint[] } | undefined;
  readonly marks?: readonly ChartMark[];
  /** Legend entry of the marks; needed where there are any. */
  readonly markLabel?: string;
  /** The time axis goes at least from here to there. */
  readonly dayFirst?: number;
  readonly dayLast?: number;
  readonly breaks?: readonly ChartBreak[];
  /** Legend entry of the breaks; needed where there are any. */
  readonly breakLabel?: string;
  /** By day, ascending. */
  readonly readouts?: readonly Readout[];
  /** False where strips have no texts, about 150 bytes a period: of two widths of a chart one needs them. */
  readonly hasTexts?: boolean;
  /** True where values are changes: the axis reaches below 0, and has a line there. */
  readonly hasNegative?: boolean;
}

/**
 * Draws series over time. A point that nothing joins is a dot. The value axis begins at 0; values beyond its end (see
 * `axisTop`) are a triangle at its edge with the greatest of them.
 *
 * @throws {RangeError} for more lines than there are colours.
 */
export function renderLineChart(chart: LineChart): Chart {
  const { band, marks = [], breaks = [], readouts = [], hasTexts = true, hasNegative = false } = chart;
  const lines = chart.lines.map((line, at) => ({ colour: at, ...line }));
  if (lines.length > linesMax)
    throw new RangeError(`the chart has ${lines.length} lines, expected at most ${linesMax}`);
  const points = lines.flatMap(({ points, markets, dots = [] }) => [
    ...(markets === undefined ? points : markets.flatMap((market) => market.points)),
    ...dots,
  ]);
  const values = points.map(({ value }) => value);
  const days = [...points, ...marks].map(({ day }) => day);
  const dayFirst = Math.min(...days, chart.dayFirst ?? Infinity);
  const dayLast = Math.max(...days, chart.dayLast ?? -Infinity);
  const hasDays = Number.isFinite(dayFirst) && Number.isFinite(dayLast);
  const ofBand = band?.points.flatMap(({ low, high }) => [low, high]) ?? [];
  return renderPlot(chart, {
    kind: "lineChart",
    legend: legendEntries(chart, lines),
    bottom: hasNegative ? Math.min(0, ...values) : 0,
    top: axisTop([...values.map(Math.abs), ...ofBand, ...marks.map(({ value }) => value)]),
    marginRight: 14,
    draw(plot, y, language) {
      const x = hasDays ? dayScale(dayFirst, dayLast, plot) : () => 0;
      const zero = rounded(y(0));
      return [
        hasDays && renderTimeAxis([dayFirst, dayLast], x, plot, language),
        hasNegative && markup`<path class="axis" d="M${rounded(plot.left)} ${zero}H${rounded(plot.right)}"/>`,
        ...breaks.map((found) => renderBreak(found, x, plot)),
        band !== undefined && renderBand(band.points, x, y),
        ...lines.map((line) => renderLine(line, lines.length > 1, x, y)),
        readouts.length > 0 && renderStrips(stripsOf(readouts, x, hasTexts), plot),
        ...marks.filter(({ value }) => !isBeyond(value, y)).map((mark) => renderMark(mark, x, y)),
        renderBeyond(points, marks, x, y, language),
      ];
    },
  });
}

/** With its colour. */
type ColouredLine = ChartLine & Required<Pick<ChartLine, "colour">>;

function legendEntries(chart: LineChart, lines: readonly ColouredLine[]): LegendEntry[] {
  const { formLabels, band, marks = [], markLabel, breaks = [], breakLabel } = chart;
  const entries = lines.map(({ label, colour, markets }) =>
    markets === undefined ? lineEntry(label, colour) : strokeEntry(label, `line thin stroke-${colour}`),
  );
  const withBars = lines.find(({ bars = [] }) => bars.length > 0);
  if (withBars !== undefined && formLabels !== undefined) {
    entries.push(barEntry(formLabels.bars, `stroke-${withBars.colour}`));
    entries.push(dotEntry(formLabels.dots, `cloud stroke-${withBars.colour}`));
  }
  if (band !== undefined) entries.push(bandEntry(band.label, "usual"));
  if (breaks.length > 0 && breakLabel !== undefined) entries.push(strokeEntry(breakLabel, "break"));
  if (marks.length > 0 && markLabel !== undefined) entries.push({ label: markLabel, symbolAt: markAt });
  return entries;
}

function renderBand(points: readonly RangePoint[], x: DayScale, y: ValueScale): Markup {
  const { path, isolated } = drawBand(points, x, y);
  const stems = isolated.map(({ day, low, high }) => `M${rounded(x(day))} ${rounded(y(low))}V${rounded(y(high))}`);
  return joinMarkup([
    path !== "" && markup`<path class="usual" d="${path}"/>`,
    stems.length > 0 && markup`<path class="usualStem" d="${stems.join("")}"/>`,
  ]);
}

/** @param hasOthers True if the chart has other lines: symbols then distinguish them without colour. */
function renderLine(line: ColouredLine, hasOthers: boolean, x: DayScale, y: ValueScale): Markup {
  const { colour, points, markets, bars = [], dots = [] } = line;
  const place = ({ day, value }: LinePoint) => ({ x: x(day), y: y(value) });
  // A value beyond the axis has a triangle; a dot at the edge would show it as less.
  const dotsOf = (some: readonly LinePoint[], className: string): Markup | undefined => {
    const inside = some.filter(({ value }) => !isBeyond(value, y)).map(place);
    return inside.length === 0 ? undefined : dotsAt(inside, `${className} stroke-${colour}`);
  };
  if (markets !== undefined) {
    const drawn = markets.map(({ name, points }) => ({ name, ...drawLine(points, x, y) }));
    const lines = drawn.map(
      ({ name, path }) =>
        path !== "" && markup`<g><title>${name}</title><path class="line thin stroke-${colour}" d="${path}"/></g>`,
    );
    return markup`${lines}${dotsOf(
      drawn.flatMap(({ isolated }) => isolated),
      "",
    )}`;
  }
  const columns = bars.map(({ day, low, high }) => `M${rounded(x(day))} ${rounded(y(low))}V${rounded(y(high))}`);
  const { path, isolated } = drawLine(points, x, y);
  const symbols = hasOthers
    ? [...new Set([...pointsAlong(points, colour, x), ...isolated, ...points.slice(-1)])]
        .filter(({ value }) => !isBeyond(value, y))
        .map(({ day, value }) => symbolAt(colour, x(day), y(value)))
    : dotsOf(bars.length > 0 ? points : isolated, "medians");
  return joinMarkup([
    columns.length > 0 && markup`<path class="bars stroke-${colour}" d="${columns.join("")}"/>`,
    dotsOf(dots, "cloud"),
    path !== "" && markup`<path class="line stroke-${colour}" d="${path}"/>`,
    symbols,
  ]);
}

/** About as far are the symbols along a line from each other. */
const symbolDistance = 70;

/** Points at about equal distances; those of two lines lie at different places where both have all days. */
function pointsAlong(points: readonly LinePoint[], colour: number, x: DayScale): LinePoint[] {
  const stepOf = ({ day }: LinePoint): number => Math.floor(x(day) / symbolDistance + colour / linesMax);
  return points.filter((point, at) => at > 0 && stepOf(point) !== stepOf(points[at - 1] as LinePoint));
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
  const ofPoints = points.map(({ day, value }) => ({ day, value, reason: [] }));
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

function stripsOf(readouts: readonly Readout[], x: DayScale, hasTexts: boolean): Strip[] {
  return readouts.map(({ day, month, texts }) => ({ x: x(day), month, texts: hasTexts ? texts : undefined }));
}

/** A vertical line where a series continues under another name. */
function renderBreak({ day, reason }: ChartBreak, x: DayScale, { top, bottom }: PlotArea): Markup {
  const line = markup`<path class="break" d="M${rounded(x(day))} ${top}V${bottom}"/>`;
  return markup`<g><title>${reason}</title>${line}</g>`;
}
