/** Dates that cannot be meant: in the future, or before the data starts. */
import { type Day, dayText, type Instant, instantText } from "../../../engine/model/calendar.ts";
import { lowerBound } from "../../../engine/store/columns.ts";
import { dayOfRow } from "../../../engine/store/periods.ts";
import type { Store } from "../../../engine/store/store.ts";
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

/** Days without any price, after which the data starts again, see `dataStart`. */
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
    const day = dayOfRow(after.periods, row);
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
