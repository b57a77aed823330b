import type { Day } from "../domain/calendar-day.ts";
import { compareTexts } from "../domain/folded-text.ts";
import type { Store } from "../store/store.ts";

export interface NewestOfSource {
  readonly source: string;
  /** Day of its newest price. */
  readonly day: Day;
  readonly count: number;
}

/** Rows looked at between two yields. */
const stepRows = 16_384;

/**
 * The newest price of each source, newest first; equal days by source.
 *
 * Cost: a look at the newest prices of all, down to the first one of the source that has been silent for longest.
 */
export function* newestBySource({
  periods,
  prices,
  rowsByTime,
  sourceCounts,
}: Store): Generator<number, NewestOfSource[]> {
  const found: NewestOfSource[] = [];
  const isFound = new Uint8Array(sourceCounts.length);
  const wanted = sourceCounts.filter((count) => count > 0).length;
  for (let at = 0; found.length < wanted; at++) {
    if (at % stepRows === stepRows - 1) yield stepRows;
    const row = rowsByTime[at]!;
    const code = prices.sources[row]!;
    if (isFound[code] === 1) continue;
    isFound[code] = 1;
    const day = (periods.newestDay - periods.ages[periods.dayCodes[row]!]!) as Day;
    found.push({ source: prices.sourceNames[code]!, day, count: sourceCounts[code]! });
  }
  return found.sort((a, b) => b.day - a.day || compareTexts(a.source, b.source));
}
