import t from "tap";
import { sharedFloat64 } from "../../src/domain/shared-columns.ts";
import { checkByPrice, fillPageByBlocks } from "../../src/query/count-by-blocks.ts";
import type { Page } from "../../src/query/page.ts";
import type { PricePlan, RowCheck } from "../../src/query/plan-prices.ts";
import { collectRows, fillPage, isWanted, sliceOf } from "../../src/query/walk-prices.ts";
import { buildStore } from "../../src/store/build-store.ts";
import { codeColumn } from "../../src/store/code-column.ts";
import type { PriceColumns } from "../../src/store/price-columns.ts";
import { tinyDataset } from "../support/tiny-dataset.ts";

const anything: RowCheck = { product: -1, marketMask: null, priceMin: -Infinity, priceMax: Infinity };

/** Enough rows for several steps. Row r costs r % 10 shillings and is of product r % 2. */
const rowCount = 130_000;
const many: PriceColumns = {
  ...buildStore(tinyDataset()).prices,
  rowCount,
  prices: sharedFloat64(rowCount),
  products: codeColumn(rowCount, 2),
};
for (let row = 0; row < rowCount; row++) {
  many.prices[row] = row % 10;
  many.products[row] = row % 2;
}
const everyTenth: RowCheck = { ...anything, priceMin: 3, priceMax: 3 };

function planOf(rows: Uint32Array | null, from: number, to: number, check: RowCheck | null): PricePlan {
  return { walk: rows === null ? "product" : "time", rows, range: { from, to }, check };
}

/** The result of some work and how many steps it took. */
function finish<T>(work: Generator<number, T>): { value: T; steps: number } {
  for (let steps = 0; ; steps++) {
    const step = work.next();
    if (step.done === true) return { value: step.value, steps };
  }
}

t.test("a row is wanted when product, market and price all are", async (t) => {
  const { prices } = buildStore(tinyDataset({ prices: [{ price: 50, market: 1 }] }));
  t.ok(isWanted(prices, anything, 0));
  t.ok(isWanted(prices, { product: 1, marketMask: Uint8Array.of(1, 0, 0), priceMin: 50, priceMax: 50 }, 0));
  t.notOk(isWanted(prices, { ...anything, product: 0 }, 0));
  t.notOk(isWanted(prices, { ...anything, marketMask: Uint8Array.of(0, 1, 1) }, 0));
  t.notOk(isWanted(prices, { ...anything, priceMin: 50.01 }, 0));
  t.notOk(isWanted(prices, { ...anything, priceMax: 49.99 }, 0));
});

t.test("a slice of a list is a view, a slice of the rows themselves their numbers", async (t) => {
  const rows = Uint32Array.of(9, 7, 5, 3);
  t.same([...sliceOf(rows, 1, 3)], [7, 5]);
  t.equal(sliceOf(rows, 1, 3).buffer, rows.buffer);
  t.same([...sliceOf(null, 4, 7)], [4, 5, 6]);
  t.same([...sliceOf(null, 4, 4)], []);
});

t.test("with nothing to check the rows of the range are collected without a step", async (t) => {
  const rows = Uint32Array.of(9, 7, 5, 3);
  t.same(finish(collectRows(many, planOf(rows, 1, 4, null))), { value: Uint32Array.of(7, 5, 3), steps: 0 });
  t.same(finish(collectRows(many, planOf(rows, 1, 4, null), 2)), { value: Uint32Array.of(7, 5), steps: 0 });
  t.same(finish(collectRows(many, planOf(null, 10, 13, null))), { value: Uint32Array.of(10, 11, 12), steps: 0 });
});

t.test("rows that are checked are collected over several steps, and only the newest when some will do", async (t) => {
  const { value, steps } = finish(collectRows(many, planOf(null, 5, rowCount - 5, everyTenth)));
  t.equal(value.length, 12_999);
  t.same([value[0], value[1], value.at(-1)], [13, 23, rowCount - 7]);
  t.ok(steps >= 2, `${steps} steps`);

  const few = finish(collectRows(many, planOf(null, 0, rowCount, everyTenth), 3));
  t.same(few, { value: Uint32Array.of(3, 13, 23), steps: 1 });
  const backwards = Uint32Array.from({ length: rowCount }, (_, place) => rowCount - 1 - place);
  const { value: rows } = finish(collectRows(many, planOf(backwards, 0, rowCount, everyTenth)));
  t.same([rows.length, rows[0], rows.at(-1)], [13_000, rowCount - 7, 3]);
});

t.test("a page is the same whether the total is known or counted, at every place of the walk", async (t) => {
  const wanted = Array.from({ length: 13_000 }, (_, at) => at * 10 + 3);
  const plan = planOf(null, 0, rowCount, everyTenth);
  for (const skip of [0, 1, 4999, 5000, 5001, 9990, 12_990, 12_999, 13_000, 13_001, 1e9]) {
    for (const pageSize of [1, 10, 13_000]) {
      const entries = Uint32Array.from(wanted.slice(skip, skip + pageSize));
      const page: Page<Uint32Array> = { entries, total: wanted.length };
      t.same(finish(fillPage(many, plan, everyTenth, skip, pageSize)).value, page, `counted, ${skip} skipped`);
      t.same(finish(fillPage(many, plan, everyTenth, skip, pageSize, 13_000)).value, page, `known, ${skip} skipped`);
      const { value, steps } = finish(fillPageByBlocks(plan, checkByPrice(many, plan, everyTenth), skip, pageSize));
      t.same(value, page, `by price, ${skip} skipped`);
      t.equal(steps, 1);
    }
  }
});

t.test("a walk whose total is known ends with the page, and does not begin for a page past the last", async (t) => {
  const plan = planOf(null, 0, rowCount, everyTenth);
  t.equal(finish(fillPage(many, plan, everyTenth, 0, 10, 13_000)).steps, 1);
  t.equal(finish(fillPage(many, plan, everyTenth, 13_000, 10, 13_000)).steps, 0);
  t.ok(finish(fillPage(many, plan, everyTenth, 12_990, 10, 13_000)).steps >= 2);
  t.ok(finish(fillPage(many, plan, everyTenth, 0, 10)).steps >= 2, "when it must be counted");
});

t.test("a page of a list is in the order of the list", async (t) => {
  const backwards = Uint32Array.from({ length: rowCount }, (_, place) => rowCount - 1 - place);
  const plan = planOf(backwards, 10, rowCount, everyTenth);
  const wanted = { entries: Uint32Array.of(rowCount - 67, rowCount - 77), total: 12_999 };
  t.same(finish(fillPage(many, plan, everyTenth, 5, 2)).value, wanted);
  t.same(finish(fillPageByBlocks(plan, checkByPrice(many, plan, everyTenth), 5, 2)).value, wanted);
});

t.test("a page of nothing is empty", async (t) => {
  const none: RowCheck = { ...anything, priceMin: 100 };
  t.same(finish(fillPage(many, planOf(null, 0, rowCount, none), none, 0, 10)).value, {
    entries: new Uint32Array(),
    total: 0,
  });
  t.same(finish(fillPage(many, planOf(null, 7, 7, anything), anything, 0, 10)).value, {
    entries: new Uint32Array(),
    total: 0,
  });
});
