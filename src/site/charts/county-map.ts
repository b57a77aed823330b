/**
 * Maps of the counties: equal tiles with a figure in each; outlines, coloured by a figure; and one county with points
 * in it. The projection is equirectangular: a degree is as long upwards as sideways, which is right at the equator, and
 * by less than 1 % wrong in Kenya.
 *
 * data/reference/county-tiles.json, which this project drew, says where each county lies among the tiles. The outlines
 * are data/county-shapes/county-shapes.json, a database derived from OpenStreetMap under the ODbL 1.0: a map of them
 * carries `shapesCredit`.
 */
import shapes from "../../../data/county-shapes/county-shapes.json" with { type: "json" };
import tiles from "../../../data/reference/county-tiles.json" with { type: "json" };
import { Markup, markup } from "../pages/markup.ts";
import { readBeside } from "../pages/style.ts";
import {
  type Chart,
  type ChartText,
  chartFrame,
  cutText,
  fittedText,
  narrowWidth,
  rounded,
  shortNumber,
  textAt,
  wrappedText,
} from "./chart-frame.ts";
import { makeRamp, renderRampLegend, swatchAt } from "./ramp.ts";

interface CountyTile {
  /** 1 to 47. */
  readonly id: number;
  readonly name: string;
  /** Three letters. */
  readonly abbreviation: string;
  /** Counted from 0, from the west and from the north. */
  readonly column: number;
  readonly row: number;
}

/** Places of the counties among the tiles, by id. */
export const countyTiles: readonly CountyTile[] = tiles;

export interface Tile {
  /** Counted from 0, from the left and from above. */
  readonly column: number;
  readonly row: number;
  /** A few letters. */
  readonly label: string;
  /** Null where there is none. */
  readonly value: number | null;
  /** Shown on hover: the county and its figure. */
  readonly detail: string;
  /** The target of its link. */
  readonly href?: string | undefined;
}

export interface TileGrid extends ChartText {
  readonly tiles: readonly Tile[];
  /** Legend entry of tiles without a figure. */
  readonly emptyLabel: string;
  readonly language?: string;
}

const gap = 2;

/** Draws the tiles with label and figure. Steps of colour have about equally many tiles. */
export function renderTileGrid(chart: TileGrid): Chart {
  const { tiles, emptyLabel, language = "en" } = chart;
  const width = narrowWidth;
  const columns = Math.max(1, ...tiles.map(({ column }) => column + 1));
  const rows = Math.max(0, ...tiles.map(({ row }) => row + 1));
  const side = Math.floor(width / columns);
  const ramp = makeRamp(tiles.flatMap(({ value }) => (value === null ? [] : [value])));
  const drawn = tiles.map(({ column, row, label, value, detail, href }) => {
    const [x, y] = [column * side, row * side];
    const middle = { x: x + side / 2, y: y + side / 2 };
    const step = value === null ? undefined : ramp.stepOf(value);
    const textClass = step === undefined ? "quiet middle" : `on-ramp-${step} middle`;
    const shapeClass = step === undefined ? "empty" : `ramp-${step}`;
    const corner = markup`x="${x + gap / 2}" y="${y + gap / 2}"`;
    const size = markup`width="${side - gap}" height="${side - gap}"`;
    const rectangle = markup`<rect class="${shapeClass}" ${corner} ${size} rx="3"/>`;
    const labelAt = textAt(cutText(label, side - gap), middle.x, middle.y + (value === null ? 4 : -3), textClass);
    const figure = value === null ? undefined : cutText(shortNumber(value, language), side - gap);
    const figureAt = figure && textAt(figure, middle.x, middle.y + 13, textClass);
    const tile = markup`<title>${detail}</title>${rectangle}${labelAt}${figureAt}`;
    return href === undefined
      ? markup`<g class="spot">${tile}</g>`
      : markup`<a class="spot" href="${href}">${tile}</a>`;
  });
  const legendTop = rows * side + 10;
  const others = [{ label: emptyLabel, symbolAt: (x: number, y: number) => swatchAt("empty", x, y) }];
  const legend = renderRampLegend(ramp, { y: legendTop, width, language, others });
  const size = { width, height: legendTop + legend.height + 2 };
  // Readers cannot reach the parts of an image, so links need a group.
  const role = tiles.some(({ href }) => href !== undefined) ? "group" : "img";
  return chartFrame("tileGrid", chart, size, markup`${drawn}${legend.content}`, role);
}

export const shapesCredit = "© OpenStreetMap contributors, ODbL";

interface CountyShape {
  /** 1 to 47. */
  readonly id: number;
  /** A closed SVG path, in units of the outlines, from the north-west. */
  readonly path: string;
  /** Left, top, width and height of what it fills. */
  readonly box: readonly number[];
}

/** Outlines of the counties, by id. */
export const countyShapes: readonly CountyShape[] = shapes.counties;

/** The box of all counties. */
const countryBox: readonly number[] = shapes.box;

/** In degrees, WGS 84. */
export interface MapPoint {
  readonly latitude: number;
  readonly longitude: number;
  readonly name: string;
}

/** In units of the outlines. */
export function shapePoint({ latitude, longitude }: MapPoint): readonly [x: number, y: number] {
  return [(longitude - shapes.west) * shapes.unitsPerDegree, (shapes.north - latitude) * shapes.unitsPerDegree];
}

/** A county of a map; its fields are those of a tile of `renderTileGrid`. */
interface CountyArea extends Pick<Tile, "value" | "detail" | "href"> {
  /** 1 to 47. */
  readonly id: number;
}

export interface CountyMap extends Omit<TileGrid, "tiles"> {
  readonly areas: readonly CountyArea[];
}

const mapWidth = 360;
const margin = 6;

/** The patterns of areas; a unit of them is one of the outlines. */
const patterns = new Markup(readBeside(new URL("county-map.svg", import.meta.url)));
const patternScale = 0.25;

/** The longest map beside its width. */
const heightRatioMax = 1.3;

/** The transformation of units of the outlines to units of the view box. */
function project([left = 0, top = 0, boxWidth = 1, boxHeight = 1]: readonly number[]) {
  const room = mapWidth - 2 * margin;
  const scale = Math.min(room / boxWidth, (room * heightRatioMax) / boxHeight);
  const [x, y] = [(mapWidth - boxWidth * scale) / 2 - left * scale, margin - top * scale];
  return {
    height: Math.round(boxHeight * scale) + 2 * margin,
    transform: `translate(${rounded(x)} ${rounded(y)}) scale(${scale.toFixed(4)})`,
    place: (point: MapPoint) => shapePoint(point).map((unit, at) => rounded(unit * scale + (at === 0 ? x : y))),
  };
}

/** Draws all counties. Steps of colour have about equally many of them. */
export function renderCountyMap(chart: CountyMap): Chart {
  const { areas, emptyLabel, language = "en" } = chart;
  const { height, transform } = project(countryBox);
  const ramp = makeRamp(areas.flatMap(({ value }) => (value === null ? [] : [value])));
  const pathOf = new Map(countyShapes.map(({ id, path }) => [id, path]));
  const drawn = areas.map(({ id, value, detail, href }) => {
    const fill = value === null ? emptyFill : markup`class="ramp-${ramp.stepOf(value)}"`;
    const shape = markup`<path ${fill} transform="${transform}" d="${pathOf.get(id)}"/>`;
    const text = wrappedText(detail, mapWidth - 2)
      .slice(0, 2)
      .map((line, at) => textAt(cutText(line, mapWidth - 2), 1, height + 12 + at * 15, "detail"));
    return href === undefined ? markup`<g>${shape}${text}</g>` : markup`<a href="${href}">${shape}${text}</a>`;
  });
  const others = areas.some(({ value }) => value === null) ? [patternEntry(emptyLabel, emptyFill)] : [];
  const legend = renderRampLegend(ramp, { y: height + 35, width: mapWidth, language, others });
  const content = markup`${patterns}${drawn}${legend.content}`;
  const role = areas.some(({ href }) => href !== undefined) ? "group" : "img";
  return withCredit(chart, height + 51 + legend.height, content, role);
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
export function renderCountyPoints(chart: ChartText & { readonly points: readonly MapPoint[] }, county: number): Chart {
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
    const isLeft = x < mapWidth / 2;
    const room = isLeft ? mapWidth - x - 9 : x - 9;
    const name = fittedText(point.name, isLeft ? x + 9 : x - 9, y + 4, room, isLeft ? "" : "end");
    const mark = markup`<circle class="here" cx="${x}" cy="${y}" r="5"/>`;
    return markup`<g><title>${point.name}</title>${mark}</g>${points.length === 1 && name}`;
  });
  return withCredit(chart, height + 12, markup`${outlines}${marks}`, "img");
}

/** @param y Position of the credit: below all else. */
function withCredit(chart: ChartText, y: number, content: Markup, role: "img" | "group"): Chart {
  const credit = textAt(shapesCredit, 1, y, "quiet small");
  return chartFrame("countyMap", chart, { width: mapWidth, height: y + 4 }, markup`${content}${credit}`, role);
}
