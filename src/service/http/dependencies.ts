import type { Downloads } from "../../contract/downloads.ts";
import type { Access } from "../../contract/endpoint.ts";
import type { Publication } from "../../contract/publications.ts";
import type { Pages, Site } from "../../contract/site-values.ts";
import type { Store } from "../../engine/store/store.ts";
import type { KeyRing } from "../auth/key-ring.ts";
import type { Admission } from "./admission/admission.ts";
import type { RateLimits } from "./admission/rate-limits.ts";
import type { Clients } from "./connection/client-address.ts";
import type { RequestEntry, RequestLogger } from "./request-entry.ts";

/** The pages for people, and what they show of the process around the app. */
export interface ExplorerParts {
  readonly pages: Pages;
  /** The newest published snapshots, newest first, and the served one; null where they cannot be listed. */
  readonly listPublications: (served: string) => Promise<readonly Publication[] | null>;
}

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
  /** Part of every tag; computed when absent. */
  readonly representationVersion?: string;
  /** The key that exports of prices and statistics need; `secret` when absent. */
  readonly exportAccess?: Access;
  /** The files that hold whole snapshots; none are there when absent. */
  readonly downloads?: Downloads;
  /** Documents, and the page for an unknown address; none are there when absent. */
  readonly site?: Site;
  /** The pages for people; not served when absent. */
  readonly explorer?: ExplorerParts;
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
