/** The life of a price: what each snapshot that is kept has changed of it. */
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { orUnavailable, readManifestOf, SnapshotUnavailableError } from "../dataset/current-snapshot.ts";
import type { Manifest } from "../dataset/manifest.ts";
import { readManifestRulings } from "../dataset/price-rulings.ts";
import { originsNameOf, type SnapshotId, snapshotPath } from "../dataset/snapshot-layout.ts";
import type { Uuid } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { PriceOrigin, PriceRuling } from "../domain/records.ts";
import { type FoundLine, findLines, findOrigins } from "./find-origins.ts";
import { snapshotIds } from "./list-snapshots.ts";

/** A line of a prices file, as it is written there. */
interface PriceLine extends FoundLine {
  readonly file: string;
  /** Where it comes from, if an import has written that down. */
  readonly origin: PriceOrigin | undefined;
}

/** What a snapshot says of a price. */
interface PriceState {
  /** Undefined where it has no line. */
  readonly line: PriceLine | undefined;
  readonly withdrawal: PriceRuling | undefined;
  readonly acceptance: PriceRuling | undefined;
}

/** `known`: its parent is no longer there, so it may be older. */
export type PriceEventKind =
  | "published"
  | "known"
  | "corrected"
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
  /** What was ruled; undefined where the event is no withdrawal or acceptance. */
  readonly ruling: PriceRuling | undefined;
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
  const found: FoundByHash = { lines: new Map(), origins: new Map() };
  for (const id of await snapshotIds(dataDirectory)) {
    const manifest = await orUnavailable(readManifestOf(dataDirectory, id));
    if (manifest instanceof SnapshotUnavailableError) {
      unreadable.push(id);
      continue;
    }
    const state = await readState(snapshotPath(dataDirectory, id), manifest, uuid, found);
    states.set(id, state);
    const { parent, createdAt: publishedAt, note } = manifest;
    const before = parent === null ? nothing : states.get(parent);
    for (const event of eventsBetween(before, state)) events.push({ ...event, snapshot: id, publishedAt, note });
  }
  return { events, unreadable };
}

/** What was found of the price in a file, by the file's hash. */
interface FoundByHash {
  readonly lines: Map<string, FoundLine | undefined>;
  readonly origins: Map<string, PriceOrigin | undefined>;
}

const nothing: PriceState = { line: undefined, withdrawal: undefined, acceptance: undefined };

async function readState(
  directory: string,
  manifest: Manifest,
  uuid: Uuid,
  { lines, origins }: FoundByHash,
): Promise<PriceState> {
  const files = manifest.files.filter(({ kind }) => kind === "prices").toSorted((a, b) => b.sequence - a.sequence);
  let line: PriceLine | undefined;
  for (const { name, sha256 } of files) {
    if (!lines.has(sha256)) lines.set(sha256, (await findLines(join(directory, name), [uuid])).get(uuid));
    const there = lines.get(sha256);
    if (there === undefined) continue;
    const from = manifest.files.find((file) => file.name === originsNameOf(name));
    if (from !== undefined && !origins.has(from.sha256)) {
      origins.set(from.sha256, (await findOrigins(join(directory, from.name), [uuid])).get(uuid));
    }
    line = { file: name, ...there, origin: from && origins.get(from.sha256) };
    break;
  }
  const { withdrawals, accepted } = await readManifestRulings(directory, manifest);
  const isOfPrice = (ruling: PriceRuling): boolean => ruling.uuid === uuid;
  return { line, withdrawal: withdrawals.find(isOfPrice), acceptance: accepted.find(isOfPrice) };
}

type EventBetween = Pick<PriceEvent, "kind" | "line" | "changed" | "ruling">;

/** @param before Undefined where it is not known. */
function eventsBetween(before: PriceState | undefined, after: PriceState): EventBetween[] {
  const events: EventBetween[] = [];
  const [was, is] = [before?.line, after.line];
  const line = is ?? was;
  if (line === undefined) return events;
  const add = (kind: PriceEventKind, more: Partial<EventBetween> = {}): void =>
    void events.push({ kind, line, changed: {}, ruling: undefined, ...more });
  if (is === undefined) add("gone");
  else if (was === undefined) add(before === undefined ? "known" : "published");
  else if (!isDeepStrictEqual(was.record, is.record))
    add("corrected", { changed: fieldsChanged(was.record, is.record) });
  for (const [kind, undone, then, now] of [
    ["withdrawn", "reinstated", before?.withdrawal, after.withdrawal],
    ["accepted", "accepted-no-more", before?.acceptance, after.acceptance],
  ] as const) {
    if (then === undefined && now !== undefined) add(kind, { ruling: now });
    if (then !== undefined && now === undefined) add(undone, { ruling: then });
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
