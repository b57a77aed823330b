import t from "tap";
import { foldText } from "../../src/domain/folded-text.ts";
import { marketTypes } from "../../src/domain/vocabulary.ts";
import { sampleMarkets } from "../../src/sample/markets.ts";
import { SeededRandom } from "../../src/sample/random/seeded-random.ts";
import { SeededUuids } from "../../src/sample/random/seeded-uuids.ts";
import { sampleLimits } from "../../src/sample/sample-options.ts";

function marketsOf(count: number, years = 10) {
  return sampleMarkets(count, years, new SeededRandom(1, "markets"), new SeededUuids(1));
}

t.test("250 markets cover all counties and types; no county has two of one name", (t) => {
  const records = marketsOf(250).map(({ record }) => record);
  t.equal(new Set(records.map(({ countyId }) => countyId)).size, 47);
  t.same(new Set(records.map(({ type }) => type)), new Set(marketTypes));
  t.equal(new Set(records.map(({ name, countyId }) => `${countyId} ${name}`)).size, 250);
  t.end();
});

t.test("names stay apart within a county up to the greatest number of markets", (t) => {
  const { max } = sampleLimits.markets;
  const records = marketsOf(max).map(({ record }) => record);
  t.equal(new Set(records.map(({ name, countyId }) => `${countyId} ${foldText(name)}`)).size, max);
  t.end();
});

t.test("five markets already have two of one name in different counties, and all four types", (t) => {
  const records = marketsOf(5).map(({ record }) => record);
  t.same(
    records.filter(({ name }) => name === "Makutano").map(({ countyId }) => countyId),
    [12, 24],
  );
  t.equal(new Set(records.map(({ type }) => type)).size, 4);
  t.end();
});

t.test("every market has market days, farmers' markets three at most", (t) => {
  for (const { record } of marketsOf(300)) {
    const count = record.operatingDays.length;
    t.ok(record.type === "Rural" ? count >= 1 && count <= 3 : count >= 6, record.name);
  }
  t.end();
});

t.test(
  "the first market is held in all years; some others end or begin in between, and those that ended are inactive",
  (t) => {
    const markets = marketsOf(250);
    t.match(markets[0], { yearFirst: 0, yearLast: 9, record: { isActive: true } });
    t.ok(markets.some(({ yearFirst }) => yearFirst > 0));
    t.ok(markets.some(({ yearLast }) => yearLast < 9));
    for (const { yearFirst, yearLast, record } of markets) {
      t.ok(yearFirst <= yearLast && yearLast <= 9);
      t.equal(record.isActive, yearLast === 9);
    }
    t.ok(marketsOf(250, 1).every(({ record }) => record.isActive));
    t.end();
  },
);

t.test("wholesale is cheaper than rural, retail and urban, on the whole", (t) => {
  const markets = marketsOf(1000);
  const means = (["Wholesale", "Rural", "Retail", "Urban"] as const).map((type) => {
    const levels = markets.filter(({ record }) => record.type === type).map(({ priceLevel }) => priceLevel);
    return levels.reduce((sum, level) => sum + level, 0) / levels.length;
  });
  t.same(
    means,
    means.toSorted((a, b) => a - b),
  );
  t.end();
});
