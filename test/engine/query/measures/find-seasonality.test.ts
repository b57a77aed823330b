import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { seasonalIndexes } from "../../../../src/engine/query/measures/find-seasonality.ts";
import { runsOf } from "../../../support/fixed-seed.ts";
import { naiveSeasonality } from "../../../support/naive-measures.ts";
import { agree } from "../../../support/naive-queries.ts";
import { randomMonths } from "../../../support/random-series-dataset.ts";

/** The values of a list of months that begin in January 2015. */
function valuesOf(months: readonly (number | undefined)[]): Map<number, number> {
  return new Map(
    months.flatMap((value, at) => (value === undefined ? [] : [[2015 * 12 + at, value] as [number, number]])),
  );
}

t.test("the indexes are those of the twin", async () => {
  fc.assert(
    fc.property(randomMonths, (months) => {
      const found = seasonalIndexes([valuesOf(months)]);
      const wanted = naiveSeasonality([valuesOf(months)]);
      if (Array.isArray(found)) {
        assert.ok(Array.isArray(wanted));
        for (const [at, { index }] of found.entries()) assert.ok(agree(index, wanted[at] as number));
      } else if (found.reason === "TOO_FEW_YEARS") assert.equal(found.found, wanted);
      else assert.equal(valuesOf(months).size, 0);
    }),
    { numRuns: runsOf(300) },
  );
});

t.test("a season without trend comes back as it was made", async (t) => {
  const season = [120, 110, 100, 90, 80, 70, 80, 90, 100, 110, 120, 130];
  const found = seasonalIndexes([valuesOf(Array.from({ length: 60 }, (_, month) => season[month % 12]))]);
  assert.ok(Array.isArray(found));
  for (const [at, { month, index, years, min, max }] of found.entries()) {
    t.equal(month, at + 1);
    t.ok(agree(index, season[at] as number), `month ${month} is ${index}`);
    t.equal(years, 4);
    t.ok(agree(min, index) && agree(max, index));
  }
});

t.test("each calendar month needs three ratios", async (t) => {
  const constant = (months: number) => valuesOf(Array.from({ length: months }, () => 10));
  t.match(seasonalIndexes([constant(47)]), { reason: "TOO_FEW_YEARS", found: 2, needed: 3 });
  t.ok(Array.isArray(seasonalIndexes([constant(48)])));
  t.match(seasonalIndexes([]), { reason: "NO_PRICE" });
});
