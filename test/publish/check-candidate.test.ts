import t, { type Test } from "tap";
import { ProblemList, problemText } from "../../src/dataset/problem.ts";
import type { RecordsReading } from "../../src/dataset/read-records.ts";
import type { Instant } from "../../src/domain/instant.ts";
import { checkCandidate, warnOfNewValues } from "../../src/publish/check-candidate.ts";
import { problemsOf, tellsExactly } from "../support/dataset-problems.ts";
import { priceRow, productRow, type TestTables, testUuid, writeRecords } from "../support/snapshot-files.ts";

const now = Date.UTC(2026, 1, 1) as Instant;

async function readingOf(t: Test, tables: TestTables): Promise<RecordsReading> {
  const directory = t.testdir({});
  await writeRecords(directory, tables);
  return (await checkCandidate(directory, now)).candidate.reading;
}

/** Prices of one product with these amounts, in one unit. */
function pricesOf(amounts: readonly number[], fields: object = {}, first = 100): object[] {
  return amounts.map((price, index) => priceRow({ uuid: testUuid(first + index), price, ...fields }));
}

async function oddPrices(t: Test, tables: TestTables): Promise<readonly string[]> {
  const directory = t.testdir({});
  await writeRecords(directory, tables);
  return (await checkCandidate(directory, now)).warnings.problems.map(problemText);
}

t.test("a price exactly six times from the median is let pass, one beyond is told with its place", async (t) => {
  tellsExactly(t, await oddPrices(t, { prices: pricesOf([60, 60, 60, 360, 10]) }), []);
  tellsExactly(t, await oddPrices(t, { prices: pricesOf([60, 60, 60, 360.01, 9.99]) }), [
    'prices.ndjson:4: "price" is 360.01, expected a price at most 6 times above or below 60, the median of Maize, kg, KES',
    'prices.ndjson:5: "price" is 9.99, expected a price at most 6 times above or below 60, the median of Maize, kg, KES',
  ]);
});

t.test("the median of an even number of prices lies between the middle two", async (t) => {
  // The median is 40: 240 passes and 241 does not.
  tellsExactly(t, await oddPrices(t, { prices: pricesOf([30, 50, 20, 240]) }), []);
  tellsExactly(t, await oddPrices(t, { prices: pricesOf([30, 50, 20, 241]) }), [/is 241/]);
});

t.test("each currency has a median of its own", async (t) => {
  const dollars = pricesOf([0.5, 0.5, 0.5], { currency: "USD" }, 200);
  t.same(await oddPrices(t, { prices: [...pricesOf([60, 61, 62]), ...dollars] }), []);
  tellsExactly(
    t,
    await oddPrices(t, {
      prices: [...dollars, ...pricesOf([60, 61, 6]), priceRow({ currency: "USD", uuid: testUuid(300), price: 60 })],
    }),
    [/"price" is 60, .* the median of Maize, kg, USD$/, /"price" is 6, .* the median of Maize, kg, KES$/],
  );
});

t.test("each product and unit has a median of its own", async (t) => {
  const bags = pricesOf([5400, 5500], { unit: "90 kg bag" }, 200);
  const rice = pricesOf([1, 1], { product_uuid: testUuid(7) }, 300);
  const products = [productRow(), productRow({ uuid: testUuid(7), name: "Rice" })];
  t.same(await oddPrices(t, { products, prices: [...pricesOf([60, 61]), ...bags, ...rice] }), []);
});

t.test("a product without prices is told", async (t) => {
  const products = [productRow(), productRow({ uuid: testUuid(7), name: "Rice" })];
  tellsExactly(t, await oddPrices(t, { products }), [
    'products.ndjson:2: found "Rice" without any price, expected at least one',
  ]);
});

t.test("sources, grades and units that the current snapshot's prices lack are told once each", async (t) => {
  const current = await readingOf(t, { prices: [priceRow({ quality_grade: "A" })] });
  const next = await readingOf(t, {
    prices: [
      ...pricesOf([60], { quality_grade: "A" }),
      ...pricesOf([60, 60], { source: "KAMIS", quality_grade: "B", unit: "90 kg bag" }, 200),
    ],
  });
  const warnings = new ProblemList();
  warnOfNewValues(next, current.records.prices, warnings);
  tellsExactly(t, warnings.problems.map(problemText), [
    'prices.ndjson:2: "source" is "KAMIS" for the first time, expected a source of the current snapshot',
    'prices.ndjson:2: "quality_grade" is "B" for the first time, expected a quality_grade of the current snapshot',
    'prices.ndjson:2: "unit" is "90 kg bag" for the first time, expected a unit of the current snapshot',
  ]);
});

t.test("a directory in order has its records and what looks odd in them", async (t) => {
  const directory = t.testdir({});
  await writeRecords(directory, { products: [productRow(), productRow({ uuid: testUuid(7) })] });
  const { candidate, warnings } = await checkCandidate(directory, now);
  t.equal(candidate.reading.records.products.length, 2);
  t.same([...warnings.counts], [["no-prices", 1]]);
});

t.test("a directory with problems is refused", async (t) => {
  const directory = t.testdir({});
  await writeRecords(directory, { prices: [priceRow({ price: -1 })] });
  t.equal((await problemsOf(() => checkCandidate(directory, now))).length, 1);
});
