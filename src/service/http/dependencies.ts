import type { Access } from "../../contract/endpoint.ts";
import type { Store } from "../../engine/store/store.ts";
import type { KeyRing } from "../auth/key-ring.ts";
import type { Admission } from "./admission/admission.ts";
import type { RateLimits } from "./admission/rate-limits.ts";
import type { AnswerCache } from "./answer/answer-cache.ts";
import type { Clients } from "./connection/client-address.ts";
import type { RequestEntry, RequestLogger } from "./request-entry.ts";
import type { Downloads } from "./resources/downloads/snapshot-downloads.ts";
import type { Route } from "./router.ts";

/** What the app needs from the process around it. */
export interface AppDependencies {
  /** The store being served, taken once by each request; undefined while there is none. */
  readonly currentStore: () => Store | undefined;
  /** The keys in force. */
  readonly currentKeys: () => KeyRing;
  /** Milliseconds since 1970-01-01T00:00:00Z; for signatures and the expiry of keys. */
  readonly now: () => number;
  readonly log: RequestLogger;
  /** What clients may hold at one time. */
  readonly admission: Admission;
  /** How many requests they may make; as many as they like when absent. */
  readonly rateLimits?: RateLimits;
  /** Who they are; no proxy is trusted when absent. */
  readonly clients?: Clients;
  /** What the answer cache may take; none is there when absent. */
  readonly answerCacheBytes?: number;
  /** What the kept texts of statistics may take, see `RollupTexts`; none are kept when absent. */
  readonly rollupTextBytes?: number;
  /** The key that exports of prices and statistics need; `secret` when absent. */
  readonly exportAccess?: Access;
  /** The files that hold whole snapshots; none are there when absent. */
  readonly downloads?: Downloads;
  /** The pages for people; not served when absent. */
  readonly explorerRoutes?: (cache: AnswerCache | undefined) => readonly Route[];
  /** Called whenever an answer is looked for in the answer cache. */
  readonly countCacheSearch?: (isFound: boolean) => void;
  /** Called for every request when its answer has left, or its connection is gone. */
  readonly countRequest?: CountRequest;
}

/** @param endpoint Method and path as in the table of endpoints, undefined for a request that reached none. */
export type CountRequest = (
  endpoint: string | undefined,
  entry: Pick<RequestEntry, "status" | "code" | "bytes" | "duration_ms">,
) => void;
