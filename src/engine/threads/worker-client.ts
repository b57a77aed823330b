/** Worker threads that answer requests: the client, and the loop that answers. */
import { parentPort, type Transferable, Worker, type WorkerOptions } from "node:worker_threads";

/**
 * A worker ended before it had answered, perhaps because it ran out of memory. The cause, if there is one, says more.
 */
export class WorkerEndedError extends Error {
  override readonly name = "WorkerEndedError";
}

/** A message that a worker posts. */
type WorkerMessage<Answer, Notice> = { readonly answer: Answer } | { readonly notice: Notice };

/** The end of a worker. */
export interface WorkerEnd {
  /** The error that ended it; undefined when it ended by itself or was terminated. */
  readonly error: Error | undefined;
  readonly exitCode: number;
}

export interface WorkerClientOptions<Notice> extends WorkerOptions {
  /** Called with what the worker posts beside its answers. */
  readonly onNotice?: (notice: Notice) => void;
}

/** Flags on the command line are for the main thread; those in NODE_OPTIONS reach every thread all the same. */
export const threadArguments: string[] = [];

/** One worker thread. It answers its requests one after another, in order. */
export class WorkerClient<Request, Answer, Notice = never> {
  /** The thread itself. */
  readonly worker: Worker;
  /** Settled when the worker has ended; never rejects. */
  readonly ended: Promise<WorkerEnd>;
  #isEnded = false;
  readonly #name: string;
  readonly #pending: PromiseWithResolvers<Answer>[] = [];
  #failure: WorkerEndedError | undefined;

  /**
   * Starts the worker.
   *
   * @param script The module that it runs; calls `answerRequests`.
   * @param name Its name in messages, with an article.
   */
  constructor(script: URL, name: string, { onNotice, ...options }: WorkerClientOptions<Notice> = {}) {
    this.#name = name;
    this.worker = new Worker(script, { execArgv: threadArguments, ...options });
    this.worker.on("message", (message: WorkerMessage<Answer, Notice>) => {
      if ("notice" in message) onNotice?.(message.notice);
      else this.#pending.shift()?.resolve(message.answer);
    });
    const { promise, resolve } = Promise.withResolvers<WorkerEnd>();
    this.ended = promise;
    let error: Error | undefined;
    this.worker.on("error", (cause) => {
      error = cause as Error;
      this.#fail(`failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    });
    this.worker.on("exit", (exitCode) => {
      this.#isEnded = true;
      this.#fail(`ended early, with code ${exitCode}`);
      resolve({ error, exitCode });
    });
  }

  /** Returns whether the worker has ended. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Returns the number of requests that have no answer yet. */
  get pendingCount(): number {
    return this.#pending.length;
  }

  /** @throws {WorkerEndedError} when the worker ends before it has answered. */
  request(request: Request): Promise<Answer> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const pending = Promise.withResolvers<Answer>();
    this.#pending.push(pending);
    this.worker.postMessage(request);
    return pending.promise;
  }

  /** Ends the worker, whatever it does. Requests without an answer are rejected at once. */
  async end(): Promise<void> {
    this.#fail("was ended");
    await this.worker.terminate();
  }

  /** @see end */
  [Symbol.asyncDispose](): Promise<void> {
    return this.end();
  }

  #fail(reason: string, options?: ErrorOptions): void {
    this.#failure ??= new WorkerEndedError(`${this.#name} ${reason}`, options);
    for (const { reject } of this.#pending.splice(0)) reject(this.#failure);
  }
}

/**
 * The worker's side: answers every request. A failure is not caught: it ends the worker, and its client gets it as
 * cause.
 *
 * @param answer Asked for one request at a time.
 */
export function answerRequests<Request, Answer>(answer: (request: Request) => Answer | Promise<Answer>): void {
  let latest: Promise<void> = Promise.resolve();
  parentPort?.on("message", (request: Request) => {
    latest = latest.then(async () => {
      parentPort?.postMessage({ answer: await answer(request) } satisfies WorkerMessage<Answer, never>);
    });
  });
}

/**
 * The worker's side: says something beside the answers; before one, if the request is still being answered.
 *
 * @param moved What of it is moved, such as a port.
 */
export function sendNotice<Notice>(notice: Notice, moved: Transferable[] = []): void {
  parentPort?.postMessage({ notice } satisfies WorkerMessage<never, Notice>, moved);
}
