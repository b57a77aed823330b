/** The outer element of every chart, its name and description, and text and numbers that have to fit. */
import { getOrInsert } from "../../engine/model/get-or-insert.ts";
import { joinMarkup, Markup, type MarkupValue, markup } from "../pages/markup.ts";

/** The text of a chart for readers who do not see it. */
export interface ChartText {
  /** Names the figures, their subject and their unit. */
  readonly title: string;
  /** The period, the latest figure and notable ones. */
  readonly description: string;
}

/**
 * In units of the view box, which are pixels where the page has room; on a narrower page the chart shrinks as a whole.
 */
export interface ChartSize {
  readonly width: number;
  readonly height: number;
}

/** A chart with its size, which a file of it needs. */
export class Chart extends Markup {
  readonly size: ChartSize;

  constructor({ text }: Markup, size: ChartSize) {
    super(text);
    this.size = size;
  }
}

/**
 * @param kind Class of the outer element beside `chart`.
 * @param role `group` for a chart with links.
 */
export function chartFrame(
  kind: string,
  { title, description }: ChartText,
  chartSize: ChartSize,
  content: Markup,
  role: "img" | "group" = "img",
): Chart {
  const { width, height } = chartSize;
  const size = markup`viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
  const named = markup`<title>${title}</title><desc>${description}</desc>`;
  return new Chart(markup`<svg class="chart ${kind}" ${size} role="${role}">${named}${content}</svg>`, chartSize);
}

/** Widths of a chart on a phone and on a wider screen. */
export const narrowWidth = 360;
export const wideWidth = 720;

/** A chart in two widths, of which the style sheet shows one: text keeps its size on a phone. */
export function renderBoth(narrow: Markup, wide: Markup): Markup {
  return markup`<div class="forNarrow">${narrow}</div><div class="forWide">${wide}</div>`;
}

/** A coordinate to a tenth of a unit: the text of a chart is a third shorter, and the difference is invisible. */
export function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

const fontSize = 12;

/** About how wide a text is. Fonts differ, so what must fit gets some room. */
export function textWidth(text: string, size: number = fontSize): number {
  let ems = 0;
  for (const character of text) ems += emsOf(character);
  return ems * size;
}

function emsOf(character: string): number {
  if (character > "\u10ff") return 1;
  return /[\p{Lu}mw%@]/u.test(character) ? 0.75 : 0.55;
}

/**
 * A text that fits, cut with an ellipsis where it is too long.
 *
 * Cost: that of measuring what fits, however long the text is.
 */
export function cutText(text: string, widthMax: number, size: number = fontSize): string {
  let ems = 0;
  let end = 0;
  let cutEnd = 0;
  for (const character of text) {
    ems += emsOf(character);
    end += character.length;
    // At least one character stays.
    if (cutEnd === 0 || (ems + emsOf("…")) * size <= widthMax) cutEnd = end;
    if (ems * size > widthMax) return `${text.slice(0, cutEnd).trimEnd()}…`;
  }
  return text;
}

/** The lines of a text, broken at spaces. */
export function wrappedText(text: string, widthMax: number, size: number = fontSize): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1) ?? ""} ${word}`.trimStart();
    if (lines.length > 0 && textWidth(longer, size) <= widthMax) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** A text at a point, cut to a width; the whole text shows on hover where it was cut. */
export function fittedText(text: string, x: number, y: number, widthMax: number, className: string): Markup {
  const cut = cutText(text, widthMax);
  return textAt([cut !== text && markup`<title>${text}</title>`, cut], x, y, className);
}

/** A part of a line that a label covers. */
export type LabelRoom = readonly [from: number, to: number];

/** Takes room for a label beside those that have theirs. @returns False where another one has a part of it. */
export function takeRoom(taken: LabelRoom[], [from, to]: LabelRoom): boolean {
  const isFree = !taken.some(([otherFrom, otherTo]) => from < otherTo && to > otherFrom);
  if (isFree) taken.push([from, to]);
  return isFree;
}

/** A text at a point; the class says on which side of it. */
export function textAt(content: MarkupValue, x: number, y: number, className = ""): Markup {
  return markup`<text x="${rounded(x)}" y="${rounded(y)}" class="${className}">${content}</text>`;
}

/** An entry of a legend: what is drawn before its text, around a point. */
export interface LegendEntry {
  readonly label: string;
  readonly symbolAt: (x: number, y: number) => Markup;
}

const legendRowHeight = 18;
const symbolWidth = 24;

/** A legend in rows. @returns It and its height; 0 without entries. */
export function renderLegend(
  entries: readonly LegendEntry[],
  left: number,
  width: number,
): { readonly content: Markup; readonly height: number } {
  let x = left;
  let y = 12;
  const content = entries.map(({ label, symbolAt }) => {
    const room = width - symbolWidth;
    const labelWidth = Math.min(textWidth(label), room);
    if (x > left && x + symbolWidth + labelWidth > left + width) {
      x = left;
      y += legendRowHeight;
    }
    const drawn = markup`${symbolAt(x + 9, y - 4)}${fittedText(label, x + symbolWidth - 2, y, room, "")}`;
    x += symbolWidth + labelWidth + 12;
    return drawn;
  });
  return { content: joinMarkup(content), height: entries.length === 0 ? 0 : y + 6 };
}

/**
 * A number as a chart shows it: few digits, so that it fits, but never so few that two prices of a chart look alike.
 *
 * @param language BCP 47, such as `en` or `sw`.
 */
export function shortNumber(value: number, language = "en"): string {
  const size = Math.abs(value);
  if (size >= 1e15 || (size > 0 && size < 1e-4)) return value.toExponential(1);
  const form = size >= 1e5 ? "compact" : size >= 1000 ? "whole" : size >= 1 ? "decimal" : "small";
  const format = getOrInsert(formats, `${language} ${form}`, () => new Intl.NumberFormat(language, forms[form]));
  return format.format(value);
}

const forms = {
  compact: { notation: "compact", maximumSignificantDigits: 3 },
  whole: { maximumFractionDigits: 0 },
  decimal: { maximumFractionDigits: 2 },
  small: { maximumSignificantDigits: 2 },
} as const satisfies Readonly<Record<string, Intl.NumberFormatOptions>>;

/** By language and form: making a format costs more than a chart. Callers pass languages from a closed list. */
const formats = new Map<string, Intl.NumberFormat>();
