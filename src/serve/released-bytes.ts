/**
 * A collection of garbage takes a thread some milliseconds, however little is collected; so small stores that were let go
 * of wait for each other.
 */
export const collectedBytesMin: number = 64 * 1024 * 1024;

/** Counts the bytes of stores that a thread has let go of. */
export class ReleasedBytes {
  #bytes = 0;

  /**
   * Adds those of one more store.
   *
   * @returns All bytes since the last collection if that many are worth another one, otherwise 0.
   */
  add(bytes: number): number {
    this.#bytes += bytes;
    if (this.#bytes < collectedBytesMin) return 0;
    const worth = this.#bytes;
    this.#bytes = 0;
    return worth;
  }
}
