/**
 * A card: a picture that services show beside the address of a page, and most readers see 300 pixels wide: there all of
 * its texts but the labels of the line and the source are at least 11 pixels high.
 */
import { joinMarkup, type Markup, markup } from "../pages/markup.ts";
import { drawingOf, fileText } from "./chart-file.ts";
import { rounded, textWidth, wrappedText } from "./chart-frame.ts";
import type { LinePoint } from "./plot.ts";

/** In pixels: the least that services show over the whole width; twice the size takes more than twice the bytes. */
export const cardPixels = { width: 600, height: 315 } as const;

/** In units of the drawing. */
const cardSize = { width: 1200, height: 630 } as const;

/** What a card shows, from its first line to its last. */
export interface CardContent {
  readonly title: string;
  /** Place and population. */
  readonly where?: string;
  /** A price in large, and its unit. */
  readonly figure?: { readonly price: string; readonly unit: string };
  /** Month and sample of the price. */
  readonly when?: string;
  /** Prices of several products, in place of a figure. */
  readonly rows?: readonly { readonly name: string; readonly price: string }[];
  /** Sentences, in place of a figure. */
  readonly text?: string;
  /** Prices over time, by day, ascending. */
  readonly points?: readonly LinePoint[];
  /** The labels of the first and of the last point. */
  readonly ends?: readonly [first: string, last: string];
  readonly source: string;
}

const margin = 40;
const widthMax = cardSize.width - 2 * margin;
const right = cardSize.width - margin;
const titleSize = 72;
const titleLinesMax = 2;
const textSize = 46;
const figureSize = 140;
const unitSize = 62;
const rowSize = 44;
const rowGap = 10;
const endSize = 34;
const sourceSize = 30;
const sourceTop = cardSize.height - 18;
const axisY = sourceTop - sourceSize - endSize - 22;

/** Below it a line would look level, whatever the prices. */
const lineHeightMin = 40;

/** @returns SVG, from its first line to its last. */
export function renderCard(content: CardContent): string {
  const { title, where, figure, when, rows = [], text, points = [], ends, source } = content;
  const drawn: Markup[] = [];
  let y = 18;
  const write = (line: string, size: number, className: string): void => {
    y += Math.round(size * 1.16);
    drawn.push(fileText(line, { x: margin, y, size, widthMax, className }));
  };
  for (const line of linesOf(title, titleSize, titleLinesMax)) write(line, titleSize, "title");
  for (const line of where === undefined ? [] : linesOf(where, textSize, 2)) write(line, textSize, "quiet");
  if (figure !== undefined) {
    y += figureSize;
    drawn.push(renderFigure(figure, y));
  }
  if (when !== undefined) write(when, textSize, "");
  if (text !== undefined) for (const line of linesOf(text, textSize, 6)) write(line, textSize, "");
  for (const { name, price } of rows) {
    y += rowGap;
    write(name, rowSize, "quiet");
    write(price, textSize, "title");
  }
  const top = y + 44;
  if (points.length > 1 && ends !== undefined && axisY - top >= lineHeightMin)
    drawn.push(renderLine(points, ends, top));
  drawn.push(fileText(source, { x: margin, y: sourceTop, size: sourceSize, widthMax, className: "quiet" }));
  return drawingOf(title, cardSize, cardPixels, markup`${cardStyle}${joinMarkup(drawn, "\n")}`);
}

const cardStyle = markup`<style>.chart .cardLine { stroke-width: 12; stroke-linejoin: round; }
.chart .cardAxis { stroke-width: 3; }
</style>`;

/** The lines of a text; the last one that has room ends with an ellipsis where there are more. */
function linesOf(text: string, size: number, linesMax: number): string[] {
  const lines = wrappedText(text, widthMax, size);
  return lines.slice(0, linesMax).map((line, at) => {
    return at === linesMax - 1 && lines.length > linesMax ? `${line} …` : line;
  });
}

/** Bold digits are so much wider than `textWidth` has them. */
const boldDigits = 1.14;

/** The unit stands behind the price; both are smaller where they are too wide together. */
function renderFigure({ price, unit }: NonNullable<CardContent["figure"]>, y: number): Markup {
  const priceWidth = boldDigits * textWidth(price, figureSize);
  const scale = Math.min(1, widthMax / (priceWidth + boldDigits * textWidth(unit, unitSize)));
  const text = (content: string, x: number, size: number): Markup =>
    fileText(content, { x, y, size: Math.floor(size * scale), widthMax, className: "title" });
  return markup`${text(price, margin, figureSize)}${text(unit, margin + scale * priceWidth + 12, unitSize)}`;
}

/** A thick line over the whole width, whose axis begins at 0. @param top The highest that it reaches. */
function renderLine(points: readonly LinePoint[], [first, last]: readonly [string, string], top: number): Markup {
  const days = points.map(({ day }) => day);
  const [from, to] = [days[0] as number, days.at(-1) as number];
  const most = Math.max(...points.map(({ value }) => value));
  const x = (day: number): number => rounded(margin + 12 + ((widthMax - 24) * (day - from)) / Math.max(1, to - from));
  const y = (value: number): number => rounded(axisY - ((axisY - top) * value) / most);
  const steps = points.map(({ day, value, isJoined }, at) => {
    return `${at > 0 && isJoined !== false ? "L" : "M"}${x(day)} ${y(value)}${isJoined === false ? "h0" : ""}`;
  });
  const end = points.at(-1) as LinePoint;
  const label = (text: string, at: number, className: string): Markup =>
    markup`<text x="${at}" y="${axisY + endSize + 8}" class="${className}">${text}</text>`;
  return markup`<path class="axis cardAxis" d="M${margin} ${axisY}H${right}"/>
<path class="line stroke-0 cardLine" stroke-linecap="round" d="${steps.join("")}"/>
<circle class="fill-0" cx="${x(end.day)}" cy="${y(end.value)}" r="15"/>
<g font-size="${endSize}">${label(first, margin, "quiet")}${label(last, right, "quiet end")}</g>`;
}
