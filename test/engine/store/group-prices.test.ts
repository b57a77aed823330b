import t from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import type { TimeGrouping } from "../../../src/engine/model/vocabulary.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { groupByPeriod } from "../../../src/engine/store/group-prices.ts";
import { conversionTo } from "../../../src/engine/store/price-conversion.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { type TinyPrice, tinyDataset } from "../../support/tiny-dataset.ts";

/**
 * Maize on both sides of midnight at the end of a year, newest first; prices 1 to 6. Row 0 is kale, the next six maize.
 */
const prices: readonly Partial<TinyPrice>[] = [
  { price: 1, recordedAt: "2021-01-04T06:00:00Z" },
  { price: 2, recordedAt: "2021-01-03T20:59:59.999Z" },
  { price: 3, recordedAt: "2020-12-31T21:00:00Z" },
  { price: 4, recordedAt: "2020-12-31T20:59:59.999Z" },
  { price: 5, recordedAt: "2020-12-31T06:00:00Z", unit: "bunch" },
  { price: 6, recordedAt: "2020-03-01T06:00:00Z" },
];
const store = storeOf([...prices, { product: 1, recordedAt: "2020-06-01T06:00:00Z" }]);
const maize: RowRange = { from: 1, to: 7 };

interface RowRange {
  readonly from: number;
  readonly to: number;
}

interface Group {
  readonly label: string | undefined;
  readonly count: number;
  readonly min: number;
  readonly excluded: number;
}

/** The groups that ranges of rows make up, newest first, and how many rows each step took. */
function groupsOf(store: Store, grouping: TimeGrouping, ...ranges: RowRange[]): { groups: Group[]; steps: number[] } {
  const { periods } = store;
  const conversion = conversionTo(store, { unit: "kg", currency: "KES" });
  const segments = {
    markets: ranges.map(({ from }) => store.prices.markets[from] ?? -1),
    from: ranges.map(({ from }) => from),
    to: ranges.map(({ to }) => to),
    rowCount: ranges.reduce((sum, { from, to }) => sum + to - from, 0),
  };
  const rowPeriods = { dayCodes: periods.dayCodes, ofDay: periods[grouping].ofDay };
  const work = groupByPeriod({ ...store, conversion }, rowPeriods, segments);
  const steps: number[] = [];
  let step = work.next();
  for (; step.done !== true; step = work.next()) steps.push(step.value);
  const groups = step.value.map(({ key, count, min, excluded }) => {
    return { label: periods[grouping].labels[key], count, min, excluded };
  });
  return { groups, steps };
}

t.test("rows are cut into periods by the clocks of the dataset, newest first", async (t) => {
  const summary = (grouping: TimeGrouping) =>
    groupsOf(store, grouping, maize).groups.map(({ label, count, min }) => [label, count, min]);
  t.same(summary("day"), [
    ["2021-01-04", 1, 1],
    ["2021-01-03", 1, 2],
    ["2021-01-01", 1, 3],
    ["2020-12-31", 1, 4],
    ["2020-03-01", 1, 6],
  ]);
  t.same(summary("week"), [
    ["2021-W01", 1, 1],
    ["2020-W53", 3, 2],
    ["2020-W09", 1, 6],
  ]);
  t.same(summary("month"), [
    ["2021-01", 3, 1],
    ["2020-12", 1, 4],
    ["2020-03", 1, 6],
  ]);
});

t.test("several ranges are put together", async (t) => {
  const ranges = [
    { from: 5, to: 7 },
    { from: 1, to: 4 },
  ];
  t.same(groupsOf(store, "month", ...ranges).groups, [
    { label: "2021-01", count: 3, min: 1, excluded: 0 },
    { label: "2020-12", count: 0, min: 0, excluded: 1 },
    { label: "2020-03", count: 1, min: 6, excluded: 0 },
  ]);
});

t.test("a period of which nothing can be measured is a group without prices", async (t) => {
  t.same(groupsOf(store, "day", { from: 5, to: 6 }).groups, [{ label: "2020-12-31", count: 0, min: 0, excluded: 1 }]);
});

t.test("few rows are done in one go, many in steps that say how many rows they took", async (t) => {
  t.same(groupsOf(store, "month", maize).steps, []);
  const from = Date.UTC(2026, 0, 1);
  const many = storeOf(
    Array.from({ length: 20_000 }, (_, hour) => ({ recordedAt: (from + hour * 3_600_000) as Instant })),
  );
  const { groups, steps } = groupsOf(many, "day", { from: 0, to: 20_000 });
  t.equal(groups.length, 834);
  t.ok(steps.length >= 5 && steps.every((rows) => rows >= 16_384 && rows < 2 * 16_384), String(steps));
});

t.test("no rows are no groups", async (t) => {
  t.same(groupsOf(store, "day", { from: 3, to: 3 }), { groups: [], steps: [] });
});

function storeOf(prices: readonly Partial<TinyPrice>[]): Store {
  return buildStore(tinyDataset({ prices }));
}
