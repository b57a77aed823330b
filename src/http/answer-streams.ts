/**
 * The answers of a thread that are made from a store while they leave. They keep the store in memory, a slow client for long, so
 * all those of a store can be cut.
 */
import type { ServerResponse } from "node:http";
import type { Store } from "../store/store.ts";
import { exportsPerThreadMax } from "./limits.ts";
import { breakConnection } from "./send.ts";

export class AnswerStreams {
  readonly #byStore = new WeakMap<Store, Set<ServerResponse>>();
  #exports = 0;

  /**
   * Begins an answer.
   *
   * @returns Ends it, to be called exactly once; undefined when it is an export and `exportsPerThreadMax` are on their way.
   */
  begin(store: Store, response: ServerResponse, isExport: boolean): (() => void) | undefined {
    if (isExport && this.#exports >= exportsPerThreadMax) return undefined;
    if (isExport) this.#exports++;
    const ofStore = this.#byStore.get(store) ?? new Set();
    this.#byStore.set(store, ofStore.add(response));
    return () => {
      ofStore.delete(response);
      if (isExport) this.#exports--;
    };
  }

  /** Resets the connections of the answers from a store: none of them may look complete. @returns How many there were. */
  cut(store: Store): number {
    const responses = [...(this.#byStore.get(store) ?? [])];
    for (const response of responses) breakConnection(response);
    return responses.length;
  }
}
