import t from "tap";
import { type Day, dayFromText, monthNumber, monthText } from "../../../src/engine/model/calendar.ts";
import type { CountyId } from "../../../src/engine/model/ids.ts";
import type { TimeGrouping } from "../../../src/engine/model/vocabulary.ts";
import { listGroups } from "../../../src/engine/query/found-groups.ts";
import { priceStatistics } from "../../../src/engine/query/price-statistics.ts";
import type { PriceStatistics } from "../../../src/engine/query/questions.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { finish } from "../../../src/engine/store/steps.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { compareStatistics } from "../../behaviour/compare-statistics.ts";
import { naiveStatistics } from "../../support/naive-queries.ts";
import { askStatistics } from "../../support/statistics-groups.ts";
import { county, type TinyPrice, tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

/** What a group is, how many prices it has and the sum of them. */
type Group = readonly [name: string, count: number, sum: number];

const on = (...days: string[]): Partial<TinyPrice>[] => days.map((text) => ({ recordedAt: `${text}T06:00:00Z` }));
const days = (first: string, last: string) => ({
  dayFirst: dayFromText(first) as Day,
  dayLast: dayFromText(last) as Day,
});
const allDays = days("2000-01-01", "2030-12-31");

/** Prices 1, 2, 4, 8 … so that a sum shows which prices it is made of. */
function storeOf(prices: readonly Partial<TinyPrice>[], parts: Parameters<typeof tinyDataset>[0] = {}): Store {
  return buildStore(tinyDataset({ ...parts, prices: prices.map((price, at) => ({ price: 2 ** at, ...price })) }));
}

function groupsByTime(store: Store, grouping: TimeGrouping, given: Partial<PriceStatistics> = {}): Group[] {
  return groupsOf(store, grouping, given, (period) => store.periods[grouping].labels[period]);
}

function groupsByMarket(store: Store, given: Partial<PriceStatistics> = {}): Group[] {
  return groupsOf(store, "market", given, (market) => store.catalogue.markets[market]?.record.name);
}

function groupsByCounty(store: Store, given: Partial<PriceStatistics> = {}): Group[] {
  return groupsOf(store, "county", given, String);
}

function groupsOf(
  store: Store,
  grouping: PriceStatistics["grouping"],
  given: Partial<PriceStatistics>,
  nameOf: (key: number) => string | undefined,
): Group[] {
  const work = priceStatistics(store, { productUuid: uuidOf("product", 1), ...allDays, grouping, ...given });
  if ("problem" in work) throw new Error(work.problem);
  return listGroups(finish(work).found).map(({ key, count, mean }) => [
    nameOf(key) ?? "none",
    count,
    Math.round(mean * count * 1e6) / 1e6,
  ]);
}

t.test("a month is whole when all its days with prices are within the days", async (t) => {
  const store = storeOf(on("2026-01-10", "2026-01-20", "2026-02-05", "2026-03-02", "2026-03-30"));
  const months: Group[] = [
    ["2026-01", 2, 3],
    ["2026-02", 1, 4],
    ["2026-03", 2, 24],
  ];
  t.same(groupsByTime(store, "month"), months);
  t.same(groupsByTime(store, "month", days("2026-01-10", "2026-03-30")), months);
  t.same(groupsByTime(store, "month", days("2026-01-10", "2026-03-01")), months.slice(0, 2));
  t.same(groupsByTime(store, "month", days("2026-01-21", "2026-02-28")), months.slice(1, 2));
});

t.test("the first and the last period are cut where the days cut them", async (t) => {
  const store = storeOf(on("2026-01-10", "2026-01-20", "2026-02-05", "2026-03-02", "2026-03-30"));
  t.same(groupsByTime(store, "month", days("2026-01-11", "2026-03-29")), [
    ["2026-01", 1, 2],
    ["2026-02", 1, 4],
    ["2026-03", 1, 8],
  ]);
  t.same(groupsByTime(store, "month", days("2026-01-20", "2026-12-31")), [
    ["2026-01", 1, 2],
    ["2026-02", 1, 4],
    ["2026-03", 2, 24],
  ]);
  t.same(groupsByTime(store, "month", days("2025-01-01", "2026-03-02")), [
    ["2026-01", 2, 3],
    ["2026-02", 1, 4],
    ["2026-03", 1, 8],
  ]);
  t.same(
    groupsByTime(store, "month", days("2026-01-11", "2026-02-04")),
    [["2026-01", 1, 2]],
    "the first of one month alone",
  );
});

t.test("two periods that are both cut, and one that is cut at both ends, are each counted once", async (t) => {
  const store = storeOf(on("2026-01-05", "2026-01-06", "2026-01-08", "2026-01-11", "2026-01-12", "2026-01-18"));
  t.same(groupsByTime(store, "week", days("2026-01-06", "2026-01-12")), [
    ["2026-W02", 3, 14],
    ["2026-W03", 1, 16],
  ]);
  t.same(groupsByTime(store, "week", days("2026-01-06", "2026-01-08")), [["2026-W02", 2, 6]]);
  t.same(groupsByTime(store, "month", days("2026-01-07", "2026-01-07")), []);
  t.same(groupsByTime(store, "week", days("2026-01-05", "2026-01-08")), [["2026-W02", 3, 7]]);
  t.same(groupsByTime(store, "week", days("2026-01-08", "2026-01-11")), [["2026-W02", 2, 12]]);
});

t.test("days are never cut", async (t) => {
  const store = storeOf(on("2026-01-05", "2026-01-05", "2026-01-06", "2026-01-08"));
  t.same(groupsByTime(store, "day", days("2026-01-05", "2026-01-06")), [
    ["2026-01-05", 2, 3],
    ["2026-01-06", 1, 4],
  ]);
});

t.test("periods that are cut where another product alone has prices are of the product asked for", async (t) => {
  const store = storeOf([
    ...on("2026-01-10", "2026-03-10"),
    ...on("2026-01-01", "2026-02-15", "2026-03-31").map((price) => ({ ...price, product: 1 })),
  ]);
  t.same(groupsByTime(store, "month", days("2026-01-02", "2026-03-30")), [
    ["2026-01", 1, 1],
    ["2026-03", 1, 2],
  ]);
  t.same(groupsByTime(store, "month", days("2026-01-11", "2026-03-09")), [], "neither end has any");
  t.same(groupsByTime(store, "month", days("2026-02-01", "2026-02-28")), [], "nor has the whole month");
});

t.test("days without any prices, or the wrong way round, have no periods", async (t) => {
  const store = storeOf(on("2026-01-10", "2026-03-10"));
  for (const [first, last] of [
    ["2026-01-11", "2026-03-09"],
    ["2020-01-01", "2026-01-09"],
    ["2026-03-11", "2030-01-01"],
    ["2026-03-10", "2026-01-10"],
  ] as const) {
    t.same(groupsByTime(store, "month", days(first, last)), [], `${first} to ${last}`);
  }
  t.same(groupsByTime(storeOf([]), "month"), [], "no prices at all");
});

const markets = [
  { name: "Wakulima", type: "Wholesale", countyId: 47 as CountyId },
  { name: "Gikomba", type: "Retail", countyId: 47 as CountyId },
  { name: "Kongowea", type: "Wholesale", countyId: 1 as CountyId },
  { name: "Mkomani", type: "Rural", countyId: 1 as CountyId },
] as const;
const [wakulima, gikomba, kongowea, mkomani] = [0, 1, 2, 3];
/** A price of each market in January (1, 2, 4, 8) and one in February (16, 32, 64, 128). */
const twoMonths = storeOf(
  [wakulima, gikomba, kongowea, mkomani].flatMap((market) => [
    { market, price: 2 ** (market ?? 0), recordedAt: "2026-01-10T06:00:00Z" },
    { market, price: 2 ** (4 + (market ?? 0)), recordedAt: "2026-02-10T06:00:00Z" },
  ]),
  { markets },
);
const inFebruary = days("2026-02-01", "2026-02-28");

t.test("weeks, months and days of a type of market", async (t) => {
  const wholesale = { marketType: "Wholesale" } as const;
  t.same(groupsByTime(twoMonths, "month", wholesale), [
    ["2026-01", 2, 5],
    ["2026-02", 2, 80],
  ]);
  t.same(groupsByTime(twoMonths, "week", { ...wholesale, ...inFebruary }), [["2026-W07", 2, 80]]);
  t.same(groupsByTime(twoMonths, "day", { ...wholesale, ...inFebruary }), [["2026-02-10", 2, 80]]);
  t.same(groupsByTime(twoMonths, "month", { marketType: "Urban" }), []);
});

t.test("a period of a type of market that the days cut holds that type alone", async (t) => {
  const store = storeOf(
    [
      ...on("2026-01-10", "2026-01-12", "2026-02-10", "2026-02-12"),
      ...on("2026-01-12", "2026-02-10").map((price) => ({ ...price, market: gikomba ?? 0 })),
    ],
    { markets },
  );
  t.same(groupsByTime(store, "month", { marketType: "Wholesale", ...days("2026-01-11", "2026-02-11") }), [
    ["2026-01", 1, 2],
    ["2026-02", 1, 4],
  ]);
});

t.test("periods of a market, of a county and in another unit have their own prices alone", async (t) => {
  t.same(groupsByTime(twoMonths, "month", { marketUuid: uuidOf("market", 2) }), [
    ["2026-01", 1, 2],
    ["2026-02", 1, 32],
  ]);
  t.same(groupsByTime(twoMonths, "month", { countyId: 1 as CountyId }), [
    ["2026-01", 2, 12],
    ["2026-02", 2, 192],
  ]);
  t.same(groupsByTime(twoMonths, "month", { countyId: 1 as CountyId, marketType: "Rural" }), [
    ["2026-01", 1, 8],
    ["2026-02", 1, 128],
  ]);
  t.same(groupsByTime(twoMonths, "month", { unit: "g", ...inFebruary }), [["2026-02", 4, 0.24]]);
  t.same(groupsByTime(twoMonths, "month", { unit: "kg", ...inFebruary }), [["2026-02", 4, 240]], "its own");
});

t.test("a type of market with few of a product's prices gives its groups like one with many", async (t) => {
  const prices = Array.from({ length: 100 }, (_, at) => ({
    market: (at % 25 === 24 ? mkomani : wakulima) ?? 0,
    price: 1000 * (1 + at),
    recordedAt: `2026-0${1 + Math.floor(at / 50)}-${String(1 + (at % 25)).padStart(2, "0")}T06:00:00Z`,
  }));
  const store = storeOf(prices, { markets });
  t.same(groupsByTime(store, "month", { marketType: "Rural", unit: "g" }), [
    ["2026-01", 2, 75],
    ["2026-02", 2, 175],
  ]);
  const sumOf = (from: number) => prices.slice(from, from + 50).reduce((sum, { price }) => sum + price / 1000, 0);
  t.same(groupsByTime(store, "month", { marketType: "Wholesale", unit: "g" }), [
    ["2026-01", 48, sumOf(0) - 75],
    ["2026-02", 48, sumOf(50) - 175],
  ]);
  const inFebruary = days("2026-02-01", "2026-02-24");
  t.same(groupsByTime(store, "month", { marketType: "Rural", unit: "g", ...inFebruary }), [], "none of those days");
});

t.test("markets have their prices within the days", async (t) => {
  t.same(groupsByMarket(twoMonths), [
    ["Gikomba", 2, 34],
    ["Kongowea", 2, 68],
    ["Mkomani", 2, 136],
    ["Wakulima", 2, 17],
  ]);
  const store = storeOf(
    [...on("2026-01-10", "2026-02-10"), { market: gikomba ?? 0, recordedAt: "2026-02-11T06:00:00Z" }],
    {
      markets,
    },
  );
  t.same(groupsByMarket(store, inFebruary), [
    ["Gikomba", 1, 4],
    ["Wakulima", 1, 2],
  ]);
  t.same(groupsByMarket(store, days("2026-01-01", "2026-02-10")), [["Wakulima", 2, 3]]);
});

t.test("conditions on markets, and another unit", async (t) => {
  t.same(groupsByMarket(twoMonths, { marketType: "Rural" }), [["Mkomani", 2, 136]]);
  t.same(groupsByMarket(twoMonths, { countyId: 47 as CountyId, marketType: "Wholesale" }), [["Wakulima", 2, 17]]);
  t.same(groupsByMarket(twoMonths, { marketUuid: uuidOf("market", 3) }), [["Kongowea", 2, 68]]);
  t.same(groupsByMarket(twoMonths, { marketUuid: uuidOf("market", 9) }), []);
  t.same(groupsByMarket(twoMonths, { unit: "g", marketType: "Rural" }), [["Mkomani", 2, 0.136]]);
});

t.test("counties have their prices within the days", async (t) => {
  t.same(groupsByCounty(twoMonths), [
    ["1", 4, 204],
    ["47", 4, 51],
  ]);
  t.same(groupsByCounty(twoMonths, days("2026-01-10", "2026-02-10")), [
    ["1", 4, 204],
    ["47", 4, 51],
  ]);
  for (const [first, last, one, other] of [
    ["2026-01-11", "2026-02-10", 192, 48],
    ["2026-01-10", "2026-02-09", 12, 3],
  ] as const) {
    t.same(groupsByCounty(twoMonths, days(first, last)), [
      ["1", 2, one],
      ["47", 2, other],
    ]);
  }
  t.same(groupsByCounty(twoMonths, days("2026-01-11", "2026-02-09")), []);
});

t.test("counties by type of market, by market and in another unit", async (t) => {
  t.same(groupsByCounty(twoMonths, { marketType: "Wholesale" }), [
    ["1", 2, 68],
    ["47", 2, 17],
  ]);
  t.same(groupsByCounty(twoMonths, { marketType: "Rural" }), [["1", 2, 136]]);
  t.same(groupsByCounty(twoMonths, { countyId: 47 as CountyId }), [["47", 4, 51]]);
  t.same(groupsByCounty(twoMonths, { countyId: 47 as CountyId, marketType: "Retail" }), [["47", 2, 34]]);
  t.same(groupsByCounty(twoMonths, { countyId: 30 as CountyId }), []);
  t.same(groupsByCounty(twoMonths, { marketUuid: uuidOf("market", 4) }), [["1", 2, 136]]);
  t.same(groupsByCounty(twoMonths, { unit: "g", countyId: 47 as CountyId }), [["47", 4, 0.051]]);
  t.same(groupsByCounty(twoMonths, { productUuid: uuidOf("product", 2) }), [], "a product without prices");
});

t.test("counties come by folded name", async (t) => {
  const counties = [county(1, { name: "Zanzi" }), county(2, { name: "Élgeyo" }), county(3, { name: "elgeyo" })];
  const store = storeOf([...on("2026-01-01"), { market: 1 }, { market: 2 }, { market: 0 }], {
    counties,
    markets: [1, 3, 2].map((id) => ({ countyId: id as CountyId })),
  });
  const names = (given: Partial<PriceStatistics>) => groupsByCounty(store, given).map(([name]) => name);
  t.same(names({}), ["2", "3", "1"]);
  t.same(names(days("2026-01-02", "2026-12-31")), ["2", "3", "1"]);
});

t.test("a group of which nothing can be converted is no group, and its prices are counted as left out", async (t) => {
  const store = storeOf([{}, { unit: "bunch", market: 2, recordedAt: "2026-02-10T06:00:00Z" }]);
  t.same(groupsByTime(store, "month"), [["2026-01", 1, 1]]);
  t.same(groupsByMarket(store), [["Wakulima", 1, 1]]);
  t.same(groupsByCounty(store), [["47", 1, 1]]);
  for (const grouping of ["day", "month", "market", "county"] as const) {
    const answer = askStatistics(store, { productUuid: uuidOf("product", 1), ...allDays, grouping });
    t.match(answer, { excludedSamples: 1, convertedSamples: 0, overall: { count: 1 } });
  }
});

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

t.test(
  "a rollup answers without suspicious prices where those are at another type of market or on other days",
  async (t) => {
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
  },
);
