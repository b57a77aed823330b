import t from "tap";
import type { PriceFilter } from "../../../src/engine/query/questions.ts";
import { searchPrices } from "../../../src/engine/query/search-prices.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { finish } from "../../../src/engine/store/steps.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";

t.test("the walk ends with the page; a price range looks at whole months by count", async (t) => {
  const count = 6000;
  const months = [1, 2, 3].map((month) => `2026-0${month}-15T00:00:00Z`);
  const big = buildStore(
    tinyDataset({
      prices: Array.from({ length: count }, (_, at) => ({
        recordedAt: months[at % 3] as string,
        price: 1 + (at % 100),
        market: at % 3,
      })),
    }),
  );
  // Columns are read through getters that count.
  let reads = 0;
  const prices = new Proxy(big.prices, {
    get(columns, name, receiver) {
      if (name === "prices") reads++;
      return Reflect.get(columns, name, receiver) as unknown;
    },
  });
  const pageOf = (filter: PriceFilter, page: number): [entries: number, total: number, reads: number] => {
    reads = 0;
    const { entries, total } = finish(searchPrices({ ...big, prices }, { filter, page, pageSize: 10 }));
    return [entries.length, total, reads];
  };
  const type = { marketType: "Wholesale" } as const;
  const [entries, total, first] = pageOf(type, 1);
  t.same([entries, total], [10, finish(searchPrices(big, { filter: type, page: 1, pageSize: count })).entries.length]);
  t.ok(first > 0 && first < 1000, `${first} reads for the first page`);
  t.ok(pageOf(type, Math.ceil(total / 10))[2] > total, "the last page reads on to the end");
  t.same(pageOf(type, 1_000_000), [0, total, 0], "beyond the last page nothing is read");
  const [, ofRange, range] = pageOf({ priceMin: 50, priceMax: 50 }, 1);
  t.equal(ofRange, count / 100);
  t.ok(range < 200, `${range} reads for a range of prices`);
});
