/** The supervisor's side of one server thread. */
import { type ResourceLimits, Worker } from "node:worker_threads";
import type { KeyRecord } from "../auth/key-record.ts";
import type { Store } from "../store/store.ts";
import { drainMilliseconds } from "./drain.ts";
import { ListenError } from "./listen.ts";
import type { FromServerThread, ServerThreadData, ToServerThread } from "./thread-messages.ts";

/** A store and the number under which all threads serve it. */
export interface Activation {
  readonly generation: number;
  readonly store: Store;
}

/** Flags on the command line are for the main thread; those in NODE_OPTIONS reach every thread all the same. */
export const threadArguments: string[] = [];

/** Work is done in slices of a few milliseconds; a thread that says nothing for so long never will. */
const answerMilliseconds = 30_000;

/** What a thread may take beyond the bound that it sets itself. */
const drainRoomMilliseconds = 2000;

/** How a thread ended. */
export interface ThreadEnd {
  /** What it died of; undefined when it was ended from outside. */
  readonly error: Error | undefined;
  readonly exitCode: number;
}

/** One running server thread. Every promise of it is settled when the thread ends, however it does. */
export class ServerThreadHandle {
  readonly worker: Worker;
  readonly number: number;
  /** Never rejects. */
  readonly ended: Promise<ThreadEnd>;
  isEnded = false;
  isListening = false;
  #attached: Activation | undefined;
  readonly #waiting = new Set<(message: FromServerThread) => void>();

  constructor(data: ServerThreadData, resourceLimits: ResourceLimits) {
    this.number = data.thread;
    this.worker = new Worker(new URL("./server-thread.ts", import.meta.url), {
      workerData: data,
      resourceLimits,
      execArgv: threadArguments,
    });
    let error: Error | undefined;
    this.worker.on("error", (thrown: Error) => {
      error = thrown;
    });
    this.worker.on("message", (message: FromServerThread) => {
      for (const take of this.#waiting) take(message);
    });
    this.ended = new Promise((resolve) => {
      this.worker.once("exit", (exitCode) => {
        this.isEnded = true;
        this.isListening = false;
        resolve({ error, exitCode });
      });
    });
  }

  /** Whether it holds the store of this activation. */
  hasAttached(activation: Activation): boolean {
    return this.#attached === activation;
  }

  /** Hands keys over; they are in force before anything that is said later. */
  setKeys(records: readonly KeyRecord[]): void {
    this.#tell({ kind: "keys", records });
  }

  /** Hands a store over; done when the thread holds it or has ended. A thread that does not answer is ended. */
  async attach(activation: Activation): Promise<void> {
    this.#tell({ kind: "attach", ...activation });
    const answer = await this.#answer("attached");
    if (answer !== undefined) this.#attached = activation;
  }

  /** Tells the thread that stores before this activation are not asked for any more. */
  releaseBefore({ generation }: Activation): void {
    this.#tell({ kind: "release", before: generation });
  }

  /**
   * Lets the thread listen; done when it does or has ended.
   *
   * @throws {ListenError} when it cannot.
   */
  async listen(): Promise<void> {
    this.#tell({ kind: "listen" });
    const answer = await this.#answer("listening", "refused");
    if (answer?.kind === "refused") throw new ListenError(answer.message);
    this.isListening = answer !== undefined;
  }

  /** Lets requests that have started end, and then the thread. */
  async drain(): Promise<void> {
    // A thread that does not listen has none.
    if (!this.isListening) await this.worker.terminate();
    else {
      this.#tell({ kind: "drain" });
      const deadline = setTimeout(() => this.worker.terminate(), drainMilliseconds + drainRoomMilliseconds);
      await this.ended;
      clearTimeout(deadline);
    }
  }

  #tell(message: ToServerThread): void {
    this.worker.postMessage(message);
  }

  /** The next message of one of these kinds; undefined when the thread has ended. */
  async #answer(...kinds: readonly FromServerThread["kind"][]): Promise<FromServerThread | undefined> {
    const { promise, resolve } = Promise.withResolvers<FromServerThread>();
    const take = (message: FromServerThread): void => {
      if (kinds.includes(message.kind)) resolve(message);
    };
    this.#waiting.add(take);
    const deadline = setTimeout(() => this.worker.terminate(), answerMilliseconds);
    const answer = await Promise.race([promise, this.ended.then(() => undefined)]);
    clearTimeout(deadline);
    this.#waiting.delete(take);
    return answer;
  }
}
