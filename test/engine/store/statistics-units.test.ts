import t from "tap";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { buildStatisticsUnits, type UnitAndCurrency } from "../../../src/engine/store/price-conversion.ts";
import { type TinyPrice, tinyDataset } from "../../support/tiny-dataset.ts";

/** Returns the unit and currency of the statistics of a product with these common units and prices. */
function statisticsUnitOf(
  commonUnits: readonly string[],
  prices: readonly Partial<TinyPrice>[],
): UnitAndCurrency | undefined {
  const { catalogue, prices: columns } = buildStore(tinyDataset({ products: [{ commonUnits }], prices }));
  return buildStatisticsUnits(catalogue, columns)[0];
}

t.test("the unit is the base unit of the first common unit that any price converts to", async (t) => {
  t.equal(statisticsUnitOf(["litre", "90 kg bag", "kg"], [{ unit: "bunch" }, { unit: "g" }])?.unit, "kg");
  t.equal(statisticsUnitOf(["bunch", "90 kg bag"], [{ unit: "g" }, { unit: "g" }, { unit: "bunch" }])?.unit, "bunch");
});

t.test(
  "where no common unit is reached the unit is the base unit of the most frequent, a tie goes to the first by code " +
    "unit",
  async (t) => {
    t.equal(statisticsUnitOf(["litre"], [{ unit: "bunch" }, { unit: "piece" }, { unit: "piece" }])?.unit, "piece");
    t.equal(statisticsUnitOf(["litre"], [{ unit: "piece" }, { unit: "bunch" }])?.unit, "bunch");
    t.equal(statisticsUnitOf(["litre"], [{ unit: "90 kg bag" }, { unit: "piece" }, { unit: "90 kg bag" }])?.unit, "kg");
  },
);

t.test("the currency is the most frequent, a tie goes to the first by code unit", async (t) => {
  t.equal(statisticsUnitOf(["kg"], [{}, { currency: "USD" }, { currency: "USD" }])?.currency, "USD");
  t.equal(statisticsUnitOf(["kg"], [{ currency: "USD" }, {}])?.currency, "KES");
});

t.test("only prices that convert to the unit choose the currency", async (t) => {
  const head = { unit: "piece", currency: "USD" };
  t.same(statisticsUnitOf(["litre", "piece"], [head, { unit: "litre" }, head]), { unit: "litre", currency: "KES" });
  t.same(statisticsUnitOf(["bunch"], [head, { unit: "kg" }, { unit: "g" }, head, { unit: "kg" }, head, head]), {
    unit: "piece",
    currency: "USD",
  });
  const euro = { unit: "90 kg bag", currency: "EUR" };
  t.same(statisticsUnitOf(["kg"], [head, head, {}, euro]), { unit: "kg", currency: "EUR" }, "a tie");
  t.same(statisticsUnitOf(["kg"], [head, head, {}, euro, {}]), { unit: "kg", currency: "KES" });
});

t.test("without prices the unit is the first common one and there is no currency", async (t) => {
  t.same(statisticsUnitOf(["bunch", "kg"], []), { unit: "bunch", currency: null });
  t.same(statisticsUnitOf(["90 kg bag", "bunch"], []), { unit: "kg", currency: null });
});

t.test("prices of other products do not count", async (t) => {
  const { statisticsUnits } = buildStore(
    tinyDataset({ prices: [{}, { product: 1, currency: "USD" }, { product: 1, currency: "USD" }] }),
  );
  t.same(statisticsUnits, [
    { unit: "kg", currency: "USD" },
    { unit: "kg", currency: "KES" },
  ]);
});
