import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { monthText } from "../../../src/engine/model/calendar.ts";
import { marketTypes } from "../../../src/engine/model/vocabulary.ts";
import { listGroups } from "../../../src/engine/query/found-groups.ts";
import { figuresOfMonths, monthlyPrices } from "../../../src/engine/query/monthly-figures.ts";
import { priceStatistics } from "../../../src/engine/query/price-statistics.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import type { ProductCode } from "../../../src/engine/store/catalogue.ts";
import { roundFigure } from "../../../src/engine/store/figures.ts";
import { finish } from "../../support/explorer-request.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { agree } from "../../support/naive-queries.ts";
import { randomDataset } from "../../support/random-dataset.ts";

t.test("months of a population are those of statistics without suspicious prices", async (t) => {
  let compared = 0;
  fc.assert(
    fc.property(randomDataset(), (dataset) => {
      const store = buildStore(dataset);
      for (const [code, { record }] of store.catalogue.products.entries()) {
        const { markets } = finish(monthlyPrices(store, code as ProductCode, {}));
        for (const [refugeeCamps, isCamp] of [
          ["exclude", false],
          ["only", true],
        ] as const) {
          for (const marketType of marketTypes) {
            const question = { productUuid: record.uuid, marketType, refugeeCamps } as const;
            const work = priceStatistics(store, { ...question, grouping: "month", isSuspicious: false });
            if ("problem" in work) continue;
            const expected = listGroups(finish(work).found);
            const own = markets.filter((found) => found.isCamp === isCamp && found.record.type === marketType);
            const found = figuresOfMonths(own);
            assert.deepEqual(
              found.map(({ month, samples }) => [monthText(month), samples]),
              expected.map(({ key, count }) => [store.periods.month.labels[key], count]),
            );
            for (const [at, { median, min, max, low, high }] of found.entries()) {
              const group = expected[at];
              assert.ok(group !== undefined && agree(median, roundFigure(group.median), 1), `${median}`);
              assert.deepEqual([min, max], [roundFigure(group.min), roundFigure(group.max)]);
              assert.ok(min <= low && low <= median && median <= high && high <= max);
              compared++;
            }
          }
        }
      }
    }),
    { numRuns: runsOf(50, 300) },
  );
  t.ok(compared > 20, `${compared} months`);
});
