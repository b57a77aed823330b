/** The middle of some figures; the mean of the two middle ones when their count is even. */
export function medianOf(figures: readonly number[] | Float64Array): number {
  const sorted = Float64Array.from(figures).sort();
  if (sorted.length === 0) throw new RangeError("there is no median of nothing");
  return ((sorted[(sorted.length - 1) >> 1] as number) + (sorted[sorted.length >> 1] as number)) / 2;
}

/** The figure that 99 of 100 do not exceed; the greatest of fewer than 100. */
export function percentile99(figures: readonly number[] | Float64Array): number {
  const sorted = Float64Array.from(figures).sort();
  const last = sorted[Math.ceil(sorted.length * 0.99) - 1];
  if (last === undefined) throw new RangeError("there is no percentile of nothing");
  return last;
}
