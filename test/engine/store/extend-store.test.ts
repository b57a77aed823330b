import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { generateDataset } from "../../../bench/sample/generate-dataset.ts";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import type { Dataset, PriceTable, SnapshotIdentity } from "../../../src/engine/model/dataset.ts";
import { readUuid } from "../../../src/engine/model/ids.ts";
import { missingCode } from "../../../src/engine/model/shared-columns.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { extendStoreOnThreads } from "../../../src/engine/store/extend-store.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { isWhole, runsOf } from "../../support/fixed-seed.ts";
import { largeDataset } from "../../support/large-dataset.ts";
import { type AppendedPrice, PriceAppender } from "../../support/price-appender.ts";
import { randomDataset } from "../../support/random-dataset.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";
import { typedArraysIn } from "./shared-memory.ts";

const seconds = 1000;

t.test("a store with a day's prices more is the store of all prices, array by array", async () => {
  const shares = fc.record({ added: fc.nat(100), replaced: fc.nat(100), seed: fc.nat() });
  await fc.assert(
    fc.asyncProperty(randomDataset(), shares, async (dataset, { added, replaced, seed }) => {
      await assertExtends(
        dataset,
        (at) => mixed(at, seed) % 100 < added,
        (at) => mixed(at, seed + 1) % 100 < replaced,
      );
    }),
    { numRuns: runsOf(100, 300) },
  );
});

t.test("so it is with tens of thousands of prices", async () => {
  for (const [at, dataset] of [largeDataset(), generateDataset({ prices: 10_000, seed: 3 })].entries()) {
    // A fast run cuts each dataset in one way.
    if (isWhole || at === 0) {
      await assertExtends(
        dataset,
        (at) => at % 97 === 0,
        (at) => at % 2 === 0,
      );
    }
    // The last prices of the table, as a market day brings them.
    if (isWhole || at === 1) {
      await assertExtends(
        dataset,
        (at) => at >= dataset.prices.rowCount - 300,
        (at) => at % 5 === 0,
      );
    }
  }
});

t.test("a dictionary that passes the width of its column", async () => {
  for (const count of [254, 255, 256]) {
    const prices = Array.from({ length: count + 2 }, (_, at) => ({
      notes: `note ${at}`,
      source: `source ${at % 256}`,
    }));
    await assertExtends(
      tinyDataset({ prices }),
      (at) => at >= count,
      () => false,
    );
  }
});

t.test("nothing added, everything added, everything replaced", async () => {
  const dataset = largeDataset(500);
  for (const [isAdded, isReplaced] of [
    [false, false],
    [true, false],
    [true, true],
  ]) {
    await assertExtends(
      dataset,
      () => isAdded === true,
      () => isReplaced === true,
    );
  }
});

t.test("products and markets may be new, or have other names that sort elsewhere", async () => {
  await fc.assert(
    fc.asyncProperty(randomDataset({ priceCountMin: 2 }), fc.nat(100), async (dataset, share) => {
      const whole = buildStore(dataset);
      const records = recordsOf(dataset, whole);
      const isAdded = (_: unknown, at: number): boolean => mixed(at, share) % 100 < share;
      const kept = records.filter((record, at) => !isAdded(record, at));
      // Before: only what the kept prices refer to, under other names.
      const { products, markets } = inCodeOrder(dataset, whole);
      const [productsBefore, productAt] = firstOf(products, new Set(kept.map(({ product }) => product)));
      const [marketsBefore, marketAt] = firstOf(markets, new Set(kept.map(({ market }) => market)));
      const before = kept.map((record) => {
        return { ...record, product: productAt(record.product), market: marketAt(record.market) };
      });
      const tables = { products: productsBefore, markets: marketsBefore };
      const base = buildStore({ ...dataset, ...tables, prices: tableOf(before) });
      const added = records.filter(isAdded);
      const addition = { snapshot: dataset.snapshot, catalogue: whole.catalogue, prices: tableOf(added) };
      const extended = await extendStoreOnThreads(base, addition, 1);
      assert.deepEqual(contentsOf(extended), contentsOf(whole));
      assert.deepEqual(extended.statisticsUnits, whole.statisticsUnits);
      assert.equal(extended.catalogue, whole.catalogue);
    }),
    { numRuns: runsOf(50, 150) },
  );
});

/** Some records, renamed so that they sort in the reverse order, and where each of them now is. */
function firstOf<T extends { readonly name: string }>(
  records: readonly T[],
  wanted: ReadonlySet<number>,
): [T[], (position: number) => number] {
  const positions = [...wanted].sort((a, b) => a - b);
  const renamed = positions.map((position) => {
    const record = records[position] as T;
    return { ...record, name: `${String(999 - position)} ${record.name}` };
  });
  return [renamed, (position) => positions.indexOf(position)];
}

t.test("the store given stays as it is, also when its prices are replaced", async (t) => {
  const dataset = largeDataset(300);
  const store = buildStore(dataset);
  const before = contentsOf(store);
  const records = recordsOf(dataset, store).slice(0, 20);
  const news = tableOf(records.map((record) => ({ ...record, price: record.price + 1 })));
  const extended = await extendStoreOnThreads(store, { snapshot: dataset.snapshot, prices: news }, 1);
  t.equal(extended.prices.rowCount, store.prices.rowCount, "each took the place of another");
  t.same(contentsOf(store), before);
});

/** Cuts a dataset in two, adds the second part to the store of the first, and compares with the store of all. */
async function assertExtends(
  dataset: Dataset,
  isAdded: (position: number) => boolean,
  isReplaced: (position: number) => boolean,
): Promise<void> {
  const whole = buildStore(dataset);
  const records = recordsOf(dataset, whole);
  const added = records.filter((_, at) => isAdded(at));
  // What was there before of some of the added prices: the same uuid, everything else different.
  const replaced = added
    .filter((_, at) => isReplaced(at))
    .map((record, at) => ({
      ...record,
      product: (record.product + 1) % dataset.products.length,
      market: (record.market + at) % dataset.markets.length,
      recordedAt: (record.recordedAt + ((at % 3) - 1) * seconds) as Instant,
      notes: `before ${at}`,
      source: "before",
    }));
  const kept = records.filter((_, at) => !isAdded(at));
  const snapshot: SnapshotIdentity = { ...dataset.snapshot, id: "20260101T000000Z-000000000000" };
  const base = buildStore({ ...inCodeOrder(dataset, whole), snapshot, prices: tableOf([...replaced, ...kept]) });
  const extended = await extendStoreOnThreads(base, { snapshot: dataset.snapshot, prices: tableOf(added) }, 1);
  assert.deepEqual(contentsOf(extended), contentsOf(whole));
  assert.deepEqual(extended.snapshot, whole.snapshot);
  assert.deepEqual(extended.statisticsUnits, whole.statisticsUnits);
  assert.deepEqual(extended.prices.unitNames, whole.prices.unitNames);
  assert.deepEqual(extended.prices.sourceNames, whole.prices.sourceNames);
  assert.equal(base.prices.rowCount + added.length - extended.prices.rowCount, replaced.length);
}

function contentsOf(store: Store): Map<string, unknown> {
  return new Map([...typedArraysIn(store)].map(([path, array]) => [path, array.slice()]));
}

/** The small tables in the order of their codes, so that positions in them are codes. */
function inCodeOrder(dataset: Dataset, { catalogue }: Store): Dataset {
  return {
    ...dataset,
    products: catalogue.products.map(({ record }) => record),
    markets: catalogue.markets.map(({ record }) => record),
  };
}

/** The prices of a dataset, products and markets by code. */
function recordsOf({ prices, products, markets }: Dataset, { catalogue }: Store): AppendedPrice[] {
  const text = (texts: readonly string[], code: number | undefined): string => texts[code ?? -1] ?? "";
  return Array.from({ length: prices.rowCount }, (_, at) => ({
    uuid: readUuid(prices.uuids, at),
    product: catalogue.productCodes.get(products[prices.products[at] ?? -1]?.uuid as never) ?? -1,
    market: catalogue.marketCodes.get(markets[prices.markets[at] ?? -1]?.uuid as never) ?? -1,
    price: prices.prices[at] ?? 0,
    unit: text(prices.unitNames, prices.units[at]),
    currency: text(prices.currencyCodes, prices.currencies[at]),
    recordedAt: prices.recordedAt[at] as Instant,
    source: text(prices.sourceNames, prices.sources[at]),
    qualityGrade: prices.grades[at] === missingCode(prices.grades) ? null : text(prices.gradeNames, prices.grades[at]),
    notes: prices.notes[at] === missingCode(prices.notes) ? null : text(prices.noteTexts, prices.notes[at]),
    priceFlag: (prices.flagNames[prices.flags[at] ?? -1] ?? null) as AppendedPrice["priceFlag"],
    createdAt: prices.createdAt[at] as Instant,
    updatedAt: prices.updatedAt[at] as Instant,
  }));
}

function tableOf(records: readonly AppendedPrice[]): PriceTable {
  const appender = new PriceAppender(records.length);
  for (const record of records) appender.append(record);
  return appender.finish();
}

/** A number that looks random but is the same for the same arguments. */
function mixed(at: number, seed: number): number {
  return (Math.imul(at + 1, 0x9e37_79b1) ^ Math.imul(seed + 1, 0x85eb_ca6b)) >>> 7;
}
