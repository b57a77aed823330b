/**
 * The published snapshots that a dataset directory keeps: descriptions that are read from a file of each, and lists of
 * the newest. Published files never change, so each is read once and cached by the snapshot's id, for as long as its
 * file is the one that was read.
 */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import type { Publication } from "../../contract/publications.ts";
import { namesIn } from "../../engine/files/list-folder.ts";
import { instantText } from "../../engine/model/calendar.ts";
import { ifAvailable, readManifestOf } from "../../engine/snapshots/current-snapshot.ts";
import { tableRows } from "../../engine/snapshots/manifest.ts";
import {
  manifestFileName,
  type SnapshotId,
  snapshotPath,
  snapshotsPath,
  toSnapshotId,
} from "../../engine/snapshots/snapshot-layout.ts";

/** Snapshots that a list has: the newest. The served one is in it, however old it is. */
const listedMax = 50;

/**
 * Describes the newest snapshots of a dataset directory, newest first.
 *
 * @param served The id of the served one.
 * @param describe Says what is known of a snapshot; one with undefined is left out.
 * @throws The system's error when the folder of snapshots cannot be read, and what `describe` throws.
 */
export async function describeNewest<T>(
  dataDirectory: string,
  served: string,
  describe: (id: SnapshotId) => Promise<T | undefined>,
): Promise<readonly T[]> {
  const names = await namesIn(snapshotsPath(dataDirectory));
  const ids = names.map(toSnapshotId).filter((id) => id !== undefined);
  const newest = ids.sort().reverse().slice(0, listedMax);
  const servedId = toSnapshotId(served);
  if (servedId !== undefined && !newest.includes(servedId)) newest.push(servedId);
  const found = await Promise.all(newest.map(describe));
  return found.filter((description) => description !== undefined);
}

/** Files that are open at a time for the descriptions of one kind. */
export const readingsMax = 4;

/** Descriptions that are cached: those of a list, and of others that are requested by their ids. */
const cachedMax = 2 * listedMax;

interface CachedDescription<T> {
  /** Says which file was read. */
  readonly identity: string;
  readonly description: Promise<T | undefined>;
}

export class CachedDescriptions<T> {
  readonly #pathOf: (id: SnapshotId) => string;
  readonly #read: (id: SnapshotId) => Promise<T | undefined>;
  readonly #cached = new LRUCache<SnapshotId, CachedDescription<T>>({ max: cachedMax });
  /** Readings that wait for another to end. */
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;

  /**
   * @param pathOf The file that a description is read from.
   * @param read Reads it; undefined where there is none, or a broken one.
   */
  constructor(pathOf: (id: SnapshotId) => string, read: (id: SnapshotId) => Promise<T | undefined>) {
    this.#pathOf = pathOf;
    this.#read = read;
  }

  /**
   * The description of a snapshot; undefined where it has none, or a broken one. Cost: one `stat`, which opens nothing,
   * and the first time a reading, which calls at one time share.
   *
   * @throws Every error of `read`.
   */
  async of(id: SnapshotId): Promise<T | undefined> {
    const stats = await stat(this.#pathOf(id), { bigint: true }).catch(() => undefined);
    const before = this.#cached.get(id);
    this.#cached.delete(id);
    if (stats === undefined) return undefined;
    const identity = [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(" ");
    const entry = before?.identity === identity ? before : { identity, description: this.#readInTurn(id) };
    this.#cached.set(id, entry);
    let description: T | undefined;
    try {
      description = await entry.description;
    } finally {
      // Another reading may succeed: perhaps the process had no descriptor left.
      if (description === undefined && this.#cached.peek(id) === entry) this.#cached.delete(id);
    }
    return description;
  }

  async #readInTurn(id: SnapshotId): Promise<T | undefined> {
    if (this.#underWay === readingsMax) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#underWay++;
    try {
      return await this.#read(id);
    } finally {
      // A turn that ends is the next one's, so that none comes between.
      const next = this.#waiting.shift();
      if (next === undefined) this.#underWay--;
      else next();
    }
  }
}

/** The publications of a dataset directory, by their manifests; undefined for one that cannot be read. */
export type Publications = CachedDescriptions<Publication>;

export function publicationsIn(dataDirectory: string): Publications {
  return new CachedDescriptions<Publication>(
    (id) => join(snapshotPath(dataDirectory, id), manifestFileName),
    async (id) => {
      const manifest = await ifAvailable(readManifestOf(dataDirectory, id));
      if (manifest === undefined) return undefined;
      const { createdAt, note, parent, files } = manifest;
      const replacedPrices = files.reduce((sum, { replaces }) => sum + replaces, 0);
      return { id, publishedAt: instantText(createdAt), note, parent, rows: tableRows(files), replacedPrices };
    },
  );
}

/**
 * Returns what lists the newest ones, newest first, and the served one, whose id it takes, for the page that shows
 * them. A snapshot whose manifest cannot be read is left out; without a readable directory the list is null. Cost: a
 * `stat` for each.
 */
export function publicationList(
  dataDirectory: string,
  publications: Publications,
): (served: string) => Promise<readonly Publication[] | null> {
  return (served) => describeNewest(dataDirectory, served, (id) => publications.of(id)).catch(() => null);
}
