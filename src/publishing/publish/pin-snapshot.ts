/** Pins and unpins a dataset directory. */
import type { KeyObject } from "node:crypto";
import type { Instant } from "../../engine/model/calendar.ts";
import { orUnavailable, readManifestOf, SnapshotUnavailableError } from "../../engine/snapshots/current-snapshot.ts";
import { type Pin, readPin, removePin, writePin } from "../../engine/snapshots/pin.ts";
import { type SnapshotId, snapshotPath } from "../../engine/snapshots/snapshot-layout.ts";
import { fetchAnyOf } from "../transfer/fetch-snapshot.ts";
import type { Origin } from "../transfer/origin.ts";
import { type ChangeRequest, changeDirectory, type Finished } from "./publish-lock.ts";
import { wholeSecond } from "./snapshot-id.ts";
import { verifyFiles } from "./verify-snapshot.ts";

export interface PinRequest extends ChangeRequest {
  readonly id: SnapshotId;
  readonly reason?: string | undefined;
  /** The origin of the directory's snapshots; undefined where they are published into it. */
  readonly origin?: Origin | undefined;
  /** As in `FetchAnyOptions`. */
  readonly publicKey: KeyObject | null;
}

/**
 * Holds services at a snapshot, whatever is published or announced. One that is not there is fetched from the origin.
 *
 * @returns Whether it was fetched.
 * @throws {SnapshotUnavailableError} when there is no such snapshot.
 * @throws {DatasetError} when its files differ from its manifest.
 * @throws {TransferError} when it cannot be fetched.
 * @throws What `changeDirectory` throws.
 */
export async function pinSnapshot(request: PinRequest): Promise<Finished & { readonly isFetched: boolean }> {
  const { dataDirectory, id, reason = null, origin, publicKey } = request;
  return await changeDirectory(inWholeSeconds(request), async (change) => {
    let manifest = await orUnavailable(readManifestOf(dataDirectory, id));
    const isFetched = manifest instanceof SnapshotUnavailableError;
    if (manifest instanceof SnapshotUnavailableError) {
      if (origin === undefined) throw manifest;
      manifest = await fetchAnyOf(id, { dataDirectory, origin, publicKey, sharesFiles: true });
    }
    (await verifyFiles(snapshotPath(dataDirectory, id), manifest)).throwIfAny(`snapshot ${id}`);
    await writePin(dataDirectory, { id, reason, pinnedAt: change.now });
    change.log({ note: reason, subject: id, counts: {} });
    return { isFetched };
  });
}

/**
 * Lets services serve what `CURRENT` names again.
 *
 * @returns The pin that was removed: undefined where there was none, null where it cannot be read.
 * @throws What `changeDirectory` throws.
 */
export async function unpinSnapshot(
  request: ChangeRequest,
): Promise<Finished & { readonly pin: Pin | null | undefined }> {
  const { dataDirectory } = request;
  return await changeDirectory(inWholeSeconds(request), async (change) => {
    const found = await orUnavailable(readPin(dataDirectory));
    const pin = found instanceof SnapshotUnavailableError ? null : found;
    if (found !== undefined) {
      await removePin(dataDirectory);
      change.log({ subject: pin?.id, counts: {} });
    }
    return { pin };
  });
}

/** A pin and its line in the log have the time of one another. */
function inWholeSeconds(request: ChangeRequest): ChangeRequest {
  return { ...request, now: wholeSecond(request.now ?? (Date.now() as Instant)) };
}
