import t from "tap";
import { excludedUnit, unitFactors } from "../../src/query/unit-factors.ts";
import { buildStore } from "../../src/store/build-store.ts";
import { tinyDataset } from "../support/tiny-dataset.ts";

const units = ["kg", "90 kg bag", "g", "litre", "bunch"];
const store = buildStore(tinyDataset({ prices: units.map((unit) => ({ unit })) }));

/** What a price of 1 in each unit is worth in the target; null where it cannot be converted. */
function pricesOfOne(target: string, price = 1): (number | null)[] {
  const { multiply, divide } = unitFactors(store, target);
  return units.map((name) => {
    const code = store.prices.unitNames.indexOf(name);
    const divisor = divide[code] as number;
    return divisor === excludedUnit ? null : (price * (multiply[code] as number)) / divisor;
  });
}

t.test("a price becomes the price of another amount of the same base unit", async (t) => {
  t.same(pricesOfOne("kg", 4500), [4500, 50, 4_500_000, null, null]);
  t.same(pricesOfOne("90 kg bag", 50), [4500, 50, 4_500_000, null, null]);
  t.same(pricesOfOne("g", 50), [0.05, (50 * 0.001) / 90, 50, null, null]);
});

t.test("a price already in the unit stays as it is, to the last bit", async (t) => {
  const { multiply, divide } = unitFactors(store, "g");
  const code = store.prices.unitNames.indexOf("g");
  t.same([multiply[code], divide[code]], [1, 1]);
});

t.test("units of another base are excluded, also where both factors are 1", async (t) => {
  t.same(pricesOfOne("bunch"), [null, null, null, null, 1]);
  t.same(pricesOfOne("piece"), [null, null, null, null, null], "a unit that no price is in");
});

t.test("a unit that the catalogue does not have is refused", async (t) => {
  t.throws(() => unitFactors(store, "cubit"), { name: "RangeError", message: /"cubit"/ });
});
