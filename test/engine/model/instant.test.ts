import fc from "fast-check";
import t from "tap";
import { type Instant, instantFromText, instantText } from "../../../src/engine/model/calendar.ts";

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
