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
  firstDayOf,
  fixedUtcOffset,
  type Instant,
  instantFromText,
  instantText,
  lastDayOf,
  monthNumber,
  monthOf,
  monthStart,
  monthText,
  monthTextOf,
  weekStart,
  weekText,
} from "../../../src/engine/model/calendar.ts";
import { isWhole } from "../../support/fixed-seed.ts";
import { instantOfDayStart } from "../../support/instant-of-day.ts";

const nairobi = 10_800_000;

/** Days of the years 1900 to 2200. */
const anyDay = fc.integer({ min: -25_567, max: 84_005 }).map((day) => day as Day);

/** Noon of a day by the clocks of the process, so that the reference, which uses them, is right in every time zone. */
function localNoon(day: Day): Date {
  const [year, month, dayOfMonth] = dayText(day).split("-").map(Number) as [number, number, number];
  return new Date(year, month - 1, dayOfMonth, 12);
}

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

// Node 24 has no Temporal; its zones are the same.
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

t.test("every month of the calendar has a first and a last day, which the next month follows", async (t) => {
  const last = monthNumber("9999-12");
  t.equal(monthNumber("-000001-12"), -1);
  for (let month = -1; month <= last; month += 1) {
    if (dayText(firstDayOf(month)) !== `${monthText(month)}-01`) t.fail(monthText(month));
    if (month < last && lastDayOf(month) + 1 !== firstDayOf(month + 1)) t.fail(monthText(month));
  }
  t.equal(dayText(lastDayOf(last)), "9999-12-31");
  t.equal(dayText(lastDayOf(monthNumber("2024-02"))), "2024-02-29");
  t.equal(dayText(lastDayOf(monthNumber("1900-02"))), "1900-02-28");
});

const yearFirst = Date.UTC(2000, 0, 1) - 730_485 * 86_400_000;
const yearLast = Date.UTC(10_000, 0, 1) - 1;

t.test("a time is read to the millisecond", async (t) => {
  t.equal(instantFromText("1970-01-01T00:00:00Z"), 0);
  t.equal(instantFromText("2026-01-15T10:30:59.999Z"), Date.UTC(2026, 0, 15, 10, 30, 59, 999));
  t.equal(instantFromText("1969-12-31T23:59:59.999Z"), -1);
});

t.test("a fraction of one, two or three digits is one of a second", async (t) => {
  t.same(
    ["", ".1", ".12", ".123", ".001", ".0", ".000"].map((part) => instantFromText(`1970-01-01T00:00:00${part}Z`)),
    [0, 100, 120, 123, 1, 0, 0],
  );
});

t.test("an offset is how far local clocks are ahead", async (t) => {
  const noon = Date.UTC(2026, 0, 15, 12);
  t.equal(instantFromText("2026-01-15T15:00:00+03:00"), noon);
  t.equal(instantFromText("2026-01-15T07:00:00-05:00"), noon);
  t.equal(instantFromText("2026-01-15T17:30:00+05:30"), noon);
  t.equal(instantFromText("2026-01-15T12:00:00+00:00"), noon);
  t.equal(instantFromText("2026-01-15T12:00:00-00:00"), noon);
  t.equal(instantFromText("2026-01-16T11:59:00+23:59"), noon);
  t.equal(instantFromText("2026-01-01T00:00:00+03:00"), Date.UTC(2025, 11, 31, 21), "into the year before");
  t.equal(instantFromText("1970-01-01T00:00:00-00:00"), 0, "0, not -0");
});

t.test("leap days exist in leap years only", async (t) => {
  for (const day of ["2024-02-29", "2000-02-29"]) t.equal(instantFromText(`${day}T00:00:00Z`), Date.parse(day));
  for (const day of ["2026-02-29", "1900-02-29", "2026-02-30", "2026-04-31", "2026-01-32", "2026-01-00"]) {
    t.equal(instantFromText(`${day}T00:00:00Z`), undefined, day);
  }
});

t.test("the year 0000 and the years after it are not moved into the twentieth century", async (t) => {
  t.equal(instantFromText("0000-01-01T00:00:00Z"), yearFirst);
  for (const text of ["0000-02-29T00:00:00.000Z", "0069-07-20T20:17:40.000Z", "0099-12-31T23:59:59.999Z"]) {
    t.equal(instantText(instantFromText(text) as Instant), text);
  }
  t.equal(instantFromText("9999-12-31T23:59:59.999Z"), yearLast);
});

t.test("hours, minutes and seconds end before 24, 60 and 60", async (t) => {
  t.equal(instantFromText("2016-12-31T23:59:59Z"), Date.UTC(2016, 11, 31, 23, 59, 59));
  for (const time of ["23:59:60Z", "24:00:00Z", "23:60:00Z", "12:00:61Z", "99:00:00Z"]) {
    t.equal(instantFromText(`2016-12-31T${time}`), undefined, time);
  }
  for (const offset of ["+24:00", "-24:00", "+03:60", "+99:00"]) {
    t.equal(instantFromText(`2026-01-15T12:00:00${offset}`), undefined, offset);
  }
});

t.test("a text that is no RFC 3339 time of ours is undefined", async (t) => {
  const texts = [
    "",
    "2026-01-15",
    "2026-01-15T10:30:00",
    "2026-01-15T10:30Z",
    "2026-01-15t10:30:00Z",
    "2026-01-15T10:30:00z",
    "2026-01-15 10:30:00Z",
    "2026-01-15T10:30:00.Z",
    "2026-01-15T10:30:00.1234Z",
    "2026-01-15T10:30:00,123Z",
    "2026-01-15T10:30:00+0300",
    "2026-01-15T10:30:00+03",
    "2026-01-15T10:30:00+3:00",
    "2026-01-15T10:30:00\u221203:00",
    "2026-01-15T10:30:00Z ",
    " 2026-01-15T10:30:00Z",
    "2026-01-15T10:30:00Z\n",
    "2026-1-15T10:30:00Z",
    "26-01-15T10:30:00Z",
    "+002026-01-15T10:30:00Z",
    "-0001-01-15T10:30:00Z",
    "2026-00-15T10:30:00Z",
    "2026-13-01T10:30:00Z",
    "2026-W03-4T10:30:00Z",
    "20260115T103000Z",
    "٢٠٢٦-01-15T10:30:00Z",
    "1768473000000",
    "Thu, 15 Jan 2026 10:30:00 GMT",
  ];
  for (const text of texts) t.equal(instantFromText(text), undefined, JSON.stringify(text));
});

t.test("every instant of the years 0000 to 9999 survives the way to text and back", async () => {
  const instant = fc.integer({ min: yearFirst, max: yearLast }).map((ms) => ms as Instant);
  fc.assert(fc.property(instant, (ms) => instantFromText(instantText(ms)) === ms));
});

t.test("texts with offsets mean what the engine's own parser says", async () => {
  const two = (number: number) => String(number).padStart(2, "0");
  const text = fc
    .record({
      ms: fc.integer({ min: yearFirst, max: yearLast }),
      sign: fc.constantFrom("+", "-"),
      hours: fc.nat(23),
      minutes: fc.nat(59),
    })
    .map(({ ms, sign, hours, minutes }) =>
      instantText(ms as Instant).replace("Z", `${sign}${two(hours)}:${two(minutes)}`),
    );
  fc.assert(
    fc.property(text, (text) => {
      const instant = Date.parse(text);
      // An offset can lead out of the years that can be written.
      return instantFromText(text) === (instant < yearFirst || instant > yearLast ? undefined : instant);
    }),
  );
});

t.test("an offset that leads out of the years 0000 to 9999 is refused", async (t) => {
  t.equal(instantFromText("0000-01-01T02:59:59.999+03:00"), undefined);
  t.equal(instantFromText("0000-01-01T03:00:00.000+03:00"), yearFirst);
  t.equal(instantFromText("9999-12-31T20:59:59.999-03:00"), yearLast);
  t.equal(instantFromText("9999-12-31T21:00:00.000-03:00"), undefined);
});

t.test("instants are answered in UTC with milliseconds", async (t) => {
  t.equal(instantText(Date.UTC(2026, 0, 15, 10, 30) as Instant), "2026-01-15T10:30:00.000Z");
  t.equal(instantText(instantFromText("2026-01-15T10:30:00.5+03:00") as Instant), "2026-01-15T07:30:00.500Z");
});

t.test("a zone whose clocks never change has one offset", async (t) => {
  const zones = {
    "Africa/Nairobi": 10_800_000,
    UTC: 0,
    "Asia/Kolkata": 19_800_000,
    "Asia/Kathmandu": 20_700_000,
    "America/Panama": -18_000_000,
  };
  for (const [zone, offset] of Object.entries(zones)) t.equal(fixedUtcOffset(zone), offset, zone);
});

t.test("a zone with daylight saving has none", async (t) => {
  for (const zone of ["Europe/London", "America/New_York", "Africa/Casablanca"])
    t.equal(fixedUtcOffset(zone), undefined, zone);
});

t.test("a zone whose law changed has none", async (t) => {
  for (const zone of ["America/Caracas", "Africa/Juba"]) t.equal(fixedUtcOffset(zone), undefined, zone);
});

t.test("an unknown zone has none", async (t) => {
  for (const zone of ["Africa/Nowhere", "", " ", "Nairobi"])
    t.equal(fixedUtcOffset(zone), undefined, JSON.stringify(zone));
});

t.test("zones are those that Temporal says keep one offset", { skip }, async (t) => {
  const from = Temporal.Instant.from("1990-01-01T00:00Z");
  const until = Temporal.Instant.from("2061-01-01T00:00Z");
  const every = isWhole ? 1 : 10;
  const zones = Intl.supportedValuesOf("timeZone").filter((_, at) => at % every === 0);
  for (const zone of zones) {
    const first = from.toZonedDateTimeISO(zone);
    const change = first.getTimeZoneTransition("next");
    const isFixed = change === null || Temporal.Instant.compare(change.toInstant(), until) >= 0;
    t.equal(fixedUtcOffset(zone), isFixed ? first.offsetNanoseconds / 1_000_000 : undefined, zone);
  }
});
