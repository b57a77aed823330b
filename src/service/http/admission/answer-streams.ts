/**
 * The answers of a thread that are made from a store while they leave. They keep the store in memory, a slow client for
 * long, so all those of a store can be cut.
 */
import type { ServerResponse } from "node:http";
import type { Store } from "../../../engine/store/store.ts";
import { breakConnection } from "../answer/write-head.ts";

export class AnswerStreams {
  readonly #byStore = new WeakMap<Store, Set<ServerResponse>>();

  /** Begins an answer. @returns Ends it. */
  begin(store: Store, response: ServerResponse): () => void {
    const ofStore = this.#byStore.get(store) ?? new Set();
    this.#byStore.set(store, ofStore.add(response));
    return () => void ofStore.delete(response);
  }

  /**
   * Resets the connections of the answers from a store: none of them may look complete. @returns How many there were.
   */
  cut(store: Store): number {
    const responses = [...(this.#byStore.get(store) ?? [])];
    for (const response of responses) breakConnection(response);
    return responses.length;
  }
}
