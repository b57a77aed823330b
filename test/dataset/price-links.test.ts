import t from "tap";
import { PriceLinks } from "../../src/dataset/price-links.ts";
import { ProblemList, problemText } from "../../src/dataset/problem.ts";
import { RecordTable } from "../../src/dataset/record-table.ts";
import { translators } from "../../src/dataset/translate-records.ts";
import type { Instant } from "../../src/domain/instant.ts";
import { tellsExactly } from "../support/dataset-problems.ts";
import { marketRow, priceRow, productRow, testUuid, unitCategoryRow } from "../support/snapshot-files.ts";

const recordedAtMax = Date.UTC(2026, 0, 15, 6) as Instant;

function linksTo(isWhole: boolean): { links: PriceLinks; problems: ProblemList } {
  const tables = {
    counties: new RecordTable<never>("counties.json"),
    crops: new RecordTable<never>("crops.json"),
    "market-types": new RecordTable<never>("market-types.json"),
    units: new RecordTable<ReturnType<typeof translators.units>>("units.json"),
    products: new RecordTable<ReturnType<typeof translators.products>>("products.ndjson"),
    markets: new RecordTable<ReturnType<typeof translators.markets>>("markets.ndjson"),
  };
  tables.units.add(translators.units(unitCategoryRow()), 1);
  tables.products.add(translators.products(productRow({ uuid: testUuid(9) })), 1);
  tables.products.add(translators.products(productRow()), 2);
  tables.markets.add(translators.markets(marketRow()), 1);
  for (const table of Object.values(tables)) table.isWhole = isWhole;
  const problems = new ProblemList();
  return { links: new PriceLinks(tables, recordedAtMax, problems), problems };
}

t.test("a price resolves to the positions of its product and market", async (t) => {
  const { links, problems } = linksTo(true);
  t.same(links.resolve(priceRow(), "prices.ndjson", 1), { product: 1, market: 0 });
  t.equal(problems.total, 0);
});

t.test("what does not resolve is told, and so is a time after the last one allowed", async (t) => {
  const { links, problems } = linksTo(true);
  const lost = { product_uuid: testUuid(5), market_uuid: testUuid(6), unit: "crate" };
  t.equal(links.resolve(priceRow({ ...lost, recorded_at: "2026-01-15T06:00:00.001Z" }), "prices.ndjson", 3), undefined);
  tellsExactly(t, problems.problems.map(problemText), [
    /^prices\.ndjson:3: "product_uuid" is .*, which names no product/,
    /^prices\.ndjson:3: "market_uuid" is .*, which names no market/,
    /^prices\.ndjson:3: "unit" is "crate", which names no unit/,
    /^prices\.ndjson:3: "recorded_at" is "2026-01-15T06:00:00.001Z", expected a time up to a day after publication/,
  ]);
});

t.test("a table with refused records is not blamed for what it lacks", async (t) => {
  const { links, problems } = linksTo(false);
  t.equal(links.resolve(priceRow({ market_uuid: testUuid(6), unit: "crate" }), "prices.ndjson", 3), undefined);
  t.equal(problems.total, 0);
});
