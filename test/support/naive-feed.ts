/** The slow, obvious twin of publishing a feed beside other sources: rows as objects, by uuid in maps. */
import type { WireRecords } from "../../src/publishing/importers/wire-records.ts";

export type PriceLine = WireRecords["prices"];

/** The rows of all prices files of one sequence, by uuid. */
export interface Layer {
  readonly sequence: number;
  readonly rows: ReadonlyMap<string, PriceLine>;
  /** The append that it is of; appends have numbers. */
  readonly append?: number;
}

export interface NaiveMerge {
  /** Rows of the feed whose uuid is that of a price of another source: the feed is refused. */
  readonly taken: readonly string[];
  readonly conflicts: readonly string[];
  /** Sequence 0 first; layers without rows are left out. */
  readonly layers: readonly Layer[];
}

/** Whether rows are the same but for the times of entry. */
export function isSameButForTimes(a: PriceLine | undefined, b: PriceLine | undefined): boolean {
  const written = (row: PriceLine | undefined): string | undefined =>
    row && JSON.stringify({ ...row, created_at: "", updated_at: "" });
  return written(a) === written(b);
}

/** What readers see: of each uuid the row of the highest sequence. */
export function visibleRows(layers: readonly Layer[]): ReadonlyMap<string, PriceLine> {
  const bySequence = layers.toSorted((a, b) => a.sequence - b.sequence);
  return new Map(bySequence.flatMap(({ rows }) => [...rows]));
}

/** How many rows of each layer replace rows of lower sequence. */
export function replacedRows(layers: readonly Layer[]): number[] {
  return layers.map(({ sequence, rows }) => {
    const lower = layers.filter((layer) => layer.sequence < sequence);
    return [...rows.keys()].filter((uuid) => lower.some((layer) => layer.rows.has(uuid))).length;
  });
}

export function mergeFeedNaively(
  layers: readonly Layer[],
  feed: ReadonlyMap<string, PriceLine>,
  source: string,
  prefer: "own" | "feed",
): NaiveMerge {
  const base = layers.find(({ sequence }) => sequence === 0)?.rows ?? new Map<string, PriceLine>();
  const appended = layers.filter(({ sequence }) => sequence > 0);
  const own = visibleRows(appended);
  const taken: string[] = [];
  const conflicts: string[] = [];
  const gone = new Set<string>();
  const nextBase = new Map<string, PriceLine>();
  for (const [uuid, row] of base) if (row.source !== source) nextBase.set(uuid, row);
  for (const [uuid, row] of feed) nextBase.set(uuid, row);
  for (const uuid of new Set([...base.keys(), ...own.keys()])) {
    const [was, mine, is] = [base.get(uuid), own.get(uuid), feed.get(uuid)];
    if ((was ?? mine)?.source !== source) {
      if (is !== undefined) taken.push(uuid);
    } else if (mine !== undefined && is !== undefined && isSameButForTimes(mine, is)) {
      gone.add(uuid);
    } else if (mine !== undefined && !isSameButForTimes(was, is)) {
      conflicts.push(uuid);
      if (prefer === "feed") gone.add(uuid);
    }
  }
  const kept = appended.map(({ rows, ...layer }) => {
    return { ...layer, rows: new Map([...rows].filter(([uuid]) => !gone.has(uuid))) };
  });
  const next = [{ sequence: 0, rows: nextBase }, ...kept].filter(({ rows }) => rows.size > 0);
  return { taken: taken.sort(), conflicts: conflicts.sort(), layers: next };
}
