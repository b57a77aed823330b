import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { generateDataset } from "../../../bench/sample/generate-dataset.ts";
import { turnInterval } from "../../../bench/sample/price-generator.ts";
import { counties, crops, goods, mixture, units } from "../../../bench/sample/reference.ts";
import { type SampleOptions, sampleLimits } from "../../../bench/sample/sample-options.ts";
import { makeSampleTables } from "../../../bench/sample/sample-tables.ts";
import { PopularityDraw, SeededRandom } from "../../../bench/sample/seeded-random.ts";
import { writeSampleFolder } from "../../../bench/sample/write-sample-folder.ts";
import { FolderTakenError } from "../../../src/engine/files/whole-folder.ts";
import {
  type Day,
  dayMilliseconds,
  dayOfInstant,
  dayText,
  fixedUtcOffset,
  type Instant,
  instantFromText,
} from "../../../src/engine/model/calendar.ts";
import type { Dataset, PriceTable } from "../../../src/engine/model/dataset.ts";
import { foldText } from "../../../src/engine/model/folded-text.ts";
import { readUuid } from "../../../src/engine/model/ids.ts";
import { missingCode } from "../../../src/engine/model/shared-columns.ts";
import { cropCategories, marketTypes, weekDays } from "../../../src/engine/model/vocabulary.ts";
import { readCandidate } from "../../../src/engine/snapshots/read-candidate.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { checkCandidate } from "../../../src/publishing/publish/check-candidate.ts";
import { valuesOf } from "../../support/fields-of.ts";

const make = (options: Partial<SampleOptions> = {}) => makeSampleTables({ prices: 10, seed: 1, ...options });

t.test("the reference is complete: 47 counties, crops of all categories, towns that are wards", async (t) => {
  t.same(
    counties.map(({ id }) => id),
    Array.from({ length: 47 }, (_, index) => index + 1),
  );
  for (const { subCounties, towns } of counties) {
    t.same(subCounties.flatMap(({ wards }) => wards).toSorted(), towns.toSorted());
  }
  t.same(new Set(crops.map(({ category }) => category)), new Set(cropCategories));
  t.same(valuesOf(mixture.marketTypes, "type"), marketTypes);
  t.equal(new Set(goods.map(({ name }) => name)).size, goods.length);
  t.ok(goods.every(({ season, trade }) => mixture.seasons[season] && mixture.trades[trade]));
});

t.test("the shares of every trade make a hundred; units that convert hold what the unit says", async (t) => {
  for (const [trade, offers] of Object.entries(mixture.trades)) {
    t.equal(
      offers.reduce((sum, { share }) => sum + share, 0),
      100,
      trade,
    );
    const bases = offers.map(({ unit }) => units.find(({ name }) => name === unit)?.baseUnit);
    t.notOk(bases.includes(undefined), trade);
    // What stands for itself needs an amount beside units of another base, unless it is the base of the trade.
    for (const [at, { amount }] of offers.entries()) {
      if (amount !== undefined) t.equal(bases.filter((base) => base === bases[at]).length, 1, trade);
    }
  }
});

t.test("options are accepted at their limits and refused beyond them, by name", async (t) => {
  for (const [name, { min, max }] of Object.entries(sampleLimits)) {
    for (const value of [min, max]) t.equal(make({ [name]: value }).options[name as keyof SampleOptions], value);
    for (const value of [min - 1, max + 1, min + 0.5, Number.NaN]) {
      t.throws(() => make({ [name]: value }), {
        name: "RangeError",
        message: `${name} is ${value}, expected a whole number from ${min} to ${max}`,
      });
    }
  }
  t.same(make().options, { prices: 10, seed: 1, products: 120, markets: 250, years: 10 });
});

t.test("a sample ends with October 2026, whatever the clock says, and its leap days are in it", async (t) => {
  const text = (years: number) => {
    const { dayFirst, dayCount } = make({ years }).period;
    return [dayText(dayFirst), dayText((dayFirst + dayCount - 1) as Day), dayCount];
  };
  t.same(text(1), ["2025-11-01", "2026-10-31", 365]);
  t.same(text(10), ["2016-11-01", "2026-10-31", 3652]);
  const { utcOffset, timeZone } = make().tables.snapshot;
  t.equal(utcOffset, fixedUtcOffset(timeZone));
});

t.test("identities differ with any option", async (t) => {
  const base = { prices: 10, seed: 1, products: 5, markets: 6, years: 2 };
  const ids = [base, ...Object.keys(base).map((name) => ({ ...base, [name]: 3 }))].map(
    (options) => makeSampleTables(options).tables.snapshot.id,
  );
  t.equal(new Set(ids).size, 6);
  t.ok(ids.every((id) => /^20261101T060000Z-[0-9a-f]{12}$/.test(id)));
});

t.test("names stay apart up to the greatest number of products and of markets in a county", async (t) => {
  const { products, markets } = make({ products: 2000, markets: 2000 }).tables;
  t.equal(new Set(products.map(({ name }) => name)).size, 2000);
  t.equal(new Set(markets.map(({ name, countyId }) => `${countyId} ${foldText(name)}`)).size, 2000);
});

t.test("250 markets cover all counties; five have all types and two of one name in different counties", async (t) => {
  t.equal(new Set(make().tables.markets.map(({ countyId }) => countyId)).size, 47);
  const five = make({ markets: 5 }).tables.markets;
  t.equal(new Set(five.map(({ type }) => type)).size, 4);
  t.same(
    five.filter(({ name }) => name === "Makutano").map(({ countyId }) => countyId),
    [12, 24],
  );
});

t.test("rural markets are held on three days at most; some markets begin late or end early", async (t) => {
  const { markets, period } = make();
  for (const { record, dayFrom, dayTo } of markets) {
    const count = record.operatingDays.length;
    assert.ok(record.type === "Rural" ? count >= 1 && count <= 3 : count >= 6, record.name);
    assert.ok(dayFrom < dayTo && dayTo <= period.dayCount);
    assert.equal(record.isActive, dayTo === period.dayCount);
  }
  t.match(markets[0], { dayFrom: 0, dayTo: period.dayCount, record: { operatingDays: { length: 7 } } });
  t.ok(markets.some(({ dayFrom }) => dayFrom > 0));
  t.ok(markets.some(({ record }) => !record.isActive));
});

t.test("wholesale is cheaper than rural, retail and urban, on the whole", async (t) => {
  const { markets } = make({ markets: 1000 });
  const means = (["Wholesale", "Rural", "Retail", "Urban"] as const).map((type) => {
    const levels = markets.filter(({ record }) => record.type === type).map(({ priceLevel }) => priceLevel);
    return levels.reduce((sum, level) => sum + level, 0) / levels.length;
  });
  t.same(
    means,
    means.toSorted((a, b) => a - b),
  );
});

t.test("fields that may be null are null in some records and not in others", async (t) => {
  const { products, markets } = make().tables;
  const hasBoth = (values: readonly unknown[]) => values.includes(null) && values.some((value) => value !== null);
  for (const field of ["subCategory", "alternativeNames", "season", "storageRequirements", "metadata"] as const) {
    t.ok(hasBoth(products.map((record) => record[field])), field);
  }
  for (const field of ["subCounty", "location", "operatingHours", "description", "facilities", "contact"] as const) {
    t.ok(hasBoth(markets.map((record) => record[field])), field);
  }
});

t.test("a seed gives the numbers that it always gave, on every machine", async (t) => {
  const random = new SeededRandom(1, "prices");
  t.same(
    Array.from({ length: 4 }, () => random.next()),
    [2_339_843_747, 2_789_480_063, 446_561_043, 3_462_378_926],
  );
});

t.test("seeds and streams differ", async (t) => {
  const first = (seed: number, stream: "prices" | "markets") => new SeededRandom(seed, stream).next();
  t.equal(new Set([first(1, "prices"), first(1, "markets"), first(2, "prices"), first(0xffff_ffff, "prices")]).size, 4);
});

t.test("integers, fractions and chances are as often as they should be", async (t) => {
  const random = new SeededRandom(3, "prices");
  const draws = (draw: () => number) => Array.from({ length: 7000 }, draw);
  const below = draws(() => random.below(7));
  for (const number of [0, 1, 2, 3, 4, 5, 6]) {
    const count = below.filter((other) => other === number).length;
    t.ok(count > 850 && count < 1150, `${count} of 1000`);
  }
  t.notOk(below.some((number) => number < 0 || number > 6));
  const fractions = draws(() => random.fraction());
  t.ok(Math.min(...fractions) >= 0 && Math.min(...fractions) < 0.01);
  t.ok(Math.max(...fractions) < 1 && Math.max(...fractions) > 0.99);
  t.ok(Math.abs(draws(() => Number(random.oneIn(10))).reduce((sum, hit) => sum + hit, 0) - 700) < 100);
  t.ok(draws(() => Number(random.oneIn(1))).every((hit) => hit === 1));
});

t.test("UUIDs are of version 4", async (t) => {
  const random = new SeededRandom(4, "prices");
  const words = new Uint32Array(4 * 100);
  for (let row = 0; row < 100; row++) random.writeUuid(words, row);
  const texts = Array.from({ length: 100 }, (_, row) => readUuid(words, row));
  t.ok(texts.every((text) => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text)));
  t.equal(new Set(texts).size, 100);
});

t.test("the most popular position is drawn 25 times as often as the last of 120, and none never", async (t) => {
  for (const count of [1, 120, 2000]) {
    const random = new SeededRandom(5, "prices");
    const draw = new PopularityDraw(count, random);
    const counts = Array.from({ length: count }, () => 0);
    for (let made = 0; made < 300_000; made++) {
      const position = draw.draw(random);
      counts[position] = (counts[position] as number) + 1;
    }
    t.equal(counts.length, count);
    t.ok(Math.min(...counts) > 0, `${Math.min(...counts)} at least`);
    const ratio = Math.max(...counts) / Math.min(...counts);
    if (count === 120) t.ok(ratio > 20 && ratio < 32, `${ratio}`);
  }
});

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

const publishedAt = instantFromText("2026-11-02T00:00:00Z") as NonNullable<ReturnType<typeof instantFromText>>;

function digestOfFolder(folder: string): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(folder).sort()) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest("hex");
}

/** Columns of codes as columns of texts, for the dictionaries of a sample also hold texts that no price uses. */
function withTexts({ unitNames, currencyCodes, sourceNames, gradeNames, noteTexts, ...columns }: PriceTable) {
  const textsOf = (codes: Iterable<number>, texts: readonly string[]) =>
    Array.from(codes, (code) => texts[code] ?? null);
  return {
    ...columns,
    units: textsOf(columns.units, unitNames),
    currencies: textsOf(columns.currencies, currencyCodes),
    sources: textsOf(columns.sources, sourceNames),
    grades: textsOf(columns.grades, gradeNames),
    notes: textsOf(columns.notes, noteTexts),
  };
}

t.test("reading the files gives the dataset in memory, record by record and column by column", async (t) => {
  // More than one block of the writer.
  const options = { prices: 5000, seed: 11 };
  const outputPath = join(t.testdir(), "out");
  await writeSampleFolder({ ...options, outputPath });
  const { reading, header } = await readCandidate(outputPath, publishedAt);
  const { snapshot, prices, ...tables } = generateDataset(options);
  t.strictSame({ ...reading.records, prices: undefined }, { ...tables, accepted: [], prices: undefined });
  t.strictSame(withTexts(reading.records.prices), withTexts(prices));
  t.equal(header.timeZone, snapshot.timeZone);
  t.equal(header.note, snapshot.note);
  t.strictSame(header.attribution, snapshot.attribution);
});

t.test("publishing has no objections, and takes no price for a slip", async (t) => {
  const outputPath = join(t.testdir(), "out");
  await writeSampleFolder({ prices: 5000, seed: 2, outputPath });
  const { candidate, warnings } = await checkCandidate(outputPath, publishedAt);
  t.equal(candidate.files.find(({ kind }) => kind === "prices")?.rows, 5000);
  t.equal(warnings.counts.get("suspicious"), undefined);
});

t.test("the bytes are those of every other machine", async (t) => {
  const outputPath = join(t.testdir(), "out");
  await writeSampleFolder({ prices: 5000, seed: 1, outputPath });
  // A change of what a sample holds changes the digest.
  t.equal(digestOfFolder(outputPath), "c05a57f9f1d59e27ff9ffadf7e031056dea5fdfaa80f26b717afb915d827f590");
});

t.test("seeds give other bytes", async (t) => {
  const directory = t.testdir();
  for (const seed of [1, 2]) await writeSampleFolder({ prices: 10, seed, outputPath: join(directory, String(seed)) });
  t.not(digestOfFolder(join(directory, "1")), digestOfFolder(join(directory, "2")));
});

t.test("the report says what was written, and the count of prices grows to all of them", async (t) => {
  const outputPath = join(t.testdir(), "out");
  const counts: number[] = [];
  const report = await writeSampleFolder({
    ...{ prices: 5000, seed: 1, products: 3, markets: 4, years: 2 },
    outputPath,
    onPrices: (count) => counts.push(count),
  });
  t.match(report, {
    options: { prices: 5000, seed: 1, products: 3, markets: 4, years: 2 },
    dayFirst: "2024-11-01",
    dayLast: "2026-10-31",
  });
  const bytes = readdirSync(outputPath).reduce((sum, name) => sum + readFileSync(join(outputPath, name)).length, 0);
  t.equal(report.bytes, bytes);
  t.equal(counts.at(-1), 5000);
  t.ok(counts.length > 1);
});

t.test("an earlier sample is replaced only when that is allowed, anything else never", async (t) => {
  const directory = t.testdir({ thesis: { "thesis.txt": "" } });
  const outputPath = join(directory, "out");
  const options = { prices: 10, seed: 1, outputPath };
  await writeSampleFolder(options);
  const before = digestOfFolder(outputPath);
  await t.rejects(writeSampleFolder({ ...options, seed: 2 }), FolderTakenError);
  t.equal(digestOfFolder(outputPath), before);
  await writeSampleFolder({ ...options, seed: 2, replacesSample: true });
  t.not(digestOfFolder(outputPath), before);
  const thesis = { ...options, outputPath: join(directory, "thesis"), replacesSample: true };
  await t.rejects(writeSampleFolder(thesis), FolderTakenError);
  t.same(readdirSync(directory).sort(), ["out", "thesis"]);
});

t.test("options beyond their limits are refused before anything is made", async (t) => {
  const directory = t.testdir();
  await t.rejects(writeSampleFolder({ prices: 0, seed: 1, outputPath: join(directory, "out") }), RangeError);
  t.same(readdirSync(directory), []);
});
