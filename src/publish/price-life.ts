/** What has become of a price: what each snapshot that is kept has changed of it, and which entries of the log. */
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { orUnavailable, readManifestOf, SnapshotUnavailableError } from "../dataset/current-snapshot.ts";
import type { Manifest, ManifestFile } from "../dataset/manifest.ts";
import { readManifestRulings } from "../dataset/price-rulings.ts";
import { originsNameOf, type SnapshotId, snapshotPath } from "../dataset/snapshot-layout.ts";
import type { Uuid } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { PriceOrigin, PriceRuling } from "../domain/records.ts";
import { type FoundLine, findLines, originOfLine } from "./find-origins.ts";
import { snapshotIds } from "./list-snapshots.ts";
import type { LogEntry } from "./publication-log.ts";

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
  const lines = new LineFinder(dataDirectory, uuid);
  for (const id of await snapshotIds(dataDirectory)) {
    const manifest = await orUnavailable(readManifestOf(dataDirectory, id));
    if (manifest instanceof SnapshotUnavailableError) {
      unreadable.push(id);
      continue;
    }
    const { parent, createdAt: publishedAt, note } = manifest;
    const { withdrawals, accepted } = await readManifestRulings(snapshotPath(dataDirectory, id), manifest);
    const isOfPrice = (ruling: PriceRuling): boolean => ruling.uuid === uuid;
    const state: PriceState = {
      line: await newestLine(manifest, lines),
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
  readonly #dataDirectory: string;
  readonly #uuid: Uuid;
  readonly #lines = new Map<string, Promise<FoundLine | undefined>>();

  constructor(dataDirectory: string, uuid: Uuid) {
    this.#dataDirectory = dataDirectory;
    this.#uuid = uuid;
  }

  /** @param file A file of the snapshot, whose records have uuids. */
  async find({ id }: Manifest, { name, sha256 }: ManifestFile): Promise<FoundLine | undefined> {
    return await this.#lines.getOrInsertComputed(sha256, async () => {
      const found = await findLines(join(snapshotPath(this.#dataDirectory, id), name), [this.#uuid]);
      return found.get(this.#uuid);
    });
  }
}

/** The line of a price that readers of a snapshot see, whether or not it is withdrawn. */
async function newestLine(manifest: Manifest, lines: LineFinder): Promise<PriceLine | undefined> {
  for (const file of pricesFilesOf(manifest).toSorted((a, b) => b.sequence - a.sequence)) {
    const found = await lines.find(manifest, file);
    if (found === undefined) continue;
    const origins = manifest.files.find(({ name }) => name === originsNameOf(file.name));
    const origin = origins && (await lines.find(manifest, origins));
    return { file: file.name, ...found, origin: origin && originOfLine(origin) };
  }
  return undefined;
}

function pricesFilesOf({ files }: Manifest): readonly ManifestFile[] {
  return files.filter(({ kind }) => kind === "prices");
}

/** The entries of a log that concern a price. */
export interface PriceEntries {
  readonly entries: readonly LogEntry[];
  /** How many others may concern it too: a snapshot that they name is removed or damaged. */
  readonly unknown: number;
}

/**
 * Finds the entries that rule on a price, and those whose snapshots differ by a prices file that has it.
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
  const lines = new LineFinder(dataDirectory, uuid);
  for (const entry of entries) {
    const { prices, from, to } = entry;
    if (prices?.includes(uuid)) found.push(entry);
    if (prices !== undefined || from === to || to === null) continue;
    const before = from === null ? undefined : await orUnavailable(readManifestOf(dataDirectory, from));
    const after = await orUnavailable(readManifestOf(dataDirectory, to));
    if (before instanceof SnapshotUnavailableError || after instanceof SnapshotUnavailableError) unknown++;
    else if (await differBy(lines, before, after)) found.push(entry);
  }
  return { entries: found, unknown };
}

/** Whether a file that only one of two snapshots has is one that has the price. */
async function differBy(lines: LineFinder, before: Manifest | undefined, after: Manifest): Promise<boolean> {
  const hashesOf = (manifest: Manifest): Set<string> => new Set(pricesFilesOf(manifest).map(({ sha256 }) => sha256));
  const different = hashesOf(after).symmetricDifference(before === undefined ? new Set() : hashesOf(before));
  for (const manifest of before === undefined ? [after] : [before, after]) {
    for (const file of pricesFilesOf(manifest)) {
      if (different.has(file.sha256) && (await lines.find(manifest, file)) !== undefined) return true;
    }
  }
  return false;
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
