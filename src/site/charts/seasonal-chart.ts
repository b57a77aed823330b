/** The course of a year: years as lines over twelve months, and what is usual. */
import { type Markup, markup } from "../pages/markup.ts";
import { monthName, type PlotArea, type ValueScale, wholeAxisTop } from "./axes.ts";
import { type Chart, type LegendEntry, rounded, textAt } from "./chart-frame.ts";
import {
  bandEntry,
  drawBand,
  drawLine,
  hollowEntry,
  lineEntry,
  type PlotOptions,
  type PointStyle,
  renderPlot,
  renderStrips,
  renderStrokes,
  strokeEntry,
  symbolAt,
} from "./plot.ts";

export interface SeasonYear {
  readonly year: number;
  /** A figure for each month, January first; null where there is none. */
  readonly values: readonly (SeasonValue | null)[];
}

export interface SeasonValue extends PointStyle {
  readonly value: number;
}

/** The usual figure of a month, and the range around it. */
export interface UsualMonth {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface SeasonalChart extends PlotOptions {
  /** Ascending, at most `linesMax`; the last one is drawn bold. None where only what is usual is drawn. */
  readonly years: readonly SeasonYear[];
  /** January first, all twelve. */
  readonly usual?: { readonly label: string; readonly bandLabel: string; readonly months: readonly UsualMonth[] };
  /** Legend entry of hollow points; needed where there are any. */
  readonly hollowLabel?: string;
  /** The text of the strip over each month, January first; see `Strip`. Without them there are no strips. */
  readonly readouts?: readonly (readonly string[] | undefined)[];
}

type MonthScale = (month: number) => number;

/** Draws years as lines. Months without a figure are never bridged; a month without neighbours is a dot. */
export function renderSeasonalChart(chart: SeasonalChart): Chart {
  const { years, usual, readouts = [] } = chart;
  const ofYears = years.flatMap((year) => year.values.flatMap((month) => month?.value ?? []));
  const values = [...ofYears, ...(usual?.months.map(({ high }) => high) ?? [])];
  return renderPlot(chart, {
    kind: "seasonalChart",
    legend: legendEntries(chart),
    top: wholeAxisTop(values),
    marginRight: 14,
    draw(plot, y, language) {
      const x = (month: number): number => plot.left + 8 + ((plot.right - plot.left - 8) * month) / 11;
      return [
        renderMonths(x, plot, language),
        usual !== undefined && renderUsual(usual.months, x, y),
        ...years.map((year, at) => renderYear(year, lineClass(years, at), years.length - 1 - at, x, y)),
        renderStrips(
          readouts.map((texts, month) => ({ x: x(month), texts })),
          plot,
        ),
      ];
    },
  });
}

/** Newest first, as the lines lie. */
function legendEntries({ years, usual, hollowLabel }: SeasonalChart): LegendEntry[] {
  const entries = years
    .map(({ year }, at) => lineEntry(String(year), years.length - 1 - at, lineClass(years, at)))
    .reverse();
  const hasHollow = years.some(({ values }) => values.some((month) => month?.isHollow));
  if (hollowLabel !== undefined && hasHollow) entries.push(hollowEntry(hollowLabel));
  if (usual === undefined) return entries;
  return [...entries, strokeEntry(usual.label, "average"), bandEntry(usual.bandLabel, "averageBand")];
}

function lineClass(years: readonly SeasonYear[], at: number): string {
  return at === years.length - 1 ? "line bold" : "line";
}

/** A plot that ends at least this far to the right has the name of each month; others have every second name. */
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

/** The days of points are months here: 0 to 11. @param symbol Number of the symbol and colour of the year. */
function renderYear(
  { year, values }: SeasonYear,
  className: string,
  symbol: number,
  x: MonthScale,
  y: ValueScale,
): Markup {
  const points = values.flatMap((month, day) => (month === null ? [] : [{ ...month, day }]));
  const drawn = drawLine(points, 1, x, y);
  const symbols = drawn.marked.map(({ day, value, isHollow }) => symbolAt(symbol, x(day), y(value), isHollow));
  return markup`<g><title>${year}</title>${renderStrokes(drawn, symbol, className)}${symbols}</g>`;
}

function renderUsual(months: readonly UsualMonth[], x: MonthScale, y: ValueScale): Markup {
  const points = months.map((month, day) => ({ ...month, day }));
  const band = markup`<path class="averageBand" d="${drawBand(points, 1, x, y).path}"/>`;
  return markup`${band}<g><path class="average" d="${drawLine(points, 1, x, y).path}"/></g>`;
}
