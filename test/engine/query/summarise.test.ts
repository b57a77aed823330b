import assert from "node:assert/strict";
import fc from "fast-check";
import { max, mean, min } from "simple-statistics";
import t from "tap";
import { type FoundGroups, listGroups } from "../../../src/engine/query/found-groups.ts";
import { type OverallFigures, summarise } from "../../../src/engine/query/price-statistics.ts";
import { type Group, groupOf } from "../../../src/engine/store/figures.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { agree } from "../../support/naive-queries.ts";

const price = fc.oneof(
  fc.integer({ min: 1, max: 500_000 }).map((cents) => cents / 100),
  fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
);

const noSamples = { byType: [0, 0, 0, 0], converted: 0, excluded: 0 };

t.test("the figures over groups are those of all their records", async () => {
  const groups = fc.array(fc.array(price, { maxLength: 20 }), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(groups, (groups) => {
      const records = groups.flat();
      const overall = overallOf(listOf(groups));
      if (records.length === 0) {
        assert.equal(overall, null);
        return;
      }
      const { average, ...others } = overall ?? { average: Number.NaN };
      assert.ok(agree(average, mean(records), max(records)), `average ${average}`);
      const wanted = { min: min(records), max: max(records), count: records.length };
      assert.deepEqual(others, wanted);
    }),
    { numRuns: runsOf(300) },
  );
});

t.test("equal prices have their own overall average, in however many groups", async () => {
  const value = fc.oneof(price, fc.double({ min: 1e9, max: 1e39, noNaN: true }));
  fc.assert(
    fc.property(value, fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1 }), (value, counts) => {
      const overall = overallOf(listOf(counts.map((count) => new Array<number>(count).fill(value))));
      if (overall !== null) assert.equal(overall.average, overall.min);
    }),
  );
});

t.test("what was converted and left out is added up, and groups without figures are left out", async (t) => {
  const groups = [
    groupOf(3, Float64Array.of(4, 6), 0, 2, { byType: [1, 0, 0, 1], converted: 1, excluded: 0 }),
    groupOf(4, new Float64Array(0), 0, 0, { byType: [0, 0, 0, 0], converted: 0, excluded: 3 }),
    groupOf(5, Float64Array.of(3), 0, 1, { byType: [0, 0, 0, 1], converted: 1, excluded: 4 }),
  ];
  const found: FoundGroups = { before: groups, rollup: null, after: [] };
  t.same(summarise(found), {
    overall: { average: 13 / 3, min: 3, max: 6, count: 3 },
    convertedSamples: 2,
    excludedSamples: 7,
    samplesByType: { Wholesale: 1, Urban: 2 },
  });
  t.same(listGroups(found), [groups[0], groups[2]]);
});

function overallOf(groups: readonly Group[]): OverallFigures | null {
  // However they are divided: those of a rollup are compared with a scan in test/behaviour.
  const middle = Math.floor(groups.length / 2);
  return summarise({ before: groups.slice(0, middle), rollup: null, after: groups.slice(middle) }).overall;
}

function listOf(groups: readonly (readonly number[])[]): Group[] {
  return groups.map((values, key) => groupOf(key, Float64Array.from(values), 0, values.length, noSamples));
}
