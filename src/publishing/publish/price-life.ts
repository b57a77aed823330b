/** Follows the life of a price: what each snapshot that is kept has changed of it, and which entries of the log. */

import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Instant } from "../../engine/model/calendar.ts";
import { getOrInsert } from "../../engine/model/get-or-insert.ts";
import type { Uuid } from "../../engine/model/ids.ts";
import type { PriceDecision, PriceOrigin } from "../../engine/model/records.ts";
import { ifAvailable } from "../../engine/snapshots/current-snapshot.ts";
import { type FoundLine, findLines } from "../../engine/snapshots/find-lines.ts";
import type { ManifestFile } from "../../engine/snapshots/manifest.ts";
import { toPriceOrigin } from "../../engine/snapshots/price-origins.ts";
import { originsNameOf, type SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import { snapshotIds } from "./list-snapshots.ts";
import { PublishedSnapshot } from "./open-published.ts";
import type { LogEntry } from "./publication-log.ts";

/** A line of a prices file, as it is written there. */
interface PriceLine extends FoundLine {
  readonly file: string;
  /** Its origin, if an import has written that down. */
  readonly origin: PriceOrigin | undefined;
}

/** The state of a price in a snapshot. */
interface PriceState {
  /** Undefined where it has no line. */
  readonly line: PriceLine | undefined;
  readonly withdrawal: PriceDecision | undefined;
  readonly acceptance: PriceDecision | undefined;
}

/** `known`: its parent is no longer there, so it may be older. */
export type PriceEventKind =
  | "published"
  | "known"
  | "replaced"
  | "gone"
  | "withdrawn"
  | "reinstated"
  | "accepted"
  | "accepted-no-more";

export interface PriceEvent {
  readonly kind: PriceEventKind;
  readonly snapshot: SnapshotId;
  readonly publishedAt: Instant;
  readonly note: string | null;
  /** The line that the snapshot reads, or the last one. */
  readonly line: PriceLine;
  /** Fields that a correction has changed: before and after; null for what is not there. */
  readonly changed: Readonly<Record<string, readonly [before: unknown, after: unknown]>>;
  /** The decision; undefined where the event is no withdrawal or acceptance. */
  readonly decision: PriceDecision | undefined;
}

export interface PriceLife {
  /** Oldest first. */
  readonly events: readonly PriceEvent[];
  /** Snapshots that cannot be read. */
  readonly unreadable: readonly SnapshotId[];
}

/**
 * Follows a price through all snapshots of a dataset directory, each compared with its parent.
 *
 * Cost: reads each prices file once, also where several snapshots share it.
 */
export async function readPriceLife(dataDirectory: string, uuid: Uuid): Promise<PriceLife> {
  const events: PriceEvent[] = [];
  const unreadable: SnapshotId[] = [];
  const states = new Map<SnapshotId, PriceState>();
  const lines = new LineFinder(uuid);
  for (const id of await snapshotIds(dataDirectory)) {
    const snapshot = await ifAvailable(PublishedSnapshot.read(dataDirectory, id));
    if (snapshot === undefined) {
      unreadable.push(id);
      continue;
    }
    const { parent, createdAt: publishedAt, note } = snapshot.manifest;
    const { withdrawals, accepted } = await snapshot.readDecisions();
    const isOfPrice = (decision: PriceDecision): boolean => decision.uuid === uuid;
    const state: PriceState = {
      line: await lines.newest(snapshot),
      withdrawal: withdrawals.find(isOfPrice),
      acceptance: accepted.find(isOfPrice),
    };
    states.set(id, state);
    const before = parent === null ? nothing : states.get(parent);
    for (const event of eventsBetween(before, state)) events.push({ ...event, snapshot: id, publishedAt, note });
  }
  return { events, unreadable };
}

const nothing: PriceState = { line: undefined, withdrawal: undefined, acceptance: undefined };

/** Finds the lines of a price. Cost: a file is read once, also where several snapshots share it. */
class LineFinder {
  readonly #uuid: Uuid;
  readonly #lines = new Map<string, Promise<FoundLine | undefined>>();

  constructor(uuid: Uuid) {
    this.#uuid = uuid;
  }

  /** @param file A file of the snapshot, whose records have uuids. */
  async find({ directory }: PublishedSnapshot, { name, sha256 }: ManifestFile): Promise<FoundLine | undefined> {
    return await getOrInsert(this.#lines, sha256, async () => {
      return (await findLines(join(directory, name), [this.#uuid])).get(this.#uuid);
    });
  }

  /** The line that readers of a snapshot see, whether or not the price is withdrawn. */
  async newest(snapshot: PublishedSnapshot): Promise<PriceLine | undefined> {
    for (const file of pricesFilesOf(snapshot).toSorted((a, b) => b.sequence - a.sequence)) {
      const found = await this.find(snapshot, file);
      if (found === undefined) continue;
      const origins = snapshot.manifest.files.find(({ name }) => name === originsNameOf(file.name));
      const origin = origins && (await this.find(snapshot, origins));
      return { file: file.name, ...found, origin: origin && toPriceOrigin(origin.record) };
    }
    return undefined;
  }
}

function pricesFilesOf({ manifest }: PublishedSnapshot): readonly ManifestFile[] {
  return manifest.files.filter(({ kind }) => kind === "prices");
}

/** The entries of a log that concern a price. */
export interface PriceEntries {
  readonly entries: readonly LogEntry[];
  /** Number of others that may concern it too: a snapshot that they name is removed or damaged. */
  readonly unknown: number;
}

/**
 * Finds the entries that decide on a price, and those whose snapshots differ by a prices file that has it.
 *
 * Cost: reads every prices file that an entry has brought or taken away, once.
 */
export async function findEntriesOfPrice(
  dataDirectory: string,
  entries: readonly LogEntry[],
  uuid: Uuid,
): Promise<PriceEntries> {
  const found: LogEntry[] = [];
  let unknown = 0;
  const lines = new LineFinder(uuid);
  for (const entry of entries) {
    const { prices, from, to } = entry;
    if (prices?.includes(uuid)) found.push(entry);
    if (prices !== undefined || from === to || to === null) continue;
    const named = from === null ? [to] : [from, to];
    const reads = named.map((id) => ifAvailable(PublishedSnapshot.read(dataDirectory, id)));
    const snapshots = (await Promise.all(reads)).filter((snapshot) => snapshot !== undefined);
    if (snapshots.length < named.length) unknown++;
    else if (await differBy(lines, snapshots)) found.push(entry);
  }
  return { entries: found, unknown };
}

/** Returns whether a file that only one of these snapshots has, of two at most, is one that has the price. */
async function differBy(lines: LineFinder, snapshots: readonly PublishedSnapshot[]): Promise<boolean> {
  const hashes = snapshots.map((snapshot) => new Set(pricesFilesOf(snapshot).map(({ sha256 }) => sha256)));
  for (const [at, snapshot] of snapshots.entries()) {
    for (const file of pricesFilesOf(snapshot)) {
      const isShared = hashes.some((others, other) => other !== at && others.has(file.sha256));
      if (!isShared && (await lines.find(snapshot, file)) !== undefined) return true;
    }
  }
  return false;
}

type EventBetween = Pick<PriceEvent, "kind" | "line" | "changed" | "decision">;

/** @param before Undefined where it is not known. */
function eventsBetween(before: PriceState | undefined, after: PriceState): EventBetween[] {
  const events: EventBetween[] = [];
  const [was, is] = [before?.line, after.line];
  const line = is ?? was;
  if (line === undefined) return events;
  const add = (kind: PriceEventKind, more: Partial<EventBetween> = {}): void =>
    void events.push({ kind, line, changed: {}, decision: undefined, ...more });
  if (is === undefined) add("gone");
  else if (was === undefined) add(before === undefined ? "known" : "published");
  else if (!isDeepStrictEqual(was.record, is.record))
    add("replaced", { changed: fieldsChanged(was.record, is.record) });
  for (const [kind, undone, then, now] of [
    ["withdrawn", "reinstated", before?.withdrawal, after.withdrawal],
    ["accepted", "accepted-no-more", before?.acceptance, after.acceptance],
  ] as const) {
    if (then === undefined && now !== undefined) add(kind, { decision: now });
    if (then !== undefined && now === undefined) add(undone, { decision: then });
  }
  return events;
}

function fieldsChanged(was: PriceLine["record"], is: PriceLine["record"]): PriceEvent["changed"] {
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return Object.fromEntries(
    names
      .filter((name) => !isDeepStrictEqual(was[name], is[name]))
      .map((name) => [name, [was[name] ?? null, is[name] ?? null]] as const),
  );
}
