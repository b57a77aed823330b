/** Figures as they are answered: rounded, and put together over groups. How they come about: store/group-figures.ts. */
import type { GroupFigures } from "../store/group-figures.ts";

/** The figures of some prices, rounded to `decimals`. */
export interface Figures {
  /** Arithmetic mean. */
  readonly average: number;
  readonly min: number;
  readonly max: number;
  /** The mean of the two middle values when the count is even. */
  readonly median: number;
  readonly count: number;
  /** Sample standard deviation (n − 1); 0 for one value. */
  readonly deviation: number;
}

/** The figures of all groups together, rounded to `decimals`. */
export type OverallFigures = Pick<Figures, "average" | "min" | "max" | "count">;

/** One group of some columns of figures. */
export interface GroupPlace {
  readonly figures: GroupFigures;
  readonly at: number;
}

/** Digits behind the decimal point that figures are rounded to. */
export const decimals = 6;

const decimalScale = 10 ** decimals;

/** The figures of one group that is not empty. */
export function figuresAt({ figures, at }: GroupPlace): Figures {
  return {
    average: roundFigure(figures.means[at]!),
    min: roundFigure(figures.mins[at]!),
    max: roundFigure(figures.maxs[at]!),
    median: roundFigure(figures.medians[at]!),
    count: figures.counts[at]!,
    deviation: roundFigure(figures.deviations[at]!),
  };
}

/**
 * The figures over all records of some groups; null without any record.
 *
 * The average is over records: each group's mean counts as often as the group has records. Each product is made small
 * before it is added, so that no sum overflows, and the sum carries what its additions round away.
 */
export function overallOf(groups: readonly GroupPlace[]): OverallFigures | null {
  let count = 0;
  let min = Infinity;
  let max = -Infinity;
  for (const { figures, at } of groups) {
    // The figures of an empty group are 0 and mean nothing.
    if (figures.counts[at] === 0) continue;
    count += figures.counts[at]!;
    if (figures.mins[at]! < min) min = figures.mins[at]!;
    if (figures.maxs[at]! > max) max = figures.maxs[at]!;
  }
  if (count === 0) return null;
  let sum = 0;
  let lost = 0;
  for (const { figures, at } of groups) {
    const part = figures.means[at]! * (figures.counts[at]! / count);
    const next = sum + part;
    lost += sum >= part ? sum - next + part : part - next + sum;
    sum = next;
  }
  const average = Math.min(Math.max(sum + lost, min), max);
  return { average: roundFigure(average), min: roundFigure(min), max: roundFigure(max), count };
}

/** Rounds to `decimals`; numbers so large that they have no such digits stay as they are. */
export function roundFigure(value: number): number {
  const scaled = value * decimalScale;
  return Math.abs(scaled) < Number.MAX_SAFE_INTEGER ? Math.round(scaled) / decimalScale : value;
}
