/** A thread that makes the downloads of one snapshot and is then ended, which frees its memory. */
import { constants, setPriority } from "node:os";
import { LoadFailedError, requireLayout } from "./engine/snapshots/load-failure.ts";
import { answerRequests } from "./engine/threads/worker-client.ts";
import type { DownloadsThreadAnswer, DownloadsThreadRequest } from "./service/serve/downloads-maker.ts";

/** Codes of the operating system for what a process may not write. */
const unwritableCodes = ["EACCES", "EPERM", "EROFS"];

answerRequests<DownloadsThreadRequest, DownloadsThreadAnswer>(async ({ dataDirectory, id, store, ...request }) => {
  // As in loader-thread.ts: requests come first.
  if (process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const { layoutVersion } = await import("./engine/compiled/layout-version.ts");
  const { SnapshotUnavailableError } = await import("./engine/snapshots/current-snapshot.ts");
  const { DatasetError } = await import("./engine/snapshots/problem.ts");
  const { LockUnusableError } = await import("./engine/files/exclusive-lock.ts");
  const { isSystemError, systemErrorCode } = await import("./engine/files/read-regular-file.ts");
  const { FolderTakenError } = await import("./engine/files/whole-folder.ts");
  const { makeDownloads } = await import("./publishing/publish/make-downloads.ts");
  try {
    requireLayout(layoutVersion, request.layoutVersion);
    return await makeDownloads(dataDirectory, id, { store });
  } catch (error) {
    const foreseen = [SnapshotUnavailableError, DatasetError, FolderTakenError, LoadFailedError, LockUnusableError];
    // An error that is not foreseen ends the thread with its cause.
    if (!isSystemError(error) && !foreseen.some((kind) => error instanceof kind)) throw error;
    const isWritable = !(error instanceof LockUnusableError || unwritableCodes.includes(systemErrorCode(error)));
    return { outcome: "failed", isWritable, message: (error as Error).message };
  }
});
