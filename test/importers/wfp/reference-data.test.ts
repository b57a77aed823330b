import t from "tap";
import { cropCategories, marketTypes } from "../../../src/domain/vocabulary.ts";
import { counties, countyName } from "../../../src/importers/wfp/reference/counties.ts";
import { crops } from "../../../src/importers/wfp/reference/crops.ts";
import { marketJudgements } from "../../../src/importers/wfp/reference/market-judgements.ts";
import { marketIdsBySubCounty } from "../../../src/importers/wfp/reference/market-sub-counties.ts";
import { marketTypeRecords } from "../../../src/importers/wfp/reference/market-types.ts";
import { productCategories } from "../../../src/importers/wfp/reference/product-categories.ts";
import { productTexts } from "../../../src/importers/wfp/reference/product-texts.ts";
import { subCountiesOf } from "../../../src/importers/wfp/reference/sub-counties.ts";
import { unitCategories } from "../../../src/importers/wfp/reference/units.ts";
import { wfpUnits } from "../../../src/importers/wfp/reference/wfp-units.ts";

const numbersTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);
const isUnique = (values: readonly unknown[]): boolean => new Set(values).size === values.length;
const isTidy = (text: string): boolean => text !== "" && text === text.trim() && !/\s{2}/.test(text);
const countyNames = new Set(counties.map(({ name }) => name));

t.test("there are 47 counties, whose people are the 47,564,296 of the 2019 census", async (t) => {
  t.same(
    counties.map(({ id }) => id),
    numbersTo(47),
  );
  t.ok(isUnique(counties.map(({ name }) => name)));
  t.equal(
    counties.reduce((sum, { population }) => sum + population, 0),
    47_564_296,
  );
  for (const { name, capital, areaSqKm, coordinates } of counties) {
    t.ok(isTidy(name) && isTidy(capital) && areaSqKm > 200 && areaSqKm < 80_000, name);
    t.ok(coordinates.latitude > -4.8 && coordinates.latitude < 5.1, `${name} is in Kenya`);
    t.ok(coordinates.longitude > 33.9 && coordinates.longitude < 42, `${name} is in Kenya`);
  }
});

t.test("a county has its name, and a number that no county has is told", async (t) => {
  t.equal(countyName(1), "Mombasa");
  t.equal(countyName(47), "Nairobi");
  for (const id of [0, 48]) t.throws(() => countyName(id), { name: "RangeError", message: /expected 1 to 47/ });
});

t.test("there are 290 sub-counties in the order of their codes, with 1,450 wards", async (t) => {
  const all = counties.flatMap(({ id }) => subCountiesOf(id));
  t.same(
    all.map(({ id }) => id),
    numbersTo(290),
  );
  t.ok(isUnique(all.map(({ name }) => name)));
  t.equal(all.flatMap(({ wards }) => wards).length, 1450);
  for (const { name, wards } of all) {
    t.ok(isTidy(name) && wards.every(isTidy) && isUnique(wards), name);
    t.same(
      wards.filter((ward) => ward !== ward.replace(/(^|[ /])(?!la |wa )([a-z])/g, (found) => found.toUpperCase())),
      [],
      `wards of ${name} are in title case`,
    );
  }
  t.same(subCountiesOf(48), []);
});

t.test("the last and the first constituency of neighbouring counties are on their own sides", async (t) => {
  t.equal(subCountiesOf(1).at(-1)?.name, "Mvita");
  t.equal(subCountiesOf(2)[0]?.name, "Msambweni");
  t.same(
    subCountiesOf(43)
      .slice(-2)
      .map(({ name }) => name),
    ["Suba North", "Suba South"],
  );
  t.equal(subCountiesOf(47).length, 17);
});

t.test("unit names are unique and every base unit is a unit of the category that is its own base", async (t) => {
  t.ok(isUnique(unitCategories.flatMap(({ units }) => units.map(({ name }) => name))));
  t.ok(isUnique(unitCategories.map(({ category }) => category)));
  for (const { units } of unitCategories) {
    for (const unit of units) {
      const base = units.find(({ name }) => name === unit.baseUnit);
      t.equal(base?.baseUnit, unit.baseUnit, unit.name);
      t.equal(base?.conversionFactor, 1, unit.name);
      t.ok(unit.conversionFactor > 0 && isTidy(unit.name) && isTidy(unit.abbreviation), unit.name);
    }
  }
});

t.test("bunch, head and piece convert to nothing else", async (t) => {
  const units = unitCategories.flatMap((category) => category.units);
  for (const name of ["bunch", "head", "piece"]) {
    t.same(
      units.filter((unit) => unit.name === name || unit.baseUnit === name),
      [{ name, abbreviation: name === "piece" ? "pc" : name, baseUnit: name, conversionFactor: 1 }],
    );
  }
});

t.test("a size in the name of a unit is its factor", async (t) => {
  const perBase: Readonly<Record<string, number>> = { kg: 1, g: 1000, litre: 1, ml: 1000 };
  for (const { name, conversionFactor } of unitCategories.flatMap(({ units }) => units)) {
    const [, size, measure = ""] = /^(\d+) (kg|g|litre|ml) /.exec(name) ?? [];
    if (size !== undefined) t.equal(conversionFactor, Number(size) / (perBase[measure] ?? Number.NaN), name);
  }
});

t.test("every unit of the export leads to a unit", async (t) => {
  const names = new Set(unitCategories.flatMap(({ units }) => units.map(({ name }) => name)));
  t.same(
    wfpUnits.filter(({ name }) => !names.has(name)),
    [],
  );
  t.ok(isUnique(wfpUnits.map(({ unit }) => unit)));
});

t.test("each of the 51 commodities has a text of one or two sentences", async (t) => {
  t.equal(productTexts.length, 51);
  const ids = productTexts.map(({ commodityId }) => commodityId);
  t.ok(isUnique(ids));
  t.same(
    ids,
    ids.toSorted((a, b) => a - b),
  );
  for (const { commodity, subCategory, description, alternativeNames = [], scientificName } of productTexts) {
    t.match(description, /^[A-Z][^\n]{20,160}\.$/, commodity);
    t.ok(isTidy(description) && isTidy(subCategory) && isUnique(alternativeNames), commodity);
    t.ok(alternativeNames.every(isTidy), commodity);
    if (scientificName !== undefined) t.match(scientificName, /^[A-Z][a-z]+ /, commodity);
  }
});

t.test("the eight categories of the export are readable", async (t) => {
  t.equal(productCategories.size, 8);
  for (const [written, readable] of productCategories) {
    t.equal(written, written.toLowerCase());
    t.match(readable, /^[A-Z][a-z]+(?:(?:,? |-)(?:and|[A-Z][a-z]+))*$/);
  }
});

t.test("crops have ids in order, known categories, and regions that are counties", async (t) => {
  t.equal(crops.length, 85);
  t.same(
    crops.map(({ id }) => id),
    numbersTo(85),
  );
  t.ok(isUnique(crops.map(({ name }) => name)));
  for (const crop of crops) {
    t.ok(cropCategories.includes(crop.category) && isTidy(crop.name), crop.name);
    t.same(
      (crop.majorGrowingRegions ?? []).filter((region) => !countyNames.has(region)),
      [],
      crop.name,
    );
    t.ok(isUnique(crop.varieties ?? []) && crop.varieties?.length !== 0, crop.name);
  }
});

t.test("every market type is explained", async (t) => {
  t.same(
    marketTypeRecords.map(({ type }) => type),
    marketTypes,
  );
  for (const { description, characteristics } of marketTypeRecords) {
    t.ok(isTidy(description) && characteristics.length > 0 && characteristics.every(isTidy));
  }
});

t.test("a market is judged once, with a reason, and decides something", async (t) => {
  t.ok(isUnique(marketJudgements.map(({ marketId }) => marketId)));
  for (const { marketId, countyId, name, isMisplaced, reason } of marketJudgements) {
    t.ok(isTidy(reason), String(marketId));
    t.ok(countyId !== undefined || name !== undefined || isMisplaced, String(marketId));
    t.ok(countyId === undefined || (countyId >= 1 && countyId <= 47), String(marketId));
  }
});

t.test("a market has one sub-county at most, which is that of its judged county", async (t) => {
  const entries = Object.entries(marketIdsBySubCounty);
  t.ok(isUnique(entries.flatMap(([, ids]) => ids)));
  const countyBySubCounty = new Map(counties.flatMap(({ id }) => subCountiesOf(id).map(({ name }) => [name, id])));
  for (const [name, ids] of entries) {
    t.ok(countyBySubCounty.has(name), name);
    for (const { marketId, countyId } of marketJudgements) {
      if (countyId !== undefined && ids.includes(marketId)) t.equal(countyBySubCounty.get(name), countyId, name);
    }
  }
});
