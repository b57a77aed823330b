/** The labels at the ends of lines, at the right of a plot. */
import { joinMarkup, type Markup, markup } from "../pages/markup.ts";
import type { PlotArea } from "./axes.ts";
import { cutText, textAt, textWidth, wrappedText } from "./chart-frame.ts";
import { symbolAt } from "./plot.ts";

/** The last point of a line. */
export interface LineEnd {
  readonly label: string;
  /** The number of the colour and the symbol of the line. */
  readonly colour: number;
  readonly x: number;
  readonly y: number;
}

/** Labels within their room, in the order of the lines. */
export interface EndLabels {
  /** The width that they take from the chart. */
  readonly width: number;
  /** The lines of text of each. */
  readonly texts: readonly (readonly string[])[];
  /** True if a label has no room for all of its text. */
  readonly areCut: boolean;
}

/** The part of the width of a chart that the labels may take. */
const partMax = 0.3;

/** Between the plot and a label; the symbol of a line has its place there. */
const gap = 18;

const lineHeight = 13;

/** The most lines of text of a label. */
const linesOfLabelMax = 3;

/** Between two labels. */
const distance = 3;

/** Labels are bold, which is wider than other text: by a fifth in wide fonts. */
const boldness = 1.2;

/** Breaks labels into lines of text, and cuts those that still have no room. @param plotHeight The labels share it. */
export function fitEndLabels(labels: readonly string[], chartWidth: number, plotHeight: number): EndLabels {
  const room = (chartWidth * partMax) / boldness;
  const wrapped = labels.map((label) => wrappedText(label, room));
  const share = Math.floor((plotHeight / Math.max(1, labels.length) - distance) / lineHeight);
  const linesOfAll = Math.min(linesOfLabelMax, Math.max(1, share));
  const texts = wrapped.map((lines) => {
    const last = lines.slice(linesOfAll - 1).join(" ");
    return [...lines.slice(0, linesOfAll - 1), ...(last === "" ? [] : [last])].map((line) => cutText(line, room));
  });
  const widest = Math.max(0, ...texts.flat().map((line) => textWidth(line) * boldness));
  const areCut = texts.some((lines, at) => lines.join(" ") !== labels[at]);
  return { width: gap + widest, texts, areCut };
}

/**
 * Each label at the height of the end of its line, moved as little as needed where two would overlap, behind the symbol
 * of its line. A label that is cut shows its whole text on hover.
 *
 * @param ends As many as labels.
 */
export function renderEndLabels(ends: readonly LineEnd[], labels: EndLabels, { top, bottom, right }: PlotArea): Markup {
  const sorted = ends
    .map((end, at) => ({ ...end, lines: labels.texts[at] as readonly string[] }))
    .sort((a, b) => a.y - b.y);
  const height = lineHeight * Math.max(1, ...labels.texts.map(({ length }) => length));
  const places = spreadOut(
    sorted.map(({ y }) => y),
    height + distance,
    { first: top, last: bottom },
  );
  const drawn = sorted.map(({ label, lines, colour, x, y }, at) => {
    const place = places[at] as number;
    const isBesideEnd = x > right - 2 && Math.abs(place - y) < lineHeight / 2;
    const symbol = !isBesideEnd && symbolAt(colour, right + gap - 9, place);
    const title = lines.join(" ") !== label && markup`<title>${label}</title>`;
    const first = place + 4 - ((lines.length - 1) * lineHeight) / 2;
    const text = lines.map((line, row) => textAt(line, right + gap, first + row * lineHeight, `fill-${colour}`));
    return markup`<g class="endLabel">${title}${symbol}${joinMarkup(text, " ")}</g>`;
  });
  return joinMarkup(drawn);
}

/**
 * Positions at least a distance apart, each as near as can be to where it is wanted: neighbours that are too near
 * become a group around the mean of what they want (pool adjacent violators).
 *
 * @param wanted Ascending. @returns In the same order, between `first` and `last` where there is room for all.
 */
export function spreadOut(
  wanted: readonly number[],
  distance: number,
  { first, last }: { readonly first: number; readonly last: number },
): number[] {
  const groups: { readonly sum: number; readonly count: number }[] = [];
  const startOf = ({ sum, count }: (typeof groups)[number]): number => {
    const start = sum / count - ((count - 1) * distance) / 2;
    return Math.max(first, Math.min(start, last - (count - 1) * distance));
  };
  for (const position of wanted) {
    let group = { sum: position, count: 1 };
    for (let before = groups.at(-1); before !== undefined; before = groups.at(-1)) {
      if (startOf(before) + before.count * distance <= startOf(group)) break;
      group = { sum: before.sum + group.sum, count: before.count + group.count };
      groups.pop();
    }
    groups.push(group);
  }
  return groups.flatMap((group) => Array.from({ length: group.count }, (_, at) => startOf(group) + at * distance));
}
