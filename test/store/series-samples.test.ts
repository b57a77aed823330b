import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { dayOfInstant } from "../../src/domain/calendar-day.ts";
import type { Instant } from "../../src/domain/instant.ts";
import { buildStore } from "../../src/store/build-store.ts";
import { GroupFiguresBuilder } from "../../src/store/group-figures.ts";
import { addGroup, measuringIn } from "../../src/store/measuring.ts";
import { addSamples, excludedCode } from "../../src/store/series-samples.ts";
import type { Store } from "../../src/store/store.ts";
import { randomDataset } from "../support/random-dataset.ts";
import { tinyDataset } from "../support/tiny-dataset.ts";

/** What stands at each place of the series index, told through the codes. */
function samplesOf({ prices, samples, series }: Store): { value: number; isConverted: boolean; day: number }[] {
  return Array.from(series.rows, (row, place) => {
    const code = samples.codes[place] ?? -1;
    const at = (samples.valueOffsets[prices.products[row] ?? -1] ?? -1) + code;
    return {
      value: code === excludedCode ? Number.NaN : (samples.values[at] ?? -1),
      isConverted: samples.isConverted[at] === 1,
      day: samples.days[place] ?? -1,
    };
  });
}

t.test("each place has the measured price and the day of its row", async () => {
  fc.assert(
    fc.property(randomDataset(), (dataset) => {
      const store = buildStore(dataset);
      const { catalogue, measures, periods, prices, series, snapshot } = store;
      const found = samplesOf(store);
      for (const [place, row] of series.rows.entries()) {
        const { unit = "", currency = null } = measures[prices.products[row] ?? -1] ?? {};
        const measuring = measuringIn(catalogue, prices, unit, currency);
        const recorded = prices.units[row] ?? -1;
        const divisor = measuring.divide[recorded] ?? 0;
        const isExcluded = divisor === 0 || prices.currencies[row] !== measuring.currency;
        const value = ((prices.prices[row] ?? 0) * (measuring.multiply[recorded] ?? 0)) / divisor;
        const sample = found[place];
        assert.equal(sample?.value, isExcluded ? Number.NaN : value);
        if (!isExcluded) assert.equal(sample?.isConverted, recorded !== measuring.unit);
        const day = dayOfInstant((prices.recordedAt[row] ?? 0) as Instant, snapshot.utcOffset);
        assert.equal(periods.days[sample?.day ?? -1], day);
      }
    }),
  );
});

t.test("codes ascend as prices do, and those of a series stand there sorted as well", async () => {
  fc.assert(
    fc.property(randomDataset(), (dataset) => {
      const { samples, series } = buildStore(dataset);
      for (let product = 0; product + 1 < samples.valueOffsets.length; product++) {
        const values = samples.values.subarray(samples.valueOffsets[product], samples.valueOffsets[product + 1]);
        assert.deepEqual(values.subarray(1), values.slice(1).sort());
      }
      for (let one = 0; one + 1 < series.rowOffsets.length; one++) {
        const [from = 0, to = 0] = series.rowOffsets.subarray(one, one + 2);
        assert.deepEqual([...samples.sortedCodes.subarray(from, to)], [...samples.codes.slice(from, to).sort()]);
      }
    }),
  );
});

t.test("equal prices share a code, but not one as recorded with one converted", async (t) => {
  const { samples } = buildStore(
    tinyDataset({
      prices: [
        { price: 50 },
        { price: 4500, unit: "90 kg bag" },
        { price: 50 },
        { price: 40 },
        { price: 7, unit: "bunch" },
        { price: 1, currency: "USD" },
      ],
    }),
  );
  t.same([...samples.values], [0, 0, 40, 50, 50], "the first product has none");
  t.same([...samples.isConverted], [0, 0, 0, 0, 1]);
  t.same([...samples.sortedCodes], [0, 0, 1, 2, 2, 3]);
});

t.test("samples make the figures that their rows make", async () => {
  fc.assert(
    fc.property(randomDataset(), fc.nat(), fc.nat(), (dataset, first, length) => {
      const { catalogue, measures, prices, samples, series } = buildStore(dataset);
      for (let one = 0; one + 1 < series.rowOffsets.length; one++) {
        const [start = 0, end = 0] = series.rowOffsets.subarray(one, one + 2);
        const from = start + (first % (end - start));
        const to = from + 1 + (length % (end - from));
        const product = prices.products[series.rows[from] ?? -1] ?? -1;
        const { unit = "", currency = null } = measures[product] ?? {};
        const scratch = new Float64Array(to - from);
        const [wanted, found] = [new GroupFiguresBuilder(), new GroupFiguresBuilder()];
        const measuring = measuringIn(catalogue, prices, unit, currency);
        addGroup(wanted, 3, prices, measuring, series.rows, from, to, scratch);
        addSamples(found, 3, samples, product, samples.codes, from, to, scratch);
        assert.deepEqual(found.view(), wanted.view());
      }
    }),
  );
});

t.test("more different prices than sixteen bits can tell have wider codes", async (t) => {
  const prices = Array.from({ length: 70_000 }, (_, at) => ({ price: 1 + ((at * 37) % 70_000) / 100 }));
  const { samples } = buildStore(tinyDataset({ prices }));
  t.equal(samples.codes.BYTES_PER_ELEMENT, 4);
  t.equal(samples.values.length, 70_002);
  t.same([samples.sortedCodes[0], samples.sortedCodes[69_999]], [1, 70_000]);
});
