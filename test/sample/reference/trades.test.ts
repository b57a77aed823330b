import t from "tap";
import { goods } from "../../../src/sample/reference/goods.ts";
import { type Offer, offersOf } from "../../../src/sample/reference/trades.ts";
import { units } from "../../../src/sample/reference/units.ts";

t.test("the shares of every trade make a hundred, and it has one to three common units", (t) => {
  const used = new Set(goods.map(({ trade }) => trade));
  t.ok(used.size >= 15);
  for (const trade of used) {
    const offers = offersOf(trade);
    t.equal(
      offers.reduce((sum, { share }) => sum + share, 0),
      100,
      trade,
    );
    const commonCount = offers.filter(({ isCommon }) => isCommon).length;
    t.ok(commonCount >= 1 && commonCount <= 3, `${trade}: ${commonCount} common units`);
    t.ok(offers.every(({ unit, amount }) => units[unit] !== undefined && amount > 0));
  }
  t.end();
});

t.test("a unit that converts to another of its trade holds what units.ts says", (t) => {
  const baseOf = ({ unit }: Offer) => units[unit]?.baseUnit;
  for (const trade of new Set(goods.map((one) => one.trade))) {
    const offers = offersOf(trade);
    for (const a of offers) {
      for (const b of offers.filter((other) => baseOf(other) === baseOf(a))) {
        const wanted = (units[a.unit]?.conversionFactor as number) / (units[b.unit]?.conversionFactor as number);
        t.ok(Math.abs(a.amount / b.amount / wanted - 1) < 1e-9, `${trade}: ${units[a.unit]?.name}`);
      }
    }
  }
  t.end();
});

t.test("a trade that does not exist is refused by name", (t) => {
  t.throws(() => offersOf("barter"), { name: "RangeError", message: /^trade is "barter", expected one of kilo, / });
  t.end();
});
