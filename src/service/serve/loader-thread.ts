/**
 * A loader thread: reads what `CURRENT` names, builds its store and posts it; then it is ended, which frees its
 * memory. Reading millions of prices takes seconds, in which the server threads go on answering.
 */
import { constants, setPriority } from "node:os";
import { layoutVersion } from "../../engine/compiled/layout-version.ts";
import type { OpenedSnapshot } from "../../engine/compiled/open-snapshot.ts";
import { LoadFailedError, requireLayout } from "../../engine/snapshots/load-failure.ts";
import type { SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import { answerRequests, sendNotice } from "../../engine/threads/worker-client.ts";

/** The one request to a loader thread. */
export interface LoaderRequest {
  readonly dataDirectory: string;
  /** The snapshot to compile, of which only that is wanted; absent where what is to be served is opened. */
  readonly compiles?: SnapshotId | undefined;
  /**
   * True if it is the load of a start. Then the parent of a broken snapshot is tried; otherwise a broken snapshot ends
   * the load, and the thread leaves the processor to others: requests are answered meanwhile, which come first.
   */
  readonly isStart: boolean;
  /**
   * The layout of the stores that the service holds: threads load the code that lies there when they start, which may
   * be newer.
   */
  readonly layoutVersion: number;
}

/** A line for the log. */
export interface LoaderNotice {
  readonly level: "warn" | "error";
  readonly fields: object;
  readonly message: string;
  /** The snapshot that is broken, whose parent is tried. */
  readonly broken?: string;
}

export type LoaderAnswer =
  /** Undefined where its store is compiled, or its records are right and it could not be written. */
  | { readonly kind: "done"; readonly opened: OpenedSnapshot | undefined }
  /** Nothing can be served; one line says why. */
  | { readonly kind: "failed"; readonly message: string; readonly isBroken: boolean };

answerRequests<LoaderRequest, LoaderAnswer>(async (request) => {
  const { dataDirectory, compiles, isStart } = request;
  // Linux has a priority for each thread; elsewhere this would be that of the whole process. The lowest would leave a
  // load one or two per cent of cores that requests keep busy.
  if (!isStart && process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  // Loading the code is a good part of the work, so it comes after that.
  const { compileSnapshot, openCurrentSnapshot } = await import("../../engine/compiled/open-snapshot.ts");
  const { readManifestOf, SnapshotUnavailableError } = await import("../../engine/snapshots/current-snapshot.ts");
  const { DatasetError } = await import("../../engine/snapshots/problem.ts");
  const { describeRefusedTexts } = await import("../../engine/snapshots/refused-texts.ts");
  try {
    requireLayout(layoutVersion, request.layoutVersion);
    if (compiles !== undefined) {
      await compileSnapshot(dataDirectory, await readManifestOf(dataDirectory, compiles));
      return { kind: "done", opened: undefined };
    }
    const opened = await openCurrentSnapshot(dataDirectory, {
      onFallback({ broken, error, next }) {
        if (!isStart) throw error;
        const [fields, message] = [{ snapshot: broken, parent: next }, `${error.message}; trying its parent`];
        sendNotice<LoaderNotice>({ level: "error", fields, message, broken });
      },
      onCompiledRefused({ code, message }) {
        sendNotice<LoaderNotice>({ level: "warn", fields: { code }, message: `${message}; reading the records` });
      },
    });
    const refused = describeRefusedTexts(opened.store);
    if (refused !== undefined) {
      const message = `${refused}; served all the same; pages show long texts cut, publish shorter ones`;
      sendNotice<LoaderNotice>({ level: "warn", fields: { snapshot: opened.store.snapshot.id }, message });
    }
    return { kind: "done", opened };
  } catch (error) {
    // An error that is not foreseen ends the thread with its cause.
    const isForeseen = [SnapshotUnavailableError, DatasetError, LoadFailedError].some((kind) => error instanceof kind);
    if (!isForeseen) throw error;
    return { kind: "failed", message: (error as Error).message, isBroken: error instanceof DatasetError };
  }
});
