import { rename } from "node:fs/promises";
import { currentPath, type SnapshotId, snapshotPath, snapshotsPath } from "../dataset/snapshot-layout.ts";
import { flushDirectory, writeFileDurably } from "../files/write-file-durably.ts";

const currentMode = 0o644;

/**
 * Gives a staged snapshot its name and makes it the current one. The instant of change is the renaming of `CURRENT`:
 * before it readers see the old snapshot, after it the new one, also after a power cut. The caller holds the lock.
 */
export async function activateSnapshot(dataDirectory: string, staging: string, id: SnapshotId): Promise<void> {
  await rename(staging, snapshotPath(dataDirectory, id));
  await flushDirectory(snapshotsPath(dataDirectory));
  await writeFileDurably(currentPath(dataDirectory), `${id}\n`, currentMode);
}
