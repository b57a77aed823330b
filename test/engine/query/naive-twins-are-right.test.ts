/** The twins judge the queries, so they are held to figures worked out by hand. */
import fc from "fast-check";
import t from "tap";
import { type Day, dayFromText, monthNumber } from "../../../src/engine/model/calendar.ts";
import type { CountyId } from "../../../src/engine/model/ids.ts";
import type { Grouping } from "../../../src/engine/model/vocabulary.ts";
import type { LatestPrices, PriceFilter, PriceStatistics } from "../../../src/engine/query/questions.ts";
import {
  naiveCropCategories,
  naiveCrops,
  naiveMarkets,
  naiveProductCategories,
  naiveProductSearch,
  naiveProducts,
} from "../../support/naive-lists.ts";
import { agree, type NaiveStatistics, naiveLatest, naiveSearch, naiveStatistics } from "../../support/naive-queries.ts";
import { plainPrices } from "../../support/plain-prices.ts";
import { randomDataset } from "../../support/random-dataset.ts";
import { randomLatest, randomSearch, randomStatistics } from "../../support/random-questions.ts";
import { crop, type TinyDatasetParts, tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

const day = (text: string): Day => dayFromText(text) as Day;
const priceNumbers = (uuids: readonly string[]): number[] => uuids.map((uuid) => Number(uuid.slice(-12)));

/** Prices 1 to 4 are of the last second before and the first of 1 February in Nairobi; 2 and 3 tie. */
const aroundMidnight = tinyDataset({
  prices: [
    { price: 10, recordedAt: "2026-01-31T20:59:59.999Z", market: 0 },
    { price: 20, recordedAt: "2026-01-31T21:00:00.000Z", market: 1 },
    { price: 30, recordedAt: "2026-02-01T00:00:00+03:00", market: 2 },
    { price: 40, recordedAt: "2026-02-01T20:59:59.999Z", market: 0, product: 1, unit: "bunch" },
  ],
});

t.test("search answers newest first, then by uuid, and cuts pages", async (t) => {
  const page = (page: number) => {
    const { uuids, total } = naiveSearch(aroundMidnight, { filter: {}, page, pageSize: 3 });
    return [priceNumbers(uuids), total];
  };
  t.same(
    [page(1), page(2), page(3)],
    [
      [[4, 2, 3], 4],
      [[1], 4],
      [[], 4],
    ],
  );
});

t.test("search keeps what every condition holds for, ends included", async (t) => {
  const found = (filter: PriceFilter) =>
    priceNumbers(naiveSearch(aroundMidnight, { filter, page: 1, pageSize: 20 }).uuids);
  t.same(found({ dayLast: day("2026-01-31") }), [1]);
  t.same(found({ dayFirst: day("2026-02-01") }), [4, 2, 3]);
  t.same(found({ priceMin: 20, priceMax: 30 }), [2, 3]);
  t.same(found({ productUuid: uuidOf("product", 1), marketUuid: uuidOf("market", 1) }), [1]);
  t.same(found({ countyId: 1 as CountyId }), [3]);
  t.same(found({ marketType: "Retail" }), [2]);
  t.same(found({ marketUuid: uuidOf("market", 9) }), []);
});

t.test("latest answers the newest of each product, products by name", async (t) => {
  const found = (question: Partial<LatestPrices>) =>
    naiveLatest(aroundMidnight, { limit: 10, onePerMarket: false, ...question }).map((group) => [
      ...priceNumbers([group.productUuid]),
      priceNumbers(group.uuids),
    ]);
  t.same(
    found({}),
    [
      [2, [4]],
      [1, [2, 3, 1]],
    ],
    "Kale before Maize",
  );
  t.same(found({ limit: 1 }), [
    [2, [4]],
    [1, [2]],
  ]);
  t.same(found({ countyId: 1 as CountyId }), [[1, [3]]], "no group without prices");
  const [maize, unknown] = [uuidOf("product", 1), uuidOf("product", 9)];
  t.same(found({ productUuids: [maize, unknown, maize] }), [[1, [2, 3, 1]]], "asked for twice, answered once");
});

t.test("one per market keeps the newest of each market and unit before the limit", async (t) => {
  const dataset = tinyDataset({
    prices: [
      { recordedAt: "2026-01-01T06:00:00Z", market: 0 },
      { recordedAt: "2026-01-02T06:00:00Z", market: 0 },
      { recordedAt: "2026-01-01T06:00:00Z", market: 0, unit: "90 kg bag" },
      { recordedAt: "2026-01-03T06:00:00Z", market: 1 },
      { recordedAt: "2026-01-03T06:00:00Z", market: 1 },
    ],
  });
  const found = (limit: number) =>
    naiveLatest(dataset, { limit, onePerMarket: true }).map((group) => priceNumbers(group.uuids));
  t.same(found(10), [[4, 2, 3]]);
  t.same(found(2), [[4, 2]]);
});

function statistics(
  parts: TinyDatasetParts,
  question: Partial<PriceStatistics> = {},
): ReturnType<typeof naiveStatistics> {
  return naiveStatistics(tinyDataset(parts), {
    productUuid: uuidOf("product", 1),
    dayFirst: day("2000-01-01"),
    dayLast: day("2030-12-31"),
    grouping: "month",
    ...question,
  });
}

function figures(parts: TinyDatasetParts, question: Partial<PriceStatistics> = {}): NaiveStatistics {
  const result = statistics(parts, question);
  if (result === undefined || result.unknownUnit) throw new Error("expected figures");
  return result;
}

t.test("figures of a group are those of its values in one unit", async (t) => {
  // Per kilogram: 40, 50, 70, 100. Mean 260 / 4; squares 625 + 225 + 25 + 1225 = 2100 over 3.
  const { groups, overall, unit, currency, convertedSamples, excludedSamples, samplesByType } = figures({
    prices: [
      { price: 100, market: 1 },
      { price: 4500, unit: "90 kg bag" },
      { price: 0.07, unit: "g" },
      { price: 40 },
      { price: 30, unit: "bunch" },
      { price: 1, currency: "USD" },
    ],
  });
  t.equal(groups.length, 1);
  const [group] = groups;
  t.match(group, { label: "2026-01", min: 40, max: 100, count: 4 });
  t.ok(agree(Number(group?.average), 65));
  t.ok(agree(Number(group?.median), 60));
  t.ok(agree(Number(group?.deviation), 26.457513110645905), "the root of 700");
  t.match(overall, { min: 40, max: 100, count: 4 });
  t.ok(agree(overall.average, 65));
  t.same([unit, currency, convertedSamples, excludedSamples], ["kg", "KES", 2, 2]);
  t.same(samplesByType, { Wholesale: 3, Retail: 1 });
});

t.test("another unit of the same base unit scales the figures; any other is unknown", async (t) => {
  const prices = [{ price: 50 }, { price: 5400, unit: "90 kg bag" }];
  const perBag = figures({ prices }, { unit: "90 kg bag" });
  t.match(perBag.overall, { average: 4950, min: 4500, max: 5400, count: 2 });
  t.same([perBag.unit, perBag.convertedSamples], ["90 kg bag", 1]);
  t.same(statistics({ prices }, { unit: "litre" }), { unknownUnit: true });
  t.same(statistics({ prices }, { unit: "cubit" }), { unknownUnit: true });
  t.equal(statistics({ prices }, { productUuid: uuidOf("product", 9) }), undefined);
});

t.test(
  "the unit is the base unit of the first common one that any price converts to, whatever is selected",
  async (t) => {
    const products = [{ commonUnits: ["litre", "90 kg bag", "kg"] }];
    const empty: Partial<PriceStatistics> = { dayFirst: day("2000-01-01"), dayLast: day("2000-01-01") };
    t.equal(figures({ products, prices: [{ unit: "g" }, { unit: "bunch" }, { unit: "bunch" }] }, empty).unit, "kg");
    t.equal(
      figures({ products, prices: [{ unit: "piece" }, { unit: "bunch" }, { unit: "piece" }] }, empty).unit,
      "piece",
    );
    t.equal(figures({ products, prices: [{ unit: "piece" }, { unit: "bunch" }] }, empty).unit, "bunch", "a tie");
    t.equal(figures({ products, prices: [] }, empty).unit, "litre", "without prices");
  },
);

t.test(
  "the currency is the most frequent of what converts to the unit, a tie goes to the first by code unit",
  async (t) => {
    const usd = { currency: "USD", recordedAt: "2026-02-15T06:00:00Z" };
    const february = { dayFirst: day("2026-02-01"), dayLast: day("2026-02-28") };
    const tie = figures({ prices: [usd, {}] }, february);
    t.same([tie.currency, tie.overall.count, tie.excludedSamples], ["KES", 0, 1]);
    const most = figures({ prices: [{}, usd, usd] }, february);
    t.same([most.currency, most.overall.count, most.excludedSamples], ["USD", 2, 0]);
    t.equal(figures({ prices: [] }).currency, null);
    const piece = { unit: "piece", currency: "USD" };
    const ofUnit = figures({ prices: [piece, {}, piece] });
    t.same([ofUnit.currency, ofUnit.overall.count, ofUnit.excludedSamples], ["KES", 1, 2], "of those in the unit");
  },
);

t.test("nothing selected gives no groups and zeros; one record deviates by 0", async (t) => {
  const none = figures({ prices: [{}] }, { marketUuid: uuidOf("market", 3) });
  t.same([none.groups, none.overall], [[], { average: 0, min: 0, max: 0, count: 0 }]);
  const one = figures({ prices: [{ price: 42 }] });
  t.same(one.groups, [
    {
      label: "2026-01",
      average: 42,
      min: 42,
      max: 42,
      median: 42,
      count: 1,
      deviation: 0,
      samplesByType: { Wholesale: 1 },
      coverage: {
        monthsWithPrices: 1,
        monthsInPeriod: undefined,
        firstMonth: "2026-01",
        lastMonth: "2026-01",
        markets: 1,
        campMarkets: 0,
      },
    },
  ]);
});

t.test("groups have the months and markets of their prices, and the same markets are those in each", async (t) => {
  const prices = [
    { recordedAt: "2026-01-31T06:00:00Z" },
    { recordedAt: "2026-02-01T06:00:00Z" },
    { recordedAt: "2026-02-01T06:00:00Z", market: 1 },
    { recordedAt: "2026-02-08T06:00:00Z", unit: "bunch" },
  ];
  const [january, march] = [monthNumber("2026-01"), monthNumber("2026-03")];
  const coverageOf = (grouping: Grouping, first = january) =>
    figures({ prices }, { grouping, coverageWithin: { first, last: march } }).groups.map(({ coverage }) => {
      return [coverage.monthsWithPrices, coverage.monthsInPeriod, coverage.markets];
    });
  t.same(coverageOf("year"), [[2, 3, 2]]);
  t.same(coverageOf("year", january + 1), [[2, 2, 2]], "the months asked for need not be those of the prices");
  t.same(coverageOf("week"), [[2, 2, 2]], "Monday 26 January to Sunday 1 February");
  t.same(coverageOf("market"), [
    [1, 3, 1],
    [2, 3, 1],
  ]);
  const same = figures({ prices }, { grouping: "month", sameMarkets: true });
  t.same([same.sameMarkets, same.groups.map(({ count }) => count)], [1, [1, 1]]);
});

t.test("groups of time are days, weeks and months in Nairobi, ascending", async (t) => {
  const prices = [
    "2021-01-03T21:00:00Z",
    "2020-12-31T20:59:59.999Z",
    "2020-12-31T21:00:00Z",
    "2021-01-03T20:59:59Z",
  ].map((recordedAt) => ({ recordedAt }));
  const labels = (grouping: Grouping) =>
    figures({ prices }, { grouping }).groups.map(({ label, count }) => [label, count]);
  t.same(labels("day"), [
    ["2020-12-31", 1],
    ["2021-01-01", 1],
    ["2021-01-03", 1],
    ["2021-01-04", 1],
  ]);
  t.same(labels("week"), [
    ["2020-W53", 3],
    ["2021-W01", 1],
  ]);
  t.same(labels("month"), [
    ["2020-12", 1],
    ["2021-01", 3],
  ]);
});

t.test("groups of markets and counties are by identity, ordered by folded name", async (t) => {
  const markets = [
    { name: "wakulima" },
    { name: "Émali", countyId: 1 as CountyId },
    { name: "Wakulima", countyId: 1 as CountyId },
  ];
  const prices = [
    { market: 2, price: 3 },
    { market: 0, price: 1 },
    { market: 1, price: 2 },
    { market: 0, price: 5 },
  ];
  t.same(
    figures({ markets, prices }, { grouping: "market" }).groups.map(({ label, market, average }) => [
      label,
      market,
      average,
    ]),
    [
      ["Émali", { uuid: uuidOf("market", 2), name: "Émali" }, 2],
      ["wakulima", { uuid: uuidOf("market", 1), name: "wakulima" }, 3],
      ["Wakulima", { uuid: uuidOf("market", 3), name: "Wakulima" }, 3],
    ],
  );
  t.same(
    figures({ markets, prices }, { grouping: "county" }).groups.map(({ label, county, average }) => [
      label,
      county,
      average,
    ]),
    [
      ["Mombasa", { id: 1, name: "Mombasa" }, 2.5],
      ["Nairobi", { id: 47, name: "Nairobi" }, 3],
    ],
  );
});

t.test("products are listed by folded name and found by name or description", async (t) => {
  const dataset = tinyDataset({
    products: [
      { name: "maize", category: "Cereals", subCategory: "Dry", description: "Mahindi.", isActive: false },
      { name: "Café", category: "cereals", description: "Kahawa." },
      { name: "Beans", category: "Cereals", subCategory: "Fresh", description: "Maharagwe." },
      { name: "Maize", category: "Cereals", subCategory: "Dry", description: "Meal." },
    ],
  });
  const listed = (...question: [Parameters<typeof naiveProducts>[1]?]) =>
    priceNumbers(naiveProducts(dataset, ...question));
  t.same(listed(), [3, 2, 1, 4]);
  t.same(listed({ category: "CEREALS" }), [3, 2, 1, 4]);
  t.same(listed({ category: "Cereal" }), []);
  t.same(listed({ search: " ndi  MAI" }), [1], "words in any order, in either field");
  t.same(listed({ search: "MAH" }), [3, 1]);
  t.same(listed({ search: "cafe" }), [2]);
  const found = (...question: [Parameters<typeof naiveProductSearch>[1]?]) =>
    priceNumbers(naiveProductSearch(dataset, ...question));
  t.same(found(), [3, 2, 4], "active ones");
  t.same(found({ isActive: false }), [1]);
  t.same(found({ query: "ma", categories: ["Pulses", "cereals"], subCategories: ["dry"] }), [4]);
  t.same(naiveProductCategories(dataset), [
    {
      name: "Cereals",
      productCount: 3,
      subCategories: [
        { name: "Dry", productCount: 2 },
        { name: "Fresh", productCount: 1 },
      ],
    },
    { name: "cereals", productCount: 1, subCategories: [] },
  ]);
});

t.test("markets are listed by folded name", async (t) => {
  const dataset = tinyDataset();
  t.same(priceNumbers(naiveMarkets(dataset)), [2, 3, 1]);
  t.same(priceNumbers(naiveMarkets(dataset, { countyId: 47 as CountyId, search: "WAKÚ" })), [1]);
  t.same(priceNumbers(naiveMarkets(dataset, { marketType: "Wholesale" })), [3, 1]);
});

t.test("crops are listed by id, their categories by folded name", async (t) => {
  const dataset = tinyDataset({
    crops: [
      crop({ id: 9, name: "Tea", category: "Cash Crops", growingSeason: "All year" }),
      crop({ id: 2, name: "maize", subCategory: "Cereals", growingSeason: "Long RAINS" }),
      crop({ id: 4, name: "Barley", subCategory: "Cereals" }),
      crop({ id: 3, name: "Beans", subCategory: "legumes" }),
    ],
  });
  t.same(naiveCrops(dataset), [2, 3, 4, 9]);
  t.same(naiveCrops(dataset, { category: "Food Crops", season: "rains" }), [2]);
  t.same(naiveCropCategories(dataset), [
    { category: "Cash Crops", subCategories: [] },
    {
      category: "Food Crops",
      subCategories: [
        { name: "Cereals", crops: ["Barley", "maize"] },
        { name: "legumes", crops: ["Beans"] },
      ],
    },
  ]);
});

t.test("figures agree within 1e-6 and the last bits of great numbers", async (t) => {
  t.ok(agree(1, 1.0000009));
  t.notOk(agree(1, 1.0000011));
  t.ok(agree(1e9, 1e9 + 0.0009));
  t.notOk(agree(1e9, 1e9 + 0.0011));
  t.ok(agree(0, 0.0005, 1e9), "a deviation of great prices");
  t.notOk(agree(Number.NaN, Number.NaN), "what is no number agrees with nothing");
});

t.test("random datasets hold the difficulties they are made for", async (t) => {
  const datasets = fc.sample(randomDataset(), { numRuns: 200, seed: 1 }).map((dataset) => {
    const prices = plainPrices(dataset);
    const differ = (texts: readonly (string | number)[]) => new Set(texts).size === texts.length;
    const { utcOffset } = dataset.snapshot;
    const units = dataset.unitCategories.flatMap((category) => category.units);
    const baseUnit = (name: string) => units.find((unit) => unit.name === name)?.baseUnit;
    return {
      "no price": prices.length === 0,
      "one price": prices.length === 1,
      "tied times": !differ(prices.map((price) => `${price.product.uuid} ${price.recordedAt}`)),
      "first instant of a day": prices.some((price) => (price.recordedAt + utcOffset) % 86_400_000 === 0),
      "last instant of a day": prices.some((price) => (price.recordedAt + utcOffset + 1) % 86_400_000 === 0),
      "leap day": prices.some((price) => price.day === day("2024-02-29")),
      "week 53": prices.some((price) => price.day === day("2021-01-03")),
      "several currencies": new Set(prices.map((price) => price.currency)).size > 1,
      "markets of one name": !differ(dataset.markets.map((market) => market.name)),
      "counties of one name": !differ(dataset.counties.map((county) => county.name)),
      "products of one name": !differ(dataset.products.map((product) => product.name)),
      "product without prices": dataset.products.some((product) => prices.every((price) => price.product !== product)),
      "market without prices": dataset.markets.some((market) => prices.every((price) => price.market !== market)),
      "prices no common unit reaches": dataset.products.some((product) => {
        const own = prices.filter((price) => price.product === product);
        return own.length > 0 && own.every((price) => !product.commonUnits.map(baseUnit).includes(price.unit.baseUnit));
      }),
    };
  });
  for (const difficulty of Object.keys(datasets[0] as object) as (keyof (typeof datasets)[number])[]) {
    t.ok(datasets.filter((dataset) => dataset[difficulty]).length >= 5, difficulty);
  }
});

t.test("random questions find something often enough to compare", async (t) => {
  const withQuestions = randomDataset({ priceCountMin: 10 }).chain((dataset) =>
    fc.record({
      dataset: fc.constant(dataset),
      search: randomSearch(dataset),
      latest: randomLatest(dataset),
      statistics: randomStatistics(dataset),
    }),
  );
  const answers = fc.sample(withQuestions, { numRuns: 200, seed: 1 }).map(({ dataset, ...questions }) => ({
    search: naiveSearch(dataset, questions.search),
    latest: naiveLatest(dataset, questions.latest),
    statistics: naiveStatistics(dataset, questions.statistics),
  }));
  const count = (holds: (answer: (typeof answers)[number]) => boolean) => answers.filter(holds).length;
  t.ok(count(({ search }) => search.uuids.length > 1) >= 20, "a page of a search");
  t.ok(count(({ search }) => search.uuids.length === 0 && search.total > 0) >= 5, "a page past the last");
  t.ok(count(({ latest }) => latest.some((group) => group.uuids.length > 1)) >= 20, "latest prices");
  t.ok(count(({ statistics }) => statistics === undefined) >= 5, "an unknown product");
  t.ok(count(({ statistics }) => statistics?.unknownUnit === true) >= 5, "an unknown unit");
  t.ok(
    count(({ statistics }) => statistics?.unknownUnit === false && statistics.groups.length > 1) >= 20,
    "several groups of statistics",
  );
});
