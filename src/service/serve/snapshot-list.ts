/** A list of what is known of the newest snapshots. Requests at one time share the work. */

import { namesIn } from "../../engine/files/list-folder.ts";
import { type SnapshotId, snapshotsPath, toSnapshotId } from "../../engine/snapshots/snapshot-layout.ts";

/** Snapshots that a list has: the newest. The served one is in it, however old it is. */
export const listedMax = 50;

export class SnapshotList<T> {
  readonly #describe: (id: SnapshotId) => Promise<T | undefined>;
  readonly #readNewest: () => Promise<Newest<T>>;

  /** @param describe Says what is known of a snapshot; one with undefined is left out. */
  constructor(dataDirectory: string, describe: (id: SnapshotId) => Promise<T | undefined>) {
    this.#describe = describe;
    this.#readNewest = shareReadings(async () => {
      const names = await namesIn(snapshotsPath(dataDirectory));
      const ids = names.map(toSnapshotId).filter((id) => id !== undefined);
      const newest = ids.sort().reverse().slice(0, listedMax);
      return { ids: newest, found: await Promise.all(newest.map(describe)) };
    });
  }

  /**
   * Lists them, newest first, with all that was published or removed before the call.
   *
   * @param served The id of the served one.
   * @throws The system's error when the folder of snapshots cannot be read, and what `describe` throws.
   */
  async read(served: string): Promise<readonly T[]> {
    const { ids, found } = await this.#readNewest();
    const id = toSnapshotId(served);
    const all = id === undefined || ids.includes(id) ? found : [...found, await this.#describe(id)];
    return all.filter((description) => description !== undefined);
  }
}

interface Newest<T> {
  readonly ids: readonly SnapshotId[];
  readonly found: readonly (T | undefined)[];
}

/**
 * Lets calls share readings: one is under way at a time, and calls during it get the next one. So none gets what was
 * read before it was made.
 */
function shareReadings<T>(read: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const begin = (): Promise<T> => {
    current = read().finally(() => {
      current = undefined;
    });
    return current;
  };
  const beginNext = (): Promise<T> => {
    next = undefined;
    return current ?? begin();
  };
  return () => {
    if (current === undefined) return begin();
    next ??= current.then(beginNext, beginNext);
    return next;
  };
}
