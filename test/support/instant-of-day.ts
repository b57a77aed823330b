import type { Day } from "../../src/engine/model/calendar-day.ts";
import { dayMilliseconds, type Instant } from "../../src/engine/model/instant.ts";

/** The first instant of a day (inclusive), where clocks are `utcOffset` milliseconds ahead of UTC. */
export function instantOfDayStart(day: Day, utcOffset: number): Instant {
  return (day * dayMilliseconds - utcOffset) as Instant;
}
