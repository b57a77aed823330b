import type { Store } from "../../../engine/store/store.ts";
import type { KeyRing } from "../../auth/key-ring.ts";
import type { Clients } from "./client-address.ts";
import type { RequestEntry, RequestLogger } from "./request-entry.ts";

/** The parts of the process around the app that the steps of a request use. */
export interface RequestDependencies {
  /** The store being served, taken once by each request; undefined while there is none. */
  readonly currentStore: () => Store | undefined;
  /** The keys in force. */
  readonly currentKeys: () => KeyRing;
  /** Milliseconds since 1970-01-01T00:00:00Z; for signatures and the expiry of keys. */
  readonly now: () => number;
  readonly log: RequestLogger;
  /** Who clients are; no proxy is trusted when absent. */
  readonly clients?: Clients;
  /** Called for every request when its answer has left, or its connection is gone. */
  readonly countRequest?: CountRequest;
}

/** @param endpoint Method and path as in the table of endpoints, undefined for a request that reached none. */
export type CountRequest = (
  endpoint: string | undefined,
  entry: Pick<RequestEntry, "status" | "code" | "duration_ms">,
) => void;
