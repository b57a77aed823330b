import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Store, storeBytes } from "../store/store.ts";

/**
 * A collection of garbage takes a thread some milliseconds, however little is collected; so small released stores wait
 * for each other.
 */
export const collectedBytesMin = 64 * 1024 * 1024;

/** Enough for V8 to begin marking; far more would make it stop the thread for all of it at once. */
const weightBytesMax = 2 * collectedBytesMin;

/**
 * The stores of one server thread. Which of them is served is one number in memory that all threads share, so all change
 * at the same instant: a thread holds the next store before the number changes, and releases the one before afterwards.
 *
 * At most two are held at a time, so a generation's place is its lowest bit.
 */
export class LiveStore {
  readonly #generation: Int32Array<SharedArrayBuffer>;
  readonly #stores: [Store | undefined, Store | undefined] = [undefined, undefined];
  readonly #released = new ReleasedBytes();
  /**
   * Shared memory does not count towards the size at which V8 collects garbage, so a released store would keep its memory
   * until a thread had made enough other garbage: on a quiet service, for ever. So when enough was released, a large buffer
   * is made. It is never written, so it takes no memory, but V8 counts it, and marks in small steps beside the requests; a
   * collection on demand would stop the thread for 30 ms.
   */
  #weight: ArrayBuffer | undefined;

  /** @param generation One number, shared with all threads; 0 while nothing is served. */
  constructor(generation: Int32Array<SharedArrayBuffer>) {
    this.#generation = generation;
  }

  /** The store of a request that starts now, to its end; undefined before the first activation. */
  current(): Store | undefined {
    return this.#stores[Atomics.load(this.#generation, 0) & 1];
  }

  /** Holds the store of a generation, to be served once the shared number is that generation. */
  attach(generation: number, store: Store): void {
    this.#stores[generation & 1] = store;
  }

  /** Releases the store before this generation. Requests that have started keep theirs, which lives as long as they do. */
  releaseBefore(generation: number): void {
    const store = this.#stores[(generation - 1) & 1];
    if (store === undefined) return;
    this.#stores[(generation - 1) & 1] = undefined;
    const bytes = this.#released.add(storeBytes(store));
    if (bytes > 0) this.#weight = new ArrayBuffer(Math.min(bytes, weightBytesMax));
  }

  /** What V8 counts for released stores, in bytes. */
  get countedBytes(): number {
    return this.#weight?.byteLength ?? 0;
  }
}

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
