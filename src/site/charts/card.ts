/** A card: a picture that services show beside the address of a page, in the size that most of them ask for. */
import { type Markup, markup } from "../pages/markup.ts";
import { drawingOf, fileText } from "./chart-file.ts";
import { type Chart, wrappedText } from "./chart-frame.ts";

/** In pixels. */
export const cardSize = { width: 1200, height: 630 } as const;

/** The width at which a chart is drawn for a card, where it is enlarged by a quarter. */
export const cardChartWidth = 880;

const margin = 40;
const textWidthMax = cardSize.width - 2 * margin;
const [titleTop, sentenceTop, sourceTop] = [62, 104, 612] as const;
const [titleSize, sentenceSize, sourceSize] = [38, 24, 16] as const;
const sentenceLinesMax = 3;
const lineHeight = 32;

/** @param sentence What the chart shows. @returns SVG, from its first line to its last. */
export function renderCard(title: string, sentence: string, source: string, chart: Chart | undefined): string {
  const lines = wrappedText(sentence, textWidthMax, sentenceSize);
  const shown = lines.slice(0, sentenceLinesMax).map((line, at) => {
    return at === sentenceLinesMax - 1 && lines.length > sentenceLinesMax ? `${line} …` : line;
  });
  const text = (content: string, y: number, size: number, className: string): Markup =>
    fileText(content, { x: margin, y, size, widthMax: textWidthMax, className });
  return drawingOf(
    title,
    cardSize,
    cardSize,
    markup`${text(title, titleTop, titleSize, "")}
${shown.map((line, at) => text(line, sentenceTop + at * lineHeight, sentenceSize, "quiet"))}
${chart && fitChart(chart, sentenceTop + shown.length * lineHeight - 16)}
${text(source, sourceTop, sourceSize, "quiet")}`,
  );
}

/** A chart in the middle of what is left of the card. @param top Where that begins. */
function fitChart(chart: Chart, top: number): Markup {
  const { width, height } = chart.size;
  const scale = Math.min(textWidthMax / width, (sourceTop - 24 - top) / height);
  const left = (cardSize.width - scale * width) / 2;
  return markup`<g transform="translate(${left.toFixed(1)} ${top}) scale(${scale.toFixed(3)})">${chart}</g>`;
}
