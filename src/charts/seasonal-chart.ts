/** The course of a year: years as lines over twelve months, and what is usual. */
import { type Markup, markup } from "../pages/markup.ts";
import { monthName, type PlotArea, type ValueScale, wholeAxisTop } from "./axes.ts";
import { type Chart, type LegendEntry, rounded, textAt } from "./chart-frame.ts";
import { drawBand, drawLine } from "./gaps.ts";
import { lineEntry, symbolAt } from "./line-symbols.ts";
import { bandEntry, type PlotOptions, renderPlot, strokeEntry } from "./plot.ts";
import { renderStrips } from "./strips.ts";

/** A figure for each month, January first; null where there is none. */
export type MonthlyValues = readonly (number | null)[];

export interface SeasonYear {
  readonly year: number;
  readonly values: MonthlyValues;
}

export interface SeasonalChart extends PlotOptions {
  /** Ascending, at most `linesMax`; the last one is drawn bold. None where only what is usual is drawn. */
  readonly years: readonly SeasonYear[];
  /** What is usual of each month, and between which figures; null in the same months. */
  readonly average?: { readonly label: string; readonly values: MonthlyValues };
  readonly band?: { readonly label: string; readonly lows: MonthlyValues; readonly highs: MonthlyValues };
  /** What is said of each month under the pointer, January first; see `Strip`. Without them there are no strips. */
  readonly readouts?: readonly (readonly string[] | undefined)[];
}

type MonthScale = (month: number) => number;

/** Draws years as lines. Months without a figure are never bridged; a month without neighbours is a dot. */
export function renderSeasonalChart(chart: SeasonalChart): Chart {
  const { years, average, band, readouts = [] } = chart;
  const all = [...years.map(({ values }) => values), average?.values ?? [], band?.highs ?? []].flat();
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
        average !== undefined && renderYear(average, "average", undefined, x, y),
        ...years.map((year, at) => renderYear(year, lineClass(years, at), years.length - 1 - at, x, y)),
        renderStrips(
          readouts.map((texts, month) => ({ x: x(month), ...(texts !== undefined && { texts }) })),
          plot,
        ),
      ];
    },
  });
}

/** Newest first, as the lines lie. */
function legendEntries({ years, average, band }: SeasonalChart): LegendEntry[] {
  const entries = years
    .map(({ year }, at) => lineEntry(String(year), years.length - 1 - at, lineClass(years, at)))
    .reverse();
  if (average !== undefined) entries.push(strokeEntry(average.label, "average"));
  if (band !== undefined) entries.push(bandEntry(band.label, "averageBand"));
  return entries;
}

function lineClass(years: readonly SeasonYear[], at: number): string {
  return at === years.length - 1 ? "line bold" : "line";
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

/** @param symbol Which symbol and colour a year has; what is usual has none. */
function renderYear(
  { year, values }: Partial<SeasonYear> & Pick<SeasonYear, "values">,
  className: string,
  symbol: number | undefined,
  x: MonthScale,
  y: ValueScale,
): Markup {
  // The days of these points are months: 0 to 11.
  const points = values.flatMap((value, day) => (value === null ? [] : [{ day, value }]));
  const { path, marked } = drawLine(points, 1, x, y);
  const symbols = marked.map(({ day, value }) => symbol !== undefined && symbolAt(symbol, x(day), y(value)));
  const title = year !== undefined && markup`<title>${year}</title>`;
  const stroke = symbol === undefined ? className : `${className} stroke-${symbol}`;
  return markup`<g>${title}${path !== "" && markup`<path class="${stroke}" d="${path}"/>`}${symbols}</g>`;
}

function renderBand(lows: MonthlyValues, highs: MonthlyValues, x: MonthScale, y: ValueScale): Markup {
  const points = highs.flatMap((high, day) => {
    const low = lows[day] ?? null;
    return high === null || low === null ? [] : [{ day, low, high }];
  });
  const { path, isolated } = drawBand(points, 1, x, y);
  const bars = isolated.map(
    ({ day, low, high }) => `M${rounded(x(day) - 4)} ${rounded(y(high))}h8V${rounded(y(low))}h-8z`,
  );
  return markup`<path class="averageBand" d="${[path, ...bars].join("")}"/>`;
}
