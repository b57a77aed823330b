import { Worker } from "node:worker_threads";
import { threadArguments } from "../../src/engine/threads/worker-client.ts";

/** A worker thread without the flags of this process, by which tap would load its hooks there. */
export function startWorker(script: URL, workerData: unknown): Worker {
  return new Worker(script, { workerData, execArgv: threadArguments });
}
