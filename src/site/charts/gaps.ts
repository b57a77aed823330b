/**
 * Where a line may go on and where it ends: a line across months without prices would show prices that were not
 * recorded.
 */
import { area, line } from "d3-shape";

/** Something on a day, counted from 1970-01-01. */
interface Dated {
  readonly day: number;
}

/** The greatest number of days from one month to the next. */
export const monthDaysMax = 31;

/** What is drawn of points. */
interface Drawn<Point> {
  /** The shapes of all stretches of two points or more; empty without one. */
  readonly path: string;
  /** Points without neighbours. */
  readonly isolated: readonly Point[];
}

type Scale = (value: number) => number;

/**
 * A line through points, and the points that have a mark: those without neighbours, and the last one, so that its shape
 * names the line where colours are hard to tell apart.
 *
 * @param points By day, ascending.
 * @param joinDaysMax Two neighbours further apart than this are not joined.
 */
export function drawLine<Point extends Dated & { readonly value: number }>(
  points: readonly Point[],
  joinDaysMax: number,
  x: Scale,
  y: Scale,
): { readonly path: string; readonly marked: readonly Point[] } {
  const shape = line<Point>(
    ({ day }) => x(day),
    ({ value }) => y(value),
  ).digits(1);
  const { path, isolated } = drawStretches(points, joinDaysMax, shape);
  const last = points.at(-1);
  return { path, marked: last === undefined || isolated.includes(last) ? isolated : [...isolated, last] };
}

/** A band between two values of each point, see `drawLine`. */
export function drawBand<Point extends Dated & { readonly low: number; readonly high: number }>(
  points: readonly Point[],
  joinDaysMax: number,
  x: Scale,
  y: Scale,
): Drawn<Point> {
  const shape = area<Point>(
    ({ day }) => x(day),
    ({ low }) => y(low),
    ({ high }) => y(high),
  ).digits(1);
  return drawStretches(points, joinDaysMax, shape);
}

/** Draws points without bridging gaps. @param shape The path of points that are joined. */
function drawStretches<Point extends Dated>(
  points: readonly Point[],
  joinDaysMax: number,
  shape: (stretch: Point[]) => string | null,
): Drawn<Point> {
  const stretches: Point[][] = [];
  for (const point of points) {
    const stretch = stretches.at(-1);
    if (stretch !== undefined && point.day - (stretch.at(-1) as Point).day <= joinDaysMax) stretch.push(point);
    else stretches.push([point]);
  }
  const long = stretches.filter(({ length }) => length > 1);
  return {
    path: long.map((stretch) => shape(stretch) ?? "").join(""),
    isolated: stretches.filter(({ length }) => length === 1).flat(),
  };
}
