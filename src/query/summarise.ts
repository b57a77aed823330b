/** Figures as they are answered: rounded, and put together over groups. How they come about: store/group-figures.ts. */
import type { GroupList } from "./group-list.ts";

/** The figures of all groups together; prices are rounded to `decimals`. */
export interface OverallFigures {
  /** Arithmetic mean over records, not over groups. */
  readonly average: number;
  readonly min: number;
  readonly max: number;
  readonly count: number;
}

/** Digits behind the decimal point that figures are rounded to. */
export const decimals = 6;

const decimalScale = 10 ** decimals;

/** The number before one half: added before cutting off, it rounds half up, where one half would also lift itself. */
const nearlyHalf = 0.5 - Number.EPSILON / 4;

/** What the groups of an answer come to. */
export interface Totals {
  /** Over all records that are in a group; null without any. */
  readonly overall: OverallFigures | null;
  /** Records that are in the figures and were recorded in another unit. */
  readonly convertedSamples: number;
  /** Records in a unit of another base or another currency. */
  readonly excludedSamples: number;
}

/**
 * What the groups of an answer come to.
 *
 * The average is over records: each group's mean counts as often as the group has records. Each product is made small
 * before it is added, so that no sum overflows, and the sum carries what its additions round away.
 */
export function totalsOf({ ready, made, places }: GroupList): Totals {
  let convertedSamples = 0;
  let excludedSamples = 0;
  let count = 0;
  let min = Infinity;
  let max = -Infinity;
  for (let group = 0; group < places.length; group++) {
    const place = places[group]!;
    const figures = place < 0 ? made : ready;
    const at = place < 0 ? ~place : place;
    const groupCount = figures.counts[at]!;
    excludedSamples += figures.excluded[at]!;
    // The figures of an empty group are 0 and mean nothing.
    if (groupCount === 0) continue;
    convertedSamples += figures.converted[at]!;
    count += groupCount;
    if (figures.mins[at]! < min) min = figures.mins[at]!;
    if (figures.maxs[at]! > max) max = figures.maxs[at]!;
  }
  if (count === 0) return { overall: null, convertedSamples, excludedSamples };
  let sum = 0;
  let lost = 0;
  for (let group = 0; group < places.length; group++) {
    const place = places[group]!;
    const figures = place < 0 ? made : ready;
    const at = place < 0 ? ~place : place;
    const part = figures.means[at]! * (figures.counts[at]! / count);
    const next = sum + part;
    lost += sum >= part ? sum - next + part : part - next + sum;
    sum = next;
  }
  const average = Math.min(Math.max(sum + lost, min), max);
  const overall = { average: roundFigure(average), min: roundFigure(min), max: roundFigure(max), count };
  return { overall, convertedSamples, excludedSamples };
}

/**
 * Rounds to `decimals`, half up; numbers so large that they have no such digits stay as they are.
 *
 * @param value At least 0.
 */
export function roundFigure(value: number): number {
  const scaled = value * decimalScale;
  // As `Math.round` would, at a third of its time.
  return scaled < Number.MAX_SAFE_INTEGER ? Math.floor(scaled + nearlyHalf) / decimalScale : value;
}
