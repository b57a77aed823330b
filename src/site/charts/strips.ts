/** What a chart says of a month under the pointer: an invisible strip with a text for each. */
import { joinMarkup, type Markup, markup } from "../pages/markup.ts";
import type { PlotArea } from "./axes.ts";
import { rounded } from "./chart-frame.ts";

export interface Strip {
  readonly x: number;
  /** What it says, line by line: the month first. Without a text the strip is found by its position alone. */
  readonly texts: readonly string[] | undefined;
  /** `2026-05`, for a script that takes a period; absent where months have no year. */
  readonly month?: string | undefined;
}

/** Wider strips would say something far from a point. */
const stripWidthMax = 60;

/** @param strips By `x`, ascending. Each is as wide as it is from one to the next. */
export function renderStrips(strips: readonly Strip[], { left, right, top, bottom }: PlotArea): Markup {
  const distances = strips.slice(1).map(({ x }, at) => x - (strips[at] as Strip).x);
  const half = Math.min(stripWidthMax, ...distances) / 2;
  const shapes = strips.map(({ x, texts, month }) => {
    const from = rounded(Math.max(left, x - half));
    const width = rounded(Math.min(right, x + half) - from);
    const title = texts !== undefined && markup`<title>${joinMarkup(texts, "\n")}</title>`;
    const data = month !== undefined && markup` data-month="${month}"`;
    return markup`<path class="strip"${data} d="M${from} ${top}h${width}V${bottom}h-${width}z">${title}</path>`;
  });
  return joinMarkup(shapes);
}
