/** The slow, obvious twin of publishing under decisions: rows as objects, decisions as a set and a map. */
import { isSameButForTimes, type Layer, mergeFeedNaively, type PriceLine, visibleRows } from "./naive-feed.ts";

/** What a snapshot holds. */
export interface NaiveSnapshot {
  /** All rows of its files. */
  readonly layers: readonly Layer[];
  readonly withdrawn: ReadonlySet<string>;
  /** By uuid, the price that was accepted. */
  readonly accepted: ReadonlyMap<string, number>;
  /** The appends that it has no more because they were undone. */
  readonly undone: ReadonlySet<number>;
}

export type NaiveChange =
  | { readonly kind: "append"; readonly rows: ReadonlyMap<string, PriceLine>; readonly append: number }
  /** Undefined: of what is no append. */
  | { readonly kind: "undo"; readonly append: number | undefined }
  | { readonly kind: "feed"; readonly rows: ReadonlyMap<string, PriceLine>; readonly prefer: "own" | "feed" }
  | { readonly kind: "whole"; readonly rows: ReadonlyMap<string, PriceLine> }
  | { readonly kind: "withdraw"; readonly uuids: readonly string[] }
  | { readonly kind: "reinstate"; readonly uuids: readonly string[] }
  /** @param marked The prices that are suspicious now. */
  | { readonly kind: "accept"; readonly uuids: readonly string[]; readonly marked: ReadonlySet<string> }
  | { readonly kind: "unaccept"; readonly uuids: readonly string[] }
  | { readonly kind: "gc" }
  /** Exactly, or with what is withdrawn now. */
  | { readonly kind: "rollback"; readonly to: NaiveSnapshot; readonly isExact: boolean };

/** What readers see: of each uuid that is not withdrawn the row of the highest sequence. */
export function shownRows({ layers, withdrawn }: NaiveSnapshot): ReadonlyMap<string, PriceLine> {
  return new Map([...visibleRows(layers)].filter(([uuid]) => !withdrawn.has(uuid)));
}

/** The prices whose acceptances hold. */
export function holdingOf(snapshot: NaiveSnapshot): ReadonlySet<string> {
  const shown = shownRows(snapshot);
  return new Set(
    [...snapshot.accepted].filter(([uuid, price]) => shown.get(uuid)?.price === price).map(([uuid]) => uuid),
  );
}

/** How many prices of the files are withdrawn. */
export function withheldCount({ layers, withdrawn }: NaiveSnapshot): number {
  return [...visibleRows(layers).keys()].filter((uuid) => withdrawn.has(uuid)).length;
}

/** @returns Undefined where the change is refused. */
export function changeNaively(snapshot: NaiveSnapshot, change: NaiveChange): NaiveSnapshot | undefined {
  const { layers, withdrawn, accepted, undone } = snapshot;
  const shown = shownRows(snapshot);
  if (change.kind === "append") {
    const { append } = change;
    const stored = visibleRows(layers);
    // A withdrawn price that no file has is left out.
    const isNew = ([uuid, row]: [string, PriceLine]): boolean =>
      (!withdrawn.has(uuid) || stored.has(uuid)) && !isSameButForTimes(stored.get(uuid), row);
    const rows = new Map([...change.rows].filter(isNew));
    const sequence = Math.max(0, ...layers.map((layer) => layer.sequence)) + 1;
    return { ...snapshot, layers: rows.size === 0 ? layers : [...layers, { sequence, rows, append }] };
  }
  if (change.kind === "undo") {
    const { append } = change;
    if (append === undefined) return undefined;
    if (undone.has(append)) return snapshot;
    const next = { ...snapshot, layers: layers.filter((layer) => layer.append !== append) };
    if (next.layers.length === layers.length || shownRows(next).size === 0) return undefined;
    return { ...next, undone: new Set([...undone, append]) };
  }
  if (change.kind === "feed") {
    const { taken, layers: next } = mergeFeedNaively(layers, change.rows, "WFP", change.prefer);
    return taken.length > 0 ? undefined : { ...snapshot, layers: next };
  }
  if (change.kind === "whole") return { ...snapshot, layers: [{ sequence: 0, rows: change.rows }] };
  if (change.kind === "rollback") {
    const { to, isExact } = change;
    return isExact ? to : { ...to, withdrawn: new Set([...to.withdrawn, ...withdrawn]) };
  }
  if (change.kind === "withdraw") {
    if (!change.uuids.every((uuid) => shown.has(uuid) || withdrawn.has(uuid))) return undefined;
    return { ...snapshot, withdrawn: new Set([...withdrawn, ...change.uuids]) };
  }
  if (change.kind === "gc") return snapshot;
  if (change.kind === "accept") {
    const isKnown = (uuid: string): boolean =>
      accepted.has(uuid) && (!shown.has(uuid) || shown.get(uuid)?.price === accepted.get(uuid));
    if (!change.uuids.every((uuid) => isKnown(uuid) || change.marked.has(uuid))) return undefined;
    const added = change.uuids.filter((uuid) => !isKnown(uuid));
    return {
      ...snapshot,
      accepted: new Map([...accepted, ...added.map((uuid) => [uuid, shown.get(uuid)?.price ?? 0] as const)]),
    };
  }
  if (change.kind === "unaccept") {
    if (!change.uuids.every((uuid) => accepted.has(uuid))) return undefined;
    return { ...snapshot, accepted: new Map([...accepted].filter(([uuid]) => !change.uuids.includes(uuid))) };
  }
  if (!change.uuids.every((uuid) => withdrawn.has(uuid))) return undefined;
  return { ...snapshot, withdrawn: new Set([...withdrawn].filter((uuid) => !change.uuids.includes(uuid))) };
}
