/** Lists what a fetched snapshot changes, in a thread of its own. */
import { addAbortListener } from "node:events";
import type { SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import { WorkerClient } from "../../engine/threads/worker-client.ts";

export interface ChangesThreadRequest {
  readonly dataDirectory: string;
  readonly id: SnapshotId;
}

export interface ChangesThreadAnswer {
  /** False where the parent of the snapshot is not there to compare with. */
  readonly isWritten: boolean;
}

/**
 * Writes the file of changes of a snapshot, as its publisher has, where its parent is there: no signature covers the
 * publisher's own, so it is not fetched.
 *
 * @param script The entry file of the thread.
 * @throws What ended the thread.
 */
export async function listChanges(
  script: URL,
  request: ChangesThreadRequest,
  signal: AbortSignal,
): Promise<ChangesThreadAnswer> {
  await using client = new WorkerClient<ChangesThreadRequest, ChangesThreadAnswer, never>(
    script,
    "the thread that lists changes",
    { onNotice() {} },
  );
  using _onAbort = addAbortListener(signal, () => client.end());
  return await client.request(request);
}
