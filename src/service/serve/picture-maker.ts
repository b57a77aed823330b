/**
 * Pictures of charts, drawn by a process of their own, because the renderer keeps memory that only the end of its
 * process returns. The process draws one picture after the other, starts with the first, and ends after some pictures
 * or without work for a while. If it fails, only the current picture is lost.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { picturesMax } from "../../contract/limits.ts";

/** To the process. */
export interface PictureRequest {
  readonly svg: string;
}

/** From the process. */
export type PictureAnswer = { readonly png: Uint8Array } | { readonly problem: string };

/** The life of such a process. */
export interface PictureLimits {
  readonly picturesMax: number;
  readonly idleMilliseconds: number;
  /** For one picture, with the start of the process. */
  readonly drawMilliseconds: number;
}

export const pictureLimits: PictureLimits = { picturesMax: 50, idleMilliseconds: 60_000, drawMilliseconds: 15_000 };

/** Characters of what a process has written to stderr that its errors have, the last ones. */
const stderrCharactersMax = 2000;

/** The places of all threads bound what waits, but for pictures whose clients have gone. */
const waitingMax = 2 * picturesMax;

/**
 * Without the optimising compiler of WebAssembly the process takes 110 MB instead of 150 MB, and a picture twice the
 * time. The memory of the renderer is no part of the heap.
 */
const processArguments = [
  "--liftoff-only",
  "--optimize-for-size",
  "--max-semi-space-size=1",
  "--max-old-space-size=64",
];

export interface PictureMakerOptions {
  /** The entry file of the process, which answers each `PictureRequest` with a `PictureAnswer`. */
  readonly script: URL;
  readonly log: { error(fields: object, message: string): void };
  /** `pictureLimits` when absent. */
  readonly limits?: PictureLimits;
  /** Called with every process that starts. */
  readonly onProcess?: ((child: ChildProcess) => void) | undefined;
}

export class PictureMaker {
  readonly #options: PictureMakerOptions;
  readonly #limits: PictureLimits;
  #isStopped = false;
  #process: PictureProcess | undefined;
  /** Done when the last picture of those requested is drawn. */
  #last: Promise<unknown> = Promise.resolve();
  #waitingCount = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: PictureMakerOptions) {
    this.#options = options;
    this.#limits = options.limits ?? pictureLimits;
  }

  /**
   * Draws a picture behind those that were requested before.
   *
   * @returns PNG; undefined where that fails, for a reason that the log has, and where too many wait.
   */
  async draw(svg: string): Promise<Uint8Array | undefined> {
    if (this.#waitingCount >= waitingMax) return undefined;
    this.#waitingCount++;
    const drawn = this.#last.then(() => this.#drawNext(svg));
    this.#last = drawn.catch(() => undefined);
    try {
      return await drawn;
    } finally {
      this.#waitingCount--;
    }
  }

  /** Ends the process; done when it has ended. Nothing is drawn any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#end();
  }

  async #drawNext(svg: string): Promise<Uint8Array | undefined> {
    if (this.#isStopped) return undefined;
    clearTimeout(this.#idle);
    try {
      const child = this.#process ?? this.#start();
      const png = await child.draw(svg, this.#limits.drawMilliseconds);
      if (child.drawnCount >= this.#limits.picturesMax) await this.#end();
      return png;
    } catch (error) {
      if (!this.#isStopped) this.#options.log.error({ err: error }, "a picture could not be drawn");
      await this.#end();
      return undefined;
    } finally {
      if (this.#process !== undefined) {
        this.#idle = setTimeout(() => void this.#end(), this.#limits.idleMilliseconds).unref();
      }
    }
  }

  /** @throws {Error} of the system where it cannot start a process. */
  #start(): PictureProcess {
    const { script, onProcess } = this.#options;
    const child = fork(script, [], {
      execArgv: processArguments,
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    const started = new PictureProcess(child);
    this.#process = started;
    // One that ends without work is replaced by the next picture.
    child.once("exit", () => {
      if (this.#process === started) this.#process = undefined;
    });
    onProcess?.(child);
    return started;
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    const child = this.#process;
    this.#process = undefined;
    await child?.end();
  }
}

/** A picture was not drawn. */
class PictureError extends Error {
  override readonly name = "PictureError";
  /** The end of what its process has written to stderr, which has the reason where the process could not start. */
  readonly stderr: string;

  constructor(message: string, stderr: string) {
    super(message);
    this.stderr = stderr;
  }
}

/** One running process. */
class PictureProcess {
  readonly #child: ChildProcess;
  /** Settled when the process has ended and its stderr is read, or when it could not be started. */
  readonly #ended: Promise<string>;
  #stderr = "";
  #drawnCount = 0;

  constructor(child: ChildProcess) {
    this.#child = child;
    const { promise, resolve } = Promise.withResolvers<string>();
    child.on("close", (code, signal) => resolve(`its process has ended, with ${signal ?? `code ${code}`}`));
    child.on("error", (error) => resolve(error.message));
    this.#ended = promise;
    // A process that could not be started has none.
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-stderrCharactersMax);
    });
  }

  get drawnCount(): number {
    return this.#drawnCount;
  }

  /** @throws {PictureError} when the process ends, takes too long, or refuses the picture. */
  async draw(svg: string, millisecondsMax: number): Promise<Uint8Array> {
    using cleanup = new DisposableStack();
    const settled = new AbortController();
    cleanup.defer(() => settled.abort());
    const deadline = Promise.withResolvers<string>();
    const timer = setTimeout(() => deadline.resolve(`none after ${millisecondsMax} ms`), millisecondsMax);
    cleanup.defer(() => clearTimeout(timer));
    const answered = once(this.#child, "message", { signal: settled.signal }).then(([answer]) => answer);
    answered.catch(() => undefined);
    // A process that could not be started has no `send`; its end follows.
    if (this.#child.connected) this.#child.send({ svg } satisfies PictureRequest, () => undefined);
    const outcome = await Promise.race<PictureAnswer | string>([answered, this.#ended, deadline.promise]);
    if (typeof outcome === "string") throw new PictureError(outcome, this.#stderr);
    if ("problem" in outcome) throw new PictureError(outcome.problem, this.#stderr);
    this.#drawnCount++;
    return outcome.png;
  }

  /** Ends the process, whatever it does; done when it has ended. */
  async end(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }
}
