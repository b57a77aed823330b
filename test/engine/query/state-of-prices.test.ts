import t from "tap";
import { monthNumber } from "../../../src/engine/model/calendar.ts";
import { findJudged } from "../../../src/engine/query/measures/find-judged.ts";
import { judgedInCountry, movedMost, stateMeasures, stateOfPrices } from "../../../src/engine/query/state-of-prices.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { recordAt } from "../../../src/engine/store/catalogue.ts";
import { finish } from "../../support/explorer-request.ts";
import { type TinyPrice, tinyDataset } from "../../support/tiny-dataset.ts";

/** A price at three markets in a month and one in the month a year before. */
function yearApart(product: number, month: string, before: number, after: number): Partial<TinyPrice>[] {
  const earlier = `${Number(month.slice(0, 4)) - 1}${month.slice(4)}`;
  return [0, 1, 2].flatMap((market) => [
    { product, market, price: before, recordedAt: `${earlier}-15T09:00:00+03:00` },
    { product, market, price: after, recordedAt: `${month}-15T09:00:00+03:00` },
  ]);
}

t.test("what moved most is of the six months up to the newest price, the furthest first, up or down", async (t) => {
  const store = buildStore(
    tinyDataset({
      products: ["A third more", "Half", "Seven months before", "Once", "Six months"].map((name) => ({ name })),
      markets: [0, 1, 2].map(() => ({ type: "Retail" })),
      prices: [
        ...yearApart(0, "2026-01", 90, 120),
        ...yearApart(1, "2026-01", 100, 50),
        ...yearApart(2, "2025-07", 100, 900),
        { product: 3, recordedAt: "2026-01-15T09:00:00+03:00" },
        ...yearApart(4, "2025-08", 100, 101),
      ],
    }),
  );
  const { monthFirst, products, unjudged } = movedMost(store, finish(stateOfPrices(store))?.judged ?? []);
  t.equal(monthFirst, monthNumber("2025-08"));
  t.strictSame(
    products.map(({ newest }) => recordAt(store.catalogue.products, newest.product).name),
    ["Half", "A third more", "Six months"],
  );
  t.equal(unjudged, 1);
});

t.test("a product is judged in the country once for a store, as all products together are", async (t) => {
  const store = buildStore(
    tinyDataset({
      products: ["Apples", "Beans", "Salt"].map((name) => ({ name })),
      markets: [0, 1, 2].map(() => ({ type: "Retail" })),
      prices: [...yearApart(0, "2026-01", 90, 120), ...yearApart(2, "2026-01", 100, 50)],
    }),
  );
  const ofProducts = store.catalogue.products.map(({ record }) => finish(judgedInCountry(store, record.uuid)));
  t.strictSame(
    ofProducts.map(({ length }) => length),
    [1, 0, 1],
  );
  const judged = finish(stateOfPrices(store))?.judged ?? [];
  t.ok(judged.every((found, at) => found === ofProducts.flat()[at]));
  t.strictSame(judged, finish(findJudged(store, { level: "country", measures: stateMeasures })));
});
