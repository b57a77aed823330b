/** The supervisor's side of a loader thread. */
import { addAbortListener } from "node:events";
import type { ResourceLimits } from "node:worker_threads";
import { layoutVersion } from "../compiled/layout-version.ts";
import type { OpenedSnapshot } from "../compiled/open-snapshot.ts";
import { WorkerClient, WorkerEndedError } from "../threads/worker-client.ts";
import { LoadAbandonedError, LoadFailedError } from "./load-failure.ts";
import type { LoaderAnswer, LoaderNotice, LoaderRequest } from "./loader-thread.ts";

export interface LoadOptions extends Omit<LoaderRequest, "layoutVersion"> {
  readonly resourceLimits: ResourceLimits;
  /** Called for what was broken on the way: a snapshot, whose parent is tried; a compiled store. */
  readonly onNotice: (notice: LoaderNotice) => void;
  /** Ends the load at once. */
  readonly signal: AbortSignal;
}

/**
 * Loads what `CURRENT` names in a thread of its own.
 *
 * @throws {LoadAbandonedError} when the load was ended.
 * @throws {LoadFailedError} when there is nothing to serve, or the thread ran out of memory.
 */
export async function loadInThread(options: LoadOptions): Promise<OpenedSnapshot> {
  const { dataDirectory, triesParents, lowPriority, resourceLimits, onNotice, signal } = options;
  if (signal.aborted) throw new LoadAbandonedError();
  const script = new URL("./loader-thread.ts", import.meta.url);
  await using client = new WorkerClient<LoaderRequest, LoaderAnswer, LoaderNotice>(script, "the loader thread", {
    resourceLimits,
    onNotice,
  });
  using _onAbort = addAbortListener(signal, () => client.end());
  try {
    const answer = await client.request({ dataDirectory, triesParents, lowPriority, layoutVersion });
    if (answer.kind === "failed") throw new LoadFailedError(answer.message);
    return answer.opened;
  } catch (error) {
    throw error instanceof WorkerEndedError ? failureOf(error, signal) : error;
  }
}

/** Why a load has no answer; an unforeseen error is thrown as it is. */
function failureOf(ended: WorkerEndedError, signal: AbortSignal): unknown {
  const { cause } = ended;
  if (signal.aborted) return new LoadAbandonedError();
  if (!(cause instanceof Error)) return new LoadFailedError(ended.message);
  const isMemory = "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY";
  return isMemory ? new LoadFailedError("the loader thread ran out of memory", { cause }) : cause;
}
