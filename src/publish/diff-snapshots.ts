import type { SnapshotId } from "../dataset/snapshot-layout.ts";
import { changesBetween, type SnapshotChanges } from "./snapshot-changes.ts";
import { openSnapshotStore } from "./snapshot-store.ts";

/**
 * What readers of one published snapshot see change with another.
 *
 * @throws {SnapshotUnavailableError} when a manifest cannot be read.
 * @throws {DatasetError} when the records of one are broken.
 */
export async function diffSnapshots(
  dataDirectory: string,
  before: SnapshotId,
  after: SnapshotId,
): Promise<SnapshotChanges> {
  return changesBetween(await openSnapshotStore(dataDirectory, before), await openSnapshotStore(dataDirectory, after));
}
