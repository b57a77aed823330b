import type { RecordKind } from "./snapshot-layout.ts";

/**
 * Told how far a reading is, some times for every megabyte.
 *
 * @param done Bytes read, as stored. Never less than before.
 * @param total Bytes to be read in all. More than before when something has to be read once more.
 */
export type BytesObserver = (done: number, total: number) => void;

/** Counts what has been read of a directory: bytes for whoever waits, rows for whoever has to be told why it ended. */
export class ReadingTally {
  readonly #observe: BytesObserver;
  readonly #rows = new Map<RecordKind, number>();
  #done = 0;
  #total = 0;

  constructor(observe: BytesObserver = () => {}) {
    this.#observe = observe;
  }

  /** Rows of each table that was looked into, those that cannot be used and those of unfinished files included. */
  get rows(): ReadonlyMap<RecordKind, number> {
    return this.#rows;
  }

  /** From now on so many bytes are to be read, whatever was expected before. */
  expect(bytes: number): void {
    this.#total = this.#done + bytes;
  }

  addBytes(bytes: number): void {
    // The end of a file is no news.
    if (bytes === 0) return;
    this.#done += bytes;
    // A file may have grown since it was looked at.
    this.#total = Math.max(this.#total, this.#done);
    this.#observe(this.#done, this.#total);
  }

  addRows(kind: RecordKind, rows: number): void {
    this.#rows.set(kind, (this.#rows.get(kind) ?? 0) + rows);
  }
}
