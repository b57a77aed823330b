/**
 * Work that can be long is a generator that yields how many rows it has looked at since it last yielded, so that its
 * caller can serve other requests between two steps.
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

/**
 * Rows looked at in one slice: three milliseconds at thirty nanoseconds a row, which a search takes where rows are
 * far apart in memory.
 */
const sliceRowsDefault = 98_304;

/**
 * Runs work to its end in slices; other requests have a turn between them.
 *
 * @param sliceRows A slice ends with the step that reaches this many rows.
 * @returns The result, or a promise of it when it did not fit in one slice.
 */
export function runInSlices<T>(work: Generator<number, T>, sliceRows: number = sliceRowsDefault): T | Promise<T> {
  const first = runSlice(work, sliceRows);
  return first.done ? first.value : runRest(work, sliceRows);
}

async function runRest<T>(work: Generator<number, T>, sliceRows: number): Promise<T> {
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    const slice = runSlice(work, sliceRows);
    if (slice.done) return slice.value;
  }
}

function runSlice<T>(work: Generator<number, T>, sliceRows: number): { done: true; value: T } | { done: false } {
  for (let rows = 0; rows < sliceRows; ) {
    const step = work.next();
    if (step.done === true) return { done: true, value: step.value };
    rows += step.value;
  }
  return { done: false };
}
