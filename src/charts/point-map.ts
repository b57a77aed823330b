/** A small map of points by their coordinates: where a market lies among others. */
import { scaleLinear } from "d3-scale";
import { type Markup, markup } from "../pages/markup.ts";
import { type ChartText, chartFrame, fittedText, rounded, textWidth } from "./chart-frame.ts";

/** In degrees, WGS 84. */
export interface MapPoint {
  readonly latitude: number;
  readonly longitude: number;
}

export interface NamedPoint extends MapPoint {
  readonly name: string;
}

export interface PointMap extends ChartText {
  /** Drawn pale; they show where the points in question lie, and give the map its bounds. */
  readonly background: readonly MapPoint[];
  /** Drawn in full, with their names. */
  readonly points: readonly NamedPoint[];
  readonly width?: number;
}

const margin = 12;

/** The least extent of a map, so that a single point has a middle to lie in. */
const degreesMin = 0.5;

/**
 * Draws points in an equirectangular projection, in which a degree is as long upwards as sideways: right at the
 * equator, and by less than 1 % wrong in Kenya.
 */
export function renderPointMap(chart: PointMap): Markup {
  const { background, points, width = 240 } = chart;
  const all = [...background, ...points];
  const [west, east] = boundsOf(all.map(({ longitude }) => longitude));
  const [south, north] = boundsOf(all.map(({ latitude }) => latitude));
  const height = Math.round(((width - 2 * margin) * (north - south)) / (east - west)) + 2 * margin;
  const x = scaleLinear()
    .domain([west, east])
    .range([margin, width - margin]);
  const y = scaleLinear()
    .domain([north, south])
    .range([margin, height - margin]);
  const pale = background.map(
    ({ longitude, latitude }) => `M${rounded(x(longitude))} ${rounded(y(latitude))}m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0`,
  );
  const named = points.map(({ longitude, latitude, name }) => {
    const [px, py] = [rounded(x(longitude)), rounded(y(latitude))];
    const label =
      px + 9 + textWidth(name) <= width || px < width / 2
        ? fittedText(name, px + 9, py + 4, width - px - 9, "")
        : fittedText(name, px - 9, py + 4, px - 9, "end");
    return markup`<g><title>${name}</title><circle class="here" cx="${px}" cy="${py}" r="5"/></g>${label}`;
  });
  return chartFrame(
    "pointMap",
    chart,
    { width, height },
    markup`<path class="background" d="${pale.join("")}"/>${named}`,
  );
}

function boundsOf(degrees: readonly number[]): [least: number, greatest: number] {
  const least = Math.min(...degrees);
  const greatest = Math.max(...degrees);
  if (degrees.length === 0) return [0, degreesMin];
  const missing = Math.max(0, degreesMin - (greatest - least)) / 2;
  return [least - missing, greatest + missing];
}
