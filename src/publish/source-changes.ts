import { compareTexts } from "../domain/folded-text.ts";
import type { Store } from "../store/store.ts";

/** How many prices of a source there are. */
export interface SourceChange {
  readonly source: string;
  readonly before: number;
  readonly after: number;
}

/** The sources with another number of prices in one of two stores than in the other, by name. */
export function compareSources(before: Store, after: Store): SourceChange[] {
  const [countsBefore, counts] = [sourceCountsOf(before), sourceCountsOf(after)];
  return [...new Set([...countsBefore.keys(), ...counts.keys()])]
    .sort(compareTexts)
    .map((source) => ({ source, before: countsBefore.get(source) ?? 0, after: counts.get(source) ?? 0 }))
    .filter((change) => change.before !== change.after);
}

function sourceCountsOf({ prices, sourceCounts }: Store): ReadonlyMap<string, number> {
  return new Map(prices.sourceNames.map((source, code) => [source, sourceCounts[code] as number]));
}
