/**
 * Serves what `CURRENT` names: on request, and when `CURRENT` changes. One load at a time; a request during a load gets
 * the result of the next one, because the running one may have read `CURRENT` before it changed.
 *
 * `CURRENT` is polled twice a second rather than watched, because file notifications are unreliable on network disks.
 */

import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { OpenedSnapshot } from "../compiled/open-snapshot.ts";
import {
  currentBytesMax,
  currentPath,
  idInCurrent,
  manifestBytesMax,
  manifestFileName,
  snapshotPath,
} from "../dataset/snapshot-layout.ts";
import { readRegularFile } from "../files/read-regular-file.ts";
import { LoadAbandonedError } from "./load-failure.ts";

export interface ReloadOptions {
  readonly dataDirectory: string;
  readonly log: Logger;
  /** The id of the snapshot that is served. */
  readonly servedId: () => string;
  /** Loads what `CURRENT` names, and nothing else. */
  readonly load: () => Promise<OpenedSnapshot>;
  /** Serves a store from one instant on. */
  readonly activate: (loaded: OpenedSnapshot) => Promise<void>;
  /** Between two polls of `CURRENT`. */
  readonly pollMilliseconds: number;
  /** Called when what `CURRENT` names is served, whether or not that is new. */
  readonly onServed: () => void;
}

export interface Reload {
  /** The snapshot that is served now. */
  readonly id: string;
  /** Whether it is another one than before. */
  readonly changed: boolean;
  readonly milliseconds: number;
  /** When it ended, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly endedAt: number;
  /** Why the old snapshot stayed; undefined when what `CURRENT` names is served. */
  readonly error: string | undefined;
}

/** The cause of a reload. */
export type ReloadTrigger = "request" | "signal" | "change";

export type ReloadResult = "changed" | "unchanged" | "failed";

export class Reloads {
  /** How many reloads had which result. */
  readonly counts: Record<ReloadResult, number> = { changed: 0, unchanged: 0, failed: 0 };
  readonly #options: ReloadOptions;
  readonly #stopped = new AbortController();
  #running: Promise<Reload> | undefined;
  #following: Promise<Reload> | undefined;
  #last: Reload | undefined;
  /** The pointer when the last load began. */
  #tried: PointerContent;

  /** @param tried What `CURRENT` and its manifest said before the store was loaded that is served now. */
  constructor(options: ReloadOptions, tried: PointerContent) {
    this.#options = options;
    this.#tried = tried;
  }

  /** The last reload that has ended. */
  get last(): Reload | undefined {
    return this.#last;
  }

  /** Serves what `CURRENT` names now. Never rejects: a failed load is a result, and the old snapshot stays. */
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

  /** Polls `CURRENT` until stopped. Polling alone does not keep the process alive. */
  async follow(): Promise<void> {
    const { signal } = this.#stopped;
    const { pollMilliseconds } = this.#options;
    for (;;) {
      await delay(pollMilliseconds, undefined, { ref: false, signal }).catch(() => undefined);
      if (signal.aborted) return;
      if (this.#running === undefined && (await this.#isUntried())) await this.request("change");
    }
  }

  /** Stops polling; done when no reload is under way. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    while (this.#running !== undefined) await this.#running;
  }

  /**
   * Whether there is something that the last load has not seen. The manifest of a served snapshot is not read again.
   */
  async #isUntried(): Promise<boolean> {
    const { dataDirectory, servedId } = this.#options;
    const current = await currentContent(dataDirectory);
    if (current !== this.#tried.current) return true;
    return (
      idInCurrent(current) !== servedId() && (await manifestContent(dataDirectory, current)) !== this.#tried.manifest
    );
  }

  async #reload(trigger: ReloadTrigger): Promise<Reload> {
    const { dataDirectory, servedId, load, activate, onServed, log } = this.#options;
    const startedAt = performance.now();
    const before = servedId();
    let error: Error | undefined;
    try {
      this.#tried = await readPointer(dataDirectory);
      if (idInCurrent(this.#tried.current) !== before) {
        const loaded = await load();
        if (loaded.store.snapshot.id !== before) await activate(loaded);
      }
      onServed();
    } catch (thrown) {
      error = thrown as Error;
    }
    const id = servedId();
    const milliseconds = Math.round(performance.now() - startedAt);
    const result: ReloadResult = error !== undefined ? "failed" : id === before ? "unchanged" : "changed";
    this.counts[result]++;
    const fields = { trigger, result, snapshot: id, duration_ms: milliseconds };
    if (error === undefined) log.info(fields, "reloaded");
    else if (error instanceof LoadAbandonedError) log.info(fields, `reload abandoned: ${error.message}`);
    else log.error({ ...fields, err: error }, `reload failed: ${error.message}; snapshot ${id} stays`);
    this.#last = { id, changed: id !== before, milliseconds, endedAt: Date.now(), error: error?.message };
    return this.#last;
  }
}

/** What `CURRENT` and the manifest it names say, to be compared with what they said before. */
export interface PointerContent {
  readonly current: string;
  readonly manifest: string;
}

export async function readPointer(dataDirectory: string): Promise<PointerContent> {
  const current = await currentContent(dataDirectory);
  return { current, manifest: await manifestContent(dataDirectory, current) };
}

/** The content of `CURRENT`, or why it cannot be read. */
function currentContent(dataDirectory: string): Promise<string> {
  return readContent(currentPath(dataDirectory), currentBytesMax);
}

/** The content of the manifest that a content of `CURRENT` leads to, or why it cannot be read. */
async function manifestContent(dataDirectory: string, current: string): Promise<string> {
  const id = idInCurrent(current);
  return id === undefined ? "" : readContent(join(snapshotPath(dataDirectory, id), manifestFileName), manifestBytesMax);
}

async function readContent(path: string, bytesMax: number): Promise<string> {
  try {
    return (await readRegularFile(path, bytesMax)).toString();
  } catch (error) {
    return `unreadable: ${(error as NodeJS.ErrnoException).code}`;
  }
}
