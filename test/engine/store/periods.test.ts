import t from "tap";
import { type Day, dayFromText, dayText, type Instant, instantFromText } from "../../../src/engine/model/calendar.ts";
import type { TimeGrouping } from "../../../src/engine/model/vocabulary.ts";
import { buildPeriods } from "../../../src/engine/store/build-periods.ts";
import { dayCodesOf, narrowToDays, type Periods } from "../../../src/engine/store/periods.ts";
import { instantOfDayStart } from "../../support/instant-of-day.ts";

const nairobi = 10_800_000;

/** The periods of prices recorded at these times, which are given oldest first. */
function periodsOf(times: readonly Instant[], utcOffset = nairobi): Periods {
  return buildPeriods(Float64Array.from(times), utcOffset);
}

function periodsOfDays(...days: string[]): Periods {
  return periodsOf(days.map((text) => (instantOfDayStart(dayFromText(text) as Day, nairobi) + 3_600_000) as Instant));
}

/** Labels with the days of each period. */
function listed(periods: Periods, grouping: TimeGrouping): [string, string[]][] {
  const { labels, dayOffsets } = periods[grouping];
  return labels.map((label, period) => [label, dayTexts(periods).slice(dayOffsets[period], dayOffsets[period + 1])]);
}

t.test("only days that have prices are listed, each once, newest first", async (t) => {
  const periods = periodsOfDays("2024-02-29", "2024-02-29", "2024-03-02", "2026-01-31");
  t.same(dayTexts(periods), ["2026-01-31", "2024-03-02", "2024-02-29"]);
  t.same(listed(periods, "day"), [
    ["2026-01-31", ["2026-01-31"]],
    ["2024-03-02", ["2024-03-02"]],
    ["2024-02-29", ["2024-02-29"]],
  ]);
  t.same([...periods.dayCodes], [2, 2, 1, 0], "the code of each row's day");
});

t.test("a price of the first hour of the calendar has periods in every zone", async (t) => {
  const first = instantFromText("0000-01-01T00:30:00Z") as Instant;
  const behind = periodsOf([first], -3_600_000);
  t.same(
    ["day", "week", "month", "quarter", "year"].map((grouping) => behind[grouping as TimeGrouping].labels),
    [["-000001-12-31"], ["-000001-W52"], ["-000001-12"], ["-000001-Q4"], ["-000001"]],
  );
  const ahead = periodsOf([first], nairobi);
  t.same(
    ["day", "week", "month", "quarter", "year"].map((grouping) => ahead[grouping as TimeGrouping].labels),
    [["0000-01-01"], ["-000001-W52"], ["0000-01"], ["0000-Q1"], ["0000"]],
  );
});

t.test("a range of days is the codes of those that have prices", async (t) => {
  const periods = periodsOfDays("2024-02-29", "2024-03-02", "2026-01-31");
  const ranges = [
    ["1900-01-01", "9999-12-31", 0, 3],
    ["2024-02-29", "2026-01-31", 0, 3],
    ["2024-03-01", "2026-01-31", 0, 2],
    ["2024-03-02", "2026-01-30", 1, 2],
    ["2024-02-29", "2024-02-29", 2, 3],
    ["2024-03-01", "2024-03-01", 2, 2],
    ["2026-02-01", "2030-01-01", 0, 0],
    ["1900-01-01", "2024-02-28", 3, 3],
  ] as const;
  const day = (text: string) => dayFromText(text) as Day;
  for (const [first, last, from, to] of ranges) {
    t.same(dayCodesOf(periods, day(first), day(last)), { from, to }, `${first} to ${last}`);
  }
  t.same(dayCodesOf(periods, undefined, undefined), { from: 0, to: 3 });
  t.same(dayCodesOf(periods, day("2024-03-01"), undefined), { from: 0, to: 2 });
  t.same(dayCodesOf(periods, undefined, day("2024-03-01")), { from: 2, to: 3 });
  const wrong = dayCodesOf(periods, day("2026-01-31"), day("2024-02-29"));
  t.equal(wrong.from, wrong.to, "the wrong way round");
});

t.test("a list of rows is narrowed to days, whether it is the rows themselves or a list of them", async (t) => {
  const periods = periodsOfDays("2026-01-01", "2026-01-02", "2026-01-02", "2026-01-02", "2026-01-05");
  const rows = Uint32Array.of(4, 3, 2, 1, 0);
  const whole = { from: 0, to: 5 };
  t.same(narrowToDays(periods, rows, whole, { from: 0, to: 3 }), whole);
  t.same(narrowToDays(periods, rows, whole, { from: 1, to: 2 }), { from: 1, to: 4 });
  t.same(narrowToDays(periods, rows, { from: 2, to: 5 }, { from: 1, to: 2 }), { from: 2, to: 4 });
  t.same(narrowToDays(periods, rows, whole, { from: 3, to: 3 }), { from: 5, to: 5 });
  t.same(narrowToDays(periods, rows, whole, { from: 0, to: 0 }), { from: 0, to: 0 });
  t.same(narrowToDays(periods, rows, { from: 2, to: 2 }, { from: 0, to: 3 }), { from: 2, to: 2 });
  const newestFirst = buildPeriods(Float64Array.of(2e8, 1e8, 1e8, 0), nairobi);
  t.same(narrowToDays(newestFirst, null, { from: 0, to: 4 }, { from: 1, to: 2 }), { from: 1, to: 3 });
});

t.test("without prices there are no periods", async (t) => {
  const periods = periodsOf([]);
  t.same(dayCodesOf(periods, 0 as Day, 1 as Day), { from: 0, to: 0 });
  for (const grouping of ["day", "week", "month"] as const) {
    const { labels, dayOffsets, ofDay } = periods[grouping];
    t.same([labels, [...dayOffsets], [...ofDay]], [[], [0], []]);
  }
});

t.test("prices thousands of years apart cost a period each", async (t) => {
  const times = ["0001-01-01T12:00:00Z", "9999-01-01T12:00:00Z"].map((text) => instantFromText(text) as Instant);
  const { month, week } = periodsOf(times);
  t.same(month.labels, ["9999-01", "0001-01"]);
  t.same(week.labels, ["9998-W53", "0001-W01"]);
});

/** The days that have prices, newest first. */
function dayTexts({ newestDay, ages }: Periods): string[] {
  return Array.from(ages, (age) => dayText((newestDay - age) as Day));
}
