/**
 * A loader thread: reads what `CURRENT` names, builds its store, hands it over and ends, and its memory with it. Reading
 * millions of prices takes seconds, in which the server threads go on answering.
 */
import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { LoadFailedError } from "./load-failed-error.ts";
import { requireLayout } from "./require-layout.ts";
import type { FromLoaderThread, LoaderThreadData } from "./thread-messages.ts";

const { dataDirectory, triesParents, isBeside, ...service } = workerData as LoaderThreadData;
// Linux has a priority for each thread; elsewhere this would be that of the whole process.
if (isBeside && process.platform === "linux") setPriority(constants.priority.PRIORITY_LOW);
// Loading the code is a good part of the work, so it comes after that.
const { layoutVersion } = await import("../compiled/file-layout.ts");
const { openCurrentSnapshot } = await import("../compiled/open-snapshot.ts");
const { SnapshotUnavailableError } = await import("../dataset/load-current-dataset.ts");
const { DatasetError } = await import("../dataset/problem.ts");
try {
  requireLayout(layoutVersion, service.layoutVersion);
  const opened = await openCurrentSnapshot(dataDirectory, {
    onFallback({ broken, error, next }) {
      if (!triesParents) throw error;
      tell({ kind: "fallback", broken, message: error.message, next });
    },
    onCompiledRefused: ({ code, message }) => tell({ kind: "compiled refused", code, message }),
  });
  tell({ kind: "loaded", opened });
} catch (error) {
  // What is not foreseen ends the thread with its cause.
  const isForeseen = [SnapshotUnavailableError, DatasetError, LoadFailedError].some((kind) => error instanceof kind);
  if (!isForeseen) throw error;
  tell({ kind: "failed", message: (error as Error).message });
}

function tell(message: FromLoaderThread): void {
  parentPort?.postMessage(message);
}
