/**
 * Memory of released stores. Shared memory does not count towards the size at which V8 collects garbage, so it is counted
 * here, and a collection follows when it is worth one.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * A collection of garbage takes a thread some milliseconds, however little is collected; so small released stores wait
 * for each other.
 */
export const collectedBytesMin = 64 * 1024 * 1024;

/** Counts the bytes of stores that a thread has released. */
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

const collectionDelayMilliseconds = 1000;

let scheduled: NodeJS.Timeout | undefined;

/**
 * Collects garbage in this thread after a delay, once for all calls until then; does not keep the process alive. For the
 * supervisor, which has no requests to delay and makes too little garbage for a collection of its own.
 */
export function scheduleCollection(): void {
  if (scheduled !== undefined) return;
  scheduled = setTimeout(collect, collectionDelayMilliseconds).unref();
}

function collect(): void {
  scheduled = undefined;
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}
