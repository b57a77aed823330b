/**
 * Counts the rows that a generator has done since it last yielded, because a yield for every few rows would cost more
 * than they do.
 */
export class StepCounter {
  readonly #stepRows: number;
  #done = 0;

  /** @param stepRows Rows between two yields. */
  constructor(stepRows: number) {
    this.#stepRows = stepRows;
  }

  /**
   * Adds rows that are done.
   *
   * @returns What to yield: all rows since the last yield if they make a step, otherwise 0.
   */
  add(rows: number): number {
    this.#done += rows;
    if (this.#done < this.#stepRows) return 0;
    const done = this.#done;
    this.#done = 0;
    return done;
  }
}

/** What some work comes to, done without a pause. */
export function finish<Result>(work: Generator<unknown, Result>): Result {
  let step = work.next();
  while (step.done !== true) step = work.next();
  return step.value;
}
