/** The course of a year: years as lines over twelve months, and what is usual. */
import { area, line } from "d3-shape";
import { joinMarkup, type Markup, markup } from "../pages/markup.ts";
import {
  monthName,
  type PlotArea,
  renderValueAxis,
  type ValueScale,
  valueAxisWidth,
  valueScale,
  wholeAxisTop,
} from "./axes.ts";
import {
  type ChartText,
  chartFrame,
  fittedText,
  type LegendEntry,
  narrowWidth,
  renderLegend,
  rounded,
} from "./chart-frame.ts";

/** A figure for each month, January first; null where there is none. */
export type MonthlyValues = readonly (number | null)[];

export interface SeasonYear {
  readonly year: number;
  readonly values: MonthlyValues;
}

export interface SeasonalChart extends ChartText {
  /** Ascending; the last one is drawn bold. */
  readonly years: readonly SeasonYear[];
  /** What is usual of each month, and between which figures; null in the same months. */
  readonly average?: { readonly label: string; readonly values: MonthlyValues };
  readonly band?: { readonly label: string; readonly lows: MonthlyValues; readonly highs: MonthlyValues };
  /** What the earlier years together are called in the legend. */
  readonly earlierLabel: string;
  /** As in a line chart. */
  readonly unit: string;
  readonly width?: number;
  readonly plotHeight?: number;
  readonly language?: string;
}

interface MonthPoint {
  readonly month: number;
  readonly value: number;
  readonly low: number;
}

const axisHeight = 24;

/** Draws years as lines. Months without a figure are never bridged; a month without neighbours is a dot. */
export function renderSeasonalChart(chart: SeasonalChart): Markup {
  const { years, average, band, unit, width = narrowWidth, plotHeight = 180, language = "en" } = chart;
  const legend = renderLegend(legendEntries(chart), 2, width - 4);
  const top = legend.height + 24;
  const bottom = top + plotHeight;
  const all = [...years.map(({ values }) => values), average?.values ?? [], band?.highs ?? []].flat();
  const y = valueScale(wholeAxisTop(all.filter((value) => value !== null)), { top, bottom });
  const plot: PlotArea = { left: valueAxisWidth(y, language), right: width - 14, top, bottom };
  const x = (month: number): number => plot.left + 8 + ((plot.right - plot.left - 8) * month) / 11;
  const current = years.at(-1);
  const earlier = years.slice(0, -1);
  const content = joinMarkup([
    legend.content,
    fittedText(unit, 2, top - 11, width - 4, "quiet"),
    renderValueAxis(y, plot, language),
    renderMonths(x, plot, width, language),
    band !== undefined && renderBand(band.lows, band.highs, x, y),
    ...earlier.map(({ year, values }) => renderYear(year, values, "line faint stroke-0", "fill-0", 2, x, y)),
    average !== undefined && renderYear(undefined, average.values, "average", "", 2, x, y),
    current !== undefined && renderYear(current.year, current.values, "line bold stroke-1", "fill-1", 4, x, y),
  ]);
  return chartFrame("seasonalChart", chart, { width, height: bottom + axisHeight }, content);
}

function legendEntries({ years, average, band, earlierLabel }: SeasonalChart): LegendEntry[] {
  const stroke =
    (className: string) =>
    (x: number, y: number): Markup =>
      markup`<path class="${className}" d="M${rounded(x - 8)} ${y}h16"/>`;
  const current = years.at(-1);
  const entries: LegendEntry[] = [];
  if (current !== undefined) entries.push({ label: String(current.year), symbolAt: stroke("line bold stroke-1") });
  if (years.length > 1) entries.push({ label: earlierLabel, symbolAt: stroke("line faint stroke-0") });
  if (average !== undefined) entries.push({ label: average.label, symbolAt: stroke("average") });
  if (band !== undefined) {
    const symbolAt = (x: number, y: number): Markup =>
      markup`<path class="averageBand" d="M${rounded(x - 8)} ${y - 5}h16v10h-16z"/>`;
    entries.push({ label: band.label, symbolAt });
  }
  return entries;
}

function renderMonths(
  x: (month: number) => number,
  { left, right, bottom }: PlotArea,
  width: number,
  language: string,
): Markup {
  // On a narrow chart every other month has its name.
  const step = width < 480 ? 2 : 1;
  const marks = Array.from({ length: 12 }, (_, month) => {
    const at = rounded(x(month));
    const name = markup`<text x="${at}" y="${bottom + 17}" class="quiet middle">${monthName(month, language)}</text>`;
    return markup`<path class="axis" d="M${at} ${bottom}v4"/>${month % step === 0 && name}`;
  });
  return markup`<path class="axis" d="M${rounded(left)} ${bottom}H${rounded(right)}"/>${joinMarkup(marks)}`;
}

/** Stretches of months that have a figure in all lists. */
function stretchesOf(values: MonthlyValues, lows: MonthlyValues = values): MonthPoint[][] {
  const stretches: MonthPoint[][] = [];
  for (const [month, value] of values.entries()) {
    const low = lows[month] ?? null;
    if (value === null || low === null) continue;
    const point = { month, value, low };
    const stretch = stretches.at(-1);
    if (stretch?.at(-1)?.month === month - 1) stretch.push(point);
    else stretches.push([point]);
  }
  return stretches;
}

function renderYear(
  year: number | undefined,
  values: MonthlyValues,
  strokeClass: string,
  dotClass: string,
  radius: number,
  x: (month: number) => number,
  y: ValueScale,
): Markup {
  const shape = line<MonthPoint>(
    (point) => x(point.month),
    (point) => y(point.value),
  ).digits(1);
  const stretches = stretchesOf(values);
  const strokes = stretches.filter(({ length }) => length > 1).map((stretch) => shape(stretch) ?? "");
  const dots = stretches
    .filter(({ length }) => length === 1)
    .flat()
    .map(
      ({ month, value }) =>
        markup`<circle class="${dotClass}" cx="${rounded(x(month))}" cy="${rounded(y(value))}" r="${radius}"/>`,
    );
  const title = year !== undefined && markup`<title>${year}</title>`;
  const lines = strokes.length > 0 && markup`<path class="${strokeClass}" d="${strokes.join("")}"/>`;
  return markup`<g>${title}${lines}${dots}</g>`;
}

function renderBand(lows: MonthlyValues, highs: MonthlyValues, x: (month: number) => number, y: ValueScale): Markup {
  const shape = area<MonthPoint>(
    (point) => x(point.month),
    (point) => y(point.low),
    (point) => y(point.value),
  ).digits(1);
  const stretches = stretchesOf(highs, lows).map((stretch) =>
    stretch.length > 1
      ? (shape(stretch) ?? "")
      : stretch
          .map(({ month, low, value }) => `M${rounded(x(month) - 4)} ${rounded(y(value))}h8V${rounded(y(low))}h-8z`)
          .join(""),
  );
  return markup`<path class="averageBand" d="${stretches.join("")}"/>`;
}
