import t from "tap";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { groupSegments } from "../../../src/engine/store/group-prices.ts";
import { conversionTo } from "../../../src/engine/store/price-conversion.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { type TinyPrice, tinyDataset } from "../../support/tiny-dataset.ts";

const units = ["kg", "90 kg bag", "g", "litre", "bunch"];
const store = storeOf(units.map((unit) => ({ unit })));

/** What a price in each unit becomes in the target; null where it cannot be converted. */
function pricesIn(target: string, price = 1): (number | null)[] {
  const { multiply, divide } = conversionTo(store, { unit: target, currency: "KES" });
  return units.map((name) => {
    const code = store.prices.unitNames.indexOf(name);
    const divisor = divide[code] as number;
    return divisor === 0 ? null : (price * (multiply[code] as number)) / divisor;
  });
}

t.test("a price becomes the price of another amount of the same base unit", async (t) => {
  t.same(pricesIn("kg", 4500), [4500, 50, 4_500_000, null, null]);
  t.same(pricesIn("90 kg bag", 50), [4500, 50, 4_500_000, null, null]);
  t.same(pricesIn("g", 50), [0.05, (50 * 0.001) / 90, 50, null, null]);
});

t.test("a price already in the unit stays as it is, to the last bit", async (t) => {
  const { multiply, divide, unit } = conversionTo(store, { unit: "g", currency: "KES" });
  t.equal(unit, store.prices.unitNames.indexOf("g"));
  t.same([multiply[unit], divide[unit]], [1, 1]);
});

t.test("units of another base are excluded, also where both factors are 1", async (t) => {
  t.same(pricesIn("bunch"), [null, null, null, null, 1]);
  t.same(pricesIn("piece"), [null, null, null, null, null], "a unit that no price is in");
});

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

const mixed = storeOf([
  { price: 100 },
  { price: 4500, unit: "90 kg bag" },
  { price: 30, unit: "bunch" },
  { price: 1, currency: "USD" },
  { price: 70 },
]);

t.test("prices are converted, the others counted as excluded", async (t) => {
  t.match(group(mixed, 0, 5), { key: 8, count: 3, min: 50, max: 100, median: 70, converted: 1, excluded: 2 });
  t.match(
    group(mixed, 0, 5, "90 kg bag"),
    { key: 8, count: 3, min: 4500, max: 9000, median: 6300, converted: 2, excluded: 2 },
    "in another unit",
  );
  t.match(group(mixed, 0, 5, "kg", "USD"), { count: 1, min: 1, max: 1, excluded: 4 }, "in another currency");
  t.match(group(mixed, 0, 5, "kg", null), { count: 0, excluded: 5 }, "in no currency");
});

t.test("a group is of the rows from the first to the end without it", async (t) => {
  t.match(group(mixed, 3, 5), { count: 1, min: 70, converted: 0, excluded: 1 });
  t.match(group(mixed, 2, 2), { count: 0, excluded: 0 }, "no rows");
});

function storeOf(prices: readonly Partial<TinyPrice>[]): Store {
  return buildStore(tinyDataset({ prices }));
}

function group(of: Store, from: number, to: number, unit = "kg", currency: string | null = "KES"): object {
  const conversion = conversionTo(of, { unit, currency });
  const segments = { markets: [0, 0], from: [0, from], to: [5, to], rowCount: to - from };
  return groupSegments({ ...of, conversion }, 8, segments, 1, 2, new Float64Array(segments.rowCount));
}
