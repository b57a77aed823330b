/** A point → its distance from Kenya or a county, by the outlines of its counties (data/county-shapes). */
import shapes from "../../../../data/county-shapes/county-shapes.json" with { type: "json" };
import type { Coordinates } from "../../../engine/model/records.ts";

/** In units of the outlines: x eastwards, y southwards. */
type Corner = readonly [x: number, y: number];

/** The corners of each county in order, its outline being closed, by its id. */
const outlines = new Map<number, readonly Corner[]>(
  shapes.counties.map(({ id, path }) => [Number(id), cornersOf(path)]),
);

/** A degree of latitude has this length, and a degree of longitude at the equator. */
const kilometresPerDegree = 111.2;

/** Kilometres between a point and the nearest outline of a county; 0 inside of one. */
export function kilometresFromKenya(point: Coordinates): number {
  return kilometresFrom([...outlines.values()], point);
}

/** The same of one county. */
export function kilometresFromCounty(point: Coordinates, countyId: number): number {
  return kilometresFrom([outlines.get(countyId) ?? []], point);
}

/**
 * The distance from the nearest of some outlines.
 *
 * The earth counts as flat around the point, which is off by less than a hundredth within some hundred kilometres. The
 * outlines are simplified to about a kilometre. Cost: a read of each corner, some 1,500.
 */
function kilometresFrom(outlines: readonly (readonly Corner[])[], { latitude, longitude }: Coordinates): number {
  const point: Corner = [
    (longitude - shapes.west) * shapes.unitsPerDegree,
    (shapes.north - latitude) * shapes.unitsPerDegree,
  ];
  if (outlines.some((corners) => contains(corners, point))) return 0;
  const kilometresPerUnit = kilometresPerDegree / shapes.unitsPerDegree;
  const eastwards = kilometresPerUnit * Math.cos((latitude * Math.PI) / 180);
  const flat = ([x, y]: Corner): Corner => [(x - point[0]) * eastwards, (y - point[1]) * kilometresPerUnit];
  const distances = outlines.map((corners) => distanceFromOrigin(corners.map(flat)));
  return Math.min(...distances);
}

/** The corners of an SVG path that begins with `M`, goes on with `l` and ends with `z`. */
function cornersOf(path: string): Corner[] {
  const numbers = (path.match(/-?\d+/g) ?? []).map(Number);
  let [x, y] = [0, 0];
  return Array.from({ length: numbers.length / 2 }, (_, corner): Corner => {
    x += numbers[2 * corner] as number;
    y += numbers[2 * corner + 1] as number;
    return [x, y];
  });
}

/** Returns whether a ray from the point to the east crosses the outline an odd number of times. */
function contains(corners: readonly Corner[], [x, y]: Corner): boolean {
  let isInside = false;
  for (const [[x1, y1], [x2, y2]] of sidesOf(corners)) {
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) * (x2 - x1)) / (y2 - y1)) isInside = !isInside;
  }
  return isInside;
}

/** From the origin to the nearest point of an outline. */
function distanceFromOrigin(corners: readonly Corner[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const [[x1, y1], [x2, y2]] of sidesOf(corners)) {
    const [dx, dy] = [x2 - x1, y2 - y1];
    // The part of the side at which its nearest point stands.
    const part = Math.min(1, Math.max(0, -(x1 * dx + y1 * dy) / (dx * dx + dy * dy || 1)));
    least = Math.min(least, Math.hypot(x1 + part * dx, y1 + part * dy));
  }
  return least;
}

function sidesOf(corners: readonly Corner[]): [Corner, Corner][] {
  return corners.map((corner, at) => [corner, corners[(at + 1) % corners.length] as Corner]);
}
