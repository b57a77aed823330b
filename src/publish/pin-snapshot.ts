/** Pins and unpins a dataset directory. */
import type { KeyObject } from "node:crypto";
import { readManifestOf, SnapshotUnavailableError } from "../dataset/current-snapshot.ts";
import { type Pin, readPin, removePin, writePin } from "../dataset/pin.ts";
import { type SnapshotId, snapshotPath } from "../dataset/snapshot-layout.ts";
import type { Instant } from "../domain/instant.ts";
import { fetchAnyOf } from "../transfer/fetch-snapshot.ts";
import type { Origin } from "../transfer/origin.ts";
import { withLockOf } from "./publish-lock.ts";
import { wholeSecond } from "./snapshot-id.ts";
import { verifyFiles } from "./verify-snapshot.ts";

const lockWaitMilliseconds = 10_000;

export interface PinRequest {
  readonly dataDirectory: string;
  readonly id: SnapshotId;
  readonly reason?: string | undefined;
  readonly now: Instant;
  /** Where the directory's snapshots come from; undefined where they are published into it. */
  readonly origin?: Origin | undefined;
  /** As in `FetchAnyOptions`. */
  readonly publicKey: KeyObject | null;
}

export interface PinReport {
  readonly pin: Pin;
  /** Whether the snapshot was fetched from the origin for it. */
  readonly isFetched: boolean;
}

/**
 * Holds services at a snapshot, whatever is published or announced. One that is not there is fetched from the origin.
 *
 * @throws {SnapshotUnavailableError} when there is no such snapshot.
 * @throws {DatasetError} when its files differ from its manifest.
 * @throws {TransferError} when it cannot be fetched.
 * @throws {LockHeldError} when a publisher holds the lock for more than ten seconds.
 */
export async function pinSnapshot({
  dataDirectory,
  id,
  reason,
  now,
  origin,
  publicKey,
}: PinRequest): Promise<PinReport> {
  return await withLockOf(dataDirectory, lockWaitMilliseconds, async () => {
    const isThere = await readManifestOf(dataDirectory, id).then(
      () => true,
      (error: unknown) => {
        if (error instanceof SnapshotUnavailableError && origin !== undefined) return false;
        throw error;
      },
    );
    if (!isThere && origin !== undefined) {
      await fetchAnyOf(id, { dataDirectory, origin, publicKey, sharesFiles: true });
    }
    const manifest = await readManifestOf(dataDirectory, id);
    (await verifyFiles(snapshotPath(dataDirectory, id), manifest)).throwIfAny(`snapshot ${id}`);
    const pin = { id, reason: reason ?? null, pinnedAt: wholeSecond(now) };
    await writePin(dataDirectory, pin);
    return { pin, isFetched: !isThere };
  });
}

/** @returns The pin that was removed; undefined where there was none. */
export async function unpinSnapshot(dataDirectory: string): Promise<Pin | undefined> {
  return await withLockOf(dataDirectory, lockWaitMilliseconds, async () => {
    const pin = await readPin(dataDirectory).catch((error: unknown) => {
      // One that cannot be read is removed as well.
      if (error instanceof SnapshotUnavailableError) return undefined;
      throw error;
    });
    await removePin(dataDirectory);
    return pin;
  });
}
