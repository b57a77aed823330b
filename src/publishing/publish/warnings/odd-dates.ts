/** Dates that cannot be meant: in the future, before the data starts, or out of step with the file they stand in. */
import { median, medianAbsoluteDeviation } from "simple-statistics";
import { firstNotBefore } from "../../../engine/model/binary-search.ts";
import { type Day, dayOfInstant, dayText, type Instant, instantText } from "../../../engine/model/calendar.ts";
import { findRowOf } from "../../../engine/model/ids.ts";
import type { PlacedRecords } from "../../../engine/snapshots/read-tables.ts";
import { lowerBound, type Range } from "../../../engine/store/columns.ts";
import type { Store } from "../../../engine/store/store.ts";
import { normalScale } from "../../../engine/store/suspicious-prices.ts";
import { dayOfRow } from "./row-text.ts";
import { type Finding, findingOf, type Judgement } from "./warning.ts";

/**
 * Finds prices recorded after the publication of their snapshot. Those of more than a day later are refused altogether.
 */
export function* findFutureDates({ after, rows }: Judgement): Generator<Finding> {
  const { createdAt } = after.snapshot;
  for (const row of rows) {
    const recordedAt = after.prices.recordedAt[row]!;
    if (recordedAt <= createdAt) continue;
    yield findingOf("future-date", row, () => ({
      field: "recorded_at",
      found: instantText(recordedAt as Instant),
      wanted: `a time before the publication, ${instantText(createdAt)}`,
    }));
  }
}

/** Days without any price, after which the data starts anew, see `dataStart`. */
export const gapDays = 365;

/**
 * One row of this many may lie before such a gap without being the start of the data; of fewer rows, a single one may.
 */
export const rowsPerEarlyMin = 1000;

/** Fewer rows do not show which of them are early. */
export const rowsForStartMin = 10;

/** Finds prices of days before the data starts: that of the snapshot before, or, without one, their own. */
export function* findEarlyDates({ after, before, rows }: Judgement): Generator<Finding> {
  const start = dataStart(before !== undefined && before.prices.rowCount > 0 ? before : after);
  if (start === undefined) return;
  for (const row of rows) {
    const day = dayOfRow(after, row);
    if (day >= start) continue;
    yield findingOf("early-date", row, () => ({
      field: "recorded_at",
      found: `${instantText(after.prices.recordedAt[row] as Instant)}, of ${dayText(day)}`,
      wanted: `a day from ${dayText(start)} on, when the data starts`,
    }));
  }
}

/**
 * The first day of the data: the oldest with prices, unless a few isolated prices (one of a thousand) are more than a
 * year older than all others.
 *
 * @returns Undefined for a store of fewer than ten prices.
 */
export function dataStart({ periods, rowsByTime }: Store): Day | undefined {
  const { ages, dayCodes, newestDay } = periods;
  const rowCount = rowsByTime.length;
  if (rowCount < rowsForStartMin) return undefined;
  const earlyMax = Math.max(1, rowCount / rowsPerEarlyMin);
  let start = ages.length - 1;
  for (let code = ages.length - 1; code > 0; code--) {
    const earlier = rowCount - lowerBound(dayCodes, rowsByTime, code, 0, rowCount);
    if (earlier > earlyMax) break;
    if (ages[code]! - ages[code - 1]! > gapDays) start = code - 1;
  }
  return (newestDay - ages[start]!) as Day;
}

/** A day may lie this far from the middle of its file, however close the others lie (inclusive). */
export const fileDaysMin = 31;

/** And this many deviations: the first prices of a file with the history of a growing survey lie seven away. */
export const fileDeviationsMax = 10;

/** Fewer prices do not show which of them are out of step. */
export const fileRowsMin = 5;

/** So many rows of a longer file, evenly spread, give the median: more would cost memory and move it by nothing. */
const sampledRowsMax = 100_000;

/**
 * Finds prices whose day is far from the median of their file: more than 31 days, and more than ten deviations.
 *
 * Prices that are not judged count for the median only.
 * Cost: one pass over the times, and for each file two selections among 100,000 at most.
 */
export function* findOddDates({ after, rows, reading }: Judgement): Generator<Finding> {
  if (reading === undefined) return;
  const { recordedAt, uuids } = reading.records.prices;
  const dayAt = (at: number): Day => dayOfInstant(recordedAt[at] as Instant, after.snapshot.utcOffset);
  for (const { from, to } of rowsOfFiles(reading)) {
    if (to - from < fileRowsMin) continue;
    const step = Math.ceil((to - from) / sampledRowsMax);
    const sample = Array.from({ length: Math.ceil((to - from) / step) }, (_, number) => dayAt(from + number * step));
    const middle = Math.floor(median(sample));
    const deviation = normalScale * medianAbsoluteDeviation(sample);
    const daysMax = Math.max(fileDaysMin, fileDeviationsMax * deviation);
    for (let at = from; at < to; at++) {
      if (Math.abs(dayAt(at) - middle) <= daysMax) continue;
      const row = findRowOf(after.rowByUuid, after.prices.uuids, uuids, at);
      if (row === undefined || rows[lowerBound(rows, null, row, 0, rows.length)] !== row) continue;
      yield findingOf("odd-date", row, () => ({
        field: "recorded_at",
        found: `${instantText(after.prices.recordedAt[row] as Instant)}, of ${dayText(dayAt(at))}`,
        wanted: `a day within ${Math.floor(daysMax)} of ${dayText(middle as Day)}, the middle of the file`,
      }));
    }
  }
}

/** The rows of each file, which are neighbours. Cost: a binary search a file. */
function* rowsOfFiles({ records, locationOfPrice }: PlacedRecords): Generator<Range, void> {
  const { rowCount } = records.prices;
  for (let from = 0; from < rowCount; ) {
    const { file } = locationOfPrice(from);
    const to = firstNotBefore(from + 1, rowCount, (at) => locationOfPrice(at).file === file);
    yield { from, to };
    from = to;
  }
}
