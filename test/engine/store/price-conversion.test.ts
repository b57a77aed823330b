import t from "tap";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { conversionTo } from "../../../src/engine/store/price-conversion.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";

const store = buildStore(tinyDataset({ prices: [{ unit: "kg" }, { unit: "litre" }] }));

t.test("a unit or a currency that no price has is reported by -1", async (t) => {
  t.match(conversionTo(store, { unit: "piece", currency: "UGX" }), { unit: -1, currency: -1 });
  t.match(conversionTo(store, { unit: "kg", currency: null }), { unit: 0, currency: -1 });
});

t.test("a unit that the catalogue does not have is refused", async (t) => {
  t.throws(() => conversionTo(store, { unit: "cubit", currency: "KES" }), {
    name: "RangeError",
    message: /"cubit"/,
  });
});
