import type { Registry } from "prom-client";
import type { OpenedSnapshot } from "../compiled/open-snapshot.ts";
import type { Admission } from "../http/admission/admission.ts";
import type { RateLimitMemory } from "../http/admission/rate-limits.ts";
import type { Store } from "../store/store.ts";
import { type Heartbeats, readHeartbeats } from "./heartbeats.ts";
import type { Reloads } from "./reloads.ts";
import type { ServerThreads } from "./server-threads.ts";

/** What is served, and since when. */
export interface Served {
  readonly opened: OpenedSnapshot;
  readonly store: Store;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly loadedAt: number;
}

/** What the threads of a service share, as far as it says something of its state. */
export interface SharedState {
  readonly counters: Float64Array<SharedArrayBuffer>;
  readonly heartbeats: Heartbeats;
  /** A thread without a heartbeat for longer does not answer. */
  readonly heartbeatMillisecondsMax: number;
  readonly admission: Admission;
  readonly rateLimits: RateLimitMemory;
  readonly droppedLogLines: BigUint64Array<SharedArrayBuffer>;
}

/** The state of a running service, which the admin port shows as JSON and as metrics. */
export class ServiceState {
  readonly shared: SharedState;
  /** Snapshots found broken on the way to the one that is served, newest first. */
  brokenSnapshots: string[] = [];
  /** Whether the service is ending; requests are still answered then. */
  isStopping = false;
  /** Set when they listen. */
  threads: ServerThreads | undefined;
  /** Set when the service has started. */
  reloads: Reloads | undefined;
  /** Created for the first scrape. */
  metrics: Promise<Registry> | undefined;
  #served: Served | undefined;
  #startMilliseconds: number | undefined;

  constructor(shared: SharedState) {
    this.shared = shared;
  }

  /** What all threads serve; undefined before the start is done. */
  readonly served = (): Served | undefined => this.#served;
  readonly store = (): Store | undefined => this.#served?.store;
  readonly generation = (): number => this.threads?.current?.generation ?? 0;
  readonly wantedCount = (): number => this.threads?.wantedCount ?? 0;
  readonly listeningCount = (): number => this.threads?.listening.length ?? 0;
  readonly deaths = (): number => this.threads?.deaths ?? 0;
  readonly droppedLogLines = (): number => Number(Atomics.load(this.shared.droppedLogLines, 0));

  /** Why requests are not answered, or not all of them; undefined when they are. */
  readonly unreadyReason = (): string | undefined => {
    if (this.#served === undefined) return "no snapshot is served yet";
    const listening = this.threads?.listening ?? [];
    // With all threads dead, no request is answered until one has been replaced.
    if (listening.length === 0) return "no server thread listens";
    const { heartbeats, heartbeatMillisecondsMax } = this.shared;
    for (const { thread, milliseconds = 0 } of readHeartbeats(heartbeats)) {
      if (!listening.includes(thread) || milliseconds <= heartbeatMillisecondsMax) continue;
      const found =
        `the event loop of server thread ${thread} has been stuck for ` + `${(milliseconds / 1000).toFixed(1)} s`;
      return `${found}, expected at most ${heartbeatMillisecondsMax / 1000} s`;
    }
    return undefined;
  };

  /** Why what `CURRENT` names is not served; undefined when it is. */
  readonly lastError = (): string | undefined => {
    const last = this.reloads?.last;
    if (last !== undefined) return last.error;
    const [broken] = this.brokenSnapshots;
    return broken === undefined ? undefined : `snapshot ${broken} was broken at the start`;
  };

  /** When the last load ended, in milliseconds since 1970-01-01T00:00:00Z, and how long it took. */
  readonly lastEndedAt = (): number | undefined => this.reloads?.last?.endedAt ?? this.#served?.loadedAt;
  readonly lastMilliseconds = (): number | undefined => this.reloads?.last?.milliseconds ?? this.#startMilliseconds;

  /** Records what is served from now on. */
  serve(opened: OpenedSnapshot): void {
    this.#startMilliseconds ??= loadMilliseconds(opened);
    this.#served = { opened, store: opened.store, loadedAt: Date.now() };
  }
}

/** How long it took to get a store from the disk into memory. */
export function loadMilliseconds(opened: OpenedSnapshot): number {
  return opened.readMilliseconds + (opened.origin === "records" ? opened.buildMilliseconds : 0);
}

/** How many records each table of a store has, under the names of the record files. */
export function countRecords({ catalogue, prices }: Store): Readonly<Record<string, number>> {
  return {
    counties: catalogue.counties.size,
    crops: catalogue.crops.length,
    units: catalogue.unitCategories.length,
    "market-types": catalogue.marketTypes.length,
    products: catalogue.products.length,
    markets: catalogue.markets.length,
    prices: prices.rowCount,
  };
}
