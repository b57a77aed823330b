import t, { type Test } from "tap";
import { type Day, dayFromText, dayMilliseconds, type Instant } from "../../../src/engine/model/calendar.ts";
import type { PriceFilter } from "../../../src/engine/query/questions.ts";
import { planPrices, searchPrices } from "../../../src/engine/query/search-prices.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { finish } from "../../../src/engine/store/steps.ts";
import { naiveSearch } from "../../support/naive-queries.ts";
import { plainPrices } from "../../support/plain-prices.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";
import { uuidsOfRows } from "../store/stored-prices.ts";

const day = (text: string): Day => dayFromText(text) as Day;

/**
 * Four months of 130 prices, five a day; the last two of a day are of one time, a shilling apart. Prices repeat after
 * 100 and are spread over each month; those above 1000 stand in February alone.
 */
const dataset = tinyDataset({
  prices: ["2026-01-02", "2026-02-02", "2026-03-02", "2026-05-02"].flatMap((text, month) =>
    Array.from({ length: 130 }, (_, at) => ({
      product: at % 2,
      market: at % 3,
      price: month === 1 && at % 40 === 7 ? 1000 + at : at % 5 === 4 ? priceAt(at - 1) - 1 : priceAt(at),
      recordedAt: ((day(text) + Math.floor(at / 5)) * dayMilliseconds + Math.min(at % 5, 3) * 3_600_000) as Instant,
    })),
  ),
});
const store = buildStore(dataset);
const prices = plainPrices(dataset);

function priceAt(at: number): number {
  return 2 + ((at * 37) % 100);
}

/** Throws where the filter is not answered by price, or a page differs from that of a scan. */
async function comparePage(t: Test, filter: PriceFilter, page: number, pageSize: number): Promise<void> {
  const plan = planPrices(store, filter);
  if (plan.check === null || plan.walk !== "time") throw new Error(`walk ${plan.walk}, expected time and a price`);
  const { entries, total } = finish(searchPrices(store, { filter, page, pageSize }));
  const claim = `${JSON.stringify(filter)}, page ${page} of ${pageSize}`;
  t.same(
    { uuids: uuidsOfRows(store, entries), total },
    naiveSearch(dataset, { filter, page, pageSize }, prices),
    claim,
  );
}

const filters: Record<string, PriceFilter> = {
  "a few prices in every month": { priceMin: 50, priceMax: 51 },
  "a few prices that are of one time": { priceMin: 42, priceMax: 43 },
  "one price": { priceMin: 50, priceMax: 50 },
  "nearly all prices": { priceMin: 2, priceMax: 2000 },
  "all prices": { priceMin: 0 },
  "many prices": { priceMax: 60 },
  "prices of one month in the middle": { priceMin: 1000 },
  "prices above all": { priceMin: 5000 },
  "prices below all": { priceMax: 0.5 },
};

const days: Record<string, PriceFilter> = {
  "all days": {},
  "whole months": { dayFirst: day("2026-02-01"), dayLast: day("2026-03-31") },
  "days within a month": { dayFirst: day("2026-02-10"), dayLast: day("2026-02-20") },
  "both end months in part": { dayFirst: day("2026-01-20"), dayLast: day("2026-05-10") },
  "the last days of one month and the first of the next": { dayFirst: day("2026-02-25"), dayLast: day("2026-03-05") },
  "days from which all prices of a month are left": { dayFirst: day("2026-05-02"), dayLast: day("2026-05-27") },
  "days without prices": { dayFirst: day("2026-04-01"), dayLast: day("2026-04-30") },
};

for (const [which, filter] of Object.entries(filters)) {
  t.test(`${which}: every page is that of a scan, over any days`, async (t) => {
    for (const range of Object.values(days)) {
      const asked = { ...filter, ...range };
      const { total } = naiveSearch(dataset, { filter: asked, page: 1, pageSize: 1 }, prices);
      for (const pageSize of [1, 3, 65, 130, 1000]) {
        const pageLast = Math.ceil(total / pageSize) + 1;
        const step = Math.max(1, Math.floor(pageLast / 12));
        for (let page = 1; page <= pageLast; page += step) await comparePage(t, asked, page, pageSize);
        await comparePage(t, asked, pageLast, pageSize);
      }
    }
  });
}

t.test("pages end and begin where months do", async (t) => {
  for (const pageSize of [129, 130, 131, 260]) {
    for (const page of [1, 2, 3, 4, 5]) await comparePage(t, { priceMin: 0 }, page, pageSize);
  }
});
