/** What is removed once a change of a dataset directory is done, or has failed. */

/** Removals that come last, and whose faults hide no other: the next command repeats them. */
export class Cleaning {
  readonly #works: (() => Promise<unknown>)[] = [];
  readonly #faults: unknown[] = [];

  /** Keeps a removal for the end. */
  later(work: () => Promise<unknown>): void {
    this.#works.push(work);
  }

  /** Tries a removal now. @returns False where it fails. */
  async attempt(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.#faults.push(error);
      return false;
    }
  }

  /** Does what was kept, in its order. @throws the first error of all. */
  async finish(): Promise<void> {
    for (const work of this.#works.splice(0)) await this.attempt(work);
    if (this.#faults.length > 0) throw this.#faults[0];
  }
}
