import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { markMarkets, selectMarkets } from "../../../src/engine/query/select.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { allTypes } from "../../../src/engine/store/runs.ts";
import { isInPopulation } from "../../support/naive-queries.ts";
import { randomDataset } from "../../support/random-dataset.ts";
import { randomSearch } from "../../support/random-questions.ts";

t.test("a range of markets holds what a scan finds; a type is left only where no county is asked for", async () => {
  const question = randomDataset().chain((dataset) => fc.tuple(fc.constant(dataset), randomSearch(dataset)));
  fc.assert(
    fc.property(question, ([dataset, { filter }]) => {
      const { catalogue } = buildStore(dataset);
      const { marketUuid, countyId, marketType, refugeeCamps } = filter;
      const found = selectMarkets(catalogue, filter);
      const isMet = catalogue.markets.map(
        ({ record }) =>
          (marketUuid === undefined || record.uuid === marketUuid) &&
          (countyId === undefined || record.countyId === countyId) &&
          (marketType === undefined || record.type === marketType) &&
          isInPopulation(record, refugeeCamps),
      );
      assert.deepEqual([...markMarkets(catalogue, found)], isMet.map(Number));
      if (marketUuid !== undefined || countyId !== undefined) assert.equal(found.type, allTypes);
    }),
  );
});
