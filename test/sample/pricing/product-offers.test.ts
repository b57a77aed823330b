import t from "tap";
import { ProductOffers } from "../../../src/sample/pricing/product-offers.ts";
import type { SampleProduct } from "../../../src/sample/products.ts";
import { SeededRandom } from "../../../src/sample/random/seeded-random.ts";
import { type Offer, offersOf } from "../../../src/sample/reference/trades.ts";
import { units } from "../../../src/sample/reference/units.ts";

const offers = new ProductOffers(
  ["grain", "sheaves", "animals"].map((trade) => ({ offers: offersOf(trade) }) as SampleProduct),
);

function countsOf(product: number): Map<string, number> {
  const random = new SeededRandom(1, "prices");
  const counts = new Map<string, number>();
  for (let draw = 0; draw < 10_000; draw++) {
    const unit = units[offers.units[offers.draw(product, random)] as number]?.name as string;
    counts.set(unit, (counts.get(unit) ?? 0) + 1);
  }
  return counts;
}

t.test("units are drawn by their shares, from the product's own offers", (t) => {
  const counts = countsOf(0);
  t.equal(counts.size, 4);
  for (const { unit, share } of offersOf("grain") as Offer[]) {
    t.ok(Math.abs((counts.get(units[unit]?.name as string) ?? 0) - share * 100) < 200);
  }
  t.same([...countsOf(2).keys()], ["head"]);
  t.end();
});

t.test("a unit without a share is never drawn, though it comes first", (t) => {
  t.same([...countsOf(1).keys()], ["kg"]);
  t.end();
});

t.test("a bag costs a little less than its kilograms, a small packet a little more", (t) => {
  const [kg, bag] = [offers.factors[0] as number, offers.factors[1] as number];
  t.equal(kg, 1);
  t.ok(bag < 90 && bag > 80);
  const spices = new ProductOffers([{ offers: offersOf("spice") } as SampleProduct]);
  t.ok((spices.factors[1] as number) > 0.2);
  t.end();
});
