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

const mixedUuid = "abcdef00-0000-4000-8000-000000000000";
const mombasa = countyRow({ id: 1, code: "001", name: "Mombasa", sub_counties: [] });
const kg = { name: "kg", abbreviation: "kg", base_unit: "kg", conversion_factor: 1 };
const bag = { name: "bag", abbreviation: "bag", base_unit: "kg", conversion_factor: 90 };
const sack = { name: "sack", abbreviation: "sack", base_unit: "bag", conversion_factor: 1 };
const litre = { name: "l", abbreviation: "l", base_unit: "kg", conversion_factor: 1 };
const unitsOf = (...units: readonly object[]): TestTables => ({ units: [unitCategoryRow({ units })] });
const noBase = /"units.base_unit" is .*, expected a unit of the same category that is its own base unit/;
const two = [productRow(), productRow({ uuid: testUuid(3) })];
const markets = [2, 4, 5, 6].map((number) => marketRow({ uuid: testUuid(number), name: `Market ${number}` }));
/** Markets that continue others, by number. */
const pairs = (...numbers: readonly (readonly [later: number, earlier: number])[]): TestTables => ({
  markets,
  "market-continuations": numbers.map(([later, earlier]) =>
    marketContinuationRow({ market_uuid: testUuid(later), continues_uuid: testUuid(earlier) }),
  ),
});
const again = (field: string) => new RegExp(`^market-continuations\\.ndjson:2: "${field}" is ".*, as in line 1`);
const inCircle = /^market-continuations\.ndjson:1: .* in a circle/;

const cases: readonly (readonly [claim: string, tables: TestTables, ...problems: (string | RegExp)[]])[] = [
  ["records that agree", {}],
  ["a market in a sub-county of its county", { markets: [marketRow({ sub_county: "Westlands" })] }],
  [
    "a county twice",
    { counties: [countyRow(), countyRow({ sub_counties: [] })] },
    /^counties\.json:\d+: "id" is 47, as in line 2, expected another one/,
  ],
  ["a crop twice", { crops: [cropRow(), cropRow({ name: "B" })] }, /^crops\.json:7: "id" is 1, as in line 2/],
  ["a type twice", { "market-types": [marketTypeRow(), marketTypeRow()] }, /"type" is "Retail", as in/],
  [
    "a category of units twice",
    { units: [unitCategoryRow(), unitCategoryRow({ units: [] })] },
    /"category" is "Weight", as in line 2/,
  ],
  ["a market twice", { markets: [marketRow(), marketRow()] }, /^markets\.ndjson:2: "uuid" is .*line 1/],
  [
    "two spellings of one uuid",
    { products: [productRow({ uuid: mixedUuid }), productRow({ uuid: mixedUuid.toUpperCase() })] },
    /^products\.ndjson:2: "uuid" is "abcdef00-/,
  ],
  [
    "a code that is not the id as three digits",
    { counties: [countyRow({ code: "046" }), mombasa] },
    /^counties\.json:2: "code" is "046", expected "047"/,
  ],
  [
    "a sub-county in two counties",
    { counties: [countyRow(), { ...mombasa, sub_counties: [{ id: 274, name: "X", wards: [] }] }] },
    /"sub_counties.id" is 274 a second time/,
  ],
  [
    "a unit in two categories",
    { units: [unitCategoryRow(), unitCategoryRow({ category: "Count", units: [kg] })] },
    /"units.name" is "kg", as in category "Weight"/,
  ],
  ["a base unit after its unit", unitsOf(bag, kg)],
  [
    "a base unit of another category",
    { units: [unitCategoryRow({ units: [kg] }), unitCategoryRow({ category: "Volume", units: [litre] })] },
    noBase,
  ],
  ["a base unit that is no base itself", unitsOf(kg, bag, sack), noBase],
  ["a base unit of factor 2", unitsOf({ ...kg, conversion_factor: 2 }), noBase],
  ["a base unit that is no unit", unitsOf(kg, { ...bag, base_unit: "gram" }), noBase],
  [
    "a common unit that is no unit",
    { products: [productRow({ common_units: ["kg", "crate"] })] },
    'products.ndjson:1: "common_units" is "crate", which names no unit, expected names of units in units.json',
  ],
  ["a market in no county", { markets: [marketRow({ county_id: 1 })] }, /^markets\.ndjson:1: "county_id" is 1, which/],
  [
    "a market in a sub-county of another county, and in none",
    {
      counties: [countyRow(), { ...mombasa, sub_counties: [{ id: 1, name: "Changamwe", wards: [] }] }],
      markets: [marketRow({ sub_county: "Changamwe" }), marketRow({ uuid: testUuid(3), sub_county: "Nowhere" })],
    },
    /^markets\.ndjson:1: "sub_county" is "Changamwe", which is no sub-county of Nairobi/,
    /^markets\.ndjson:2: "sub_county" is "Nowhere"/,
  ],
  [
    "references into a table with refused records, which are not judged",
    { counties: [countyRow({ capital: "" })] },
    /^counties\.json:2: "capital"/,
  ],
  ["rates of two currencies", { "exchange-rates": [exchangeRateRow(), exchangeRateRow({ currency: "UGX" })] }],
  [
    "two rates of a month",
    { "exchange-rates": [exchangeRateRow(), exchangeRateRow({ rate: 1 })] },
    /^exchange-rates\.ndjson:2: "month" is "2026-01 KES", as in line 1/,
  ],
  [
    "a rate of the dollar, of no month, and of 0",
    {
      "exchange-rates": [{ currency: "USD" }, { month: "2026-13" }, { rate: 0 }].map((fields) =>
        exchangeRateRow(fields),
      ),
    },
    /^exchange-rates\.ndjson:1: "currency" is "USD", expected three capital letters other than USD/,
    /^exchange-rates\.ndjson:2: "month" is "2026-13", expected a month of the form YYYY-MM/,
    /^exchange-rates\.ndjson:3: "rate" is 0, expected a number from/,
  ],
  [
    "a continuation at two types of market",
    { products: two, continuations: [continuationRow(), continuationRow({ market_type: "Wholesale" })] },
  ],
  [
    "a continuation twice",
    { products: two, continuations: [continuationRow(), continuationRow()] },
    /^continuations\.ndjson:2: "product_uuid" is ".*, as in line 1/,
  ],
  [
    "a continuation of no product",
    { continuations: [continuationRow()] },
    /^continuations\.ndjson:1: "continues_uuid" is .*, which is no product here, expected the uuid of a product/,
  ],
  [
    "a product that continues itself",
    { continuations: [continuationRow({ continues_uuid: testUuid(1) })] },
    /^continuations\.ndjson:1: "continues_uuid" is .*, the product itself, expected another product/,
  ],
  ["a chain of markets, in any order", pairs([2, 4], [4, 5], [6, 2])],
  ["a market that continues two", pairs([2, 4], [2, 5]), again("market_uuid")],
  ["a market continued by two", pairs([2, 4], [5, 4]), again("continues_uuid")],
  [
    "a market that continues none",
    pairs([2, 3]),
    /^market-continuations\.ndjson:1: "continues_uuid" is .*, which is no market here, expected the uuid of a market/,
  ],
  [
    "a market that continues itself",
    pairs([2, 2]),
    /^market-continuations\.ndjson:1: "continues_uuid" is .*, the market itself, expected another market/,
  ],
  ["a circle of two markets", pairs([2, 4], [4, 2]), inCircle],
  ["a circle of three markets", pairs([6, 5], [5, 4], [4, 6]), inCircle],
  ["a market itself after a chain", pairs([6, 2], [2, 4], [5, 5]), /^market-continuations\.ndjson:3: .* itself/],
  ...[{ type: "Wholesale" }, { county_id: 1 }].map(
    (fields) =>
      [
        `a market that continues one of another ${Object.keys(fields)}`,
        {
          ...pairs([2, 7]),
          counties: [countyRow(), mombasa],
          markets: [...markets, marketRow({ uuid: testUuid(7), name: "Market 7", ...fields })],
        },
        /^market-continuations\.ndjson:1: "continues_uuid" is "Market 7", .*, expected a market of the type and county of/,
      ] as const,
  ),
];

for (const [claim, tables, ...problems] of cases) {
  t.test(claim, async (t) => reportsExactly(t, await problemsWith(t, tables), problems));
}

t.test("references to units of a refused table are not judged", async (t) => {
  t.match(await problemsWith(t, { units: [unitCategoryRow({ units: [{}] })] }), { length: 4 });
});
