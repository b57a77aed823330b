import t from "tap";
import { dayMilliseconds } from "../../../src/domain/calendar-day.ts";
import { PriceLevels } from "../../../src/sample/pricing/price-levels.ts";
import { sampleProducts } from "../../../src/sample/products.ts";
import { SeededRandom } from "../../../src/sample/random/seeded-random.ts";
import { SeededUuids } from "../../../src/sample/random/seeded-uuids.ts";
import { samplePeriod } from "../../../src/sample/sample-options.ts";

const period = samplePeriod(10);
const products = sampleProducts(102, new SeededRandom(1, "products"), new SeededUuids(1));
const levels = new PriceLevels(period, products, new SeededRandom(1, "levels"));

/** Mean level of a product over the days that `belongs` picks. */
function mean(product: number, belongs: (date: Date) => boolean): number {
  const values: number[] = [];
  for (let day = 0; day < period.dayCount; day++) {
    if (belongs(new Date((period.dayFirst + day) * dayMilliseconds))) values.push(levels.at(product, day));
  }
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

t.test("prices rise over the years", (t) => {
  for (const product of products.keys()) {
    t.ok(mean(product, (date) => date.getUTCFullYear() > 2022) > mean(product, (date) => date.getUTCFullYear() < 2020));
  }
  t.end();
});

t.test("maize is dear before the harvest and cheap after it", (t) => {
  t.equal(products[0]?.record.name, "Maize (white)");
  t.ok(mean(0, (date) => date.getUTCMonth() === 5) > 1.2 * mean(0, (date) => date.getUTCMonth() === 11));
  t.end();
});

t.test("from one day to the next no level moves by more than two percent, month and year ends included", (t) => {
  let most = 0;
  for (const product of products.keys()) {
    for (let day = 1; day < period.dayCount; day++) {
      most = Math.max(most, Math.abs(levels.at(product, day) / levels.at(product, day - 1) - 1));
    }
  }
  t.ok(most > 0 && most < 0.02, String(most));
  t.end();
});

t.test("a season that is not listed is refused by name", (t) => {
  const [product] = products;
  t.throws(() => new PriceLevels(period, [{ ...product, season: "fifth" } as never], new SeededRandom(1, "levels")), {
    name: "RangeError",
    message: /^season is "fifth"/,
  });
  t.end();
});
