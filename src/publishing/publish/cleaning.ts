/** What is removed once a change of a dataset directory is done, or has failed. */

/** Removals that come last, and whose faults hide no other: the next command repeats them. */
export class Cleaning {
  readonly #tasks: (() => Promise<unknown>)[] = [];
  readonly #faults: unknown[] = [];

  /** Keeps a removal for the end. */
  later(task: () => Promise<unknown>): void {
    this.#tasks.push(task);
  }

  /** Tries a removal now. @returns False where it fails. */
  async attempt(task: () => Promise<unknown>): Promise<boolean> {
    try {
      await task();
      return true;
    } catch (error) {
      this.#faults.push(error);
      return false;
    }
  }

  /** Does what was kept, in its order. @throws the first error of all. */
  async finish(): Promise<void> {
    for (const task of this.#tasks.splice(0)) await this.attempt(task);
    if (this.#faults.length > 0) throw this.#faults[0];
  }
}
