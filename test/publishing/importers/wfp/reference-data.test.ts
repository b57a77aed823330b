import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { median } from "simple-statistics";
import t, { type Test } from "tap";
import { cropCategories, marketTypes } from "../../../../src/engine/model/vocabulary.ts";
import { DatasetError, problemText } from "../../../../src/engine/snapshots/problem.ts";
import { marketUuid, productUuid } from "../../../../src/publishing/importers/wfp/build-wfp-records.ts";
import { lettersOf, readReferenceData } from "../../../../src/publishing/importers/wfp/reference-data.ts";
import { loadCurrentDataset } from "../../../support/open-snapshots.ts";

const folder = resolve(import.meta.dirname, "../../../../data/reference");
const reference = await readReferenceData();
const { crops, marketTypes: marketTypeRecords, units, wfpUnits } = reference;
const counties = [...reference.counties.values()];
const commodities = [...reference.commodities.values()];
const markets = [...reference.markets.values()];

const bundled = await loadCurrentDataset(resolve(folder, ".."), {
  onFallback: ({ error }) => {
    throw error;
  },
});

const idsOf = (records: readonly { readonly id: number }[]): number[] => records.map(({ id }) => id);
const numbersTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);
const isUnique = (values: readonly unknown[]): boolean => new Set(values).size === values.length;
const isTidy = (text: string): boolean => text !== "" && text === text.trim() && !/\s{2}/.test(text);
const isAscending = (ids: readonly number[]): boolean => ids.every((id, index) => id > (ids[index - 1] ?? 0));
const countyNames = new Set(counties.map(({ name }) => name));
const subCountiesOf = (countyId: number) => reference.subCounties.get(countyId) ?? [];

t.test("P-codes have the number of the county; ISO codes number the counties by name", async (t) => {
  for (const { id, pcode } of counties) t.equal(pcode, `KE${String(id).padStart(3, "0")}`);
  const byName = counties.toSorted((a, b) => (lettersOf(a.name) < lettersOf(b.name) ? -1 : 1));
  for (const [at, { iso_3166_2: code }] of byName.entries()) t.equal(code, `KE-${String(at + 1).padStart(2, "0")}`);
  t.match(reference.counties.get(47), { name: "Nairobi", iso_3166_2: "KE-30" });
  t.match(reference.counties.get(30), { name: "Baringo", iso_3166_2: "KE-01" });
});

t.test("the bundled snapshot says what WFP calls products and markets, and which crop a product is of", async (t) => {
  const { products, markets: marketRecords } = bundled;
  for (const { uuid, name, sourceIds, scientificName } of products) {
    const [, id] = /^WFP:(\d+)$/.exec(sourceIds?.join() ?? "") ?? [];
    t.equal(productUuid(Number(id)), uuid, name);
    const known = reference.commodities.get(Number(id))?.scientific_name ?? null;
    const crop = crops.find(({ scientific_name }) => scientific_name !== null && scientific_name === known);
    t.equal(scientificName, crop?.scientific_name ?? null, name);
  }
  t.equal(products.filter(({ scientificName }) => scientificName !== null).length, 34);
  for (const { uuid, name, type, sourceIds } of marketRecords) {
    const [, id] = /^WFP:(\d+)$/.exec(sourceIds?.join() ?? "") ?? [];
    t.equal(marketUuid(Number(id), type), uuid, name);
  }
});

t.test("markets of the camps at Dadaab, Kakuma and Kalobeyei are refugee camps, towns beside them not", async (t) => {
  const near = bundled.markets.filter(({ name }) => /Dadaab|Kakuma|Kalobeyei/.test(name));
  const isTown = ({ name }: { readonly name: string }): boolean => name.endsWith(" Town");
  const settings = near.filter(isTown).map(({ name, setting }) => `${name} ${setting}`);
  t.same(settings, ["Dadaab Town null", "Kakuma Town null", "Kalobeyei Town null"]);
  const camps = bundled.markets.filter(({ setting }) => setting === "refugee_camp");
  t.equal(camps.length, 12);
  const others = near.filter((market) => !isTown(market));
  t.same(camps, others);
  const judged = markets.filter(({ setting }) => setting === "refugee_camp").map(({ market_id: id }) => `WFP:${id}`);
  t.same(camps.map(({ sourceIds }) => sourceIds?.join()).sort(), judged.sort());
});

t.test("there are 47 counties, whose people are the 47,564,296 of the 2019 census", async (t) => {
  t.same(idsOf(counties), numbersTo(47));
  t.ok(isUnique(counties.map(({ name }) => name)));
  const people = counties.reduce((sum, { population }) => sum + population, 0);
  t.equal(people, 47_564_296);
  for (const { name, capital, area_sq_km, latitude, longitude } of counties) {
    t.ok(isTidy(name) && isTidy(capital) && area_sq_km > 200 && area_sq_km < 80_000, name);
    t.ok(latitude > -4.8 && latitude < 5.1, `${name} is in Kenya`);
    t.ok(longitude > 33.9 && longitude < 42, `${name} is in Kenya`);
  }
});

t.test("there are 290 sub-counties in the order of their codes, with 1,450 wards", async (t) => {
  const all = counties.flatMap(({ id }) => subCountiesOf(id));
  t.same(idsOf(all), numbersTo(290));
  t.ok(isUnique(all.map(({ name }) => name)));
  t.equal(all.flatMap(({ wards }) => wards).length, 1450);
  for (const { name, wards } of all) {
    assert.ok(isTidy(name) && wards.every(isTidy) && isUnique(wards), name);
    assert.deepEqual(
      wards.filter((ward) => ward !== ward.replace(/(^|[ /])(?!la |wa )([a-z])/g, (found) => found.toUpperCase())),
      [],
      `wards of ${name} are in title case`,
    );
  }
});

t.test("the last and the first constituency of neighbouring counties are on their own sides", async (t) => {
  t.equal(subCountiesOf(1).at(-1)?.name, "Mvita");
  t.equal(subCountiesOf(2)[0]?.name, "Msambweni");
  t.match(subCountiesOf(43).slice(-2), [{ name: "Suba North" }, { name: "Suba South" }]);
  t.equal(subCountiesOf(47).length, 17);
});

t.test("a county is found whatever its case, accents and punctuation", async (t) => {
  const spellings: Readonly<Record<string, number>> = {
    Mombasa: 1,
    "Taita/Taveta": 6,
    "Tharaka Nithi": 13,
    "MURANG’A": 21,
    Muranga: 21,
    "Trans-Nzoia": 26,
    "Elgeyo Marakwet": 28,
    HomaBay: 43,
    "Nairobi City": 47,
  };
  for (const [name, id] of Object.entries(spellings)) t.equal(reference.countyIds.get(lettersOf(name)), id, name);
});

t.test("a former district inside one county is that county; any other district is not guessed", async (t) => {
  t.equal(reference.countyIds.get(lettersOf("Ijara")), 7);
  t.equal(reference.countyIds.get(lettersOf("Moyale")), 10);
  for (const district of ["Meru North", "Meru South", "Rift Valley", "", "Nairo"]) {
    t.equal(reference.countyIds.get(lettersOf(district)), undefined, district);
  }
});

t.test("unit names are unique and every base unit is a unit of the category that is its own base", async (t) => {
  const categories = Map.groupBy(units, ({ category }) => category);
  t.same([...categories.keys()], ["Weight", "Volume", "Count"]);
  t.ok(isUnique(units.map(({ name }) => name)));
  for (const rows of categories.values()) {
    for (const unit of rows) {
      const base = rows.find(({ name }) => name === unit.base_unit);
      t.equal(base?.base_unit, unit.base_unit, unit.name);
      t.equal(base?.conversion_factor, 1, unit.name);
      t.ok(isTidy(unit.name) && isTidy(unit.abbreviation), unit.name);
    }
  }
});

t.test("bunch, head and piece convert to nothing else", async (t) => {
  for (const name of ["bunch", "head", "piece"]) {
    const related = units.filter((unit) => unit.name === name || unit.base_unit === name);
    t.match(related, [{ name, base_unit: name, conversion_factor: 1 }]);
    t.equal(related.length, 1);
  }
});

t.test("a size in the name of a unit is its factor", async (t) => {
  const perBase: Readonly<Record<string, number>> = { kg: 1, g: 1000, litre: 1, ml: 1000 };
  for (const { name, conversion_factor } of units) {
    const [, size, measure = ""] = /^(\d+) (kg|g|litre|ml) /.exec(name) ?? [];
    if (size !== undefined) t.equal(conversion_factor, Number(size) / (perBase[measure] ?? Number.NaN), name);
  }
});

t.test("every unit of the export leads to a unit", async (t) => {
  const names = new Set(units.map(({ name }) => name));
  for (const { unit, name } of wfpUnits) t.ok(names.has(name), unit);
  t.ok(isUnique(wfpUnits.map(({ unit }) => unit)));
});

t.test("each of the 51 commodities has a text of one or two sentences", async (t) => {
  t.equal(commodities.length, 51);
  t.ok(isAscending(commodities.map(({ commodity_id }) => commodity_id)));
  for (const { commodity, sub_category, description, alternative_names, scientific_name } of commodities) {
    t.match(description, /^[A-Z][^\n]{20,160}\.$/, commodity);
    t.ok(isTidy(description) && isTidy(sub_category) && isUnique(alternative_names ?? []), commodity);
    t.ok((alternative_names ?? []).every(isTidy), commodity);
    if (scientific_name !== null) t.match(scientific_name, /^[A-Z][a-z]+ /, commodity);
  }
});

t.test("the eight categories of the export are readable", async (t) => {
  t.equal(reference.categories.size, 8);
  for (const [written, readable] of reference.categories) {
    t.equal(written, written.toLowerCase());
    t.match(readable, /^[A-Z][a-z]+(?:(?:,? |-)(?:and|[A-Z][a-z]+))*$/);
  }
});

t.test("crops have ids in order, known categories, and regions that are counties", async (t) => {
  t.equal(crops.length, 85);
  t.same(idsOf(crops), numbersTo(85));
  t.ok(isUnique(crops.map(({ name }) => name)));
  for (const crop of crops) {
    t.ok(cropCategories.includes(crop.category) && isTidy(crop.name), crop.name);
    for (const region of crop.major_growing_regions ?? []) t.ok(countyNames.has(region), `${crop.name}: ${region}`);
    t.ok(isUnique(crop.varieties ?? []) && crop.varieties?.length !== 0, crop.name);
  }
});

t.test("every market type is explained", async (t) => {
  const types = marketTypeRecords.map(({ type }) => type);
  t.same(types, marketTypes);
  for (const { description, characteristics } of marketTypeRecords) {
    t.ok(isTidy(description) && characteristics.length > 0 && characteristics.every(isTidy));
  }
});

t.test("each season, variety, altitude and region of a crop that is not of the census has its address", async (t) => {
  for (const crop of crops) {
    for (const field of ["growing_season", "varieties", "climate_requirements"] as const) {
      if ((crop[field] ?? null) !== null) t.ok(crop.sources?.[field]?.length, `${crop.name}: ${field}`);
    }
    for (const [field, addresses] of Object.entries(crop.sources ?? {})) {
      t.ok(field in crop && addresses.every((address) => URL.canParse(address)), `${crop.name}: ${field}`);
    }
  }
});

t.test("a market is named once, and a judgement decides something and has a reason", async (t) => {
  t.ok(isAscending(markets.map(({ market_id }) => market_id)));
  const lines = readFileSync(join(folder, "wfp-markets.csv"), "utf8").trim().split("\n");
  t.equal(markets.length, lines.length - 1);
  for (const { market_id, county_id, sub_county, name, is_misplaced, reason } of markets) {
    const decides = county_id !== null || name !== null || is_misplaced !== null;
    t.equal(reason !== null, decides, String(market_id));
    t.ok(decides || sub_county !== null, String(market_id));
  }
});

t.test("the sub-county of a market exists, in its judged county", async (t) => {
  const countyBySubCounty = new Map(counties.flatMap(({ id }) => subCountiesOf(id).map(({ name }) => [name, id])));
  for (const { market_id, county_id, sub_county } of markets) {
    if (sub_county === null) continue;
    t.ok(countyBySubCounty.has(sub_county), String(market_id));
    if (county_id !== null) t.equal(countyBySubCounty.get(sub_county), county_id, String(market_id));
  }
});

/** The months of two series: the last of the earlier, the first of the later, and how many both have. */
function seam(earlier: ReadonlySet<string>, later: ReadonlySet<string>) {
  return {
    last_month: [...earlier].sort().at(-1),
    first_month: [...later].sort()[0],
    overlap_months: later.intersection(earlier).size,
  };
}

/** The problems that reading reports when one file has another text. */
async function problemsWith(t: Test, file: string, change: (text: string) => string): Promise<string[]> {
  const directory = join(t.testdir({}), "reference");
  cpSync(folder, directory, { recursive: true });
  writeFileSync(join(directory, file), change(readFileSync(join(directory, file), "utf8")));
  const error = await readReferenceData(directory).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (error instanceof DatasetError) return error.list.problems.map(problemText);
  t.equal(error, undefined);
  return [];
}

t.test("a row that does not fit is reported with file, line, column, found and expected", async (t) => {
  t.same(await problemsWith(t, "counties.csv", (text) => text), []);
  t.same(await problemsWith(t, "counties.csv", (text) => text.replace("866820", "many").replace("Kilifi,", ",")), [
    'counties.csv:3: "population" is "many", expected a whole number from 1',
    'counties.csv:4: "name" is null, expected text, not empty, without spaces around it',
  ]);
  t.same(await problemsWith(t, "wfp-units.csv", (text) => text.replace("110; 892", "110; onions")), [
    'wfp-units.csv:8: "commodity_ids[1]" is "onions", expected a whole number from 1',
  ]);
  t.same(await problemsWith(t, "wfp-markets.csv", (text) => text.replace(",true,", ",yes,")), [
    'wfp-markets.csv:60: "is_misplaced" is "yes", expected true, or null',
  ]);
  t.match(await problemsWith(t, "units.csv", (text) => text.replace("base_unit", "basis")), [
    'units.csv:2: "base_unit" is missing, expected text, not empty, without spaces around it',
    'units.csv:2: "basis" is unknown, expected only the fields of the format',
  ]);
  t.match(await problemsWith(t, "units.csv", (text) => `${text}Weight,sack\n`), [
    /^units\.csv: found Invalid Record Length: .* on line 20, expected a CSV file with a header$/,
  ]);
});

t.test("an entry of a JSON file that does not fit is reported by its position", async (t) => {
  t.same(
    await problemsWith(t, "crops.json", (text) => text.replace('"name": "Wheat"', '"name": 5').replace("Legumes", "")),
    [
      'crops.json: "[1].name" is 5, expected text, not empty, without spaces around it',
      'crops.json: "[6].sub_category" is "", expected text, not empty, without spaces around it, or null',
    ],
  );
  t.match(await problemsWith(t, "market-types.json", (text) => text.slice(0, -3)), [
    /^market-types\.json: found text that is not JSON \(.*\), expected a JSON array$/,
  ]);
});

t.test("the README of the folder names every file and every column", async (t) => {
  const manual = readFileSync(join(folder, "README.md"), "utf8");
  for (const file of readdirSync(folder).filter((name) => name !== "README.md")) {
    const [, section = ""] = manual.split(`\n## ${file}\n`);
    const text = section.split("\n## ")[0] ?? "";
    t.match(text, /Source: .*\n?.*Licence: /s, `${file} has a source and a licence`);
    if (!file.endsWith(".csv")) continue;
    const [header = ""] = readFileSync(join(folder, file), "utf8").split("\n");
    for (const column of header.split(",")) t.ok(text.includes(`\`${column}\``), `${file}: ${column}`);
  }
});

t.test("continuations name commodities as the bundled data do, of which figures are computed again", async (t) => {
  const { products, markets: marketRecords, prices: table, unitCategories } = bundled;
  const factors = new Map(unitCategories.flatMap((one) => one.units.map((unit) => [unit.name, unit.conversionFactor])));
  const pricesOf = (commodityId: number, type: string): Map<string, number> => {
    const product = products.findIndex(({ uuid }) => uuid === productUuid(commodityId));
    const found = new Map<string, number>();
    for (let row = 0; row < table.rowCount; row++) {
      const market = marketRecords[table.markets[row] as number];
      if (table.products[row] !== product || market?.type !== type) continue;
      const month = new Date(table.recordedAt[row] as number).toISOString().slice(0, 7);
      const factor = factors.get(table.unitNames[table.units[row] as number] as string) as number;
      found.set(`${month} ${market.uuid}`, (table.prices[row] as number) / factor);
    }
    return found;
  };
  const monthsOf = (prices: Map<string, number>): Set<string> =>
    new Set([...prices.keys()].map((key) => key.slice(0, 7)));
  for (const row of reference.continuations) {
    const name = `${row.continues} to ${row.commodity}, ${row.market_type}`;
    const later = pricesOf(row.commodity_id, row.market_type);
    const earlier = pricesOf(row.continues_id, row.market_type);
    t.equal(products.find(({ uuid }) => uuid === productUuid(row.commodity_id))?.name, row.commodity);
    t.equal(products.find(({ uuid }) => uuid === productUuid(row.continues_id))?.name, row.continues);
    const [laterMonths, earlierMonths] = [monthsOf(later), monthsOf(earlier)];
    const pairs = [...later].flatMap(([key, price]) =>
      earlier.has(key) ? [price / (earlier.get(key) as number)] : [],
    );
    const ratio = pairs.length === 0 ? null : Number(median(pairs).toFixed(2));
    const { last_month, first_month, overlap_months } = row;
    t.same(seam(earlierMonths, laterMonths), { last_month, first_month, overlap_months }, name);
    t.equal(ratio, row.ratio, name);
  }
});

t.test("continuations of markets are of two locations of one county, whose months are computed again", async (t) => {
  const { markets, prices: table } = bundled;
  const monthsOf = (uuid: string): Set<string> => {
    const rows = Array.from(table.markets.subarray(0, table.rowCount), (market, row) => ({ market, row }));
    const ofMarket = rows.filter(({ market }) => markets[market]?.uuid === uuid);
    return new Set(ofMarket.map(({ row }) => new Date(table.recordedAt[row] as number).toISOString().slice(0, 7)));
  };
  t.same(
    reference.marketContinuations.map(({ continues, market }) => `${continues} to ${market}`),
    ["Lodwar to Lodwar Town", "Hola to Hola Town"],
  );
  for (const row of reference.marketContinuations) {
    const later = marketUuid(row.market_id, row.market_type);
    const earlier = marketUuid(row.continues_id, row.market_type);
    const [laterMarket, earlierMarket] = [later, earlier].map((uuid) => markets.find((market) => market.uuid === uuid));
    t.same([laterMarket?.name, earlierMarket?.name], [row.market, row.continues]);
    t.equal(laterMarket?.countyId, earlierMarket?.countyId);
    const [laterMonths, earlierMonths] = [monthsOf(later), monthsOf(earlier)];
    const { last_month, first_month, overlap_months } = row;
    t.same(seam(earlierMonths, laterMonths), { last_month, first_month, overlap_months }, row.market);
  }
});
