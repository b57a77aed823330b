/** A map of equal tiles: every county is as large as every other, and a figure fits into each. */
import { type Markup, markup } from "../pages/markup.ts";
import { type Chart, type ChartText, chartFrame, cutText, narrowWidth, rounded, textAt } from "./chart-frame.ts";
import { shortNumber } from "./number-text.ts";
import { makeRamp, renderRampLegend, swatch, swatchAt } from "./ramp.ts";

export interface Tile {
  /** Counted from 0, from the left and from above. */
  readonly column: number;
  readonly row: number;
  /** A few letters. */
  readonly label: string;
  /** Null where there is none. */
  readonly value: number | null;
  /** What the tile shows of it; the number when absent. */
  readonly figure?: string | undefined;
  /** How old its figure is: a corner is cut off, a small or a large one. */
  readonly fading?: 0 | 1 | 2 | undefined;
  /** Shown on hover: whose figure it is, and what it is made of. */
  readonly detail: string;
  /** Where it leads. */
  readonly href?: string | undefined;
}

export interface TileGrid extends ChartText {
  readonly tiles: readonly Tile[];
  /** What a tile without a figure is called in the legend. */
  readonly emptyLabel: string;
  /** What the legend calls tiles with a small and with a large corner cut off. */
  readonly fadingLabels?: readonly string[];
  /** What the legend calls figures from here on. */
  readonly labelOf?: ((from: number) => string) | undefined;
  readonly language?: string;
}

const gap = 2;

/** Covers the corner at the right and above of a square, a quarter of its side or a half. */
function cutCorner(right: number, top: number, side: number, fading: number): Markup {
  const cut = rounded((side * fading) / 4);
  return markup`<path class="cut" d="M${rounded(right - cut)} ${top}h${cut}v${cut}z"/>`;
}

/** Draws the tiles with label and figure. Steps of colour have about equally many tiles. */
export function renderTileGrid(chart: TileGrid): Chart {
  const { tiles, emptyLabel, fadingLabels = [], labelOf, language = "en" } = chart;
  const width = narrowWidth;
  const columns = Math.max(1, ...tiles.map(({ column }) => column + 1));
  const rows = Math.max(0, ...tiles.map(({ row }) => row + 1));
  const side = Math.floor(width / columns);
  const ramp = makeRamp(tiles.flatMap(({ value }) => (value === null ? [] : [value])));
  const drawn = tiles.map(({ column, row, label, value, figure: text, fading = 0, detail, href }) => {
    const [x, y] = [column * side, row * side];
    const middle = { x: x + side / 2, y: y + side / 2 };
    const step = value === null ? undefined : ramp.stepOf(value);
    const textClass = step === undefined ? "quiet middle" : `on-ramp-${step} middle`;
    const shapeClass = step === undefined ? "empty" : `ramp-${step}`;
    const corner = markup`x="${x + gap / 2}" y="${y + gap / 2}"`;
    const size = markup`width="${side - gap}" height="${side - gap}"`;
    const rectangle = markup`<rect class="${shapeClass}" ${corner} ${size} rx="3"/>`;
    const labelAt = textAt(cutText(label, side - gap), middle.x, middle.y + (value === null ? 4 : -3), textClass);
    const figure = value === null ? undefined : cutText(text ?? shortNumber(value, language), side - gap);
    const figureAt = figure && textAt(figure, middle.x, middle.y + 13, textClass);
    const cut = fading > 0 && cutCorner(x + side, y, side, fading);
    const tile = markup`<title>${detail}</title>${rectangle}${cut}${labelAt}${figureAt}`;
    return href === undefined
      ? markup`<g class="spot">${tile}</g>`
      : markup`<a class="spot" href="${href}">${tile}</a>`;
  });
  const legendTop = rows * side + 10;
  const ofCuts = fadingLabels.flatMap((label, at) => {
    const symbolAt = (x: number, y: number): Markup =>
      markup`${swatchAt("ramp-2", x, y)}${cutCorner(x + swatch, y, swatch, at + 1)}`;
    return tiles.some(({ fading }) => fading === at + 1) ? [{ label, symbolAt }] : [];
  });
  const others = [{ label: emptyLabel, symbolAt: (x: number, y: number) => swatchAt("empty", x, y) }, ...ofCuts];
  const legend = renderRampLegend(ramp, { y: legendTop, width, language, others, labelOf });
  const size = { width, height: legendTop + legend.height + 2 };
  // What is within an image cannot be reached, so links need a group.
  const role = tiles.some(({ href }) => href !== undefined) ? "group" : "img";
  return chartFrame("tileGrid", chart, size, markup`${drawn}${legend.content}`, role);
}
