import type { Uuid } from "./ids.ts";
import { hashUuid, readUuid, wordsPerUuid, writeUuid } from "./uuid-words.ts";

/** A few uuids to look for among millions that are kept as words: see uuid-words.ts. */
export class UuidSet {
  readonly #hashes = new Set<number>();
  readonly #positions: ReadonlyMap<Uuid, number>;

  /** @param uuids No two are the same. */
  constructor(uuids: readonly Uuid[]) {
    this.#positions = new Map(uuids.map((uuid, position) => [uuid, position]));
    const words = new Uint32Array(wordsPerUuid);
    for (const uuid of uuids) {
      writeUuid(words, 0, uuid);
      this.#hashes.add(hashUuid(words, 0));
    }
  }

  /**
   * The position in the list of the uuid of a row; undefined where it is not there. Cost: a hash and a look-up, some
   * 20 ns; a text only for what is there.
   */
  positionOf(words: Uint32Array, row: number): number | undefined {
    return this.#hashes.has(hashUuid(words, row)) ? this.#positions.get(readUuid(words, row)) : undefined;
  }

  /** The rows of a column whose uuid is in the list, ascending. Cost: a look at each row, none for an empty list. */
  rowsIn(words: Uint32Array, rowCount: number): number[] {
    const rows: number[] = [];
    if (this.#hashes.size === 0) return rows;
    for (let row = 0; row < rowCount; row++) if (this.positionOf(words, row) !== undefined) rows.push(row);
    return rows;
  }
}
