/**
 * Ids of snapshots: the time of publication, then the first digits of the content hash. As every id is above all
 * others, one publication under a clock that is ahead gives all later ones times in the future; so the clock is checked
 * against what it can be compared with.
 */

import { dayMilliseconds, type Instant, instantFromText, instantText } from "../../engine/model/calendar.ts";
import { ForeseenError } from "../../engine/model/foreseen-error.ts";
import { idHashDigits, type SnapshotId, toSnapshotId } from "../../engine/snapshots/snapshot-layout.ts";

const secondMilliseconds = 1000;

/**
 * Greatest number of days that an id may be ahead of the clock: as far as a price may be recorded after its
 * publication.
 */
const daysAheadMax = 1;

/** A year and a month: prices that come once a year are no surprise. */
const daysSilentMax = 400;

/** The clock does not fit the ids and prices that are there. The message says what to do. */
export class ClockError extends ForeseenError {}

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
 * @throws {ClockError} when the time has no four-digit year.
 */
export function nextPublication(now: Instant, greatest: SnapshotId | null, hash: string): Publication {
  const createdAt = greatest === null ? now : (Math.max(now, timeOfId(greatest) + secondMilliseconds) as Instant);
  const text = instantText(createdAt).replaceAll(/[-:]|\.\d+/g, "");
  const id = toSnapshotId(`${text}-${hash.slice(0, idHashDigits)}`);
  if (id !== undefined) return { id, createdAt };
  throw new ClockError(`the next id: found a publication at ${text}, expected the years 0 to 9999; set the clock`);
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

/** Returns whether an id is more than a day ahead of the clock. */
export function isFutureId(id: SnapshotId, now: Instant): boolean {
  return timeOfId(id) - now > daysAheadMax * dayMilliseconds;
}

/**
 * Refuses an id that would be in the future.
 *
 * @param what It gets or has the id; the subject of the message.
 * @param remedy The remedy where the clock is right; follows "set the clock, or".
 * @throws {ClockError} when it is more than a day ahead of the clock.
 */
export function refuseFutureId(id: SnapshotId, now: Instant, what: string, remedy: string): void {
  if (!isFutureId(id, now)) return;
  const wanted = `at most a day after the clock, which says ${clockText(now)}`;
  throw new ClockError(`${what}: found ${clockText(timeOfId(id))}, expected ${wanted}; set the clock, or ${remedy}`);
}

/**
 * Refuses a clock that is far after everything else, as that of a machine that woke with a wrong one.
 *
 * @param newest The newest id there is.
 * @param newestPrice The time at which the newest of the input prices was recorded; null where none are given.
 * @throws {ClockError} when the clock is more than 400 days after both.
 */
export function refuseLeapingClock(now: Instant, newest: SnapshotId, newestPrice: Instant | null): void {
  const last = Math.max(timeOfId(newest), newestPrice ?? Number.NEGATIVE_INFINITY);
  if (now - last <= daysSilentMax * dayMilliseconds) return;
  const price = newestPrice === null ? "" : `, or the newest price given, ${clockText(newestPrice)}`;
  throw new ClockError(
    `the clock: found ${clockText(now)}, expected at most ${daysSilentMax} days after the newest snapshot, ` +
      `${newest}${price}; set the clock, or publish with --allow-clock where it is right`,
  );
}

function clockText(instant: Instant): string {
  return instantText(instant).replace(/\.\d+Z$/, "Z");
}
