import { idHashDigits, type SnapshotId, toSnapshotId } from "../dataset/snapshot-layout.ts";
import { type Instant, instantFromText, instantText } from "../domain/instant.ts";

const secondMilliseconds = 1000;

/** When a snapshot counts as published, and the id that says so. */
export interface Publication {
  readonly id: SnapshotId;
  readonly createdAt: Instant;
}

/**
 * The id of a new snapshot: always greater than every other, also while the clock is behind.
 *
 * @param now The clock in whole seconds.
 * @param greatest The greatest id there is, null for the first snapshot.
 * @param hash The content hash, of which the id takes the first digits.
 * @throws {RangeError} when the time has no four-digit year.
 */
export function nextPublication(now: Instant, greatest: SnapshotId | null, hash: string): Publication {
  const createdAt = greatest === null ? now : (Math.max(now, timeOfId(greatest) + secondMilliseconds) as Instant);
  const text = instantText(createdAt).replaceAll(/[-:]|\.\d+/g, "");
  const id = toSnapshotId(`${text}-${hash.slice(0, idHashDigits)}`);
  if (id === undefined)
    throw new RangeError(`publication is at ${text}, expected whole seconds of the years 0 to 9999`);
  return { id, createdAt };
}

/** The greatest of some ids, null when there are none. */
export function greatestId(ids: readonly SnapshotId[]): SnapshotId | null {
  return ids.reduce<SnapshotId | null>((greatest, id) => (greatest === null || id > greatest ? id : greatest), null);
}

/** The instant without its parts of a second, as ids tell time. */
export function wholeSecond(instant: Instant): Instant {
  return (Math.floor(instant / secondMilliseconds) * secondMilliseconds) as Instant;
}

/** When a snapshot was published, as its id says, in whole seconds. */
export function timeOfId(id: SnapshotId): Instant {
  const instant = instantFromText(timeText(id));
  if (instant === undefined)
    throw new RangeError(`snapshot ${id} begins with ${timeText(id)}, expected a time that exists`);
  return instant;
}

/** Whether an id begins with a time that exists, as every published one does. */
export function isIdOfTime(id: SnapshotId): boolean {
  return instantFromText(timeText(id)) !== undefined;
}

function timeText(id: SnapshotId): string {
  return id.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z.*$/, "$1-$2-$3T$4:$5:$6Z");
}
