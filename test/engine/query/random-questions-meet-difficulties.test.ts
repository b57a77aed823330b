/**
 * What the comparisons with the twins rest on: datasets with difficulties, questions that find something, and what
 * counts as equal. That the twins are right follows from them: the queries give figures worked out by hand in
 * test/interface and test/golden, and the same answers as the twins to random questions.
 */
import fc from "fast-check";
import t from "tap";
import { type Day, dayFromText } from "../../../src/engine/model/calendar.ts";
import { agree, naiveLatest, naiveSearch, naiveStatistics } from "../../support/naive-queries.ts";
import { plainPrices } from "../../support/plain-prices.ts";
import { randomDataset } from "../../support/random-dataset.ts";
import { randomLatest, randomSearch, randomStatistics } from "../../support/random-questions.ts";

const day = (text: string): Day => dayFromText(text) as Day;

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
