import t from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { groupByPeriod } from "../../../src/engine/store/group-prices.ts";
import { conversionTo } from "../../../src/engine/store/price-conversion.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";

t.test("few rows are done in one go, many in steps that say how many rows they took", async (t) => {
  const hours = Array.from({ length: 20_000 }, (_, hour) => ({ recordedAt: (hour * 3_600_000) as Instant }));
  const store = buildStore(tinyDataset({ prices: hours }));
  const conversion = conversionTo(store, { unit: "kg", currency: "KES" });
  const work = (rowCount: number) => {
    const segments = { markets: [0], from: [0], to: [rowCount], rowCount };
    return groupByPeriod({ ...store, conversion }, "day", segments);
  };
  t.match(work(100).next(), { done: true, value: { length: 5 } });
  const many = work(20_000);
  const steps: number[] = [];
  let step = many.next();
  for (; step.done !== true; step = many.next()) steps.push(step.value);
  t.equal(step.value.length, 834);
  t.ok(steps.length >= 5 && steps.every((rows) => rows >= 16_384 && rows < 2 * 16_384), String(steps));
});
