/** Figures of rows by month, as a map of colours: where there are prices, and how many. */
import { joinMarkup, type Markup, markup } from "../pages/markup.ts";
import { type ChartText, chartFrame, fittedText, narrowWidth, rounded, textAt, textWidth } from "./chart-frame.ts";
import { makeRamp, type Ramp, renderRampLegend } from "./ramp.ts";

export interface HeatMapRow {
  readonly label: string;
  /** By month; 0 and null are left empty. */
  readonly values: readonly (number | null)[];
  /** Shown on hover over the row, beside its label. */
  readonly detail?: string;
}

export interface HeatMap extends ChartText {
  /** `2026-05`, ascending, without omissions. */
  readonly months: readonly string[];
  readonly rows: readonly HeatMapRow[];
  readonly width?: number;
  readonly language?: string;
}

const rowHeight = 17;
const labelWidthMax = 200;

/** From this width on labels stand beside their rows, below it above them. */
const widthOfLabelsBeside = 560;

/**
 * Draws a row of cells for each row. Steps of colour have about equally many cells. Neighbouring cells of one step are
 * one shape, so that twenty years of fifty products are some ten kilobytes.
 */
export function renderHeatMap(chart: HeatMap): Markup {
  const { months, rows, width = narrowWidth, language = "en" } = chart;
  const isBeside = width >= widthOfLabelsBeside;
  const ramp = makeRamp(
    rows.flatMap(({ values }) => values.filter((value) => value !== null && value > 0)) as number[],
  );
  const legend = renderRampLegend(ramp, { x: 1, y: 1, width: width - 2, language });
  const labelWidth = Math.min(labelWidthMax, Math.max(0, ...rows.map(({ label }) => textWidth(label) + 10)));
  const left = isBeside ? labelWidth : 0;
  const cell = (width - left) / Math.max(1, months.length);
  const axisY = legend.height + 20;
  const top = axisY + 6;
  const pitch = isBeside ? rowHeight : rowHeight + 14;
  const drawn = rows.map(({ label, values, detail }, at) => {
    const y = top + at * pitch;
    const labelAt = isBeside
      ? fittedText(label, left - 6, y + 12, labelWidth - 8, "end")
      : fittedText(label, 0, y + 11, width, "");
    const cellsTop = isBeside ? y : y + 14;
    const shapes = cellRuns(values, ramp).map(([step, path]) => markup`<path class="ramp-${step}" d="${path}"/>`);
    const title = detail === undefined ? label : `${label}: ${detail}`;
    const transform = `translate(${rounded(left)} ${cellsTop}) scale(${cell.toFixed(4)} ${rowHeight - 2})`;
    const background = markup`<path fill="transparent" d="M0 0h${months.length}v1H0z"/>`;
    return markup`${labelAt}<g><title>${title}</title><g transform="${transform}">${background}${shapes}</g></g>`;
  });
  const height = top + rows.length * pitch;
  const content = markup`${legend.content}${renderYears(months, left, cell, axisY, height)}${drawn}`;
  return chartFrame("heatMap", chart, { width, height }, content);
}

/** The cells of a row as one path for each step, in units of a cell. */
function cellRuns(values: readonly (number | null)[], ramp: Ramp): [step: number, path: string][] {
  const paths = new Map<number, string>();
  for (let at = 0; at < values.length; ) {
    const step = stepAt(values, at, ramp);
    let end = at + 1;
    while (end < values.length && stepAt(values, end, ramp) === step) end++;
    if (step !== undefined) paths.set(step, `${paths.get(step) ?? ""}M${at} 0h${end - at}v1h${at - end}z`);
    at = end;
  }
  return [...paths];
}

function stepAt(values: readonly (number | null)[], at: number, { stepOf }: Ramp): number | undefined {
  const value = values[at] ?? 0;
  return value > 0 ? stepOf(value) : undefined;
}

/** Lines at Januaries, with as many years named as have room. */
function renderYears(months: readonly string[], left: number, cell: number, axisY: number, height: number): Markup {
  const januaries = [...months.entries()].filter(([, month]) => month.endsWith("-01"));
  const step = Math.max(1, Math.ceil(40 / (12 * cell)));
  const right = left + months.length * cell;
  const marks = januaries
    .filter(([, month]) => Number(month.slice(0, 4)) % step === 0)
    .map(([at, month]) => {
      const x = rounded(left + at * cell);
      const year = x + 30 < right && textAt(month.slice(0, 4), x + 3, axisY, "quiet");
      return markup`<path class="grid" d="M${x} ${axisY - 10}V${height}"/>${year}`;
    });
  return joinMarkup(marks);
}
