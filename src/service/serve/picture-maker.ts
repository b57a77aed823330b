/**
 * Pictures of charts, drawn by a process of their own, because the renderer keeps memory that only the end of its
 * process returns. The process draws one picture after the other, starts with the first, and ends after some pictures
 * or without work for a while; whatever else happens to it costs the picture that it draws.
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
  readonly #stopped = new AbortController();
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
  async draw(svg: string): Promise<Buffer | undefined> {
    if (this.#waitingCount >= waitingMax) return undefined;
    this.#waitingCount++;
    const drawn = this.#last.then(() => this.#drawNext(svg));
    this.#last = drawn;
    const png = await drawn;
    this.#waitingCount--;
    return png;
  }

  /** Ends the process; done when it has ended. Nothing is drawn any more. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#end();
  }

  async #drawNext(svg: string): Promise<Buffer | undefined> {
    if (this.#stopped.signal.aborted) return undefined;
    clearTimeout(this.#idle);
    this.#process ??= this.#start();
    const child = this.#process;
    try {
      const png = await child.draw(svg, this.#limits.drawMilliseconds);
      if (child.drawnCount >= this.#limits.picturesMax) await this.#end();
      return png;
    } catch (error) {
      if (!this.#stopped.signal.aborted) this.#options.log.error({ err: error }, "a picture could not be drawn");
      await this.#end();
      return undefined;
    } finally {
      if (this.#process !== undefined) {
        this.#idle = setTimeout(() => void this.#end(), this.#limits.idleMilliseconds).unref();
      }
    }
  }

  #start(): PictureProcess {
    const { script, onProcess } = this.#options;
    const child = fork(script, [], {
      execArgv: processArguments,
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    onProcess?.(child);
    const started = new PictureProcess(child);
    // One that ends without work is replaced by the next picture.
    child.once("exit", () => {
      if (this.#process === started) this.#process = undefined;
    });
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
}

/** One running process. */
class PictureProcess {
  readonly #child: ChildProcess;
  /** Settled when the process has ended, or could not be started. */
  readonly #ended: Promise<string>;
  #drawnCount = 0;

  constructor(child: ChildProcess) {
    this.#child = child;
    const { promise, resolve } = Promise.withResolvers<string>();
    child.on("exit", (code, signal) => resolve(`its process has ended, with ${signal ?? `code ${code}`}`));
    child.on("error", (error) => resolve(error.message));
    this.#ended = promise;
  }

  get drawnCount(): number {
    return this.#drawnCount;
  }

  /** @throws {PictureError} when the process ends, takes too long, or refuses the picture. */
  async draw(svg: string, millisecondsMax: number): Promise<Buffer> {
    using cleanup = new DisposableStack();
    const settled = new AbortController();
    cleanup.defer(() => settled.abort());
    const deadline = Promise.withResolvers<string>();
    const timer = setTimeout(() => deadline.resolve(`none after ${millisecondsMax} ms`), millisecondsMax);
    cleanup.defer(() => clearTimeout(timer));
    const answered = once(this.#child, "message", { signal: settled.signal }).then(([answer]) => answer);
    answered.catch(() => undefined);
    this.#child.send({ svg } satisfies PictureRequest, () => undefined);
    const outcome = await Promise.race<PictureAnswer | string>([answered, this.#ended, deadline.promise]);
    if (typeof outcome === "string") throw new PictureError(outcome);
    if ("problem" in outcome) throw new PictureError(outcome.problem);
    this.#drawnCount++;
    const { buffer, byteOffset, byteLength } = outcome.png;
    return Buffer.from(buffer, byteOffset, byteLength);
  }

  /** Ends the process, whatever it does; done when it has ended. */
  async end(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }
}
