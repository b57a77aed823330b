/** The frame of a chart with values upwards: a legend, the unit above the value axis, and the area of the data. */
import { joinMarkup, type MarkupValue, markup } from "../pages/markup.ts";
import { type PlotArea, renderValueAxis, type ValueScale, valueAxisWidth, valueScale } from "./axes.ts";
import {
  type Chart,
  type ChartText,
  chartFrame,
  fittedText,
  type LegendEntry,
  narrowWidth,
  renderLegend,
  rounded,
} from "./chart-frame.ts";

export interface PlotOptions extends ChartText {
  /** What values are in: `KES per kg`. Stands above the value axis. */
  readonly unit: string;
  readonly width?: number;
  /** Without legend and axis. */
  readonly plotHeight?: number;
  /** The language of numbers and months. */
  readonly language?: string;
}

/** What is drawn within a plot. */
export interface PlotContent {
  /** Class of the chart beside `chart`. */
  readonly kind: string;
  readonly legend: readonly LegendEntry[];
  /** The value at which the axis ends. */
  readonly top: number;
  /** Room at the right, for labels that reach beyond the data. */
  readonly marginRight: number;
  readonly draw: (area: PlotArea, y: ValueScale, language: string) => readonly MarkupValue[];
}

const axisHeight = 24;

export function renderPlot(options: PlotOptions, { kind, legend, top, marginRight, draw }: PlotContent): Chart {
  const { unit, width = narrowWidth, plotHeight = 180, language = "en" } = options;
  const drawnLegend = renderLegend(legend, 2, width - 4);
  const topY = drawnLegend.height + 24;
  const bottom = topY + plotHeight;
  const y = valueScale(top, { top: topY, bottom });
  const area = { left: valueAxisWidth(y, language), right: width - marginRight, top: topY, bottom };
  const content = joinMarkup([
    drawnLegend.content,
    fittedText(unit, 2, topY - 11, width - 4, "quiet"),
    renderValueAxis(y, area, language),
    ...draw(area, y, language),
  ]);
  return chartFrame(kind, options, { width, height: bottom + axisHeight }, content);
}

/** A legend entry with a stroke. */
export function strokeEntry(label: string, className: string): LegendEntry {
  return { label, symbolAt: (x, y) => markup`<path class="${className}" d="M${rounded(x - 8)} ${y}h16"/>` };
}

/** A legend entry with an area. */
export function bandEntry(label: string, className: string): LegendEntry {
  return {
    label,
    symbolAt: (x, y) => markup`<path class="${className}" d="M${rounded(x - 8)} ${y - 5}h16v10h-16z"/>`,
  };
}
