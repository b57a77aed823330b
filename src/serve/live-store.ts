import { type Store, storeBytes } from "../store/store.ts";
import { collectedBytesMin, ReleasedBytes } from "./released-memory.ts";

/** Enough for V8 to begin marking; far more would make it stop the thread for all of it at once. */
const ballastBytesMax = 2 * collectedBytesMin;

/**
 * The stores of one server thread. Which of them is served is one number in memory that all threads share, so all change
 * at the same instant: a thread holds the next store before the number changes, and releases the one before afterwards.
 *
 * At most two are held at a time, so the lowest bit of a generation is the index of its store. Requests that have started keep
 * the store before as well, to their end; when another one follows, what still needs it is cut.
 */
export class LiveStore {
  readonly #generation: Int32Array<SharedArrayBuffer>;
  readonly #stores: [Store | undefined, Store | undefined] = [undefined, undefined];
  readonly #released = new ReleasedBytes();
  /**
   * A released store would keep its memory until a thread had made enough other garbage: on a quiet service, for ever. So
   * when enough was released, a large buffer is allocated. It is never written, so it takes no memory, but V8 counts it, and
   * marks in small steps beside the requests; a collection on demand would stop the thread for 30 ms.
   */
  #ballast: ArrayBuffer | undefined;
  readonly #onOutdated: (store: Store) => void;
  /** The store released last. Weak: it lives only as long as requests need it. */
  #older: WeakRef<Store> | undefined;

  /**
   * @param generation One number, shared with all threads; 0 while nothing is served.
   * @param onOutdated Called with a store when a second one after it is released: what still needs it is to be ended.
   */
  constructor(generation: Int32Array<SharedArrayBuffer>, onOutdated: (store: Store) => void = () => {}) {
    this.#generation = generation;
    this.#onOutdated = onOutdated;
  }

  /** The store of a request that starts now, to its end; undefined before the first activation. */
  current(): Store | undefined {
    return this.#stores[Atomics.load(this.#generation, 0) & 1];
  }

  /** Holds the store of a generation, to be served once the shared number is that generation. */
  attach(generation: number, store: Store): void {
    this.#stores[generation & 1] = store;
  }

  /**
   * Releases the store before this generation. Requests that have started keep theirs, which lives as long as they do, and at
   * the longest until the next release.
   */
  releaseBefore(generation: number): void {
    const store = this.#stores[(generation - 1) & 1];
    if (store === undefined) return;
    this.#stores[(generation - 1) & 1] = undefined;
    const outdated = this.#older?.deref();
    this.#older = new WeakRef(store);
    if (outdated !== undefined) this.#onOutdated(outdated);
    const bytes = this.#released.add(storeBytes(store));
    if (bytes > 0) this.#ballast = new ArrayBuffer(Math.min(bytes, ballastBytesMax));
  }

  /** What V8 counts for released stores, in bytes. */
  get countedBytes(): number {
    return this.#ballast?.byteLength ?? 0;
  }
}
