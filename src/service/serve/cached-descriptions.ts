/**
 * Descriptions that are read from one file of each snapshot. Published files never change, so each is read once and
 * cached by the snapshot's id, for as long as its file is the one that was read.
 */
import { stat } from "node:fs/promises";
import { LRUCache } from "lru-cache";
import type { SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import { listedMax } from "./snapshot-list.ts";

/** Files that are open at a time for the descriptions of one kind. */
export const readingsMax = 4;

/** Descriptions that are cached: those of a list, and of others that are requested by their ids. */
const cachedMax = 2 * listedMax;

export interface DescriptionSource<T> {
  /** The file that a description is read from. */
  readonly pathOf: (id: SnapshotId) => string;
  /** Reads it; undefined where there is none, or a broken one. */
  readonly read: (id: SnapshotId) => Promise<T | undefined>;
}

interface CachedDescription<T> {
  /** Says which file was read. */
  readonly identity: string;
  readonly description: Promise<T | undefined>;
}

export class CachedDescriptions<T> {
  readonly #source: DescriptionSource<T>;
  readonly #cached = new LRUCache<SnapshotId, CachedDescription<T>>({ max: cachedMax });
  /** Readings that wait for one of the turns. */
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;

  constructor(source: DescriptionSource<T>) {
    this.#source = source;
  }

  /**
   * The description of a snapshot; undefined where it has none, or a broken one. Cost: one `stat`, which opens nothing,
   * and the first time a reading, which calls at one time share.
   *
   * @throws Every error of `read` of the source.
   */
  async of(id: SnapshotId): Promise<T | undefined> {
    const stats = await stat(this.#source.pathOf(id), { bigint: true }).catch(() => undefined);
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
      return await this.#source.read(id);
    } finally {
      // A turn that ends is the next one's, so that none comes between.
      const next = this.#waiting.shift();
      if (next === undefined) this.#underWay--;
      else next();
    }
  }
}
