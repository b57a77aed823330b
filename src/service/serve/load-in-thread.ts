/** The supervisor's side of a loader thread. */
import { addAbortListener } from "node:events";
import type { ResourceLimits } from "node:worker_threads";
import { layoutVersion } from "../../engine/compiled/layout-version.ts";
import type { OpenedSnapshot } from "../../engine/compiled/open-snapshot.ts";
import { BrokenRecordsError, LoadAbandonedError, LoadFailedError } from "../../engine/snapshots/load-failure.ts";
import type { SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import { entryFile } from "../../engine/threads/entry-file.ts";
import { WorkerClient, WorkerEndedError } from "../../engine/threads/worker-client.ts";
import type { LoaderAnswer, LoaderNotice, LoaderRequest } from "./loader-thread.ts";

interface ThreadOptions {
  readonly resourceLimits: ResourceLimits;
  /** Called for what was broken on the way: a snapshot, whose parent is tried; a compiled store. */
  readonly onNotice: (notice: LoaderNotice) => void;
  /** Ends the load at once. */
  readonly signal: AbortSignal;
}

/**
 * Loads what is to be served in a thread of its own.
 *
 * @throws {LoadAbandonedError} when the load was ended.
 * @throws {LoadFailedError} when there is nothing to serve, or the thread ran out of memory.
 */
export async function loadInThread(
  request: Omit<LoaderRequest, "layoutVersion" | "compiles">,
  options: ThreadOptions,
): Promise<OpenedSnapshot> {
  return (await askLoader(request, options)) as OpenedSnapshot;
}

/**
 * Compiles the store of a snapshot in a thread of its own.
 *
 * @throws {LoadAbandonedError} when that was ended.
 * @throws {BrokenRecordsError} when its records are broken.
 * @throws {LoadFailedError} when they cannot be read otherwise: the thread ran out of memory.
 */
export async function compileInThread(
  dataDirectory: string,
  compiles: SnapshotId,
  options: ThreadOptions,
): Promise<void> {
  await askLoader({ dataDirectory, compiles, isStart: false }, options);
}

/** @returns Undefined for a request to compile. */
async function askLoader(
  request: Omit<LoaderRequest, "layoutVersion">,
  { resourceLimits, onNotice, signal }: ThreadOptions,
): Promise<OpenedSnapshot | undefined> {
  if (signal.aborted) throw new LoadAbandonedError();
  const script = entryFile("./loader-thread", import.meta.url);
  await using client = new WorkerClient<LoaderRequest, LoaderAnswer, LoaderNotice>(script, "the loader thread", {
    resourceLimits,
    onNotice,
  });
  using _onAbort = addAbortListener(signal, () => client.end());
  try {
    const answer = await client.request({ ...request, layoutVersion });
    if (answer.kind === "failed") {
      throw answer.isBroken ? new BrokenRecordsError(answer.message) : new LoadFailedError(answer.message);
    }
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
