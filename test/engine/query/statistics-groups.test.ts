import t from "tap";
import { type Day, dayFromText, monthNumber, monthText } from "../../../src/engine/model/calendar.ts";
import { priceStatistics } from "../../../src/engine/query/price-statistics.ts";
import type { PriceStatistics } from "../../../src/engine/query/questions.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { finish } from "../../../src/engine/store/steps.ts";
import { compareStatistics } from "../../behaviour/compare-statistics.ts";
import { naiveStatistics } from "../../support/naive-queries.ts";
import { askStatistics } from "../../support/statistics-groups.ts";
import { tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

const days = (first: string, last: string) => ({
  dayFirst: dayFromText(first) as Day,
  dayLast: dayFromText(last) as Day,
});
const allDays = days("2000-01-01", "2030-12-31");

const monthFirst = monthNumber("2022-01");

/**
 * Three usual prices a month for 40 months at two markets, the first of each type; one at each of 20 others; and in
 * some months a slip at the first one.
 */
function withSlips(slips: number) {
  const price = (at: number, day: number) => ({ recordedAt: `${monthText(monthFirst + at)}-${day}T06:00:00Z` });
  const usual = Array.from({ length: 40 }, (_, at) => [
    { ...price(at, 10), price: 100 + at },
    { ...price(at, 15), price: 101 + at },
    { ...price(at, 20), price: 102 + at, market: 1 },
  ]).flat();
  const others = Array.from({ length: 20 }, (_, at) => ({ ...price(1, 10), price: 100 + at, market: 2 + at }));
  const wrong = Array.from({ length: slips }, (_, at) => ({ ...price(2 + at, 21), price: 1 }));
  const types = ["Retail", "Wholesale", ...others.map(() => "Retail" as const)] as const;
  return tinyDataset({ markets: types.map((type) => ({ type })), prices: [...usual, ...others, ...wrong] });
}

t.test("suspicious prices are left out of their periods, few or many, and of no others", async (t) => {
  for (const slips of [0, 3, 36]) {
    const dataset = withSlips(slips);
    const store = buildStore(dataset);
    t.equal(store.suspicious.rows.length, slips);
    for (const grouping of ["day", "week", "month", "quarter"] as const) {
      for (const marketType of [undefined, "Retail", "Wholesale"] as const) {
        for (const within of [allDays, days("2022-03-22", "2024-12-20"), days("2022-03-21", "2022-03-21")]) {
          const question = { productUuid: uuidOf("product", 1), grouping, marketType, isSuspicious: false, ...within };
          compareStatistics(store, question, await askStatistics(store, question), naiveStatistics(dataset, question));
        }
      }
    }
  }
});

t.test("a rollup answers where suspicious prices are at another type of market or on other days", async (t) => {
  const store = buildStore(withSlips(3));
  const isOfRollup = (given: Partial<PriceStatistics>): boolean => {
    const question = { productUuid: uuidOf("product", 1), ...allDays, isSuspicious: false, ...given };
    const work = priceStatistics(store, { ...question, grouping: "month" });
    return !("problem" in work) && finish(work).found.rollup !== null;
  };
  t.ok(isOfRollup({ marketType: "Wholesale" }));
  t.ok(isOfRollup(days("2023-01-01", "2024-12-31")));
  t.notOk(isOfRollup({ marketType: "Retail" }));
  t.notOk(isOfRollup({}));
});
