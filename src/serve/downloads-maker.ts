/** The supervisor's side of making downloads that clients ask for: one thread at a time, whichever server thread was asked. */
import type { Logger } from "pino";
import { layoutVersion } from "../compiled/layout-version.ts";
import type { SnapshotId } from "../dataset/snapshot-layout.ts";
import type { MissingDownloads } from "../http/downloads/downloads.ts";
import type { Store } from "../store/store.ts";
import { WorkerClient } from "../threads/worker-client.ts";
import type { DownloadsThreadAnswer, DownloadsThreadRequest } from "./downloads-thread.ts";

/** The downloads of a snapshot that are waited for, or could not be made. */
export interface DownloadsProgress extends MissingDownloads {
  readonly id: SnapshotId;
}

export interface DownloadsMakerOptions {
  readonly dataDirectory: string;
  readonly log: Logger;
  /** What is served: its downloads are made from memory. */
  readonly servedStore: () => Store | undefined;
  /** A monotonic clock; that of the process when absent. */
  readonly now?: () => number;
}

/** How long a failure is remembered before another request tries again. */
export const failurePauseMilliseconds = 300_000;

/** Limits of what clients are asked to wait while files are being made. */
const waitSecondsMin = 2;
const waitSecondsMax = 60;

interface Failure {
  readonly problem: string;
  readonly at: number;
}

export class DownloadsMaker {
  readonly #options: Required<DownloadsMakerOptions>;
  /** When each snapshot was first wanted whose downloads are being made or come next, in that order. */
  readonly #wanted = new Map<SnapshotId, number>();
  readonly #failures = new Map<SnapshotId, Failure>();
  #thread: WorkerClient<DownloadsThreadRequest, DownloadsThreadAnswer> | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: DownloadsMakerOptions) {
    this.#options = { now: () => performance.now(), ...options };
  }

  /**
   * Has the downloads of a kept snapshot made that has none, unless that has just failed.
   *
   * @param wanted Absent to ask for the progress alone.
   * @returns Everything that is being made, comes next, or has failed lately; `wanted` among it.
   */
  request(wanted: SnapshotId | undefined): DownloadsProgress[] {
    const now = this.#options.now();
    for (const [id, { at }] of this.#failures) if (now - at >= failurePauseMilliseconds) this.#failures.delete(id);
    if (wanted !== undefined && !(this.#failures.has(wanted) || this.#wanted.has(wanted))) {
      this.#wanted.set(wanted, now);
      if (!this.#isStopped) this.#running ??= this.#makeAll();
    }
    // A client waits as long again as it has taken so far, so it asks a few times however long that is.
    const making = [...this.#wanted].map(([id, since]): DownloadsProgress => {
      const seconds = Math.min(Math.max(Math.ceil((now - since) / 1000), waitSecondsMin), waitSecondsMax);
      return { id, state: "being_made", problem: null, retryAfterSeconds: seconds };
    });
    const failed = [...this.#failures].map(([id, { problem, at }]): DownloadsProgress => {
      const seconds = Math.ceil((at + failurePauseMilliseconds - now) / 1000);
      return { id, state: "not_made", problem, retryAfterSeconds: seconds };
    });
    return [...making, ...failed];
  }

  /** Ends the thread; the next maker, or gc, removes what it had written. Nothing is made any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#thread?.end();
    await this.#running;
  }

  async #makeAll(): Promise<void> {
    // Also visits what is added meanwhile.
    for (const id of this.#wanted.keys()) {
      const problem = await this.#make(id);
      // It stays wanted, so that clients try again, perhaps at another instance.
      if (this.#isStopped) break;
      if (problem !== undefined) this.#failures.set(id, { problem, at: this.#options.now() });
      this.#wanted.delete(id);
    }
    this.#running = undefined;
  }

  /** @returns What clients are told of a failure. */
  async #make(id: SnapshotId): Promise<string | undefined> {
    const { dataDirectory, log, servedStore } = this.#options;
    const startedAt = performance.now();
    const script = new URL("./downloads-thread.ts", import.meta.url);
    const thread = new WorkerClient<DownloadsThreadRequest, DownloadsThreadAnswer>(script, "the downloads thread");
    this.#thread = thread;
    const served = servedStore();
    const store = served?.snapshot.id === id ? served : undefined;
    try {
      const answer = await thread.request({ dataDirectory, id, store, layoutVersion });
      const fields = { snapshot: id, duration_ms: Math.round(performance.now() - startedAt) };
      if (answer.outcome !== "failed") {
        if (answer.outcome === "made") log.info({ ...fields, bytes: answer.bytes }, "downloads made");
        return undefined;
      }
      log.error(fields, `downloads not made: ${answer.message}`);
      return answer.isWritable ? failedProblem : unwritableProblem(id);
    } catch (error) {
      if (!this.#isStopped) log.error({ snapshot: id, err: error }, "downloads not made");
      return failedProblem;
    } finally {
      await thread.end();
      this.#thread = undefined;
    }
  }
}

/** Paths of the server are for its log alone. */
const failedProblem = "Making them has failed; the log of the service says why.";

function unwritableProblem(id: SnapshotId): string {
  return `The service may not write its dataset directory; its operator makes them by: npm run snapshot -- downloads ${id}`;
}
