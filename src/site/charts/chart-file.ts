/** A chart as a file of its own: with title, subtitle and sources, in light colours. */
import { Markup, markup } from "../pages/markup.ts";
import { lightColours } from "../pages/style.ts";
import { type Chart, type ChartSize, cutText, textAt, wrappedText } from "./chart-frame.ts";
import { chartRules } from "./chart-style.ts";

export interface ChartFile {
  readonly title: string;
  /** Names the figures of the chart, their unit, where they are from and the markets behind them. */
  readonly subtitle: string;
  /** Source, licence and snapshot, a paragraph each. */
  readonly notes: readonly string[];
}

/** Programs that show SVG do not know variables. */
const fileStyle = new Markup(
  chartRules.replaceAll(/var\(--([\w-]+)\)/g, (whole, name: string) => lightColours.get(name) ?? whole),
);

const margin = 16;
const titleSize = 18;
const subtitleSize = 12;
const noteSize = 10;

/** @param scale Pixels of a unit of the chart. @returns SVG, from its first line to its last. */
export function renderChartFile({ title, subtitle, notes }: ChartFile, chart: Chart, scale: number = 1): string {
  const width = chart.size.width + 2 * margin;
  const titleLines = wrappedText(title, chart.size.width, titleSize);
  const subtitleLines = wrappedText(subtitle, chart.size.width, subtitleSize);
  const lines = notes.flatMap((note) => wrappedText(note, chart.size.width, noteSize));
  const subtitleTop = 22 + titleLines.length * 22;
  const top = subtitleTop + subtitleLines.length * 16 + 2;
  const notesTop = top + chart.size.height + 20;
  const height = notesTop + lines.length * 14 + 6;
  const heading = (text: string, y: number, size: number, className: string): Markup =>
    fileText(text, { x: margin, y, size, widthMax: chart.size.width, className });
  return drawingOf(
    `${title}: ${subtitle}`,
    { width, height },
    { width: width * scale, height: height * scale },
    markup`${titleLines.map((line, at) => heading(line, 28 + at * 22, titleSize, "title"))}
${subtitleLines.map((line, at) => heading(line, subtitleTop + at * 16, subtitleSize, "quiet"))}
<g transform="translate(${margin} ${top})" font-size="12">${chart}</g>
${lines.map((line, at) => heading(line, notesTop + at * 14, noteSize, "quiet"))}`,
  );
}

/**
 * A drawing with the style of charts on the colour of pages.
 *
 * @param view In units of the content. @param pixels The size that it has by itself.
 */
export function drawingOf(title: string, view: ChartSize, pixels: ChartSize, content: Markup): string {
  const size = markup`viewBox="0 0 ${view.width} ${view.height}" width="${pixels.width}" height="${pixels.height}"`;
  return markup`<svg xmlns="http://www.w3.org/2000/svg" class="chart file" ${size}>
<title>${title}</title>
<style>
${fileStyle}.file g text { font-size: inherit; }
.file .title { font-weight: 700; }
</style>
<rect width="${view.width}" height="${view.height}" fill="${lightColours.get("page")}"/>
${content}
</svg>
`.text;
}

/** The place and form of a line of text. */
interface TextForm {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly widthMax: number;
  readonly className: string;
}

/** A line of text outside of the chart, cut to a width. */
export function fileText(text: string, { x, y, size, widthMax, className }: TextForm): Markup {
  return markup`<g font-size="${size}">${textAt(cutText(text, widthMax, size), x, y, className)}</g>`;
}
