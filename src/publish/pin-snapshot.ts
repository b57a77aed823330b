/** Pins and unpins a dataset directory. */
import type { KeyObject } from "node:crypto";
import {
  orUnavailable,
  readCurrentIfAny,
  readManifestOf,
  SnapshotUnavailableError,
} from "../dataset/current-snapshot.ts";
import { type Pin, readPin, removePin, writePin } from "../dataset/pin.ts";
import { type SnapshotId, snapshotPath } from "../dataset/snapshot-layout.ts";
import type { Instant } from "../domain/instant.ts";
import { fetchAnyOf } from "../transfer/fetch-snapshot.ts";
import type { Origin } from "../transfer/origin.ts";
import { logChange } from "./publication-log.ts";
import { type ChangeRequest, withPublishLock } from "./publish-lock.ts";
import { ignoreSteps } from "./publish-steps.ts";
import { wholeSecond } from "./snapshot-id.ts";
import { verifyFiles } from "./verify-snapshot.ts";

export interface PinRequest extends ChangeRequest {
  readonly id: SnapshotId;
  readonly reason?: string | undefined;
  /** Where the directory's snapshots come from; undefined where they are published into it. */
  readonly origin?: Origin | undefined;
  /** As in `FetchAnyOptions`. */
  readonly publicKey: KeyObject | null;
}

export interface PinReport {
  readonly pin: Pin;
  /** Whether the snapshot was fetched from the origin for it. */
  readonly isFetched: boolean;
  /** As of a publication. */
  readonly logFault: string | undefined;
}

/**
 * Holds services at a snapshot, whatever is published or announced. One that is not there is fetched from the origin.
 *
 * @throws {SnapshotUnavailableError} when there is no such snapshot.
 * @throws {DatasetError} when its files differ from its manifest.
 * @throws {TransferError} when it cannot be fetched.
 * @throws What `withPublishLock` throws.
 */
export async function pinSnapshot(request: PinRequest): Promise<PinReport> {
  const { dataDirectory, id, reason = null, origin, publicKey } = request;
  const now = wholeSecond(request.now ?? (Date.now() as Instant));
  return await withPublishLock(request, async () => {
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
    const pin = { id, reason, pinnedAt: now };
    await writePin(dataDirectory, pin);
    return { pin, isFetched: !isThere, logFault: await log(request, now, reason, id) };
  });
}

export interface UnpinReport {
  /** The pin that was removed; undefined where there was none, or one that cannot be read. */
  readonly removed: Pin | undefined;
  readonly logFault: string | undefined;
}

/**
 * Lets services serve what `CURRENT` names again.
 *
 * @throws What `withPublishLock` throws.
 */
export async function unpinSnapshot(request: ChangeRequest): Promise<UnpinReport> {
  const { dataDirectory } = request;
  return await withPublishLock(request, async () => {
    const removed = await orUnavailable(readPin(dataDirectory));
    if (removed === undefined) return { removed, logFault: undefined };
    await removePin(dataDirectory);
    const pin = removed instanceof SnapshotUnavailableError ? undefined : removed;
    const now = wholeSecond(request.now ?? (Date.now() as Instant));
    return { removed: pin, logFault: await log(request, now, null, pin?.id) };
  });
}

async function log(
  { dataDirectory, invocation, onStep = ignoreSteps }: ChangeRequest,
  now: Instant,
  note: string | null,
  pinned: SnapshotId | undefined,
): Promise<string | undefined> {
  const current = await readCurrentIfAny(dataDirectory);
  const change = { note, from: current, to: current, subject: pinned, counts: {} };
  return await logChange(dataDirectory, invocation, now, change, onStep);
}
