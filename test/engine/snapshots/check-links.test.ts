import t, { type Test } from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import { readCandidate } from "../../../src/engine/snapshots/read-candidate.ts";
import { problemsOf, reportsExactly } from "../../support/dataset-problems.ts";
import {
  continuationRow,
  countyRow,
  cropRow,
  exchangeRateRow,
  marketContinuationRow,
  marketRow,
  marketTypeRow,
  productRow,
  type TestTables,
  testUuid,
  unitCategoryRow,
  writeRecords,
} from "../../support/snapshot-files.ts";

const now = Date.UTC(2026, 1, 1) as Instant;

/** The problems of a folder with these tables, without prices, which have a test of their own. */
async function problemsWith(t: Test, tables: TestTables): Promise<readonly string[]> {
  const directory = t.testdir({});
  await writeRecords(directory, { prices: [], ...tables });
  return await problemsOf(() => readCandidate(directory, now));
}

t.test("records that agree have no problem", async (t) => {
  t.same(await problemsWith(t, {}), []);
  t.same(await problemsWith(t, { markets: [marketRow({ sub_county: "Westlands" })] }), []);
});

t.test("an identifier stands once in a file", async (t) => {
  reportsExactly(t, await problemsWith(t, { counties: [countyRow(), countyRow({ sub_counties: [] })] }), [
    /^counties\.json:\d+: "id" is 47, as in line 2, expected another one/,
  ]);
  reportsExactly(t, await problemsWith(t, { crops: [cropRow(), cropRow({ name: "B" })] }), [
    /^crops\.json:7: "id" is 1, as in line 2/,
  ]);
  reportsExactly(t, await problemsWith(t, { "market-types": [marketTypeRow(), marketTypeRow()] }), [
    /"type" is "Retail", as in/,
  ]);
  reportsExactly(t, await problemsWith(t, { units: [unitCategoryRow(), unitCategoryRow({ units: [] })] }), [
    /"category" is "Weight", as in line 2/,
  ]);
  reportsExactly(t, await problemsWith(t, { markets: [marketRow(), marketRow()] }), [
    /^markets\.ndjson:2: "uuid" is .*line 1/,
  ]);
});

t.test("two spellings of one uuid are one uuid", async (t) => {
  const uuid = "abcdef00-0000-4000-8000-000000000000";
  const products = [productRow({ uuid }), productRow({ uuid: uuid.toUpperCase() })];
  reportsExactly(t, await problemsWith(t, { products }), [/^products\.ndjson:2: "uuid" is "abcdef00-/]);
});

t.test("a county's code is its id as three digits", async (t) => {
  const counties = [countyRow({ code: "046" }), countyRow({ id: 1, code: "001", sub_counties: [] })];
  reportsExactly(t, await problemsWith(t, { counties }), [/^counties\.json:2: "code" is "046", expected "047"/]);
});

t.test("a sub-county id stands once in all counties", async (t) => {
  const counties = [countyRow(), countyRow({ id: 1, code: "001", sub_counties: [{ id: 274, name: "X", wards: [] }] })];
  reportsExactly(t, await problemsWith(t, { counties }), [/"sub_counties.id" is 274 a second time/]);
});

t.test("a unit's name stands once in all categories", async (t) => {
  const again = { name: "kg", abbreviation: "kg", base_unit: "kg", conversion_factor: 1 };
  const units = [unitCategoryRow(), unitCategoryRow({ category: "Count", units: [again] })];
  reportsExactly(t, await problemsWith(t, { units }), [/"units.name" is "kg", as in category "Weight"/]);
});

t.test("a base unit is a unit of its category that is its own base unit with factor 1", async (t) => {
  const kg = { name: "kg", abbreviation: "kg", base_unit: "kg", conversion_factor: 1 };
  const bag = { name: "bag", abbreviation: "bag", base_unit: "kg", conversion_factor: 90 };
  const sack = { name: "sack", abbreviation: "sack", base_unit: "bag", conversion_factor: 1 };
  const expected = /"units.base_unit" is .*, expected a unit of the same category that is its own base unit/;
  t.same(await problemsWith(t, { units: [unitCategoryRow({ units: [bag, kg] })] }), []);
  const litre = { name: "l", abbreviation: "l", base_unit: "kg", conversion_factor: 1 };
  const otherCategory = [unitCategoryRow({ units: [kg] }), unitCategoryRow({ category: "Volume", units: [litre] })];
  reportsExactly(t, await problemsWith(t, { units: otherCategory }), [expected], "a unit of another category");
  reportsExactly(
    t,
    await problemsWith(t, { units: [unitCategoryRow({ units: [kg, bag, sack] })] }),
    [expected],
    "no base itself",
  );
  const heavy = { ...kg, conversion_factor: 2 };
  reportsExactly(t, await problemsWith(t, { units: [unitCategoryRow({ units: [heavy] })] }), [expected], "factor 2");
  const absent = { ...bag, base_unit: "gram" };
  reportsExactly(
    t,
    await problemsWith(t, { units: [unitCategoryRow({ units: [kg, absent] })] }),
    [expected],
    "no unit at all",
  );
});

t.test("a product's common units are names of units", async (t) => {
  reportsExactly(t, await problemsWith(t, { products: [productRow({ common_units: ["kg", "crate"] })] }), [
    'products.ndjson:1: "common_units" is "crate", which names no unit, expected names of units in units.json',
  ]);
});

t.test("a market lies in a county, and in a sub-county of that county", async (t) => {
  reportsExactly(t, await problemsWith(t, { markets: [marketRow({ county_id: 1 })] }), [
    /^markets\.ndjson:1: "county_id" is 1, which/,
  ]);
  const counties = [
    countyRow(),
    countyRow({ id: 1, code: "001", name: "Mombasa", sub_counties: [{ id: 1, name: "Changamwe", wards: [] }] }),
  ];
  const markets = [marketRow({ sub_county: "Changamwe" }), marketRow({ uuid: testUuid(3), sub_county: "Nowhere" })];
  reportsExactly(t, await problemsWith(t, { counties, markets }), [
    /^markets\.ndjson:1: "sub_county" is "Changamwe", which is no sub-county of Nairobi/,
    /^markets\.ndjson:2: "sub_county" is "Nowhere"/,
  ]);
});

t.test("references into a table with refused records are not judged", async (t) => {
  reportsExactly(t, await problemsWith(t, { counties: [countyRow({ capital: "" })] }), [
    /^counties\.json:2: "capital"/,
  ]);
  t.match(await problemsWith(t, { units: [unitCategoryRow({ units: [{}] })] }), { length: 4 });
});

t.test("a month has one rate of a currency, and the dollar none", async (t) => {
  const other = exchangeRateRow({ currency: "UGX", rate: 3600 });
  t.same(await problemsWith(t, { "exchange-rates": [exchangeRateRow(), other] }), []);
  reportsExactly(t, await problemsWith(t, { "exchange-rates": [exchangeRateRow(), exchangeRateRow({ rate: 1 })] }), [
    /^exchange-rates\.ndjson:2: "month" is "2026-01 KES", as in line 1/,
  ]);
  const wrong = [
    exchangeRateRow({ currency: "USD" }),
    exchangeRateRow({ month: "2026-13" }),
    exchangeRateRow({ rate: 0 }),
  ];
  reportsExactly(t, await problemsWith(t, { "exchange-rates": wrong }), [
    /^exchange-rates\.ndjson:1: "currency" is "USD", expected three capital letters other than USD/,
    /^exchange-rates\.ndjson:2: "month" is "2026-13", expected a month of the form YYYY-MM/,
    /^exchange-rates\.ndjson:3: "rate" is 0, expected a number from/,
  ]);
});

t.test("a continuation is of two products, and stands once for a type of market", async (t) => {
  const products = [productRow(), productRow({ uuid: testUuid(3) })];
  const wholesale = continuationRow({ market_type: "Wholesale" });
  t.same(await problemsWith(t, { products, continuations: [continuationRow(), wholesale] }), []);
  reportsExactly(t, await problemsWith(t, { products, continuations: [continuationRow(), continuationRow()] }), [
    /^continuations\.ndjson:2: "product_uuid" is ".*, as in line 1/,
  ]);
  reportsExactly(t, await problemsWith(t, { continuations: [continuationRow()] }), [
    /^continuations\.ndjson:1: "continues_uuid" is .*, which is no product here, expected the uuid of a product/,
  ]);
  const itself = continuationRow({ continues_uuid: testUuid(1) });
  reportsExactly(t, await problemsWith(t, { continuations: [itself] }), [
    /^continuations\.ndjson:1: "continues_uuid" is .*, the product itself, expected another product/,
  ]);
});

t.test("a market continues one of its type and county, once, is continued once, and in no circle", async (t) => {
  const markets = [2, 4, 5, 6].map((number) => marketRow({ uuid: testUuid(number), name: `Market ${number}` }));
  const pair = (later: number, earlier: number): object =>
    marketContinuationRow({ market_uuid: testUuid(later), continues_uuid: testUuid(earlier) });
  const problems = async (pairs: readonly object[], others: readonly object[] = []): Promise<readonly string[]> => {
    const tables = { markets: [...markets, ...others], "market-continuations": pairs } as TestTables;
    return await problemsWith(t, tables);
  };
  t.same(await problems([pair(2, 4), pair(4, 5), pair(6, 2)]), [], "a chain, in any order");
  reportsExactly(t, await problems([pair(2, 4), pair(2, 5)]), [
    /^market-continuations\.ndjson:2: "market_uuid" is ".*, as in line 1/,
  ]);
  reportsExactly(t, await problems([pair(2, 4), pair(5, 4)]), [
    /^market-continuations\.ndjson:2: "continues_uuid" is ".*, as in line 1/,
  ]);
  reportsExactly(t, await problems([pair(2, 3)]), [
    /^market-continuations\.ndjson:1: "continues_uuid" is .*, which is no market here, expected the uuid of a market/,
  ]);
  reportsExactly(t, await problems([pair(2, 2)]), [
    /^market-continuations\.ndjson:1: "continues_uuid" is .*, the market itself, expected another market/,
  ]);
  for (const circle of [
    [pair(2, 4), pair(4, 2)],
    [pair(6, 5), pair(5, 4), pair(4, 6)],
  ]) {
    reportsExactly(t, await problems(circle), [/^market-continuations\.ndjson:1: .* in a circle/]);
  }
  reportsExactly(t, await problems([pair(6, 2), pair(2, 4), pair(5, 5)]), [
    /^market-continuations\.ndjson:3: .* itself/,
  ]);
  const counties = [countyRow(), countyRow({ id: 1, code: "001", name: "Mombasa", sub_counties: [] })];
  const other = { uuid: testUuid(7), name: "Market 7" };
  for (const fields of [{ type: "Wholesale" }, { county_id: 1 }]) {
    const tables = { counties, markets: [...markets, marketRow({ ...other, ...fields })] };
    const found = await problemsWith(t, { ...tables, "market-continuations": [pair(2, 7)] } as TestTables);
    reportsExactly(t, found, [
      /^market-continuations\.ndjson:1: "continues_uuid" is "Market 7", .*, expected a market of the type and county of/,
    ]);
  }
});
