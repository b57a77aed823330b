import t from "tap";
import { type Day, dayFromText, dayText } from "../../src/domain/calendar-day.ts";
import { isTimeGrouping, type TimeGrouping, timePeriods } from "../../src/query/group-key.ts";

/** First day and label of the period that a day lies in. */
function periodOf(grouping: TimeGrouping, text: string): [string, string] {
  const day = dayFromText(text) as Day;
  const { startOf, labelOf } = timePeriods[grouping];
  return [dayText(startOf(day)), labelOf(startOf(day))];
}

t.test("a day is its own period", async (t) => {
  t.same(periodOf("day", "2024-02-29"), ["2024-02-29", "2024-02-29"]);
  t.same(periodOf("day", "1969-12-31"), ["1969-12-31", "1969-12-31"]);
});

t.test("weeks begin on Monday and carry the year that most of their days lie in", async (t) => {
  const weeks = [
    ["2020-12-27", "2020-12-21", "2020-W52"],
    ["2020-12-28", "2020-12-28", "2020-W53"],
    ["2021-01-03", "2020-12-28", "2020-W53"],
    ["2021-01-04", "2021-01-04", "2021-W01"],
    ["2024-12-29", "2024-12-23", "2024-W52"],
    ["2024-12-30", "2024-12-30", "2025-W01"],
    ["2025-12-28", "2025-12-22", "2025-W52"],
    ["2025-12-29", "2025-12-29", "2026-W01"],
    ["2023-01-01", "2022-12-26", "2022-W52"],
    ["2024-02-29", "2024-02-26", "2024-W09"],
    ["1969-12-31", "1969-12-29", "1970-W01"],
  ] as const;
  for (const [day, start, label] of weeks) t.same(periodOf("week", day), [start, label], day);
});

t.test("months begin on the first, leap day or not", async (t) => {
  t.same(periodOf("month", "2024-02-29"), ["2024-02-01", "2024-02"]);
  t.same(periodOf("month", "2024-03-01"), ["2024-03-01", "2024-03"]);
  t.same(periodOf("month", "2025-12-31"), ["2025-12-01", "2025-12"]);
  t.same(periodOf("month", "2026-01-01"), ["2026-01-01", "2026-01"]);
  t.same(periodOf("month", "1969-12-31"), ["1969-12-01", "1969-12"]);
});

t.test("markets and counties are no periods of time", async (t) => {
  t.same((["day", "week", "month", "market", "county"] as const).map(isTimeGrouping), [true, true, true, false, false]);
});
