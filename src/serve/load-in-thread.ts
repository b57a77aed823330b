/** The supervisor's side of a loader thread. */
import { type ResourceLimits, Worker } from "node:worker_threads";
import { layoutVersion } from "../compiled/file-layout.ts";
import type { OpenedSnapshot } from "../compiled/open-snapshot.ts";
import { LoadFailedError } from "./load-failed-error.ts";
import { threadArguments } from "./server-thread-handle.ts";
import type { FromLoaderThread, LoaderThreadData } from "./thread-messages.ts";

type Told<Kind extends FromLoaderThread["kind"]> = Extract<FromLoaderThread, { readonly kind: Kind }>;

export interface LoadOptions extends Omit<LoaderThreadData, "layoutVersion"> {
  readonly resourceLimits: ResourceLimits;
  /** Told of what was broken on the way: a snapshot, whose parent is tried; a compiled store, whose records are read. */
  readonly onFallback: (told: Told<"fallback">) => void;
  readonly onCompiledRefused: (told: Told<"compiled refused">) => void;
  /** Ends the load at once. */
  readonly signal: AbortSignal;
}

/**
 * Loads what `CURRENT` names in a thread of its own.
 *
 * @throws {LoadFailedError} when there is nothing to serve, the thread ran out of memory, or the load was ended.
 */
export async function loadInThread(options: LoadOptions): Promise<OpenedSnapshot> {
  const { dataDirectory, triesParents, isBeside, resourceLimits, onFallback, onCompiledRefused, signal } = options;
  if (signal.aborted) throw new LoadFailedError("the service is stopping");
  const workerData: LoaderThreadData = { dataDirectory, triesParents, isBeside, layoutVersion };
  const worker = new Worker(new URL("./loader-thread.ts", import.meta.url), {
    workerData,
    resourceLimits,
    execArgv: threadArguments,
  });
  const { promise, resolve, reject } = Promise.withResolvers<OpenedSnapshot>();
  worker.on("message", (message: FromLoaderThread) => {
    if (message.kind === "fallback") onFallback(message);
    else if (message.kind === "compiled refused") onCompiledRefused(message);
    else if (message.kind === "loaded") resolve(message.opened);
    else reject(new LoadFailedError(message.message));
  });
  worker.on("error", (error: NodeJS.ErrnoException) => {
    const isMemory = error.code === "ERR_WORKER_OUT_OF_MEMORY";
    reject(isMemory ? new LoadFailedError("the loader thread ran out of memory", { cause: error }) : error);
  });
  // After an answer this changes nothing.
  worker.once("exit", (code) => reject(new LoadFailedError(`the loader thread ended with code ${code}`)));
  const abort = (): void => {
    reject(new LoadFailedError("the service is stopping"));
    worker.terminate();
  };
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
