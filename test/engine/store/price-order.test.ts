import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { type Day, dayFromText } from "../../../src/engine/model/calendar.ts";
import { buildPeriods } from "../../../src/engine/store/build-periods.ts";
import { buildPriceOrder, type PriceOrder, positionsOfPrices } from "../../../src/engine/store/price-order.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { instantOfDayStart } from "../../support/instant-of-day.ts";

const utcOffset = 10_800_000;
const dayFirst = dayFromText("2026-01-01") as Day;

/** A list of prices, newest first. Rows are numbered backwards, so that rows and places are not the same. */
interface Prices {
  readonly prices: Float64Array;
  readonly rowsByTime: Uint32Array;
  readonly order: PriceOrder;
}

/** @param months Prices of each month, newest month first, each in answer order. */
function ordered(...months: (readonly number[])[]): Prices {
  const amounts = months.flat();
  const instants = months.flatMap((prices, month) => {
    // Months of 31 days at most: the first of each is found by going back in steps.
    const firstDay = dayFromText(`2026-${String(months.length - month).padStart(2, "0")}-01`) ?? dayFirst;
    return prices.map((_, at) => instantOfDayStart(firstDay, utcOffset) + 1000 * (prices.length - at));
  });
  const rowsByTime = Uint32Array.from(amounts.keys()).reverse();
  const prices = new Float64Array(amounts.length);
  const recordedAt = new Float64Array(amounts.length);
  for (const [place, row] of rowsByTime.entries()) {
    prices[row] = amounts[place] as number;
    recordedAt[row] = instants[place] as number;
  }
  const periods = buildPeriods(recordedAt, utcOffset);
  return { prices, rowsByTime, order: buildPriceOrder(prices, rowsByTime, periods) };
}

/** Throws where the rows of a month are not those of a stable sort by price. */
function checkMonth({ prices, rowsByTime, order }: Prices, month: number): void {
  const [from = 0, to = 0] = order.monthOffsets.subarray(month, month + 2);
  const places = Array.from(rowsByTime.subarray(from, to).keys());
  const amount = (place: number) => prices[rowsByTime[from + place] as number] as number;
  places.sort((a, b) => amount(a) - amount(b) || a - b);
  assert.deepEqual(
    order.rows.subarray(from, to),
    Uint32Array.from(places, (place) => rowsByTime[from + place] as number),
  );
}

/** Throws where the places of a range are not those of a filter. */
function checkRange({ prices, order }: Prices, month: number, priceMin: number, priceMax: number): void {
  const [start = 0, end = 0] = order.monthOffsets.subarray(month, month + 2);
  const { from, to } = positionsOfPrices(order, prices, month, priceMin, priceMax);
  assert.ok(start <= from && from <= to && to <= end, `places ${from} to ${to} of month ${start} to ${end}`);
  const rows = order.rows.subarray(start, end);
  const isInside = (row: number) => (prices[row] as number) >= priceMin && (prices[row] as number) <= priceMax;
  assert.deepEqual(order.rows.subarray(from, to), rows.filter(isInside), `${priceMin} to ${priceMax}`);
}

const price = fc.oneof(
  fc.constantFrom(0.01, 50, 100, 4500),
  fc.integer({ min: 1, max: 500_000 }).map((cents) => cents / 100),
  fc.double({ min: Number.MIN_VALUE, max: Number.MAX_VALUE, noNaN: true }),
);

t.test("the rows of each month are by price, equal prices in answer order", async () => {
  const months = fc.array(fc.array(price, { minLength: 1, maxLength: 150 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(months, (months) => {
      const all = ordered(...months);
      assert.equal(all.order.monthOffsets.length, months.length + 1);
      for (const month of months.keys()) checkMonth(all, month);
    }),
  );
});

t.test("the places of any range of prices are those of a filter", async () => {
  const months = fc.array(fc.array(price, { minLength: 1, maxLength: 200, size: "max" }), {
    minLength: 1,
    maxLength: 3,
  });
  const question = months.chain((months) => {
    const edges = fc.oneof(fc.constantFrom(...months.flat()), fc.constantFrom(-Infinity, 0, Infinity), price);
    return fc.tuple(fc.constant(months), fc.array(fc.tuple(edges, edges), { minLength: 1, maxLength: 10 }));
  });
  fc.assert(
    fc.property(question, ([months, ranges]) => {
      const all = ordered(...months);
      for (const month of months.keys()) {
        for (const [priceMin, priceMax] of ranges) checkRange(all, month, priceMin, priceMax);
      }
    }),
    { numRuns: runsOf(200) },
  );
});

t.test("a range above, below or the wrong way round holds nothing", async (t) => {
  const { order, prices } = ordered([30, 10, 20], [5]);
  t.same(positionsOfPrices(order, prices, 0, 31, Infinity), { from: 3, to: 3 });
  t.same(positionsOfPrices(order, prices, 0, -Infinity, 9), { from: 0, to: 0 });
  t.same(positionsOfPrices(order, prices, 0, 20, 10), { from: 1, to: 1 });
  t.same(positionsOfPrices(order, prices, 1, 6, 7), { from: 4, to: 4 });
  t.same(positionsOfPrices(order, prices, 1, -Infinity, Infinity), { from: 3, to: 4 });
});

t.test("long months are in the same order as short ones, whatever digits their prices share", async () => {
  const length = 5000;
  const months: Record<string, (at: number) => number> = {
    "whole shillings": (at) => 1 + ((at * 7919) % 300),
    cents: (at) => ((at * 104_729) % 500_000) / 100 + 0.01,
    "equal prices": () => 50,
    "two prices": (at) => (at % 2 === 0 ? 50 : 50.01),
    "all magnitudes": (at) => 10 ** (((at * 7919) % 600) - 300) * (1 + at),
    "already in order": (at) => at + 1,
    "the wrong way round": (at) => length - at,
  };
  for (const [name, priceAt] of Object.entries(months)) {
    const prices = Array.from({ length }, (_, at) => priceAt(at));
    const short = prices.slice(0, 300);
    const all = ordered(short, prices, short, prices.toReversed());
    for (const month of [0, 1, 2, 3]) {
      assert.doesNotThrow(() => checkMonth(all, month), name);
      for (const edge of [prices[0], prices[64], prices[4096]] as number[]) checkRange(all, month, edge, edge * 2);
    }
  }
});

t.test("months at the length where the way of sorting changes are in order", async () => {
  for (const length of [4095, 4096, 4097]) {
    const all = ordered(Array.from({ length }, (_, at) => ((at * 7919) % 1009) / 4 + 0.01));
    checkMonth(all, 0);
  }
});

t.test("months are cut by the clocks of the dataset, newest first", async (t) => {
  const edge = instantOfDayStart(dayFromText("2026-02-01") as Day, utcOffset);
  const recordedAt = Float64Array.of(edge + 1, edge, edge - 1, edge - 40 * 86_400_000);
  const rows = Uint32Array.of(0, 1, 2, 3);
  const prices = Float64Array.of(2, 1, 4, 3);
  const order = buildPriceOrder(prices, rows, buildPeriods(recordedAt, utcOffset));
  t.same([...order.monthOffsets], [0, 2, 3, 4]);
  t.same([...order.rows], [1, 0, 2, 3]);
});

t.test("without prices there is no month", async (t) => {
  const { order } = ordered();
  t.same([[...order.monthOffsets], order.rows.length], [[0], 0]);
});
