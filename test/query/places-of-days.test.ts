import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { type Day, dayFromText } from "../../src/domain/calendar-day.ts";
import { firstPlaceBefore, firstPlaceBeforeFromOldest, positionsOfDays } from "../../src/query/places-of-days.ts";
import { buildStore } from "../../src/store/build-store.ts";
import { codeColumn } from "../../src/store/code-column.ts";
import { tinyDataset } from "../support/tiny-dataset.ts";

t.test("from either end the same first place before a day is found, as by looking at each", async () => {
  const descending = fc
    .array(fc.integer({ min: 1, max: 60 }), { maxLength: 80 })
    .map((days) => days.sort((a, b) => b - a));
  fc.assert(
    fc.property(descending, fc.integer({ min: 0, max: 62 }), fc.nat({ max: 5 }), (given, day, before) => {
      const days = codeColumn(before + given.length + 3, 100).fill(99);
      days.set(given, before);
      const to = before + given.length;
      const found = given.findIndex((one) => one < day);
      const wanted = found === -1 ? to : before + found;
      assert.equal(firstPlaceBefore(days, before, to, day), wanted);
      assert.equal(firstPlaceBeforeFromOldest(days, before, to, day), wanted);
    }),
    { numRuns: 500 },
  );
});

t.test("days become positions among those that have prices", async (t) => {
  const store = buildStore(
    tinyDataset({ prices: ["2026-01-10", "2026-01-12"].map((day) => ({ recordedAt: `${day}T06:00:00Z` })) }),
  );
  const day = (text: string) => dayFromText(text) as Day;
  t.same(positionsOfDays(store, {}), { first: 0, end: 2 });
  t.same(positionsOfDays(store, { dayFirst: day("2026-01-10"), dayLast: day("2026-01-12") }), { first: 0, end: 2 });
  t.same(positionsOfDays(store, { dayFirst: day("2026-01-11"), dayLast: day("2026-01-11") }), { first: 1, end: 1 });
  t.same(positionsOfDays(store, { dayFirst: day("2026-01-13") }), { first: 2, end: 2 });
});
