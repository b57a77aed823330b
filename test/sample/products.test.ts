import t from "tap";
import { sampleProducts } from "../../src/sample/products.ts";
import { SeededRandom } from "../../src/sample/random/seeded-random.ts";
import { SeededUuids } from "../../src/sample/random/seeded-uuids.ts";
import { goods } from "../../src/sample/reference/goods.ts";
import { units } from "../../src/sample/reference/units.ts";
import { sampleLimits } from "../../src/sample/sample-options.ts";

function productsOf(count: number, seed = 1) {
  return sampleProducts(count, new SeededRandom(seed, "products"), new SeededUuids(seed));
}

t.test("names differ up to the greatest number of products", (t) => {
  const { max } = sampleLimits.products;
  t.equal(new Set(productsOf(max).map(({ record }) => record.name)).size, max);
  t.end();
});

t.test("products beyond the goods are the same goods of a county", (t) => {
  const [first, again] = [productsOf(goods.length + 1)[0], productsOf(goods.length + 1).at(-1)];
  t.match(again?.record.name, /^Maize \(white\), \w/);
  t.same(again?.offers, first?.offers);
  t.end();
});

t.test("common units exist, mostly convert, and now and then do not", (t) => {
  const baseOf = new Map(units.map(({ name, baseUnit }) => [name, baseUnit]));
  const baseCounts = productsOf(120).map(({ record }) => {
    t.ok(record.commonUnits.length >= 1 && record.commonUnits.every((name) => baseOf.has(name)), record.name);
    return new Set(record.commonUnits.map((name) => baseOf.get(name))).size;
  });
  const mixed = baseCounts.filter((count) => count > 1).length;
  t.ok(mixed > 5 && mixed < 40, `${mixed} products have units of two bases`);
  t.ok(productsOf(120).filter(({ record }) => record.commonUnits.length > 1).length > 60);
  t.end();
});

t.test("some products are inactive, some fields are null, and seeds differ", (t) => {
  const records = productsOf(120).map(({ record }) => record);
  t.ok(records.some(({ isActive }) => !isActive) && records.some(({ isActive }) => isActive));
  for (const field of ["subCategory", "alternativeNames", "season", "storageRequirements", "metadata"] as const) {
    t.ok(records.some((record) => record[field] === null) && records.some((record) => record[field] !== null), field);
  }
  t.notSame(
    productsOf(120, 2).map(({ record }) => record.isActive),
    records.map(({ isActive }) => isActive),
  );
  t.end();
});
