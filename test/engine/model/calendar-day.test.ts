import { format } from "date-fns/format";
import { parseISO } from "date-fns/parseISO";
import fc from "fast-check";
import t from "tap";
import {
  type Day,
  dayFromText,
  dayMilliseconds,
  dayOfInstant,
  dayText,
  type Instant,
  instantFromText,
  lastDayOf,
  monthOf,
  monthStart,
  monthTextOf,
  weekStart,
  weekText,
} from "../../../src/engine/model/calendar.ts";
import { instantOfDayStart } from "../../support/instant-of-day.ts";

const nairobi = 10_800_000;

/** Days of the years 1900 to 2200. */
const anyDay = fc.integer({ min: -25_567, max: 84_005 }).map((day) => day as Day);

/** Noon of a day by the clocks of the process, so that the reference, which uses them, is right in every time zone. */
function localNoon(day: Day): Date {
  const [year, month, dayOfMonth] = dayText(day).split("-").map(Number) as [number, number, number];
  return new Date(year, month - 1, dayOfMonth, 12);
}

t.test("days are counted from 1970-01-01", async (t) => {
  t.equal(dayFromText("1970-01-01"), 0);
  t.equal(dayFromText("1969-12-31"), -1);
  t.equal(dayFromText("2026-01-31"), 20_484);
});

t.test("every day survives the way to text and back", async () => {
  const years0000To9999 = fc.integer({ min: -719_528, max: 2_932_896 }).map((day) => day as Day);
  fc.assert(fc.property(years0000To9999, (day) => dayFromText(dayText(day)) === day));
});

t.test("the first and the last year of four digits are years like others", async (t) => {
  t.equal(dayFromText("0000-01-01"), -719_528);
  t.equal(dayFromText("0000-02-29"), -719_528 + 59, "year 0 is a leap year");
  t.equal(dayFromText("0099-12-31"), Number(dayFromText("0100-01-01")) - 1, "99 is not 1999");
  t.equal(dayFromText("9999-12-31"), 2_932_896);
});

t.test("leap days exist in leap years only", async (t) => {
  for (const text of ["2024-02-29", "2000-02-29"]) t.equal(dayText(dayFromText(text) as Day), text);
  for (const text of ["2026-02-29", "2100-02-29", "2024-02-30"]) t.equal(dayFromText(text), undefined, text);
});

t.test("a text that is no day is undefined", async (t) => {
  const texts = ["", "2026-00-10", "2026-13-01", "2026-04-31", "2026-01-00", "2026-01-32", "2026-1-1", "26-01-01"];
  const oddities = ["2026-01-01 ", " 2026-01-01", "2026-01-01\n", "2026/01/01", "20260101", "2026-01-01T00:00:00Z"];
  const signs = ["-2026-01-01", "+02026-01-01", "2026-01--1", "٢٠٢٦-٠١-٠١"];
  for (const text of [...texts, ...oddities, ...signs]) t.equal(dayFromText(text), undefined, JSON.stringify(text));
});

t.test("a day in Nairobi begins at 21:00 UTC of the day before", async (t) => {
  const day = dayFromText("2026-02-01") as Day;
  const start = instantFromText("2026-01-31T21:00:00.000Z") as Instant;
  t.equal(instantOfDayStart(day, nairobi), start);
  t.equal(dayOfInstant(start, nairobi), day);
  t.equal(dayOfInstant((start - 1) as Instant, nairobi), day - 1);
});

t.test("a day west of Greenwich begins after 00:00 UTC", async (t) => {
  const panama = -18_000_000;
  const day = dayFromText("2026-02-01") as Day;
  const start = instantFromText("2026-02-01T05:00:00.000Z") as Instant;
  t.equal(instantOfDayStart(day, panama), start);
  t.equal(dayOfInstant((start - 1) as Instant, panama), day - 1);
});

t.test("instants before 1970 fall on days below 0", async (t) => {
  t.equal(dayOfInstant(-1 as Instant, 0), -1);
  t.equal(dayOfInstant(-dayMilliseconds as Instant, 0), -1);
  t.equal(dayOfInstant((-dayMilliseconds - 1) as Instant, 0), -2);
  t.equal(dayOfInstant(-nairobi as Instant, nairobi), 0);
});

t.test("the day of an instant is the one that Intl shows", async () => {
  const zones = [
    { timeZone: "Africa/Nairobi", utcOffset: nairobi },
    { timeZone: "Asia/Kolkata", utcOffset: 19_800_000 },
    { timeZone: "America/Panama", utcOffset: -18_000_000 },
  ].map((zone) => ({ ...zone, format: new Intl.DateTimeFormat("en-CA", { timeZone: zone.timeZone }) }));
  const offMidnight = fc.oneof(fc.constantFrom(-1, 0, 1), fc.nat(dayMilliseconds));
  const anyRecentDay = fc.integer({ min: 0, max: 40_000 }).map((day) => day as Day);
  fc.assert(
    fc.property(anyRecentDay, offMidnight, fc.constantFrom(...zones), (day, distance, { utcOffset, format }) => {
      const instant = (instantOfDayStart(day, utcOffset) + distance) as Instant;
      return dayText(dayOfInstant(instant, utcOffset)) === format.format(instant);
    }),
  );
});

t.test("weeks at the ends of years belong to the year of their Thursday", async (t) => {
  const weeks = {
    "2020-12-27": "2020-W52",
    "2020-12-28": "2020-W53",
    "2021-01-03": "2020-W53",
    "2021-01-04": "2021-W01",
    "2022-01-02": "2021-W52",
    "2022-01-03": "2022-W01",
    "2024-12-29": "2024-W52",
    "2024-12-30": "2025-W01",
    "2025-12-28": "2025-W52",
    "2025-12-29": "2026-W01",
    "2026-01-31": "2026-W05",
    "2026-12-31": "2026-W53",
    "2027-01-03": "2026-W53",
  };
  for (const [text, week] of Object.entries(weeks)) t.equal(weekText(dayFromText(text) as Day), week, text);
});

t.test("labels are those of date-fns on any day", async () => {
  fc.assert(
    fc.property(anyDay, (day) => {
      const noon = localNoon(day);
      return dayText(day) === format(noon, "yyyy-MM-dd") && weekText(day) === format(noon, "RRRR-'W'II");
    }),
  );
});

t.test("a month is named by year and month", async (t) => {
  t.equal(monthTextOf(dayFromText("2026-01-31") as Day), "2026-01");
  t.equal(monthTextOf(dayFromText("2026-02-01") as Day), "2026-02");
  t.equal(monthTextOf(dayFromText("0007-12-31") as Day), "0007-12");
});

t.test("a week starts on the Monday that its label means", async () => {
  fc.assert(
    fc.property(anyDay, (day) => {
      const start = weekStart(day);
      const monday = parseISO(weekText(day));
      return dayText(start) === format(monday, "yyyy-MM-dd") && start <= day && day < start + 7;
    }),
  );
});

t.test("a month starts on its first day", async (t) => {
  t.equal(dayText(monthStart(dayFromText("2024-02-29") as Day)), "2024-02-01");
  fc.assert(fc.property(anyDay, (day) => dayText(monthStart(day)) === `${monthTextOf(day)}-01`));
});

// Node 24 has no Temporal.
const skip = "Temporal" in globalThis ? false : `Node ${process.versions.node} has no Temporal`;

t.test("weeks and ends of months are those of Temporal, for all days from 1970 to 2100", { skip }, async (t) => {
  const first = dayFromText("1970-01-01") as Day;
  const last = dayFromText("2100-12-31") as Day;
  const wrong: string[] = [];
  let date = new Temporal.PlainDate(1970, 1, 1);
  for (let day = first; day <= last; day++, date = date.add({ days: 1 })) {
    const week = `${date.yearOfWeek}-W${String(date.weekOfYear).padStart(2, "0")}`;
    const isRight =
      weekText(day) === week &&
      weekStart(day) === day - date.dayOfWeek + 1 &&
      lastDayOf(monthOf(day)) === day - date.day + date.daysInMonth;
    if (!isRight) wrong.push(dayText(day));
  }
  t.same(wrong, []);
});
