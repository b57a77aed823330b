import fc from "fast-check";
import { median } from "simple-statistics";
import t from "tap";
import type { Day } from "../../src/domain/calendar-day.ts";
import type { Dataset } from "../../src/domain/dataset.ts";
import { marketTypes } from "../../src/domain/vocabulary.ts";
import { findPriceMoves } from "../../src/query/price-moves.ts";
import { buildStore } from "../../src/store/build-store.ts";
import { recordAt } from "../../src/store/catalogue.ts";
import { finish } from "../support/explorer-request.ts";
import { runsOf } from "../support/fixed-seed.ts";
import { agree, naiveStatistics } from "../support/naive-queries.ts";
import { plainPrices } from "../support/plain-prices.ts";
import { randomDataset } from "../support/random-dataset.ts";
import { tinyDataset } from "../support/tiny-dataset.ts";

interface NaiveMove {
  readonly product: string;
  readonly type: string;
  readonly before: readonly [count: number, median: number];
  readonly after: readonly [count: number, median: number];
}

/** Written from the rule: filter, convert, take the median. */
function naiveMoves(dataset: Dataset, dayCount: number, samplesMin: number): NaiveMove[] {
  const prices = plainPrices(dataset);
  const newest = Math.max(...prices.map(({ day }) => day));
  const moves = dataset.products.flatMap((product) => {
    const all = { productUuid: product.uuid, dayFirst: -1e6 as Day, dayLast: 1e6 as Day, grouping: "month" } as const;
    const own = naiveStatistics(dataset, all, prices);
    if (own === undefined || own.unknownUnit) throw new Error("no statistics");
    const unit = dataset.unitCategories.flatMap(({ units }) => units).find(({ name }) => name === own.unit);
    if (unit === undefined) throw new Error("no unit");
    return marketTypes.flatMap((type): NaiveMove[] => {
      const valuesOf = (from: number, to: number): number[] =>
        prices
          .filter((price) => price.product === product && price.market.type === type)
          .filter(({ day }) => day >= from && day <= to)
          .filter((price) => price.currency === own.currency && price.unit.baseUnit === unit.baseUnit)
          .map((price) => (price.price / price.unit.conversionFactor) * unit.conversionFactor);
      const after = valuesOf(newest - dayCount + 1, newest);
      const before = valuesOf(newest - 2 * dayCount + 1, newest - dayCount);
      if (after.length < samplesMin || before.length < samplesMin) return [];
      if (median(after) <= 0 || median(before) <= 0) return [];
      return [
        {
          product: product.uuid,
          type,
          before: [before.length, median(before)],
          after: [after.length, median(after)],
        },
      ];
    });
  });
  return moves;
}

t.test("moves are those of a plain filter and median, the greatest first", async (t) => {
  const question = fc.tuple(
    randomDataset({ priceCountMin: 1, priceCountMax: 80 }),
    fc.constantFrom(2, 4, 400, 1500, 2000),
    fc.constantFrom(1, 1, 2),
  );
  let found = 0;
  fc.assert(
    fc.property(question, ([dataset, dayCount, samplesMin]) => {
      const store = buildStore(dataset);
      const result = finish(findPriceMoves(store, dayCount, samplesMin));
      const expected = naiveMoves(dataset, dayCount, samplesMin);
      const moves = result?.moves ?? [];
      if (moves.length !== expected.length) return false;
      found += moves.length;
      const sizes = moves.map(({ before, after }) => Math.abs(Math.log(after.median / before.median)));
      if (sizes.some((size, at) => at > 0 && size > (sizes[at - 1] as number))) return false;
      return moves.every(({ product, marketType, before, after }) => {
        const { uuid } = recordAt(store.catalogue.products, product);
        const twin = expected.find((one) => one.product === uuid && one.type === marketType);
        return (
          twin !== undefined &&
          twin.before[0] === before.count &&
          twin.after[0] === after.count &&
          agree(twin.before[1], before.median) &&
          agree(twin.after[1], after.median)
        );
      });
    }),
    { numRuns: runsOf(150, 600) },
  );
  t.ok(found > 25, `${found} moves`);
});

t.test("without prices there is nothing, and a side with too few prices is no move", async (t) => {
  t.equal(finish(findPriceMoves(buildStore(tinyDataset()), 30, 1)), undefined);
  const lone = tinyDataset({ prices: [{ recordedAt: "2026-01-31T09:00:00+03:00" }] });
  t.strictSame(finish(findPriceMoves(buildStore(lone), 30, 1))?.moves, []);
});
