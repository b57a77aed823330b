/** The labels at the ends of lines, at the right of a plot. */
import { joinMarkup, type Markup, markup } from "../pages/markup.ts";
import type { PlotArea } from "./axes.ts";
import { cutText, textAt, textWidth } from "./chart-frame.ts";
import { symbolAt } from "./plot.ts";

/** The last point of a line. */
export interface LineEnd {
  readonly label: string;
  /** The number of the colour and the symbol of the line. */
  readonly colour: number;
  readonly x: number;
  readonly y: number;
}

/** The part of the width of a chart that the labels may take. */
const partMax = 0.27;

/** Between the plot and a label; the symbol of a line has its place there. */
const gap = 18;

/** Between the lines of two labels. */
const lineHeight = 15;

/** Labels are bold, which is wider than other text. */
const boldness = 1.08;

/** The width that labels take at the right of a plot, and whether one of them has no room for its text. */
export function endLabelRoom(labels: readonly string[], chartWidth: number): { width: number; isCut: boolean } {
  const wanted = Math.max(0, ...labels.map((label) => textWidth(label) * boldness));
  const room = chartWidth * partMax;
  return { width: gap + Math.min(wanted, room), isCut: wanted > room };
}

/**
 * Each label at the height of the end of its line, moved as little as needed where two would overlap, behind the symbol
 * of its line. A label that has no room is cut and says all of it on hover.
 */
export function renderEndLabels(ends: readonly LineEnd[], { top, bottom, right }: PlotArea, width: number): Markup {
  const sorted = ends.toSorted((a, b) => a.y - b.y);
  const places = spreadOut(
    sorted.map(({ y }) => y),
    lineHeight,
    { first: top, last: bottom },
  );
  const drawn = sorted.map(({ label, colour, x, y }, at) => {
    const place = places[at] as number;
    const isBesideEnd = x > right - 2 && Math.abs(place - y) < lineHeight / 2;
    const symbol = !isBesideEnd && symbolAt(colour, right + gap - 9, place);
    const cut = cutText(label, (width - right - gap) / boldness + 1);
    const title = cut !== label && markup`<title>${label}</title>`;
    const text = textAt([title, cut], right + gap, place + 4, `fill-${colour}`);
    return markup`<g class="endLabel">${symbol}${text}</g>`;
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
