import { type Day, instantOfDayStart } from "../../domain/calendar-day.ts";
import type { Instant } from "../../domain/instant.ts";

/** Africa/Nairobi: three hours ahead of UTC, no daylight saving. */
const nairobiOffset = 3 * 3_600_000;

/** The export knows the day only, so every price is recorded at nine in the morning in Nairobi. */
const recordedHour = 9;

/**
 * When reference records, products and markets count as made and last changed: a fixed day, the one on which the
 * reference data was gathered, so that a second import gives the same bytes.
 */
export const referenceInstant: Instant = Date.UTC(2026, 10, 20) as Instant;

/** When a price of a day counts as recorded. */
export function recordedAt(day: Day): Instant {
  return (instantOfDayStart(day, nairobiOffset) + recordedHour * 3_600_000) as Instant;
}
