/** The state of a running service: reports of its parts, and what follows from them. */
import type { OpenedSnapshot } from "../../engine/compiled/open-snapshot.ts";
import { type ProgramVersion, programVersion } from "../../engine/files/program-version.ts";
import { tableRecords } from "../../engine/snapshots/table-records.ts";
import type { Store } from "../../engine/store/store.ts";
import { createPlaceFigures } from "../http/admission/admission.ts";
import { createRateLimitMemory } from "../http/admission/rate-limits.ts";
import { type ConnectionLimit, createConnectionMemory } from "../http/connection/connection-counts.ts";
import { defaultConnections } from "./connection-limit.ts";
import type { Follower } from "./follower.ts";
import { createHeartbeats, heartbeatMillisecondsMax, readHeartbeats } from "./heartbeats.ts";
import type { Reloads } from "./reloads.ts";
import type { ServerThreadData } from "./run-server-thread.ts";
import type { ServerThreads } from "./server-threads.ts";
import type { LogForm } from "./service-log.ts";
import { createCounters } from "./shared-counters.ts";

/** The snapshot that is served, and the time since when. */
export interface Served {
  readonly opened: OpenedSnapshot;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly loadedAt: number;
}

/** Memory that all threads of a service share, with the limits that it counts up to. */
export type ServiceMemory = Pick<
  ServerThreadData,
  "generation" | "counters" | "heartbeats" | "connectionMemory" | "connectionLimit" | "placeFigures" | "rateLimitMemory"
>;

export interface ServiceStateOptions {
  readonly dataDirectory: string;
  /** Server threads; one where the system does not let them share a port. */
  readonly threadCount: number;
  /** Limits of its own when absent. */
  readonly connectionLimit?: ConnectionLimit;
  /** A thread without a heartbeat for longer does not answer; see heartbeats.ts when absent. */
  readonly heartbeatMillisecondsMax?: number;
  readonly logForm: Pick<LogForm, "droppedLines">;
  /** See `ServiceParts`; none when absent. */
  readonly refusalReasons?: readonly string[];
}

/** The state of a running service, set by `startService`; the admin port shows it as JSON and as metrics. */
export class ServiceState {
  readonly memory: ServiceMemory;
  readonly dataDirectory: string;
  readonly version: ProgramVersion = programVersion();
  /** Snapshots found broken on the way to the one that is served, newest first. */
  brokenSnapshots: string[] = [];
  /** True if the service is ending; requests are still answered then. */
  isStopping = false;
  /** The snapshot that all threads serve; undefined before the start is done. */
  served: Served | undefined;
  /** Set when they listen. */
  threads: ServerThreads | undefined;
  /** Set when the service has started. */
  reloads: Reloads | undefined;
  /** The reasons for which a follower refuses a transfer. */
  readonly refusalReasons: readonly string[];
  /** Set where the service follows an origin. */
  follower: Follower | undefined;
  readonly #heartbeatMillisecondsMax: number;
  readonly #droppedLogLines: BigUint64Array<SharedArrayBuffer>;

  constructor({ threadCount, connectionLimit = defaultConnections, ...options }: ServiceStateOptions) {
    this.dataDirectory = options.dataDirectory;
    this.memory = {
      generation: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
      counters: createCounters(threadCount),
      heartbeats: createHeartbeats(threadCount),
      connectionMemory: createConnectionMemory(threadCount),
      connectionLimit,
      placeFigures: createPlaceFigures(threadCount),
      rateLimitMemory: createRateLimitMemory(),
    };
    this.#heartbeatMillisecondsMax = options.heartbeatMillisecondsMax ?? heartbeatMillisecondsMax;
    this.#droppedLogLines = options.logForm.droppedLines;
    this.refusalReasons = options.refusalReasons ?? [];
  }

  readonly store = (): Store | undefined => this.served?.opened.store;
  readonly generation = (): number => this.threads?.current?.generation ?? 0;
  readonly wantedCount = (): number => this.threads?.wantedCount ?? 0;
  readonly listeningCount = (): number => this.threads?.listening.length ?? 0;
  readonly deaths = (): number => this.threads?.deaths ?? 0;
  readonly droppedLogLines = (): number => Number(Atomics.load(this.#droppedLogLines, 0));

  /** Why requests are not answered, or not all of them; undefined when they are. */
  readonly unreadyReason = (): string | undefined => {
    if (this.served === undefined) return this.#unservedReason();
    const listening = this.threads?.listening ?? [];
    // With all threads dead, no request is answered until one has been replaced.
    if (listening.length === 0) return "no server thread listens";
    const millisecondsMax = this.#heartbeatMillisecondsMax;
    for (const { thread, milliseconds = 0 } of readHeartbeats(this.memory.heartbeats)) {
      if (!listening.includes(thread) || milliseconds <= millisecondsMax) continue;
      const seconds = (milliseconds / 1000).toFixed(1);
      const found = `the event loop of server thread ${thread} has been stuck for ${seconds} s`;
      return `${found}, expected at most ${millisecondsMax / 1000} s`;
    }
    return undefined;
  };

  /** Why nothing is served yet. */
  #unservedReason(): string {
    const figures = this.follower?.figures;
    const { progress, error } = figures ?? {};
    if (progress !== undefined) {
      const { snapshot, bytes, bytesTotal } = progress;
      return `no snapshot is served yet; ${bytes} of ${bytesTotal} bytes of ${snapshot} are fetched`;
    }
    return `no snapshot is served yet${error === undefined ? "" : `; ${error}`}`;
  }

  /** Why the snapshot to serve is not served; undefined when it is. */
  readonly lastError = (): string | undefined => {
    const last = this.reloads?.last;
    if (last !== undefined) return last.error;
    const [broken] = this.brokenSnapshots;
    return broken === undefined ? undefined : `snapshot ${broken} was broken at the start`;
  };
}

/** The time from the disk to a store in memory. */
export function loadMilliseconds(opened: OpenedSnapshot): number {
  return opened.readMilliseconds + (opened.origin === "records" ? opened.buildMilliseconds : 0);
}

/** Returns the number of records that each table of a store has, under the names of the record files. */
export function countRecords({ catalogue, prices }: Store): Readonly<Record<string, number>> {
  const tables = Object.entries<readonly unknown[]>(tableRecords(catalogue)).map(([kind, { length }]) => [
    kind,
    length,
  ]);
  return { ...Object.fromEntries(tables), prices: prices.rowCount };
}
