import t from "tap";
import { type Day, dayFromText } from "../../../src/engine/model/calendar.ts";
import type { PriceFilter } from "../../../src/engine/query/questions.ts";
import { searchPrices } from "../../../src/engine/query/search-prices.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { finish } from "../../../src/engine/store/steps.ts";
import { tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";
import { uuidsOfRows } from "../store/stored-prices.ts";

const times = [
  "2026-01-31T20:59:59.999Z",
  "2026-01-31T21:00:00.000Z",
  "2026-02-01T20:59:59.999Z",
  "2026-02-01T21:00:00Z",
];

/** Prices 1 to 4 cost 10 to 40 and stand on both sides of either end of 1 February in Nairobi. */
const store = buildStore(
  tinyDataset({ prices: times.map((recordedAt, at) => ({ recordedAt, price: (at + 1) * 10, market: at % 2 })) }),
);

/** Numbers of the prices on a page, and the total. */
async function found(filter: PriceFilter, page = 1, pageSize = 10): Promise<[numbers: number[], total: number]> {
  const { entries, total } = finish(searchPrices(store, { filter, page, pageSize }));
  return [uuidsOfRows(store, entries).map((uuid) => Number(uuid.slice(-12))), total];
}

const day = (text: string): Day => dayFromText(text) as Day;
const product = { productUuid: uuidOf("product", 1) };

t.test("a day begins and ends at 21:00 UTC, whichever list is walked", async (t) => {
  const february1 = { dayFirst: day("2026-02-01"), dayLast: day("2026-02-01") };
  t.same(await found(february1), [[3, 2], 2]);
  t.same(await found({ ...february1, ...product }), [[3, 2], 2]);
  t.same(await found({ ...february1, marketUuid: uuidOf("market", 2) }), [[2], 1]);
  t.same(await found({ dayFirst: day("2026-02-01") }), [[4, 3, 2], 3]);
  t.same(await found({ dayLast: day("2026-02-01") }), [[3, 2, 1], 3]);
});

t.test("least and greatest price are included", async (t) => {
  t.same(await found({ priceMin: 20, priceMax: 30 }), [[3, 2], 2]);
  t.same(await found({ priceMin: 20.01, priceMax: 29.99 }), [[], 0]);
  t.same(await found({ ...product, priceMin: 40 }), [[4], 1]);
  t.same(await found({ priceMax: 10 }), [[1], 1]);
});

t.test("the count of a price range has both its ends, whichever list is walked", async (t) => {
  const lists = { product, market: { marketUuid: uuidOf("market", 1) }, type: { marketType: "Wholesale" }, all: {} };
  const days = { "all days": {}, "one day": { dayFirst: day("2026-02-01"), dayLast: day("2026-02-01") } };
  for (const [list, lists1] of Object.entries(lists)) {
    for (const [range, days1] of Object.entries(days)) {
      const filter = { ...lists1, ...days1 } as PriceFilter;
      const [numbers] = await found(filter);
      for (const priceMin of [10, 20, 30, 40, 40.01]) {
        for (const priceMax of [9.99, 10, 20, 30, 40]) {
          const wanted = numbers.filter((number) => number * 10 >= priceMin && number * 10 <= priceMax);
          const claim = `${list}, ${range}, ${priceMin} to ${priceMax}`;
          // A page that needs no look at the last answers tells their count all the same.
          t.same(await found({ ...filter, priceMin, priceMax }), [wanted, wanted.length], claim);
          t.same(await found({ ...filter, priceMin, priceMax }, 1, 1), [wanted.slice(0, 1), wanted.length], claim);
        }
      }
    }
  }
});

t.test(
  "where the total is known, the walk ends with the page; a price range looks at whole months by count",
  async (t) => {
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
    t.same(
      [entries, total],
      [10, finish(searchPrices(big, { filter: type, page: 1, pageSize: count })).entries.length],
    );
    t.ok(first > 0 && first < 1000, `${first} reads for the first page`);
    t.ok(pageOf(type, Math.ceil(total / 10))[2] > total, "the last page reads on to the end");
    t.same(pageOf(type, 1_000_000), [0, total, 0], "beyond the last page nothing is read");
    const [, ofRange, range] = pageOf({ priceMin: 50, priceMax: 50 }, 1);
    t.equal(ofRange, count / 100);
    t.ok(range < 200, `${range} reads for a range of prices`);
  },
);

t.test("pages follow one another and those past the last are empty, with the same total", async (t) => {
  for (const filter of [{}, product, { marketType: "Wholesale" }, { priceMin: 1 }] as const) {
    const [all, total] = await found(filter);
    const pages = await Promise.all([1, 2, 3, 4, 5].map((page) => found(filter, page, 3)));
    t.same(
      pages.flatMap(([numbers]) => numbers),
      all,
    );
    t.ok(pages.every(([, totalOfPage]) => totalOfPage === total));
  }
  t.same(await found({}, 2, 3), [[1], 4]);
  t.same(await found({}, 1_000_000, 100), [[], 4]);
  t.same(await found({ priceMin: 1 }, 1_000_000, 100), [[], 4]);
});

t.test("prices are compared as recorded, whatever unit and currency they are in", async (t) => {
  const mixed = buildStore(
    tinyDataset({ prices: [{ price: 4500, unit: "90 kg bag" }, { price: 50 }, { price: 4500, currency: "USD" }] }),
  );
  const { entries } = finish(searchPrices(mixed, { filter: { priceMin: 4500 }, page: 1, pageSize: 10 }));
  t.same(uuidsOfRows(mixed, entries), [uuidOf("price", 1), uuidOf("price", 3)]);
});
