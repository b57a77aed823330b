import t from "tap";
import { type SampleMarket, sampleMarkets } from "../../../src/sample/markets.ts";
import { ForeignMoney } from "../../../src/sample/pricing/foreign-money.ts";
import { SeededRandom } from "../../../src/sample/random/seeded-random.ts";
import { SeededUuids } from "../../../src/sample/random/seeded-uuids.ts";
import { currencies, inCurrency } from "../../../src/sample/reference/currencies.ts";

const markets = sampleMarkets(250, 10, new SeededRandom(1, "markets"), new SeededUuids(1));

function drawnAt(some: readonly SampleMarket[], market: number): string[] {
  const money = new ForeignMoney(
    some,
    some.map(() => 1),
  );
  const random = new SeededRandom(1, "prices");
  return Array.from({ length: 2000 }, () => currencies[money.draw(market, random)] as string);
}

t.test("only the neighbour's money is met at a border market, beside Kenya's", (t) => {
  const busia = markets.findIndex(({ record }) => record.countyId === 40);
  t.same(new Set(drawnAt(markets, busia)), new Set(["KES", "UGX"]));
  t.end();
});

t.test("inland, and where there is no border market at all, all prices are in Kenya's money", (t) => {
  t.same(new Set(drawnAt(markets, 0)), new Set(["KES"]));
  t.same(new Set(drawnAt(markets.slice(0, 1), 0)), new Set(["KES"]));
  t.end();
});

t.test("a shilling is a shilling, and a dollar many", (t) => {
  t.equal(inCurrency(1234, currencies.indexOf("KES")), 1234);
  t.ok(inCurrency(1234, currencies.indexOf("USD")) < 10);
  t.ok(inCurrency(1234, currencies.indexOf("UGX")) > inCurrency(1234, currencies.indexOf("TZS")));
  t.end();
});
