/** The usual course of a year: an index by calendar month, around 100. */

import { type Language, wordsOf } from "../../contract/words.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { type Chart, rounded, textAt } from "./chart-frame.ts";
import {
  bandEntry,
  drawBand,
  drawLine,
  type PlotArea,
  type PlotOptions,
  renderPlot,
  renderStrips,
  strokeEntry,
  symbolAt,
} from "./plot.ts";

/** The usual figure of a month, and the range around it. */
export interface UsualMonth {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface SeasonalChart extends PlotOptions {
  /** January first: twelve, or none. */
  readonly months: readonly UsualMonth[];
  /** Legend entries of the line and of its band. */
  readonly label: string;
  readonly bandLabel: string;
  /** The text of the strip over each month, January first; see `Strip`. Without them there are no strips. */
  readonly readouts?: readonly (readonly string[])[];
}

/** The mean of the year. */
const mean = 100;

/** The axis shows at least so much below and above the mean: a season of 2 % is not to look like one of 40 %. */
const reachMin = 20;

/** Draws the index as a line with its band. The axis has the mean of the year in its middle, and no value below 0. */
export function renderSeasonalChart(chart: SeasonalChart): Chart {
  const { months, label, bandLabel, readouts = [] } = chart;
  const reach = Math.max(reachMin, ...months.map(({ low, high }) => Math.max(mean - low, high - mean)));
  return renderPlot(chart, {
    kind: "seasonalChart",
    legend: [strokeEntry(label, "line stroke-0"), bandEntry(bandLabel, "band fill-0")],
    bottom: Math.max(0, mean - reach),
    top: mean + reach,
    marginRight: 14,
    draw(plot, y, language) {
      const x = (month: number): number => plot.left + 8 + ((plot.right - plot.left - 8) * month) / 11;
      // The days of points are months here: 0 to 11.
      const points = months.map((month, day) => ({ ...month, day }));
      const { path } = drawLine(points, x, y);
      const middle = rounded(y(mean));
      return [
        markup`<path class="average" d="M${rounded(plot.left)} ${middle}H${rounded(plot.right)}"/>`,
        renderMonths(x, plot, language),
        markup`<path class="band fill-0" d="${drawBand(points, x, y).path}"/>`,
        markup`<path class="line stroke-0" d="${path}"/>`,
        points.map(({ day, value }) => symbolAt(0, x(day), y(value))),
        renderStrips(
          readouts.map((texts, month) => ({ x: x(month), texts })),
          plot,
        ),
      ];
    },
  });
}

/** A plot that ends at least this far to the right has the name of each month; others have every second name. */
const rightOfAllNames = 466;

function renderMonths(x: (month: number) => number, { left, right, bottom }: PlotArea, language: Language): Markup {
  const step = right < rightOfAllNames ? 2 : 1;
  const marks = Array.from({ length: 12 }, (_, month) => {
    const at = rounded(x(month));
    const name = textAt(wordsOf(language).shortMonth(month + 1), at, bottom + 17, "quiet middle");
    return markup`<path class="axis" d="M${at} ${bottom}v4"/>${month % step === 0 && name}`;
  });
  return markup`<path class="axis" d="M${rounded(left)} ${bottom}H${rounded(right)}"/>${marks}`;
}
