import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import type { CountyId } from "../../../src/engine/model/ids.ts";
import type { MarketConditions } from "../../../src/engine/query/questions.ts";
import { markMarkets, selectMarkets } from "../../../src/engine/query/select.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { allTypes } from "../../../src/engine/store/runs.ts";
import { isInPopulation } from "../../support/naive-queries.ts";
import { randomDataset } from "../../support/random-dataset.ts";
import { randomSearch } from "../../support/random-questions.ts";
import { tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

const [gikomba, unknownMarket] = [2, 9].map((number) => ({ marketUuid: uuidOf("market", number) }));
const county = (id: number) => ({ countyId: id as CountyId });
const wholesale = { marketType: "Wholesale" } as const;

t.test("the markets that meet the conditions are marked", async (t) => {
  const conditions: [MarketConditions, string[]][] = [
    [{}, ["Gikomba", "Kongowea", "Wakulima"]],
    [county(47), ["Gikomba", "Wakulima"]],
    [wholesale, ["Kongowea", "Wakulima"]],
    [{ ...county(47), ...wholesale }, ["Wakulima"]],
    [{ ...county(1), marketType: "Retail" }, []],
    [{ ...gikomba, ...county(47) }, ["Gikomba"]],
    [{ ...gikomba, ...county(1) }, []],
    [{ ...gikomba, ...wholesale }, []],
    [{ ...unknownMarket }, []],
  ];
  const { catalogue } = buildStore(tinyDataset());
  for (const [filter, names] of conditions) {
    const mask = markMarkets(catalogue, selectMarkets(catalogue, filter));
    const marked = catalogue.marketsByName.filter((code) => mask[code] === 1);
    t.same(
      marked.map((code) => catalogue.markets[code]?.record.name),
      names,
    );
  }
});

t.test(
  "a range of markets holds what a look at every market finds, and a type is left only where no county is asked for",
  async () => {
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
  },
);
