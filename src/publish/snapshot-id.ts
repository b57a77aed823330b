/** Ids of snapshots: the time of publication, then the first digits of the content hash. */
import { idHashDigits, type SnapshotId, toSnapshotId } from "../dataset/snapshot-layout.ts";
import { type Instant, instantFromText, instantText } from "../domain/instant.ts";

const secondMilliseconds = 1000;

/** A snapshot's time of publication, and the id that encodes it. */
export interface Publication {
  readonly id: SnapshotId;
  readonly createdAt: Instant;
}

/**
 * The id of a new snapshot: always greater than every other, also while the clock is behind.
 *
 * @param now The clock in whole seconds.
 * @param greatest The greatest id there is, null for the first snapshot.
 * @param hash The content hash; the id ends in its first digits.
 * @throws {RangeError} when the time has no four-digit year.
 */
export function nextPublication(now: Instant, greatest: SnapshotId | null, hash: string): Publication {
  const createdAt = greatest === null ? now : (Math.max(now, timeOfId(greatest) + secondMilliseconds) as Instant);
  const text = instantText(createdAt).replaceAll(/[-:]|\.\d+/g, "");
  const id = toSnapshotId(`${text}-${hash.slice(0, idHashDigits)}`);
  if (id !== undefined) return { id, createdAt };
  throw new RangeError(`publication is at ${text}, expected whole seconds of the years 0 to 9999`);
}

/** The instant without its fraction of a second, the precision of ids. */
export function wholeSecond(instant: Instant): Instant {
  return (Math.floor(instant / secondMilliseconds) * secondMilliseconds) as Instant;
}

/** The time of publication that an id encodes, in whole seconds. */
export function timeOfId(id: SnapshotId): Instant {
  const instant = instantOfId(id);
  if (instant !== undefined) return instant;
  throw new RangeError(`snapshot ${id} begins with no valid time, expected a time that exists`);
}

/** As `timeOfId`; undefined where an id begins with no time that exists, as no published one does. */
export function instantOfId(id: SnapshotId): Instant | undefined {
  return instantFromText(id.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z.*$/, "$1-$2-$3T$4:$5:$6Z"));
}
