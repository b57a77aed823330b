import t from "tap";
import { type Day, dayFromText, dayText, instantOfDayStart } from "../../src/domain/calendar-day.ts";
import { type Instant, instantFromText } from "../../src/domain/instant.ts";
import { buildPeriods, type Periods, positionOfDay, type TimeGrouping } from "../../src/store/periods.ts";

const nairobi = 10_800_000;

/** The periods of prices recorded at these times, which are given oldest first. */
function periodsOf(times: readonly Instant[], utcOffset = nairobi): Periods {
  const rowsNewestFirst = Uint32Array.from(times.keys()).reverse();
  return buildPeriods(Float64Array.from(times), rowsNewestFirst, utcOffset);
}

function periodsOfDays(...days: string[]): Periods {
  return periodsOf(days.map((text) => (instantOfDayStart(dayFromText(text) as Day, nairobi) + 3_600_000) as Instant));
}

/** Labels with the days of each period. */
function listed(periods: Periods, grouping: TimeGrouping): [string, string[]][] {
  const { labels, dayOffsets } = periods[grouping];
  return labels.map((label, period) => [
    label,
    dayTexts(periods.days.subarray(dayOffsets[period], dayOffsets[period + 1])),
  ]);
}

t.test("only days that have prices are listed, each once, oldest first", async (t) => {
  const periods = periodsOfDays("2024-02-29", "2024-02-29", "2024-03-02", "2026-01-31");
  t.same(dayTexts(periods.days), ["2024-02-29", "2024-03-02", "2026-01-31"]);
  t.same(listed(periods, "day"), [
    ["2024-02-29", ["2024-02-29"]],
    ["2024-03-02", ["2024-03-02"]],
    ["2026-01-31", ["2026-01-31"]],
  ]);
});

t.test("weeks begin on Monday and carry the year that most of their days lie in", async (t) => {
  const weeks = [
    ["1969-12-28", "1969-W52"],
    ["1969-12-29", "1970-W01"],
    ["1969-12-31", "1970-W01"],
    ["2020-12-27", "2020-W52"],
    ["2020-12-28", "2020-W53"],
    ["2021-01-03", "2020-W53"],
    ["2021-01-04", "2021-W01"],
    ["2022-12-31", "2022-W52"],
    ["2023-01-01", "2022-W52"],
    ["2024-02-29", "2024-W09"],
    ["2024-12-29", "2024-W52"],
    ["2024-12-30", "2025-W01"],
    ["2025-12-28", "2025-W52"],
    ["2025-12-29", "2026-W01"],
  ] as const;
  const periods = periodsOfDays(...weeks.map(([day]) => day));
  t.same(
    listed(periods, "week").flatMap(([label, days]) => days.map((day) => [day, label])),
    weeks,
  );
  t.equal(new Set(periods.week.labels).size, periods.week.labels.length, "no week is listed twice");
});

t.test("months begin on the first, leap day or not", async (t) => {
  t.same(listed(periodsOfDays("1969-12-31", "2024-02-01", "2024-02-29", "2024-03-01", "2025-03-01"), "month"), [
    ["1969-12", ["1969-12-31"]],
    ["2024-02", ["2024-02-01", "2024-02-29"]],
    ["2024-03", ["2024-03-01"]],
    ["2025-03", ["2025-03-01"]],
  ]);
});

t.test("a day begins and ends by the clocks of the dataset", async (t) => {
  const times = ["2020-12-31T20:59:59.999Z", "2020-12-31T21:00:00Z"].map((text) => instantFromText(text) as Instant);
  t.same(listed(periodsOf(times), "month"), [
    ["2020-12", ["2020-12-31"]],
    ["2021-01", ["2021-01-01"]],
  ]);
  t.same(periodsOf(times, -18_000_000).month.labels, ["2020-12"]);
});

t.test("every day knows its period", async (t) => {
  const periods = periodsOfDays("2020-12-27", "2020-12-28", "2020-12-31", "2021-01-01", "2021-01-04", "2026-06-01");
  for (const grouping of ["day", "week", "month"] as const) {
    const { ofDay, dayOffsets, labels } = periods[grouping];
    t.equal(dayOffsets[labels.length], periods.days.length);
    for (const [position, period] of ofDay.entries()) {
      const [from = 0, to = 0] = dayOffsets.subarray(period, period + 2);
      t.ok(from <= position && position < to, `${grouping} of day ${position}`);
    }
  }
});

t.test("a day is found, and for a day without prices the next that has some", async (t) => {
  const periods = periodsOfDays("2024-02-29", "2024-03-02", "2026-01-31");
  const positions = [
    ["1900-01-01", 0],
    ["2024-02-29", 0],
    ["2024-03-01", 1],
    ["2024-03-02", 1],
    ["2024-03-03", 2],
    ["2026-01-31", 2],
    ["2026-02-01", 3],
    ["9999-12-31", 3],
  ] as const;
  for (const [text, position] of positions) t.equal(positionOfDay(periods, dayFromText(text) as Day), position, text);
});

t.test("without prices there are no periods", async (t) => {
  const periods = periodsOf([]);
  t.equal(positionOfDay(periods, 0), 0);
  for (const grouping of ["day", "week", "month"] as const) {
    const { labels, dayOffsets, ofDay } = periods[grouping];
    t.same([labels, [...dayOffsets], [...ofDay]], [[], [0], []]);
  }
});

t.test("prices thousands of years apart cost a period each", async (t) => {
  const times = ["0001-01-01T12:00:00Z", "9999-01-01T12:00:00Z"].map((text) => instantFromText(text) as Instant);
  const { month, week } = periodsOf(times);
  t.same(month.labels, ["0001-01", "9999-01"]);
  t.same(week.labels, ["0001-W01", "9998-W53"]);
});

function dayTexts(days: Int32Array): string[] {
  return Array.from(days, (day) => dayText(day as Day));
}
