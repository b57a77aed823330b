import assert from "node:assert/strict";
import t from "tap";
import { counties, crops, goods, mixture, units } from "../../../bench/sample/reference.ts";
import { type SampleOptions, sampleLimits } from "../../../bench/sample/sample-options.ts";
import { makeSampleTables } from "../../../bench/sample/sample-tables.ts";
import { type Day, dayText, fixedUtcOffset } from "../../../src/engine/model/calendar.ts";
import { foldText } from "../../../src/engine/model/folded-text.ts";
import { cropCategories, marketTypes } from "../../../src/engine/model/vocabulary.ts";

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
  t.same(
    mixture.marketTypes.map(({ type }) => type),
    marketTypes,
  );
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
