import { Worker } from "node:worker_threads";

/** A thread that helps to read ended before its work was done, for want of memory perhaps. The cause tells more. */
export class ReadingThreadError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ReadingThreadError";
  }
}

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: ReadingThreadError) => void;
}

/** A thread that answers each message with one message, in order. */
export class AskedThread {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #failure: ReadingThreadError | undefined;

  /** @param script The file that the thread runs. */
  constructor(script: URL) {
    this.#worker = new Worker(script);
    this.#worker.on("message", (answer) => this.#waiting.shift()?.resolve(answer));
    this.#worker.on("error", (cause) => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      this.#fail(new ReadingThreadError(`a thread that reads prices failed: ${reason}`, { cause }));
    });
    this.#worker.on("exit", (code) => {
      this.#fail(new ReadingThreadError(`a thread that reads prices ended early, with code ${code}`));
    });
  }

  /** How many questions are not answered yet. */
  get openCount(): number {
    return this.#waiting.length;
  }

  /** @throws {ReadingThreadError} when the thread ends before it has answered. */
  ask(question: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) {
        reject(this.#failure);
        return;
      }
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(question);
    });
  }

  /** Ends the thread, whatever it does. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: ReadingThreadError): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}
