import { createHash } from "node:crypto";
import t, { type Test } from "tap";
import { generateDataset } from "../../../bench/sample/generate-dataset.ts";
import { turnInterval } from "../../../bench/sample/price-generator.ts";
import { type Day, dayMilliseconds, dayOfInstant, dayText, type Instant } from "../../../src/engine/model/calendar.ts";
import type { Dataset } from "../../../src/engine/model/dataset.ts";
import { readUuid } from "../../../src/engine/model/ids.ts";
import { missingCode } from "../../../src/engine/model/shared-columns.ts";
import { weekDays } from "../../../src/engine/model/vocabulary.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";

const large = generateDataset({ prices: 100_000, seed: 1 });
const { prices, snapshot } = large;
const days = Array.from(prices.recordedAt, (instant) => dayOfInstant(instant as Instant, snapshot.utcOffset));

/** One digest over all columns and texts of the prices. */
function digestOf(dataset: Dataset): string {
  const hash = createHash("sha256");
  for (const column of Object.values(dataset.prices)) {
    if (ArrayBuffer.isView(column)) hash.update(new Uint8Array(column.buffer));
    else hash.update(JSON.stringify(column));
  }
  return hash.digest("hex");
}

/** How often each value of a column stands in it, as parts of all. */
function sharesOf(column: Iterable<number>, texts?: readonly string[]): Map<string | number, number> {
  const shares = new Map<string | number, number>();
  for (const value of column) {
    const key = texts?.[value] ?? value;
    shares.set(key, (shares.get(key) ?? 0) + 1 / prices.rowCount);
  }
  return shares;
}

function assertWithin(t: Test, name: string, value: number | undefined, least: number, most: number): void {
  t.ok(value !== undefined && value >= least && value <= most, `${name}: ${value} is from ${least} to ${most}`);
}

t.test("the same options give the same dataset; another seed gives another", async (t) => {
  const digest = (seed: number) => digestOf(generateDataset({ prices: 2000, seed }));
  t.equal(digest(1), digest(1));
  t.not(digest(1), digest(2));
  t.same(generateDataset({ prices: 10, seed: 5 }), generateDataset({ prices: 10, seed: 5 }));
});

t.test("the tables have the sizes asked for, and no uuid repeats", async (t) => {
  t.same(
    [prices.rowCount, large.products.length, large.markets.length, large.counties.length],
    [100_000, 120, 250, 47],
  );
  const uuids = new Set<string>([...large.products, ...large.markets].map(({ uuid }) => uuid));
  for (let row = 0; row < prices.rowCount; row++) uuids.add(readUuid(prices.uuids, row));
  t.equal(uuids.size, 100_370);
});

t.test("every product has prices as soon as there are enough, and popular ones have many more", async (t) => {
  const small = generateDataset({ prices: 120 * turnInterval, seed: 4 });
  t.equal(new Set(small.prices.products).size, 120);
  const counts = [...sharesOf(prices.products).values()];
  assertWithin(t, "the most to the fewest", Math.max(...counts) / Math.min(...counts), 10, 25);
  assertWithin(t, "markets with prices", new Set(prices.markets).size, 240, 250);
});

t.test("prices are of market days only, on nearly all days of the period, more in later years", async (t) => {
  const wrong = days.filter((day, row) => {
    const weekDay = weekDays[(day + 3) % 7] as (typeof weekDays)[number];
    return !large.markets[prices.markets[row] as number]?.operatingDays.includes(weekDay);
  });
  t.same(wrong, []);
  const found = [...new Set(days)].toSorted((a, b) => a - b);
  t.same(
    [found[0], found.at(-1)].map((day) => dayText(day as Day)),
    ["2016-11-01", "2026-10-31"],
  );
  assertWithin(t, "days with prices", found.length, 3200, 3652);
  const lastYear = days.filter((day) => dayText(day) > "2025-11").length;
  const firstYear = days.filter((day) => dayText(day) < "2017-11").length;
  assertWithin(t, "prices of the last year to those of the first", lastYear / firstYear, 1.3, 1.5);
});

t.test("many prices share an instant, some with the product, and some lie around Nairobi's midnight", async (t) => {
  assertWithin(t, "prices an instant", prices.rowCount / new Set(prices.recordedAt).size, 14, 19);
  const pairs = new Set(Array.from(prices.recordedAt, (instant, row) => `${instant} ${prices.products[row]}`));
  assertWithin(
    t,
    "prices that share product and instant with an earlier one",
    1 - pairs.size / prices.rowCount,
    0.05,
    0.3,
  );
  const times = Array.from(prices.recordedAt, (instant) => (instant + snapshot.utcOffset) % dayMilliseconds);
  for (const edge of [0, 1, dayMilliseconds - 2, dayMilliseconds - 1]) {
    assertWithin(t, `${edge} ms after midnight`, times.filter((time) => time === edge).length, 500, 2000);
  }
});

t.test("rows come mostly in order of time, not strictly, and are entered after they were recorded", async (t) => {
  const { recordedAt, createdAt, updatedAt } = prices;
  const isBack = (least: number) => days.filter((day, row) => row > 0 && day < (days[row - 1] as Day) - least).length;
  assertWithin(t, "rows of an earlier day than the row before", isBack(0), 100, 2000);
  t.equal(isBack(9), 0);
  t.ok(createdAt.every((created, row) => created > (recordedAt[row] as number)));
  t.ok(updatedAt.every((updated, row) => updated >= (createdAt[row] as number)));
  const corrected = updatedAt.filter((updated, row) => updated !== createdAt[row]).length;
  assertWithin(t, "corrected", corrected, 2500, 3700);
});

t.test("the mixture has its shares of units, currencies, sources, grades and notes", async (t) => {
  const unitShares = sharesOf(prices.units, prices.unitNames);
  assertWithin(t, "kg", unitShares.get("kg"), 0.4, 0.65);
  assertWithin(t, "90 kg bag", unitShares.get("90 kg bag"), 0.04, 0.15);
  t.equal(unitShares.size, 17);
  const unitsOfProduct = large.products.map(() => new Set<number>());
  for (const [row, product] of prices.products.entries()) unitsOfProduct[product]?.add(prices.units[row] as number);
  assertWithin(t, "products in several units", unitsOfProduct.filter(({ size }) => size > 1).length, 70, 100);
  const currencyShares = sharesOf(prices.currencies, prices.currencyCodes);
  assertWithin(t, "KES", currencyShares.get("KES"), 0.99, 0.998);
  t.same(new Set(currencyShares.keys()), new Set(["KES", "UGX", "TZS", "USD"]));
  t.equal(sharesOf(prices.sources).size, 5);
  assertWithin(t, "no grade", sharesOf(prices.grades).get(missingCode(prices.grades)), 0.86, 0.89);
  assertWithin(t, "no notes", sharesOf(prices.notes).get(missingCode(prices.notes)), 0.945, 0.955);
  assertWithin(t, "different notes", new Set(prices.notes).size, 350, 550);
  const types = sharesOf(
    prices.markets,
    large.markets.map(({ type }) => type),
  );
  for (const type of ["Wholesale", "Retail", "Rural", "Urban"]) assertWithin(t, type, types.get(type), 0.05, 0.6);
});

t.test("other currencies are those of the neighbours of a market's county", async (t) => {
  const ugandan = [...prices.currencies.keys()].filter(
    (row) => prices.currencyCodes[prices.currencies[row] as number] === "UGX",
  );
  t.same(new Set(ugandan.map((row) => large.markets[prices.markets[row] as number]?.countyId)), new Set([24, 39, 40]));
});

t.test("prices are whole cents, and a kilogram costs about the same by the bag", async (t) => {
  t.ok(prices.prices.every((price) => price >= 0.01 && Math.round(price * 100) / 100 === price));
  const kes = prices.currencyCodes.indexOf("KES");
  const mean = (unit: string) => {
    const code = prices.unitNames.indexOf(unit);
    const found = prices.prices.filter(
      (_, row) => prices.products[row] === 0 && prices.units[row] === code && prices.currencies[row] === kes,
    );
    return found.reduce((sum, price) => sum + price, 0) / found.length;
  };
  t.equal(large.products[0]?.name, "Maize (white)");
  assertWithin(t, "by the bag to by the kilogram", mean("90 kg bag") / 90 / mean("kg"), 0.85, 1.15);
});

t.test("a store can be built from the smallest and the longest samples", async (t) => {
  for (const years of [1, 6, 50]) {
    for (const rowCount of [1, 500]) {
      const dataset = generateDataset({ prices: rowCount, seed: 9, products: 1, markets: 1, years });
      t.equal(buildStore(dataset).prices.rowCount, rowCount);
    }
  }
  t.throws(() => generateDataset({ prices: 0, seed: 1 }), { name: "RangeError", message: /^prices is 0, expected/ });
});
