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
