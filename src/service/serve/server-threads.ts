/**
 * The server threads together: all have the same keys, and all change to another store at the same instant. A thread
 * that dies is replaced; one that keeps dying at its start, after a growing delay.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import type { SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import { type Store, storeBytes } from "../../engine/store/store.ts";
import { WorkerClient, type WorkerEnd } from "../../engine/threads/worker-client.ts";
import type { KeyRing } from "../auth/key-ring.ts";
import { clearPlaces } from "../http/admission/admission.ts";
import { clearConnections } from "../http/connection/connection-counts.ts";
import type { DownloadsProgress } from "./downloads-maker.ts";
import { drainShare, stopMillisecondsMax } from "./drain-server.ts";
import { ListenError } from "./ports.ts";
import { markInTurn, ReleasedMemory } from "./released-memory.ts";
import type { FromServerThread, Refusal, ServerThreadData, ToServerThread } from "./run-server-thread.ts";

export interface ServerThreadsOptions {
  /** The entry file of a server thread. */
  readonly script: URL;
  readonly threadCount: number;
  /** The data of each thread but for its number. */
  readonly data: Omit<ServerThreadData, "thread">;
  readonly log: Logger;
  /** Called with every thread that starts, before it does anything. */
  readonly onThread: (worker: Worker) => void;
  /** Called for each request for downloads that are not there; its answer goes to the thread that was asked. */
  readonly onDownloadsWanted: (id: SnapshotId | undefined) => readonly DownloadsProgress[];
  /** A thread that has not answered after so long is ended; half a minute when absent. */
  readonly answerMillisecondsMax?: number;
}

/** A thread that lives this long did not die at its start. */
const soundMilliseconds = 10_000;

/** The delay before a thread is replaced that died at its start: the first, doubled each time, and the greatest. */
const pauseMillisecondsMin = 100;
const pauseMillisecondsMax = 30_000;

export class ServerThreads {
  /** Number of threads that should answer. */
  readonly wantedCount: number;
  readonly #options: ServerThreadsOptions;
  /** All running threads. */
  readonly #threads = new Set<ServerThreadHandle>();
  /** The threads that hold what is served; an activation waits for each of them. */
  readonly #ready = new Set<ServerThreadHandle>();
  readonly #drained = new AbortController();
  readonly #runs: Promise<void>[] = [];
  #keys: ToServerThread | undefined;
  readonly #released: ReleasedMemory;
  /** The served store; undefined before the first activation. */
  current: Activation | undefined;
  #listens = false;
  /** Number of threads that have died. */
  deaths = 0;

  /** Starts the threads; they do not listen yet. */
  constructor(options: ServerThreadsOptions) {
    this.wantedCount = options.threadCount;
    this.#options = options;
    this.#released = new ReleasedMemory(markInTurn(options.threadCount));
    for (let number = 1; number <= options.threadCount; number++) this.#runs.push(this.#keepRunning(number));
  }

  /** The numbers of the threads that answer requests. */
  get listening(): readonly number[] {
    return [...this.#threads].filter(({ isListening }) => isListening).map(({ number }) => number);
  }

  /** Puts keys in force in every thread, also in those that start later. All share the flags of the ring. */
  setKeys({ records, used }: KeyRing): void {
    this.#keys = { kind: "keys", records, used };
    for (const thread of this.#threads) thread.send(this.#keys);
  }

  /**
   * Serves another store in all threads from one instant on. First every thread attaches it, then one shared number is
   * raised. A thread that dies meanwhile is not waited for; its replacement attaches what is served before
   * it listens.
   *
   * One activation at a time.
   */
  async activate(store: Store): Promise<void> {
    const next: Activation = { generation: (this.current?.generation ?? 0) + 1, store };
    for (;;) {
      const missing = [...this.#ready].filter((thread) => thread.attached !== next);
      // No await between this check and the raising of the number.
      if (missing.length === 0) break;
      await Promise.all(missing.map((thread) => thread.attach(next)));
    }
    const before = this.current;
    this.current = next;
    Atomics.store(this.#options.data.generation, 0, next.generation);
    for (const thread of this.#ready) thread.send({ kind: "release", before: next.generation });
    if (before !== undefined) this.#released.add(storeBytes(before.store));
  }

  /**
   * All threads listen; done when all that live do.
   *
   * @throws {ListenError} when one cannot.
   */
  async listen(): Promise<void> {
    this.#listens = true;
    await Promise.all([...this.#ready].map((thread) => thread.listen()));
  }

  /**
   * Answers for as long as the pause is, waits for the requests that have started, then ends the threads; none is
   * replaced any more.
   *
   * @param millisecondsMax Time of the whole stop after the pause; the threads end before that.
   */
  async drain(pauseMilliseconds = 0, millisecondsMax = stopMillisecondsMax): Promise<void> {
    this.#drained.abort();
    await Promise.all([...this.#threads].map((thread) => thread.drain(pauseMilliseconds, millisecondsMax)));
    await Promise.all(this.#runs);
  }

  /** Runs threads of one number, one after another, until the drain. */
  async #keepRunning(number: number): Promise<void> {
    let pauseMilliseconds = 0;
    while (!this.#drained.signal.aborted) {
      const startedAt = performance.now();
      const { error, exitCode } = await this.#run(number);
      if (this.#drained.signal.aborted) return;
      this.deaths++;
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

  /** Starts a thread and waits for its end. A thread that the system cannot create counts as one that ended at once. */
  async #run(number: number): Promise<WorkerEnd> {
    let thread: ServerThreadHandle;
    try {
      thread = this.#start(number);
    } catch (error) {
      return { error: error as Error, exitCode: 1 };
    }
    const end = await thread.ended;
    this.#threads.delete(thread);
    this.#ready.delete(thread);
    const { connectionMemory, placeFigures } = this.#options.data;
    clearConnections(connectionMemory, number);
    clearPlaces(placeFigures, number);
    return end;
  }

  #start(number: number): ServerThreadHandle {
    const thread = new ServerThreadHandle(number, this.#options);
    this.#threads.add(thread);
    this.#options.onThread(thread.worker);
    if (this.#keys !== undefined) thread.send(this.#keys);
    this.#admit(thread).catch((error: Error) => {
      this.#options.log.error({ thread: number, err: error }, "server thread cannot serve; it is ended");
      thread.worker.terminate();
    });
    return thread;
  }

  /** Makes a thread ready once it holds what all others serve. */
  async #admit(thread: ServerThreadHandle): Promise<void> {
    while (this.current !== undefined && thread.attached !== this.current) {
      await thread.attach(this.current);
      if (thread.isEnded) return;
    }
    // No await between the last check above and this: the next activation waits for the thread as well.
    this.#ready.add(thread);
    if (this.current !== undefined) thread.send({ kind: "release", before: this.current.generation });
    if (this.#listens) await thread.listen();
  }
}

/** A store and the number under which all threads serve it. */
export interface Activation {
  readonly generation: number;
  readonly store: Store;
}

/** Work is done in slices of a few milliseconds; a thread that does not answer for so long never will. */
const answerMillisecondsDefault = 30_000;

/** Preparing a store, whose slices wait for their turns among requests, may take so many times as long. */
const preparationTimes = 10;

/** The part of a stop after which a thread that has not ended is terminated. */
const threadShare = 0.95;

/** One running server thread. Every promise of it is settled when the thread ends, however it does. */
class ServerThreadHandle extends WorkerClient<ToServerThread, Refusal, FromServerThread> {
  readonly number: number;
  readonly #answerMillisecondsMax: number;
  /** Whose store it holds. */
  attached: Activation | undefined;
  #listens = false;
  #onPrepared: () => void = () => undefined;

  constructor(thread: number, options: ServerThreadsOptions) {
    const { script, data, onDownloadsWanted, answerMillisecondsMax = answerMillisecondsDefault } = options;
    super(script, `server thread ${thread}`, {
      workerData: { ...data, thread } satisfies ServerThreadData,
      onNotice: (wanted) => {
        if (wanted.kind === "prepared") return this.#onPrepared();
        wanted.asker.postMessage(onDownloadsWanted(wanted.id));
      },
    });
    this.number = thread;
    this.#answerMillisecondsMax = answerMillisecondsMax;
  }

  get isListening(): boolean {
    return this.#listens && !this.isEnded;
  }

  /** Sends a store; done when the thread holds it and has made what is asked first, or has ended. */
  async attach(activation: Activation): Promise<void> {
    const prepared = new Promise<void>((resolve) => {
      this.#onPrepared = resolve;
    });
    await this.#ask({ kind: "attach", ...activation });
    await this.#endLate(preparationTimes, Promise.race([prepared, this.ended]));
    if (!this.isEnded) this.attached = activation;
  }

  /**
   * Makes the thread listen; done when it does or has ended.
   *
   * @throws {ListenError} when it cannot.
   */
  async listen(): Promise<void> {
    const refusal = await this.#ask({ kind: "listen" });
    if (refusal !== undefined) throw new ListenError(refusal);
    this.#listens = true;
  }

  /** Answers for as long as the pause is, waits for the requests that have started, then ends the thread. */
  async drain(pauseMilliseconds: number, millisecondsMax: number): Promise<void> {
    // A thread that does not listen has none.
    if (!this.isListening) await this.worker.terminate();
    else {
      this.send({ kind: "drain", pauseMilliseconds, millisecondsMax: millisecondsMax * drainShare });
      const deadline = setTimeout(() => this.worker.terminate(), pauseMilliseconds + millisecondsMax * threadShare);
      await this.ended;
      clearTimeout(deadline);
    }
  }

  /** Sends a message, which the thread handles before it reads any later one. */
  send(message: ToServerThread): void {
    this.request(message).catch(() => undefined);
  }

  /** The answer to a message; undefined when the thread has ended. One that does not answer is ended. */
  async #ask(message: ToServerThread): Promise<Refusal> {
    const answer = this.request(message).catch(() => this.ended.then(() => undefined));
    return await this.#endLate(1, answer);
  }

  /** Waits for the work of the thread, which is ended where it takes so many times as long as an answer may. */
  async #endLate<T>(times: number, work: Promise<T>): Promise<T> {
    const deadline = setTimeout(() => this.worker.terminate(), times * this.#answerMillisecondsMax);
    return await work.finally(() => clearTimeout(deadline));
  }
}
