/**
 * Serves what a pin or `CURRENT` names: on request, when that changes, and again after a load has failed. One load at a
 * time; a request during a load gets the result of the next one, because the running one may have read `CURRENT` before
 * it changed.
 *
 * Both are polled twice a second rather than watched, because file notifications are unreliable on network disks.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { OpenedSnapshot } from "../../engine/compiled/open-snapshot.ts";
import { orUnavailable, readCurrent, SnapshotUnavailableError } from "../../engine/snapshots/current-snapshot.ts";
import { LoadAbandonedError } from "../../engine/snapshots/load-failure.ts";
import { type Pin, readPin } from "../../engine/snapshots/pin.ts";
import type { SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import { RetryPause, type RetryTimes } from "../../engine/threads/retry-pause.ts";

export interface ReloadOptions {
  readonly dataDirectory: string;
  readonly log: Logger;
  /** The id of the snapshot that is served. */
  readonly servedId: () => string;
  /** Loads the snapshot to serve, and nothing else. */
  readonly load: (id: SnapshotId) => Promise<OpenedSnapshot>;
  /** Serves a store from one instant on. */
  readonly activate: (loaded: OpenedSnapshot) => Promise<void>;
  /** Between two polls. */
  readonly pollMilliseconds: number;
  /** The pauses after failed loads; see retry-pause.ts when absent. */
  readonly retryTimes?: RetryTimes | undefined;
  /** Called when the snapshot to serve is served, whether or not that is new. */
  readonly onServed: () => void;
}

export interface Reload {
  /** The snapshot that is served now. */
  readonly id: string;
  /** True if it is another one than before. */
  readonly changed: boolean;
  readonly milliseconds: number;
  /** When it ended, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly endedAt: number;
  /** Why the old snapshot stayed; undefined when the snapshot to serve is served. */
  readonly error: string | undefined;
}

/** The cause of a reload. */
export type ReloadTrigger = "request" | "signal" | "change" | "retry";

export type ReloadResult = "changed" | "unchanged" | "failed";

/** The snapshot to serve, or why it is unknown. */
export type Wanted = SnapshotId | SnapshotUnavailableError;

export class Reloads {
  /** Number of reloads by result. */
  readonly counts: Record<ReloadResult, number> = { changed: 0, unchanged: 0, failed: 0 };
  readonly #options: ReloadOptions;
  readonly #stopped = new AbortController();
  readonly #pause: RetryPause;
  /** The pin, as it was read last. */
  pin: Pin | undefined;
  #running: Promise<Reload> | undefined;
  #following: Promise<Reload> | undefined;
  /** The last reload that has ended. */
  last: Reload | undefined;
  /** The snapshot that was wanted when the last load began, as a text to compare. */
  #tried: string;

  /** @param tried The snapshot to serve, as it was read before the served store was loaded. */
  constructor(options: ReloadOptions, tried: Wanted) {
    this.#options = options;
    this.#tried = textOf(tried);
    this.#pause = new RetryPause(options.retryTimes);
  }

  /** Serves the snapshot to serve. Never rejects: a failed load is a result, and the old snapshot stays. */
  request(trigger: ReloadTrigger): Promise<Reload> {
    if (this.#running === undefined) {
      this.#running = this.#reload(trigger).finally(() => {
        this.#running = undefined;
      });
      return this.#running;
    }
    this.#following ??= this.#running.then(() => {
      this.#following = undefined;
      return this.request(trigger);
    });
    return this.#following;
  }

  /** Polls until stopped. Polling alone does not keep the process alive. */
  async follow(): Promise<void> {
    const { signal } = this.#stopped;
    const { pollMilliseconds, servedId } = this.#options;
    // The start has served the parent of a broken snapshot.
    if (this.#tried !== servedId()) this.#pause.begin();
    for (;;) {
      await delay(pollMilliseconds, undefined, { ref: false, signal }).catch(() => undefined);
      if (signal.aborted) return;
      if (this.#running !== undefined) continue;
      const wanted = textOf(await this.#readWanted());
      // A load that has begun meanwhile has read what is wanted itself; if it read too early, the next poll sees that.
      if (this.#running !== undefined) continue;
      if (wanted !== this.#tried) await this.request("change");
      else if (this.#pause.isOver) await this.request("retry");
    }
  }

  /** Stops polling; done when no reload is under way. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    while (this.#running !== undefined) await this.#running;
  }

  async #readWanted(): Promise<Wanted> {
    const { dataDirectory } = this.#options;
    return await orUnavailable(
      readPin(dataDirectory).then(async (pin) => {
        this.pin = pin;
        return pin?.id ?? (await readCurrent(dataDirectory));
      }),
    );
  }

  async #reload(trigger: ReloadTrigger): Promise<Reload> {
    const { servedId, load, activate, onServed, log } = this.#options;
    const startedAt = performance.now();
    const before = servedId();
    let error: Error | undefined;
    try {
      const wanted = await this.#readWanted();
      if (textOf(wanted) !== this.#tried) this.#pause.end();
      this.#tried = textOf(wanted);
      if (wanted instanceof SnapshotUnavailableError) throw wanted;
      if (wanted !== before) {
        const loaded = await load(wanted);
        if (loaded.store.snapshot.id !== before) await activate(loaded);
      }
      onServed();
      this.#pause.end();
    } catch (thrown) {
      error = thrown as Error;
      this.#pause.begin();
    }
    const id = servedId();
    const milliseconds = Math.round(performance.now() - startedAt);
    const result: ReloadResult = error !== undefined ? "failed" : id === before ? "unchanged" : "changed";
    this.counts[result]++;
    const fields = { trigger, result, snapshot: id, duration_ms: milliseconds };
    if (error === undefined) log.info(fields, "reloaded");
    else if (error instanceof LoadAbandonedError) log.info(fields, `reload abandoned: ${error.message}`);
    else log.error({ ...fields, err: error }, `reload failed: ${error.message}; snapshot ${id} stays`);
    this.last = { id, changed: id !== before, milliseconds, endedAt: Date.now(), error: error?.message };
    return this.last;
  }
}

function textOf(wanted: Wanted): string {
  return wanted instanceof SnapshotUnavailableError ? wanted.message : wanted;
}
