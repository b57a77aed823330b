/**
 * The supervisor's side of making downloads that clients ask for: one thread at a time, whichever server thread was
 * asked.
 */
import type { Logger } from "pino";
import { commandLine } from "../../contract/command-line.ts";
import type { MissingDownloads } from "../../contract/downloads.ts";
import { layoutVersion } from "../../engine/compiled/layout-version.ts";
import type { SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import type { Store } from "../../engine/store/store.ts";
import { WorkerClient } from "../../engine/threads/worker-client.ts";

/** The one request to such a thread. */
export interface DownloadsThreadRequest {
  readonly dataDirectory: string;
  readonly id: SnapshotId;
  /** The store of the snapshot where the service serves it; otherwise it is opened. */
  readonly store: Store | undefined;
  /** The layout of the stores that the service holds, see loader-thread.ts. */
  readonly layoutVersion: number;
}

export type DownloadsThreadAnswer =
  | { readonly outcome: "made" | "already-made"; readonly bytes: number }
  /** `isWritable`: whether the service may write its dataset directory; `message` names paths of the server. */
  | { readonly outcome: "failed"; readonly isWritable: boolean; readonly message: string };

/** The downloads of a snapshot that are queued, or have failed. */
export interface DownloadsProgress extends MissingDownloads {
  readonly id: SnapshotId;
}

export interface DownloadsMakerOptions {
  /** The entry file of the thread that makes them. */
  readonly script: URL;
  readonly dataDirectory: string;
  readonly log: Logger;
  /** The served store: its downloads are made from memory. */
  readonly servedStore: () => Store | undefined;
  /** A monotonic clock; that of the process when absent. */
  readonly now?: () => number;
}

/** Time for which a failure is remembered before another request tries again. */
export const failurePauseMilliseconds = 300_000;

/** Limits of what clients are asked to wait while files are being made. */
const waitSecondsMin = 2;
const waitSecondsMax = 60;

export class DownloadsMaker {
  readonly #options: Required<DownloadsMakerOptions>;
  /** The queue, its first being made: the snapshots, and when their downloads were first asked for. */
  readonly #queue = new Map<SnapshotId, number>();
  readonly #failures = new Map<SnapshotId, { readonly problem: string; readonly at: number }>();
  #thread: WorkerClient<DownloadsThreadRequest, DownloadsThreadAnswer> | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: DownloadsMakerOptions) {
    this.#options = { now: () => performance.now(), ...options };
  }

  /**
   * Queues the downloads of a kept snapshot that has none, unless they have failed within the pause.
   *
   * @param wanted Absent to read the progress alone.
   * @returns All that are queued or have failed within the pause, `wanted` among them.
   */
  request(wanted: SnapshotId | undefined): DownloadsProgress[] {
    const now = this.#options.now();
    for (const [id, { at }] of this.#failures) if (now - at >= failurePauseMilliseconds) this.#failures.delete(id);
    if (wanted !== undefined && !(this.#failures.has(wanted) || this.#queue.has(wanted))) {
      this.#queue.set(wanted, now);
      if (!this.#isStopped) this.#running ??= this.#makeAll();
    }
    // The wait is as long as it has taken so far, so clients ask a few times however long it takes.
    const making = [...this.#queue].map(([id, since]): DownloadsProgress => {
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
    for (const id of this.#queue.keys()) {
      const problem = await this.#make(id);
      // It stays queued, so that clients try again, perhaps at another instance.
      if (this.#isStopped) break;
      if (problem !== undefined) this.#failures.set(id, { problem, at: this.#options.now() });
      this.#queue.delete(id);
    }
    this.#running = undefined;
  }

  /** @returns The problem that clients see; undefined when they are made. */
  async #make(id: SnapshotId): Promise<string | undefined> {
    const { script, dataDirectory, log, servedStore } = this.#options;
    const startedAt = performance.now();
    const served = servedStore();
    const store = served?.snapshot.id === id ? served : undefined;
    try {
      // Throws where the system gives no thread.
      this.#thread = new WorkerClient(script, "the downloads thread");
      const answer = await this.#thread.request({ dataDirectory, id, store, layoutVersion });
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
      await this.#thread?.end();
      this.#thread = undefined;
    }
  }
}

/** Paths of the server are for its log alone. */
const failedProblem = "Making them has failed; the log of the service says why.";

function unwritableProblem(id: SnapshotId): string {
  return (
    "The service may not write its dataset directory; its operator makes them by: " +
    `${commandLine("snapshot")} downloads ${id}`
  );
}
