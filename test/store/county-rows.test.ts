import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { buildStore } from "../../src/store/build-store.ts";
import { classCut, classesOfCounty, classInside, judgeClasses } from "../../src/store/county-rows.ts";
import { rowsOf } from "../../src/store/posting-index.ts";
import { largeDataset } from "../support/large-dataset.ts";
import { randomDataset } from "../support/random-dataset.ts";

const large = buildStore(largeDataset(3000));

t.test("the class of each row of a county holds its price", async (t) => {
  const { classBounds, priceClasses, rows } = large.rowsByCounty;
  t.ok(classBounds.length > 50, `${classBounds.length} classes`);
  t.equal(classBounds[0], -Infinity);
  for (const [place, row] of rows.entries()) {
    const one = priceClasses[place] as number;
    const price = large.prices.prices[row] as number;
    const end = classBounds[one + 1] ?? Infinity;
    assert.ok((classBounds[one] as number) <= price && price < end, `place ${place}`);
  }
});

t.test("classes are of about one size", async (t) => {
  const counts = new Uint32Array(256);
  for (const one of large.rowsByCounty.priceClasses) counts[one] = (counts[one] as number) + 1;
  const { prices } = large.prices;
  // A price that is met often is one class, however many have it.
  const often = new Map<number, number>();
  for (const price of prices) often.set(price, (often.get(price) ?? 0) + 1);
  const most = Math.max(...often.values());
  t.ok(Math.max(...counts) <= most + prices.length / 64, `${Math.max(...counts)} prices in a class`);
});

t.test("what a class is to a range is true of every price", async () => {
  fc.assert(
    fc.property(randomDataset({ priceCountMin: 1 }), fc.nat(), fc.nat(), fc.nat({ max: 3 }), (dataset, a, b, open) => {
      const { prices, rowsByCounty } = buildStore(dataset);
      const pick = (place: number): number => prices.prices[place % prices.rowCount] as number;
      const min = open === 1 ? -Infinity : Math.min(pick(a), pick(b)) + (open === 3 ? 0.01 : 0);
      const max = open === 2 ? Infinity : Math.max(pick(a), pick(b));
      const verdicts = judgeClasses(rowsByCounty, min, max);
      for (const { id } of dataset.counties) {
        const rows = rowsOf(rowsByCounty, id);
        for (const [place, one] of classesOfCounty(rowsByCounty, id).entries()) {
          const price = prices.prices[rows[place] as number] as number;
          const isWanted = price >= min && price <= max;
          assert.ok(verdicts[one] === classCut || (verdicts[one] === classInside) === isWanted, `${price}`);
        }
      }
    }),
    { numRuns: 300 },
  );
});

t.test("only the classes at the ends of a range are cut", async (t) => {
  const verdicts = judgeClasses(large.rowsByCounty, 50, 500);
  t.ok(verdicts.filter((verdict) => verdict === classCut).length <= 2);
  t.ok(verdicts.includes(classInside));
  const all = judgeClasses(large.rowsByCounty, -Infinity, Infinity);
  t.ok(all.subarray(0, large.rowsByCounty.classBounds.length).every((verdict) => verdict === classInside));
});
