import type { Store } from "../store/store.ts";

/** The store being served. The only thing in a serving thread that changes. */
export class LiveStore {
  #current: Store | undefined;

  /** What a request that starts now will see to its end; undefined before the first load. */
  current(): Store | undefined {
    return this.#current;
  }

  /** Serves another store from now on. Requests that have started keep theirs, which lives as long as they do. */
  swap(store: Store): void {
    this.#current = store;
  }
}
