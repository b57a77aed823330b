import t from "tap";
import { checkByClass, checkByPrice, fillPageByBlocks } from "../../src/query/count-by-blocks.ts";
import type { Page } from "../../src/query/page.ts";
import { planPrices } from "../../src/query/plan-prices.ts";
import type { PriceFilter } from "../../src/query/questions.ts";
import { buildStore } from "../../src/store/build-store.ts";
import { rowsOf } from "../../src/store/posting-index.ts";
import { uuidsOfRows } from "../store/stored-prices.ts";
import { largeDataset } from "../support/large-dataset.ts";
import { naiveSearch, plainPrices } from "../support/naive-queries.ts";

const dataset = largeDataset(20_000);
const store = buildStore(dataset);
const scanned = plainPrices(dataset);

const sizes = Array.from({ length: 48 }, (_, id) => rowsOf(store.rowsByCounty, id).length);
/** The county with most prices: several blocks of them. */
const countyId = sizes.indexOf(Math.max(...sizes)) as NonNullable<PriceFilter["countyId"]>;

const sorted = store.prices.prices.toSorted();
const priceAt = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] as number;

const ranges: Record<string, Pick<PriceFilter, "priceMin" | "priceMax">> = {
  "a third of all prices": { priceMin: priceAt(0.3), priceMax: priceAt(0.6) },
  "a third, cut beside prices": { priceMin: priceAt(0.3) + 0.001, priceMax: priceAt(0.6) - 0.001 },
  "one price": { priceMin: priceAt(0.5), priceMax: priceAt(0.5) },
  "from a price": { priceMin: priceAt(0.9) },
  "up to a price": { priceMax: priceAt(0.1) },
  "the greatest price": { priceMin: priceAt(1), priceMax: priceAt(1) },
  "above all prices": { priceMin: priceAt(1) + 1 },
  "below all prices": { priceMax: priceAt(0) / 2 },
};

function finish(work: Generator<number, Page<Uint32Array>>): Page<Uint32Array> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

for (const [name, range] of Object.entries(ranges)) {
  t.test(`${name}: pages by class and by price are those of a scan`, async (t) => {
    const filter = { countyId, ...range };
    const plan = planPrices(store, filter);
    if (plan.check === null || plan.walk !== "county") throw new Error(`walk ${plan.walk}, expected county`);
    const { total } = naiveSearch(dataset, { filter, page: 1, pageSize: 1 }, scanned);
    for (const pageSize of [1, 20, 600]) {
      for (const page of [1, 2, Math.ceil(total / pageSize / 2) + 1, Math.ceil(total / pageSize), 5000]) {
        if (page < 1) continue;
        const wanted = naiveSearch(dataset, { filter, page, pageSize }, scanned);
        for (const check of [
          checkByClass(store, plan, countyId, plan.check),
          checkByPrice(store.prices, plan, plan.check),
        ]) {
          const { entries, total } = finish(fillPageByBlocks(plan, check, (page - 1) * pageSize, pageSize));
          t.same({ uuids: uuidsOfRows(store, entries), total }, wanted, `page ${page} of ${pageSize}`);
        }
      }
    }
  });
}

t.test("the county of the test has several blocks of prices, all kinds of ranges some answers", async (t) => {
  t.ok(Math.max(...sizes) > 1024, `${Math.max(...sizes)} prices`);
});
