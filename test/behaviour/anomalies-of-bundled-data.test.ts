import t from "tap";
import { whiteMaize } from "../../src/contract/example-values.ts";
import { monthNumber } from "../../src/engine/model/calendar.ts";
import type { Uuid } from "../../src/engine/model/ids.ts";
import { findAnomalies } from "../../src/engine/query/measures/find-anomalies.ts";
import { isComputed } from "../../src/engine/query/measures/judge-month.ts";
import { productPage } from "../../src/site/explore/product-page.ts";
import { bundledStore } from "../support/bundled-data.ts";
import { explorerRequest, finish } from "../support/explorer-request.ts";

const store = await bundledStore();

/**
 * The least and the greatest ALPS value of white maize at wholesale markets, to two decimals, and how many there are.
 */
function alpsRange(month: string): [number, number, number] {
  const question = { productUuids: [whiteMaize as Uuid], marketType: "Wholesale", month: monthNumber(month) } as const;
  const work = findAnomalies(store, { level: "market", order: "alps", ...question });
  let step = work.next();
  while (step.done !== true) step = work.next();
  const values = step.value.entries.flatMap(({ measures: { alps } }) => (isComputed(alps) ? [alps.value] : []));
  return [Math.min(...values), Math.max(...values), values.length].map(
    (value) => Math.round(value * 100) / 100,
  ) as never;
}

t.test("droughts stand out and a good harvest does not, as /docs/anomalies says", async (t) => {
  t.strictSame(alpsRange("2011-07"), [2.71, 3.21, 4]);
  t.strictSame(alpsRange("2017-05"), [1.34, 2.38, 4]);
  t.strictSame(alpsRange("2018-01"), [-1.54, -0.86, 5]);
});

t.test("single prices of 5 and 10 shillings a kilogram of beef are suspicious", async (t) => {
  const { prices, catalogue, suspicious } = store;
  const beef = Array.from(suspicious.rows).filter(
    (row) => catalogue.products[prices.products[row] as number]?.record.name === "Meat (beef)",
  );
  t.strictSame(beef.map((row) => prices.prices[row]).sort(), [10, 5]);
  t.equal(suspicious.rows.length, 14);
});

/** What the page of a product says of its price, and whether that is much. */
function leadOf(name: string): string {
  const record = store.catalogue.products.find((product) => product.record.name === name)?.record;
  if (record === undefined) throw new Error(`no product is called ${name}`);
  return finish(productPage(explorerRequest(store, `/products/${record.uuid}`), record.uuid)).lead.text;
}

t.test("pages compare beef, onions and tomatoes at the same markets, without suspicious prices", async (t) => {
  const beef = leadOf("Meat (beef)");
  t.match(beef, "in March 2026 at 7 markets (from 7 prices), 17% more than a year before at 6 same markets.");
  t.match(beef, "2 suspicious prices left out.");
  t.match(beef, "In January 2025: 17% more than usual at 3 same markets.");
  const tooFew = "change on a year before: too few to judge (";
  const onions = leadOf("Onions (dry)");
  t.match(onions, `${tooFew}0 same markets, expected at least 3).`);
  t.match(onions, "In July 2024 it was 23% less than a year before at 3 same markets.");
  const tomatoes = leadOf("Tomatoes");
  t.match(tomatoes, `${tooFew}1 same market, expected at least 3).`);
  for (const lead of [beef, onions, tomatoes]) t.notMatch(lead, /74%|111%|26% less/);
});
