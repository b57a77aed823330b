/** The stores that a server thread holds. */
import { type Store, storeBytes } from "../../engine/store/store.ts";
import { type MarkingSchedule, ReleasedMemory } from "./released-memory.ts";

/**
 * The stores of one server thread. Which of them is served is one number in memory that all threads share, so all
 * change at the same instant: a thread holds the next store before the number changes, and releases the one before
 * afterwards.
 *
 * At most two are held at a time, so the lowest bit of a generation is the index of its store. Requests that have
 * started keep the store before as well, until their bodies are made; when another one follows, answers that are still
 * being made from it while they are sent are cut.
 */
export class LiveStore {
  readonly #generation: Int32Array<SharedArrayBuffer>;
  readonly #stores: [Store | undefined, Store | undefined] = [undefined, undefined];
  readonly #released: ReleasedMemory;
  readonly #onOutdated: (store: Store) => void;
  /** The store released last. Weak: it lives only as long as requests need it. */
  #older: WeakRef<Store> | undefined;

  /**
   * @param generation One number, shared with all threads; 0 while nothing is served.
   * @param onOutdated Called with a store when a second one after it is released: what still needs it is to be ended.
   * @param scheduleMarking Schedules the marking of the memory of released stores.
   */
  constructor(
    generation: Int32Array<SharedArrayBuffer>,
    onOutdated: (store: Store) => void = () => {},
    scheduleMarking?: MarkingSchedule,
  ) {
    this.#generation = generation;
    this.#onOutdated = onOutdated;
    this.#released = new ReleasedMemory(scheduleMarking);
  }

  /** The store of a request that starts now, to its end; undefined before the first activation. */
  readonly current = (): Store | undefined => this.#stores[Atomics.load(this.#generation, 0) & 1];

  /** Holds the store of a generation, to be served once the shared number is that generation. */
  attach(generation: number, store: Store): void {
    this.#stores[generation & 1] = store;
  }

  /**
   * Releases the store before this generation. Requests that have started keep theirs, which lives as long as they do,
   * and at the longest until the next release.
   */
  releaseBefore(generation: number): void {
    const store = this.#stores[(generation - 1) & 1];
    if (store === undefined) return;
    this.#stores[(generation - 1) & 1] = undefined;
    const outdated = this.#older?.deref();
    this.#older = new WeakRef(store);
    if (outdated !== undefined) this.#onOutdated(outdated);
    this.#released.add(storeBytes(store));
  }

  /** Bytes that V8 counts for released stores. */
  get countedBytes(): number {
    return this.#released.countedBytes;
  }
}
