/** Figures of rows by month, as a map of colours: where there are prices, and how many. */
import { monthNumber, monthOfYear, yearOf } from "../../engine/model/calendar.ts";
import { joinMarkup, type Markup, markup } from "../pages/markup.ts";
import {
  type Chart,
  type ChartText,
  chartFrame,
  fittedText,
  narrowWidth,
  rounded,
  textAt,
  textWidth,
} from "./chart-frame.ts";
import { makeRamp, type Ramp, renderRampLegend } from "./ramp.ts";

export interface HeatMapRow {
  readonly label: string;
  /** By month; 0 is left empty. */
  readonly values: readonly number[];
  /** Shown on hover over the row, beside its label. */
  readonly detail: string;
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

/** From this width on labels are beside their rows; on narrower charts they are above them. */
const widthOfLabelsBeside = 560;

/**
 * Draws a row of cells for each row. Steps of colour have about equally many cells. Neighbouring cells of one step are
 * one shape, so that twenty years of fifty products are some ten kilobytes.
 */
export function renderHeatMap(chart: HeatMap): Chart {
  const { months, rows, width = narrowWidth, language = "en" } = chart;
  const isBeside = width >= widthOfLabelsBeside;
  const ramp = makeRamp(rows.flatMap(({ values }) => values.filter((value) => value > 0)));
  const legend = renderRampLegend(ramp, { y: 1, width, language });
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
    const shapes = [...Map.groupBy(cellRuns(values, ramp), ({ step }) => step)].map(([step, runs]) => {
      const path = runs.map(({ from, to }) => `M${from} 0h${to - from}v1h${from - to}z`).join("");
      return markup`<path class="ramp-${step}" d="${path}"/>`;
    });
    const transform = `translate(${rounded(left)} ${cellsTop}) scale(${cell.toFixed(4)} ${rowHeight - 2})`;
    const background = markup`<path fill="transparent" d="M0 0h${months.length}v1H0z"/>`;
    const title = markup`<title>${label}: ${detail}</title>`;
    return markup`${labelAt}<g>${title}<g transform="${transform}">${background}${shapes}</g></g>`;
  });
  const height = top + rows.length * pitch;
  const content = markup`${legend.content}${renderYears(months, left, cell, axisY, height)}${drawn}`;
  return chartFrame("heatMap", chart, { width, height }, content);
}

/** Neighbouring cells of one step, from one (inclusive) to another (exclusive); empty cells are in none. */
export function cellRuns(values: readonly number[], { stepOf }: Ramp): { step: number; from: number; to: number }[] {
  const runs: ReturnType<typeof cellRuns> = [];
  for (const [at, value] of values.entries()) {
    if (value === 0) continue;
    const step = stepOf(value);
    const last = runs.at(-1);
    if (last?.to === at && last.step === step) last.to++;
    else runs.push({ step, from: at, to: at + 1 });
  }
  return runs;
}

/** Lines at Januaries, with as many years as fit. */
function renderYears(months: readonly string[], left: number, cell: number, axisY: number, height: number): Markup {
  const januaries = [...months.entries()]
    .map(([at, text]) => ({ at, month: monthNumber(text) }))
    .filter(({ month }) => monthOfYear(month) === 1);
  const step = Math.max(1, Math.ceil(40 / (12 * cell)));
  const right = left + months.length * cell;
  const marks = januaries
    .filter(({ month }) => yearOf(month) % step === 0)
    .map(({ at, month }) => {
      const x = rounded(left + at * cell);
      const year = x + 30 < right && textAt(String(yearOf(month)), x + 3, axisY, "quiet");
      return markup`<path class="grid" d="M${x} ${axisY - 10}V${height}"/>${year}`;
    });
  return joinMarkup(marks);
}
