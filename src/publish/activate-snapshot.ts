import { rename } from "node:fs/promises";
import { currentPath, type SnapshotId, snapshotPath, snapshotsPath } from "../dataset/snapshot-layout.ts";
import { flushDirectory, writeFileDurably } from "../files/write-file-durably.ts";
import { ignoreSteps, type StepObserver } from "./publish-step.ts";

const currentMode = 0o644;

/** Gives a staged snapshot its name and makes it the current one. The caller holds the lock. */
export async function activateSnapshot(
  dataDirectory: string,
  staging: string,
  id: SnapshotId,
  onStep: StepObserver = ignoreSteps,
): Promise<void> {
  await rename(staging, snapshotPath(dataDirectory, id));
  await flushDirectory(snapshotsPath(dataDirectory));
  await onStep("named");
  await pointCurrentAt(dataDirectory, id, onStep);
}

/**
 * Makes a snapshot that has its name the current one. The instant of change is the renaming of `CURRENT`: before it
 * readers see the old snapshot, after it the new one, also after a power cut. The caller holds the lock.
 */
export async function pointCurrentAt(dataDirectory: string, id: SnapshotId, onStep: StepObserver): Promise<void> {
  await writeFileDurably(currentPath(dataDirectory), `${id}\n`, currentMode, () => onStep("pointer-flushed"));
  await onStep("activated");
}
