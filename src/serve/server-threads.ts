/**
 * The server threads as one: all have the same keys, and all change to another store at the same instant. A thread that
 * dies is replaced; one that dies again and again, after a growing while.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { ResourceLimits, Worker } from "node:worker_threads";
import type { Logger } from "pino";
import type { KeyRecord } from "../auth/key-record.ts";
import { type Store, storeBytes } from "../store/store.ts";
import { scheduleCollection } from "./collect-garbage.ts";
import { ReleasedBytes } from "./released-bytes.ts";
import { type Activation, ServerThreadHandle, type ThreadEnd } from "./server-thread-handle.ts";
import type { ServerThreadData } from "./thread-messages.ts";

export interface ServerThreadsOptions {
  readonly threadCount: number;
  /** What each thread is made with, its number apart. */
  readonly data: Omit<ServerThreadData, "thread">;
  readonly resourceLimits: ResourceLimits;
  readonly log: Logger;
  /** Told of every thread that starts, before it does anything. */
  readonly onThread: (worker: Worker) => void;
}

/** A thread that lives this long was not killed by its start. */
const soundMilliseconds = 10_000;

/** How long the place of a thread stays empty that died at its start: the first time, doubled each time, at most. */
const pauseMillisecondsMin = 100;
const pauseMillisecondsMax = 30_000;

export class ServerThreads {
  readonly #options: ServerThreadsOptions;
  readonly #generation: Int32Array<SharedArrayBuffer>;
  /** All that run. */
  readonly #threads = new Set<ServerThreadHandle>();
  /** Those that hold what is served; a hand-over waits for each of them. */
  readonly #ready = new Set<ServerThreadHandle>();
  readonly #drained = new AbortController();
  readonly #places: Promise<void>[] = [];
  #keys: readonly KeyRecord[] = [];
  readonly #released = new ReleasedBytes();
  #current: Activation | undefined;
  #listens = false;
  #deaths = 0;

  /** Starts the threads; they do not listen yet. */
  constructor(options: ServerThreadsOptions) {
    this.#options = options;
    this.#generation = options.data.generation;
    for (let number = 1; number <= options.threadCount; number++) this.#places.push(this.#fill(number));
  }

  /** How many threads answer requests. */
  get listeningCount(): number {
    return [...this.#threads].filter(({ isListening }) => isListening).length;
  }

  /** How many threads there should be. */
  get wantedCount(): number {
    return this.#options.threadCount;
  }

  /** How many threads have died. */
  get deaths(): number {
    return this.#deaths;
  }

  /** What is served; undefined before the first hand-over. */
  get current(): Activation | undefined {
    return this.#current;
  }

  /** Puts keys in force in every thread, also in those that start later. */
  setKeys(records: readonly KeyRecord[]): void {
    this.#keys = records;
    for (const thread of this.#threads) thread.setKeys(records);
  }

  /**
   * Serves another store in all threads from one instant on. First every thread gets hold of it, then one shared number is
   * raised. A thread that dies meanwhile is not waited for, and one that takes its place is.
   *
   * One hand-over at a time.
   */
  async handOver(store: Store): Promise<void> {
    const next: Activation = { generation: (this.#current?.generation ?? 0) + 1, store };
    for (;;) {
      const lacking = [...this.#ready].filter((thread) => !thread.hasAttached(next));
      // Nothing comes between this look and the raising of the number.
      if (lacking.length === 0) break;
      await Promise.all(lacking.map((thread) => thread.attach(next)));
    }
    const before = this.#current;
    this.#current = next;
    Atomics.store(this.#generation, 0, next.generation);
    for (const thread of this.#ready) thread.releaseBefore(next);
    if (before !== undefined && this.#released.add(storeBytes(before.store)) > 0) scheduleCollection();
  }

  /**
   * Lets all threads listen; when this is done, all do that live.
   *
   * @throws {ListenError} when one cannot.
   */
  async listen(): Promise<void> {
    this.#listens = true;
    await Promise.all([...this.#ready].map((thread) => thread.listen()));
  }

  /** Lets requests that have started end, then the threads; none is replaced any more. */
  async drain(): Promise<void> {
    this.#drained.abort();
    await Promise.all([...this.#threads].map((thread) => thread.drain()));
    await Promise.all(this.#places);
  }

  /** Keeps one place filled until the drain. */
  async #fill(number: number): Promise<void> {
    let pauseMilliseconds = 0;
    while (!this.#drained.signal.aborted) {
      const startedAt = performance.now();
      const { error, exitCode } = await this.#run(number);
      if (this.#drained.signal.aborted) return;
      this.#deaths++;
      const livedMilliseconds = Math.round(performance.now() - startedAt);
      if (livedMilliseconds >= soundMilliseconds) pauseMilliseconds = 0;
      this.#options.log.error(
        { thread: number, err: error, exit_code: exitCode, lived_ms: livedMilliseconds, pause_ms: pauseMilliseconds },
        "server thread died; another takes its place",
      );
      await delay(pauseMilliseconds, undefined, { signal: this.#drained.signal }).catch(() => undefined);
      pauseMilliseconds = Math.min(Math.max(pauseMilliseconds * 2, pauseMillisecondsMin), pauseMillisecondsMax);
    }
  }

  /** Starts a thread and waits for its end. A system that has no thread to give is as one that ended at once. */
  async #run(number: number): Promise<ThreadEnd> {
    let thread: ServerThreadHandle;
    try {
      thread = this.#start(number);
    } catch (error) {
      return { error: error as Error, exitCode: 1 };
    }
    const end = await thread.ended;
    this.#threads.delete(thread);
    this.#ready.delete(thread);
    return end;
  }

  #start(number: number): ServerThreadHandle {
    const thread = new ServerThreadHandle({ ...this.#options.data, thread: number }, this.#options.resourceLimits);
    this.#threads.add(thread);
    this.#options.onThread(thread.worker);
    thread.setKeys(this.#keys);
    this.#admit(thread).catch((error: Error) => {
      this.#options.log.error({ thread: number, err: error }, "server thread cannot serve; it is ended");
      thread.worker.terminate();
    });
    return thread;
  }

  /** Lets a thread serve once it holds what all others serve. */
  async #admit(thread: ServerThreadHandle): Promise<void> {
    while (this.#current !== undefined && !thread.hasAttached(this.#current)) {
      await thread.attach(this.#current);
      if (thread.isEnded) return;
    }
    // Nothing comes between the last look above and this: the next hand-over waits for the thread as well.
    this.#ready.add(thread);
    if (this.#current !== undefined) thread.releaseBefore(this.#current);
    if (this.#listens) await thread.listen();
  }
}
