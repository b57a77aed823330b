/**
 * Where a line may go on and where it ends: a line across months without prices would show prices that were not
 * recorded.
 */

/** Something on a day, counted from 1970-01-01. */
export interface Dated {
  readonly day: number;
}

/** The greatest number of days from one month to the next. */
export const monthDaysMax = 31;

/** What is drawn of points. */
export interface Drawn<Point> {
  /** The shapes of all stretches of two points or more; empty without one. */
  readonly path: string;
  /** Points without neighbours. */
  readonly isolated: readonly Point[];
}

/**
 * Draws points without bridging gaps.
 *
 * @param points By day, ascending.
 * @param joinDaysMax Two neighbours further apart than this are not joined.
 * @param shape The path of points that are joined, such as a line of d3-shape.
 */
export function drawStretches<Point extends Dated>(
  points: readonly Point[],
  joinDaysMax: number,
  shape: (stretch: Point[]) => string | null,
): Drawn<Point> {
  const stretches = splitAtGaps(points, joinDaysMax);
  const long = stretches.filter(({ length }) => length > 1);
  return {
    path: long.map((stretch) => shape(stretch) ?? "").join(""),
    isolated: stretches.filter(({ length }) => length === 1).flat(),
  };
}

/**
 * Cuts points into stretches without a gap.
 *
 * @param points By day, ascending.
 * @param joinDaysMax Two neighbours further apart than this lie in different stretches.
 * @returns Stretches of at least one point, in order.
 */
export function splitAtGaps<Point extends Dated>(points: readonly Point[], joinDaysMax: number): Point[][] {
  const stretches: Point[][] = [];
  let last: Point | undefined;
  for (const point of points) {
    if (last !== undefined && point.day - last.day <= joinDaysMax) stretches.at(-1)?.push(point);
    else stretches.push([point]);
    last = point;
  }
  return stretches;
}
