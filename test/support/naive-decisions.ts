/** The slow, obvious twin of publishing under withdrawals: rows as objects, what is withdrawn as a set. */
import { isSameButForTimes, type Layer, mergeFeedNaively, type PriceLine, visibleRows } from "./naive-feed.ts";

/** What a snapshot holds. */
export interface NaiveSnapshot {
  /** All rows of its files. */
  readonly layers: readonly Layer[];
  readonly withdrawn: ReadonlySet<string>;
}

export type NaiveChange =
  | { readonly kind: "append"; readonly rows: ReadonlyMap<string, PriceLine> }
  | { readonly kind: "feed"; readonly rows: ReadonlyMap<string, PriceLine>; readonly prefer: "own" | "feed" }
  | { readonly kind: "whole"; readonly rows: ReadonlyMap<string, PriceLine> }
  | { readonly kind: "withdraw"; readonly uuids: readonly string[] }
  | { readonly kind: "reinstate"; readonly uuids: readonly string[] }
  /** Exactly, or with what is withdrawn now. */
  | { readonly kind: "rollback"; readonly to: NaiveSnapshot; readonly isExact: boolean };

/** What readers see: of each uuid that is not withdrawn the row of the highest sequence. */
export function shownRows({ layers, withdrawn }: NaiveSnapshot): ReadonlyMap<string, PriceLine> {
  return new Map([...visibleRows(layers)].filter(([uuid]) => !withdrawn.has(uuid)));
}

/** How many prices of the files are withdrawn. */
export function withheldCount({ layers, withdrawn }: NaiveSnapshot): number {
  return [...visibleRows(layers).keys()].filter((uuid) => withdrawn.has(uuid)).length;
}

/** @returns Undefined where the change is refused. */
export function changeNaively(snapshot: NaiveSnapshot, change: NaiveChange): NaiveSnapshot | undefined {
  const { layers, withdrawn } = snapshot;
  const shown = shownRows(snapshot);
  if (change.kind === "append") {
    const isNew = ([uuid, row]: [string, PriceLine]): boolean =>
      !withdrawn.has(uuid) && !isSameButForTimes(shown.get(uuid), row);
    const rows = new Map([...change.rows].filter(isNew));
    const sequence = Math.max(0, ...layers.map((layer) => layer.sequence)) + 1;
    return { withdrawn, layers: rows.size === 0 ? layers : [...layers, { sequence, rows }] };
  }
  if (change.kind === "feed") {
    const { taken, layers: next } = mergeFeedNaively(layers, change.rows, "WFP", change.prefer);
    return taken.length > 0 ? undefined : { withdrawn, layers: next };
  }
  if (change.kind === "whole") return { withdrawn, layers: [{ sequence: 0, rows: change.rows }] };
  if (change.kind === "rollback") {
    const { to, isExact } = change;
    return isExact ? to : { layers: to.layers, withdrawn: new Set([...to.withdrawn, ...withdrawn]) };
  }
  if (change.kind === "withdraw") {
    if (!change.uuids.every((uuid) => shown.has(uuid) || withdrawn.has(uuid))) return undefined;
    return { layers, withdrawn: new Set([...withdrawn, ...change.uuids]) };
  }
  if (!change.uuids.every((uuid) => withdrawn.has(uuid))) return undefined;
  return { layers, withdrawn: new Set([...withdrawn].filter((uuid) => !change.uuids.includes(uuid))) };
}
