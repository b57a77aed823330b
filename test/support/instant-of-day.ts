import { type Day, dayMilliseconds, type Instant } from "../../src/engine/model/calendar.ts";

/** The first instant of a day (inclusive), where clocks are `utcOffset` milliseconds ahead of UTC. */
export function instantOfDayStart(day: Day, utcOffset: number): Instant {
  return (day * dayMilliseconds - utcOffset) as Instant;
}
