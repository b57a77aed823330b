import t from "tap";
import { buildStore } from "../../src/store/build-store.ts";
import { GroupFiguresBuilder } from "../../src/store/group-figures.ts";
import { addGroup, measuringIn } from "../../src/store/measuring.ts";
import type { Store } from "../../src/store/store.ts";
import { type TinyPrice, tinyDataset } from "../support/tiny-dataset.ts";

const units = ["kg", "90 kg bag", "g", "litre", "bunch"];
const { catalogue, prices } = storeOf(units.map((unit) => ({ unit })));

/** What a price in each unit becomes in the target; null where it cannot be converted. */
function pricesIn(target: string, price = 1): (number | null)[] {
  const { multiply, divide } = measuringIn(catalogue, prices, target, "KES");
  return units.map((name) => {
    const code = prices.unitNames.indexOf(name);
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
  const { multiply, divide, unit } = measuringIn(catalogue, prices, "g", "KES");
  t.equal(unit, prices.unitNames.indexOf("g"));
  t.same([multiply[unit], divide[unit]], [1, 1]);
});

t.test("units of another base are excluded, also where both factors are 1", async (t) => {
  t.same(pricesIn("bunch"), [null, null, null, null, 1]);
  t.same(pricesIn("piece"), [null, null, null, null, null], "a unit that no price is in");
});

t.test("a unit or a currency that no price has is told by -1", async (t) => {
  t.match(measuringIn(catalogue, prices, "piece", "UGX"), { unit: -1, currency: -1 });
  t.match(measuringIn(catalogue, prices, "kg", null), { unit: 0, currency: -1 });
});

t.test("a unit that the catalogue does not have is refused", async (t) => {
  t.throws(() => measuringIn(catalogue, prices, "cubit", "KES"), { name: "RangeError", message: /"cubit"/ });
});

const mixed = storeOf([
  { price: 100 },
  { price: 4500, unit: "90 kg bag" },
  { price: 30, unit: "bunch" },
  { price: 1, currency: "USD" },
  { price: 70 },
]);

t.test("prices are measured, the others counted as excluded", async (t) => {
  t.same(group(mixed, null, 0, 5), { key: 8, count: 3, min: 50, max: 100, median: 70, converted: 1, excluded: 2 });
  t.same(
    group(mixed, null, 0, 5, "90 kg bag"),
    { key: 8, count: 3, min: 4500, max: 9000, median: 6300, converted: 2, excluded: 2 },
    "in another unit",
  );
  t.match(group(mixed, null, 0, 5, "kg", "USD"), { count: 1, min: 1, max: 1, excluded: 4 }, "in another currency");
  t.match(group(mixed, null, 0, 5, "kg", null), { count: 0, excluded: 5 }, "in no currency");
});

t.test("positions are rows, or places in a list of rows, from the first to the end without it", async (t) => {
  t.match(group(mixed, null, 3, 5), { count: 1, min: 70, converted: 0, excluded: 1 });
  t.match(group(mixed, Uint32Array.of(0, 4, 1), 1, 3), { count: 2, min: 50, max: 70, converted: 1, excluded: 0 });
  t.match(group(mixed, null, 2, 2), { count: 0, excluded: 0 }, "no positions");
});

function storeOf(prices: readonly Partial<TinyPrice>[]): Store {
  return buildStore(tinyDataset({ prices }));
}

function group(
  { catalogue, prices }: Store,
  rows: Uint32Array | null,
  from: number,
  to: number,
  unit = "kg",
  currency: string | null = "KES",
): object {
  const builder = new GroupFiguresBuilder();
  const measuring = measuringIn(catalogue, prices, unit, currency);
  addGroup(builder, 8, prices, measuring, rows, from, to, new Float64Array(to - from));
  const { keys, counts, mins, maxs, medians, converted, excluded } = builder.view();
  return {
    key: keys[0],
    count: counts[0],
    min: mins[0],
    max: maxs[0],
    median: medians[0],
    converted: converted[0],
    excluded: excluded[0],
  };
}
