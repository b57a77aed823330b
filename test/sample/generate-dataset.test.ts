import { createHash } from "node:crypto";
import t from "tap";
import { type Day, dayMilliseconds, dayOfInstant, dayText } from "../../src/domain/calendar-day.ts";
import { type Dataset, noNotes, noQualityGrade } from "../../src/domain/dataset.ts";
import type { Instant } from "../../src/domain/instant.ts";
import { readUuid } from "../../src/domain/uuid-words.ts";
import { weekDays } from "../../src/domain/vocabulary.ts";
import { generateDataset } from "../../src/sample/generate-dataset.ts";
import { turnInterval } from "../../src/sample/price-generator.ts";
import { buildStore } from "../../src/store/build-store.ts";

const large = generateDataset({ prices: 100_000, seed: 1 });
const { utcOffset } = large.snapshot;

/** One digest over all columns and texts of the prices. */
function digestOf({ prices }: Dataset): string {
  const hash = createHash("sha256");
  for (const column of Object.values(prices)) {
    if (ArrayBuffer.isView(column)) hash.update(new Uint8Array(column.buffer));
    else hash.update(JSON.stringify(column));
  }
  return hash.digest("hex");
}

function days(dataset: Dataset): Day[] {
  return Array.from(dataset.prices.recordedAt, (instant) => dayOfInstant(instant as Instant, utcOffset));
}

t.test("the same options give the same dataset; another seed gives another", (t) => {
  const digest = (seed: number) => digestOf(generateDataset({ prices: 2000, seed }));
  t.equal(digest(1), digest(1));
  t.not(digest(1), digest(2));
  t.same(generateDataset({ prices: 10, seed: 5 }), generateDataset({ prices: 10, seed: 5 }));
  t.end();
});

t.test("identities differ with any option", (t) => {
  const base = { prices: 10, seed: 1, products: 5, markets: 6, years: 2 };
  const ids = [base, ...Object.keys(base).map((name) => ({ ...base, [name]: 3 }))].map(
    (options) => generateDataset(options).snapshot.id,
  );
  t.equal(new Set(ids).size, 6);
  t.ok(ids.every((id) => /^20261101T060000Z-[0-9a-f]{12}$/.test(id)));
  t.end();
});

t.test("the tables have the sizes asked for", (t) => {
  t.equal(large.prices.rowCount, 100_000);
  t.equal(large.products.length, 120);
  t.equal(large.markets.length, 250);
  t.equal(large.counties.length, 47);
  t.end();
});

t.test("uuids of prices, products and markets never repeat", (t) => {
  const uuids = new Set<string>([...large.products, ...large.markets].map(({ uuid }) => uuid));
  for (let row = 0; row < large.prices.rowCount; row++) uuids.add(readUuid(large.prices.uuids, row));
  t.equal(uuids.size, 100_370);
  t.end();
});

t.test("every product has prices as soon as there are enough, and popular ones have many more", (t) => {
  const small = generateDataset({ prices: 120 * turnInterval, seed: 4 });
  t.equal(new Set(small.prices.products).size, 120);
  const counts = Array.from({ length: 120 }, () => 0);
  for (const product of large.prices.products) counts[product] = (counts[product] as number) + 1;
  t.ok(Math.max(...counts) > 5 * Math.min(...counts));
  t.equal(new Set(large.prices.markets).size, 250);
  t.end();
});

t.test("prices are recorded on the market's days only", (t) => {
  const { markets } = large.prices;
  const wrong = days(large).filter((day, row) => {
    const weekDay = weekDays[(day + 3) % 7] as (typeof weekDays)[number];
    return !large.markets[markets[row] as number]?.operatingDays.includes(weekDay);
  });
  t.same(wrong, []);
  t.end();
});

t.test("the first and last days of the period, leap days and year ends have prices", (t) => {
  const found = new Set(days(large).map(dayText));
  for (const day of ["2016-11-01", "2020-02-29", "2024-02-29", "2023-12-31", "2024-01-01", "2026-10-31"]) {
    t.ok(found.has(day), day);
  }
  t.equal([...found].toSorted()[0], "2016-11-01");
  t.equal([...found].toSorted().at(-1), "2026-10-31");
  t.end();
});

t.test("many prices share an instant, and some lie at Nairobi's midnight and a millisecond before", (t) => {
  const small = generateDataset({ prices: 3000, seed: 1 });
  t.ok(new Set(small.prices.recordedAt).size < 1000);
  for (const dataset of [small, large]) {
    const times = new Set(Array.from(dataset.prices.recordedAt, (instant) => (instant + utcOffset) % dayMilliseconds));
    for (const time of [0, dayMilliseconds - 1]) t.ok(times.has(time), `${time} ms after midnight`);
  }
  t.end();
});

t.test("rows come mostly in order of time, not strictly, and are entered after they were recorded", (t) => {
  const { recordedAt, createdAt, updatedAt } = large.prices;
  const all = days(large);
  const back = all.filter((day, row) => row > 0 && day < (all[row - 1] as Day)).length;
  t.ok(back > 100 && back < 10_000, `${back} rows are of an earlier day than the row before`);
  const late = all.filter((day, row) => row > 0 && day < (all[row - 1] as Day) - 10).length;
  t.equal(late, 0);
  let corrected = 0;
  for (let row = 0; row < large.prices.rowCount; row++) {
    const created = createdAt[row] as number;
    if (created <= (recordedAt[row] as number)) t.fail(`row ${row} was entered too early`);
    if ((updatedAt[row] as number) < created) t.fail(`row ${row} was corrected before it was entered`);
    if (updatedAt[row] !== created) corrected++;
  }
  t.ok(corrected > 2000 && corrected < 5000, `${corrected} corrected`);
  t.end();
});

t.test("about 5 % have notes, from few texts and some of their own, and few have a grade", (t) => {
  const { notes, noteTexts, grades, rowCount } = large.prices;
  const noted = notes.filter((note) => note !== noNotes).length;
  t.ok(Math.abs(noted / rowCount - 0.05) < 0.005, `${noted} noted`);
  t.ok(noteTexts.length > 350 && noteTexts.length < 550, `${noteTexts.length} texts`);
  const graded = grades.filter((grade) => grade !== noQualityGrade).length;
  t.ok(graded > 10_000 && graded < 15_000, `${graded} graded`);
  t.end();
});

t.test("about half a percent are in foreign money, at border markets", (t) => {
  const { currencies, currencyCodes, markets, rowCount } = large.prices;
  const kes = currencyCodes.indexOf("KES");
  const foreign = [...currencies.keys()].filter((row) => currencies[row] !== kes);
  t.ok(foreign.length > rowCount * 0.003 && foreign.length < rowCount * 0.007, `${foreign.length} foreign`);
  t.same(new Set(currencyCodes), new Set(["KES", "UGX", "TZS", "USD"]));
  const ugandan = foreign.filter((row) => currencyCodes[currencies[row] as number] === "UGX");
  t.same(new Set(ugandan.map((row) => large.markets[markets[row] as number]?.countyId)), new Set([24, 39, 40]));
  t.end();
});

t.test("prices are whole cents, and a kilogram costs about the same by the bag", (t) => {
  const { prices, products, units, unitNames, currencies, currencyCodes, rowCount } = large.prices;
  t.ok(prices.every((price) => price >= 0.01 && Math.round(price * 100) / 100 === price));
  const kes = currencyCodes.indexOf("KES");
  const mean = (unit: string) => {
    const found = [];
    for (let row = 0; row < rowCount; row++) {
      if (products[row] === 0 && unitNames[units[row] as number] === unit && currencies[row] === kes) {
        found.push(prices[row] as number);
      }
    }
    return found.reduce((sum, price) => sum + price, 0) / found.length;
  };
  t.equal(large.products[0]?.name, "Maize (white)");
  const ratio = mean("90 kg bag") / 90 / mean("kg");
  t.ok(ratio > 0.8 && ratio < 1.1, `${ratio}`);
  t.end();
});

t.test("a sample of one is one price of one product at one market", (t) => {
  for (const seed of [0, 1, 2, 0xffff_ffff]) {
    const dataset = generateDataset({ prices: 1, seed, products: 1, markets: 1, years: 1 });
    t.equal(dataset.prices.rowCount, 1);
    t.same([...dataset.prices.products, ...dataset.prices.markets], [0, 0]);
    t.ok((dataset.prices.prices[0] as number) > 0);
    t.equal(dataset.prices.unitNames.length, 1);
  }
  t.end();
});

t.test("a store can be built from it", (t) => {
  for (const options of [
    { prices: 20_000, seed: 9 },
    { prices: 500, seed: 9, products: 1, markets: 1, years: 50 },
  ]) {
    t.equal(buildStore(generateDataset(options)).prices.rowCount, options.prices);
  }
  t.end();
});

t.test("no price and sizes beyond the limits are refused by name", (t) => {
  t.throws(() => generateDataset({ prices: 0, seed: 1 }), { name: "RangeError", message: /^prices is 0, expected/ });
  t.throws(() => generateDataset({ prices: 5, seed: -1 }), { name: "RangeError", message: /^seed is -1, expected/ });
  t.end();
});
