/**
 * Work that can be long is a generator that yields how many rows it has read since it last yielded, so that its
 * caller can serve other requests between two slices of it.
 */

/** Counts rows until they make a step, because a yield for every few rows would cost more than they do. */
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
   * @returns The number to yield: all rows since the last yield if they make a step, otherwise 0.
   */
  add(rows: number): number {
    this.#done += rows;
    if (this.#done < this.#stepRows) return 0;
    const done = this.#done;
    this.#done = 0;
    return done;
  }
}

/** Runs work to its end without a pause. @returns Its result. */
export function finish<Result>(work: Generator<unknown, Result>): Result {
  let step = work.next();
  while (step.done !== true) step = work.next();
  return step.value;
}

/** Work cut into slices. */
export class SlicedWork<Result> {
  readonly #work: Generator<number, Result>;
  #end: { readonly result: Result } | undefined;

  constructor(work: Generator<number, Result>) {
    this.#work = work;
  }

  /**
   * Runs one slice, which ends with the step that reaches so many rows.
   *
   * @returns True if the work is done.
   * @throws Every error of the work.
   */
  run(sliceRows: number): boolean {
    for (let rows = 0; rows < sliceRows; ) {
      const step = this.#work.next();
      if (step.done === true) {
        this.#end = { result: step.value };
        return true;
      }
      rows += step.value;
    }
    return false;
  }

  /** Ends work that is not done, so that it releases what it holds. */
  stop(): void {
    this.#work.return(undefined as never);
  }

  get isDone(): boolean {
    return this.#end !== undefined;
  }

  /** The result of work that is done. */
  get result(): Result {
    if (this.#end === undefined) throw new Error("the work is not done, expected it to be");
    return this.#end.result;
  }
}
