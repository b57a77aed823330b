/** The life of a price: what each snapshot that is kept has changed of it. */
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { orUnavailable, readManifestOf, SnapshotUnavailableError } from "../dataset/current-snapshot.ts";
import type { Manifest } from "../dataset/manifest.ts";
import { readManifestRulings } from "../dataset/price-rulings.ts";
import { type SnapshotId, snapshotPath } from "../dataset/snapshot-layout.ts";
import { readStoredFile } from "../dataset/stored-file.ts";
import type { Uuid } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { PriceRuling } from "../domain/records.ts";
import { snapshotIds } from "./list-snapshots.ts";

/** A line of a prices file, as it is written there. */
interface PriceLine {
  readonly file: string;
  readonly line: number;
  readonly record: Readonly<Record<string, unknown>>;
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
  /** Of a withdrawal or acceptance. */
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
  const found = new Map<string, Promise<Omit<PriceLine, "file"> | undefined>>();
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

const nothing: PriceState = { line: undefined, withdrawal: undefined, acceptance: undefined };

async function readState(
  directory: string,
  manifest: Manifest,
  uuid: Uuid,
  found: Map<string, Promise<Omit<PriceLine, "file"> | undefined>>,
): Promise<PriceState> {
  const files = manifest.files.filter(({ kind }) => kind === "prices").toSorted((a, b) => b.sequence - a.sequence);
  let line: PriceLine | undefined;
  for (const { name, sha256 } of files) {
    const searched = found.get(sha256) ?? findLine(join(directory, name), uuid);
    found.set(sha256, searched);
    const there = await searched;
    if (there !== undefined) line = { file: name, ...there };
    if (line !== undefined) break;
  }
  const { withdrawals, accepted } = await readManifestRulings(directory, manifest);
  const isOfPrice = (ruling: PriceRuling): boolean => ruling.uuid === uuid;
  return { line, withdrawal: withdrawals.find(isOfPrice), acceptance: accepted.find(isOfPrice) };
}

/** The line of a price in a file, counted from 1. */
async function findLine(path: string, uuid: Uuid): Promise<Omit<PriceLine, "file"> | undefined> {
  const decoder = new TextDecoder();
  let line = 0;
  let rest = "";
  for await (const chunk of readStoredFile(path).content) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) {
      line++;
      if (!text.toLowerCase().includes(uuid)) continue;
      const record = JSON.parse(text) as Readonly<Record<string, unknown>>;
      if (String(record["uuid"]).toLowerCase() === uuid) return { line, record };
    }
  }
  return undefined;
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
