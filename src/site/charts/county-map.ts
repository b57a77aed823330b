/**
 * A map of the counties with their outlines: coloured by a figure, or one of them with the points in it. Its projection
 * is equirectangular: a degree is as long upwards as sideways, which is right at the equator, and by less than 1 %
 * wrong in Kenya.
 */
import { Markup, markup } from "../pages/markup.ts";
import { readStyle } from "../pages/style.ts";
import { type Chart, type ChartText, chartFrame, cutText, fittedText, rounded, textAt } from "./chart-frame.ts";
import { countryBox, countyShapes, type MapPoint, shapePoint, shapesCredit } from "./county-shapes.ts";
import { makeRamp, renderRampLegend } from "./ramp.ts";
import type { Tile, TileGrid } from "./tile-grid.ts";

/** As a tile of `renderTileGrid`; its colour fades into stripes that leave less and less of it. */
export interface CountyArea extends Pick<Tile, "value" | "fading" | "detail" | "href"> {
  /** 1 to 47. */
  readonly id: number;
}

export interface CountyMap extends Omit<TileGrid, "tiles"> {
  readonly areas: readonly CountyArea[];
  readonly points: readonly MapPoint[];
}

const width = 420;
const margin = 6;

/** The patterns of areas; a unit of them is one of the outlines. */
const patterns = new Markup(readStyle(new URL("county-map.svg", import.meta.url)));
const patternScale = 0.25;

/** The longest map beside its width. */
const heightRatioMax = 1.3;

/** How units of the outlines become those of the view box. */
function project([left = 0, top = 0, boxWidth = 1, boxHeight = 1]: readonly number[]) {
  const room = width - 2 * margin;
  const scale = Math.min(room / boxWidth, (room * heightRatioMax) / boxHeight);
  const [x, y] = [(width - boxWidth * scale) / 2 - left * scale, margin - top * scale];
  return {
    height: Math.round(boxHeight * scale) + 2 * margin,
    transform: `translate(${rounded(x)} ${rounded(y)}) scale(${scale.toFixed(4)})`,
    place: (point: MapPoint) => shapePoint(point).map((unit, at) => rounded(unit * scale + (at === 0 ? x : y))),
  };
}

/** Draws all counties. Steps of colour have about equally many of them. */
export function renderCountyMap(chart: CountyMap): Chart {
  const { areas, points, emptyLabel, fadingLabels = [], labelOf, language = "en" } = chart;
  const { height, transform, place } = project(countryBox);
  const ramp = makeRamp(areas.flatMap(({ value }) => (value === null ? [] : [value])));
  const pathOf = new Map(countyShapes.map(({ id, path }) => [id, path]));
  const drawn = areas.map(({ id, value, fading = 0, detail, href }) => {
    const mask = fading > 0 && markup` mask="url(#faded-${fading})"`;
    const fill = value === null ? emptyFill : markup`class="ramp-${ramp.stepOf(value)}"${mask}`;
    const shape = markup`<path ${fill} transform="${transform}" d="${pathOf.get(id)}"/>`;
    const text = textAt(cutText(detail, width - 2), 1, height + 12, "detail");
    return href === undefined ? markup`<g>${shape}${text}</g>` : markup`<a href="${href}">${shape}${text}</a>`;
  });
  const dots = points.map(place).map(([x, y]) => markup`<circle class="market" cx="${x}" cy="${y}" r="2"/>`);
  const others = [
    ...(areas.some(({ value }) => value === null) ? [patternEntry(emptyLabel, emptyFill)] : []),
    ...fadingLabels.flatMap((label, at) => {
      const attributes = markup`class="ramp-4" mask="url(#faded-${at + 1})"`;
      return areas.some(({ fading }) => fading === at + 1) ? [patternEntry(label, attributes)] : [];
    }),
  ];
  const legend = renderRampLegend(ramp, { y: height + 20, width, language, others, labelOf });
  const content = markup`${patterns}${drawn}<g class="points">${dots}</g>${legend.content}`;
  const role = areas.some(({ href }) => href !== undefined) ? "group" : "img";
  return withCredit(chart, height + 36 + legend.height, content, role);
}

const emptyFill = markup`fill="url(#noFigure)"`;

function patternEntry(label: string, attributes: Markup) {
  const symbolAt = (x: number, y: number): Markup => {
    const transform = `translate(${rounded(x)} ${y}) scale(${patternScale})`;
    return markup`<rect ${attributes} transform="${transform}" width="54" height="54"/>`;
  };
  return { label, symbolAt };
}

/** Draws a county with points in it; a single one has its name beside it, others on hover. */
export function renderCountyPoints(
  chart: ChartText & { readonly points: readonly MapPoint[] },
  county: number,
): Markup {
  const { points } = chart;
  const [left = 0, top = 0, boxWidth = 1, boxHeight = 1] =
    countyShapes.find(({ id }) => id === county)?.box ?? countryBox;
  const around = 0.15 * Math.max(boxWidth, boxHeight);
  const box = [left - around, top - around, boxWidth + 2 * around, boxHeight + 2 * around];
  const { height, transform, place } = project(box);
  const outlines = countyShapes.map(
    ({ id, path }) =>
      markup`<path class="${id === county ? "ramp-1" : "outside"}" transform="${transform}" d="${path}"/>`,
  );
  const marks = points.map((point) => {
    const [x = 0, y = 0] = place(point);
    const isLeft = x < width / 2;
    const room = isLeft ? width - x - 9 : x - 9;
    const name = fittedText(point.name, isLeft ? x + 9 : x - 9, y + 4, room, isLeft ? "" : "end");
    const mark = markup`<circle class="here" cx="${x}" cy="${y}" r="5"/>`;
    return markup`<g><title>${point.name}</title>${mark}</g>${points.length === 1 && name}`;
  });
  return withCredit(chart, height + 12, markup`${outlines}${marks}`, "img");
}

/** @param y Where the credit stands: below all else. */
function withCredit(chart: ChartText, y: number, content: Markup, role: "img" | "group"): Chart {
  const credit = textAt(shapesCredit, 1, y, "quiet small");
  return chartFrame("countyMap", chart, { width, height: y + 4 }, markup`${content}${credit}`, role);
}
