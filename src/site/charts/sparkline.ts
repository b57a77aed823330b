/** A small line without axes, for a cell of a table. */
import { type Markup, markup } from "../pages/markup.ts";
import { dayScale, valueScale, wholeAxisTop } from "./axes.ts";
import { type ChartText, chartFrame, rounded } from "./chart-frame.ts";
import { drawLine, monthDaysMax } from "./gaps.ts";

export interface Sparkline extends ChartText {
  /** By day, ascending; values at least 0. */
  readonly points: readonly { readonly day: number; readonly value: number }[];
  /** Where the line begins and ends, so that those of a table have one time axis. */
  readonly dayFirst: number;
  readonly dayLast: number;
}

const width = 100;
const height = 26;

/** Draws a line from 0 upwards, with a dot at its last point and at each point without neighbours. */
export function renderSparkline(chart: Sparkline): Markup {
  const { points, dayFirst, dayLast } = chart;
  const area = { left: 3, right: width - 4, top: 4, bottom: height - 3 };
  const x = dayScale(dayFirst, dayLast, area);
  const y = valueScale(wholeAxisTop(points.map(({ value }) => value)), area);
  const { path, marked } = drawLine(points, monthDaysMax, x, y);
  const dots = marked.map(
    (point) => markup`<circle class="fill-0" cx="${rounded(x(point.day))}" cy="${rounded(y(point.value))}" r="2"/>`,
  );
  const stroke = path !== "" && markup`<path class="line stroke-0" stroke-width="1.5" d="${path}"/>`;
  return chartFrame("sparkline", chart, { width, height }, markup`${stroke}${dots}`);
}
