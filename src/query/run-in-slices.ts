/**
 * Work that may take long, done in slices that let other requests in between. The work is a generator that yields how
 * much it has done since it last yielded; short work is done at once and answered without a promise.
 */

/**
 * Rows looked at in one slice: three milliseconds at thirty nanoseconds a row, which a search takes where each is
 * elsewhere in memory.
 */
const sliceRowsDefault = 98_304;

/**
 * @param sliceRows A slice ends with the step that reaches this many rows.
 * @returns The work's result, or a promise of it when it did not fit in one slice.
 */
export function runInSlices<T>(work: Generator<number, T>, sliceRows: number = sliceRowsDefault): T | Promise<T> {
  const first = runSlice(work, sliceRows);
  return first.done ? first.value : runRest(work, sliceRows);
}

/** Goes on with a result: now if it is there, otherwise when it is. */
export function andThen<T, Result>(value: T | Promise<T>, next: (value: T) => Result): Result | Promise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
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
