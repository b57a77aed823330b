/** The course of a year: years as lines over twelve months, and what is usual. */
import { area, line } from "d3-shape";
import { type Markup, markup } from "../pages/markup.ts";
import { monthName, type PlotArea, type ValueScale, wholeAxisTop } from "./axes.ts";
import { type LegendEntry, rounded, textAt } from "./chart-frame.ts";
import { type Dated, drawStretches } from "./gaps.ts";
import { bandEntry, type PlotOptions, renderPlot, strokeEntry } from "./plot.ts";

/** A figure for each month, January first; null where there is none. */
export type MonthlyValues = readonly (number | null)[];

export interface SeasonYear {
  readonly year: number;
  readonly values: MonthlyValues;
}

export interface SeasonalChart extends PlotOptions {
  /** Ascending; the last one is drawn bold. None where only what is usual is drawn. */
  readonly years: readonly SeasonYear[];
  /** What is usual of each month, and between which figures; null in the same months. */
  readonly average?: { readonly label: string; readonly values: MonthlyValues };
  readonly band?: { readonly label: string; readonly lows: MonthlyValues; readonly highs: MonthlyValues };
  /** What the earlier years together are called in the legend; needed where there are any. */
  readonly earlierLabel?: string;
}

/** A month of a year as a point, whose days are months: 0 to 11. */
interface MonthPoint extends Dated {
  readonly value: number;
  readonly low: number;
}

type MonthScale = (month: number) => number;

/** Draws years as lines. Months without a figure are never bridged; a month without neighbours is a dot. */
export function renderSeasonalChart(chart: SeasonalChart): Markup {
  const { years, average, band } = chart;
  const all = [...years.map(({ values }) => values), average?.values ?? [], band?.highs ?? []].flat();
  const current = years.at(-1);
  const legend = legendEntries(chart);
  return renderPlot(chart, {
    kind: "seasonalChart",
    legend,
    top: wholeAxisTop(all.filter((value) => value !== null)),
    marginRight: 14,
    draw(plot, y, language) {
      const x = (month: number): number => plot.left + 8 + ((plot.right - plot.left - 8) * month) / 11;
      return [
        renderMonths(x, plot, language),
        band !== undefined && renderBand(band.lows, band.highs, x, y),
        ...years.slice(0, -1).map((year) => renderYear(year, { stroke: "line faint stroke-0", dot: "fill-0" }, x, y)),
        average !== undefined && renderYear(average, { stroke: "average", dot: "" }, x, y),
        current !== undefined && renderYear(current, { stroke: "line bold stroke-1", dot: "fill-1", radius: 4 }, x, y),
      ];
    },
  });
}

function legendEntries({ years, average, band, earlierLabel }: SeasonalChart): LegendEntry[] {
  const current = years.at(-1);
  const entries: LegendEntry[] = [];
  if (current !== undefined) entries.push(strokeEntry(String(current.year), "line bold stroke-1"));
  if (years.length > 1 && earlierLabel !== undefined) entries.push(strokeEntry(earlierLabel, "line faint stroke-0"));
  if (average !== undefined) entries.push(strokeEntry(average.label, "average"));
  if (band !== undefined) entries.push(bandEntry(band.label, "averageBand"));
  return entries;
}

/** Where the plot ends at least this far to the right, each month has its name; otherwise every other has. */
const rightOfAllNames = 466;

function renderMonths(x: MonthScale, { left, right, bottom }: PlotArea, language: string): Markup {
  const step = right < rightOfAllNames ? 2 : 1;
  const marks = Array.from({ length: 12 }, (_, month) => {
    const at = rounded(x(month));
    const name = textAt(monthName(month, language), at, bottom + 17, "quiet middle");
    return markup`<path class="axis" d="M${at} ${bottom}v4"/>${month % step === 0 && name}`;
  });
  return markup`<path class="axis" d="M${rounded(left)} ${bottom}H${rounded(right)}"/>${marks}`;
}

/** The months that have a figure in both lists. */
function pointsOf(values: MonthlyValues, lows: MonthlyValues = values): MonthPoint[] {
  return values.flatMap((value, month) => {
    const low = lows[month] ?? null;
    return value === null || low === null ? [] : [{ day: month, value, low }];
  });
}

/** Classes of a line, and of the dots of months without neighbours. */
interface YearStyle {
  readonly stroke: string;
  readonly dot: string;
  readonly radius?: number;
}

function renderYear(
  { year, values }: Partial<SeasonYear> & Pick<SeasonYear, "values">,
  { stroke, dot, radius = 2 }: YearStyle,
  x: MonthScale,
  y: ValueScale,
): Markup {
  const shape = line<MonthPoint>(
    ({ day }) => x(day),
    ({ value }) => y(value),
  ).digits(1);
  const { path, isolated } = drawStretches(pointsOf(values), 1, shape);
  const dots = isolated.map(
    ({ day, value }) =>
      markup`<circle class="${dot}" cx="${rounded(x(day))}" cy="${rounded(y(value))}" r="${radius}"/>`,
  );
  const title = year !== undefined && markup`<title>${year}</title>`;
  return markup`<g>${title}${path !== "" && markup`<path class="${stroke}" d="${path}"/>`}${dots}</g>`;
}

function renderBand(lows: MonthlyValues, highs: MonthlyValues, x: MonthScale, y: ValueScale): Markup {
  const shape = area<MonthPoint>(
    ({ day }) => x(day),
    ({ low }) => y(low),
    ({ value }) => y(value),
  ).digits(1);
  const { path, isolated } = drawStretches(pointsOf(highs, lows), 1, shape);
  const bars = isolated.map(
    ({ day, low, value }) => `M${rounded(x(day) - 4)} ${rounded(y(value))}h8V${rounded(y(low))}h-8z`,
  );
  return markup`<path class="averageBand" d="${[path, ...bars].join("")}"/>`;
}
