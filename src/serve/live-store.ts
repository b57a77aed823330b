import type { Store } from "../store/store.ts";

/**
 * The stores of one server thread. Which of them is served is one number in memory that all threads share, so all change
 * at the same instant: a thread holds the next store before the number says so, and lets go of the one before afterwards.
 *
 * At most two are held at a time, so a generation's place is its lowest bit.
 */
export class LiveStore {
  readonly #generation: Int32Array<SharedArrayBuffer>;
  readonly #stores: [Store | undefined, Store | undefined] = [undefined, undefined];

  /** @param generation One number, shared with all threads; 0 while nothing is served. */
  constructor(generation: Int32Array<SharedArrayBuffer>) {
    this.#generation = generation;
  }

  /** What a request that starts now will see to its end; undefined before the first activation. */
  current(): Store | undefined {
    return this.#stores[Atomics.load(this.#generation, 0) & 1];
  }

  /** Holds the store of a generation, to be served when the shared number says so. */
  attach(generation: number, store: Store): void {
    this.#stores[generation & 1] = store;
  }

  /** Lets go of the store before this generation. Requests that have started keep theirs, which lives as long as they do. */
  releaseBefore(generation: number): void {
    this.#stores[(generation - 1) & 1] = undefined;
  }
}
