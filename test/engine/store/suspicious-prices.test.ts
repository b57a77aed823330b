import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import type { Dataset } from "../../../src/engine/model/dataset.ts";
import { readUuid, type Uuid } from "../../../src/engine/model/ids.ts";
import type { PriceAcceptance } from "../../../src/engine/model/records.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import {
  acceptedValues,
  buildSuspiciousPrices,
  isSuspicious,
  suspiciousReasonOf,
  suspiciousReasons,
} from "../../../src/engine/store/suspicious-prices.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { naiveSuspicious } from "../../support/naive-suspicious.ts";
import { randomDataset } from "../../support/random-dataset.ts";
import { randomSeriesDataset } from "../../support/random-series-dataset.ts";
import { type TinyPrice, tinyDataset } from "../../support/tiny-dataset.ts";

/** The prices that a store marks, by uuid. */
function marksOf(dataset: Dataset): Map<string, string> {
  const { prices, suspicious } = buildStore(dataset);
  const reasons = Array.from(suspicious.reasons, (code) => suspiciousReasons[code] as string);
  return new Map(Array.from(suspicious.rows, (row, at) => [readUuid(prices.uuids, row), reasons[at] as string]));
}

/** Monthly prices of one product at one market. */
function monthly(prices: readonly number[], more: Partial<TinyPrice> = {}): Partial<TinyPrice>[] {
  return prices.map((price, month) => ({
    price,
    recordedAt: new Date(Date.UTC(2020, month, 15)).toISOString(),
    ...more,
  }));
}

/** The marked ones of monthly prices, with their reasons. */
function markedMonths(prices: readonly number[]): [number, string][] {
  const dataset = tinyDataset({ prices: monthly(prices) });
  const marks = marksOf(dataset);
  return [...prices.entries()].flatMap(([at, price]) => {
    const reason = marks.get(readUuid(dataset.prices.uuids, at));
    return reason === undefined ? [] : [[price, reason] as [number, string]];
  });
}

for (const [name, datasets] of [
  ["random datasets", randomDataset()],
  ["series of months", randomSeriesDataset()],
] as const) {
  t.test(`the marks of ${name} are those of the twin`, async () => {
    fc.assert(
      fc.property(datasets, (dataset) => {
        assert.deepEqual(new Map([...marksOf(dataset)].sort()), new Map([...naiveSuspicious(dataset)].sort()));
      }),
      { numRuns: runsOf(75, 150) },
    );
  });
}

const eight = (value: number): number[] => Array<number>(8).fill(value);

/** Monthly prices, and those of them that are marked. */
const rows: readonly (readonly [
  claim: string,
  prices: readonly number[],
  ...marked: [price: number, reason: string][],
])[] = [
  ["ten times too high", [50, 52, 51, 500, 49, 50, 52], [500, "decimal_slip"]],
  ["so at the start", [500, 50, 52, 51, 49, 50, 52], [500, "decimal_slip"]],
  ["ten times too low, at the end", [50, 52, 51, 49, 50, 52, 5], [5, "decimal_slip"]],
  ["far away, which no slip explains", [50, 50, 50, 250, 50, 50, 50], [250, "far"]],
  ["three times the median is still usual", [50, 50, 50, 150, 50, 50, 50]],
  ["and no more than that", [50, 50, 50, 150.01, 50, 50, 50], [150.01, "far"]],
  ["a third as well", [51, 51, 51, 17, 51, 51, 51]],
  ["and no less than that", [51, 51, 51, 16.99, 51, 51, 51], [16.99, "far"]],
  ["four neighbours after it", [200, 50, 51, 52, 50], [200, "far"]],
  ["one before and three after it", [50, 200, 51, 52, 50], [200, "far"]],
  ["two on either side", [50, 51, 200, 52, 50], [200, "far"]],
  ["four neighbours before it", [50, 51, 52, 50, 200], [200, "far"]],
  ["three neighbours are too few", [50, 51, 52, 200]],
  ["a slip beside each median", [50, 50, 50, 650, 70, 70, 70], [650, "decimal_slip"]],
  ["1.5 times once undone", [50, 50, 50, 750, 50, 50, 50], [750, "decimal_slip"]],
  ["more than that once undone", [50, 50, 50, 760, 50, 50, 50], [760, "far"]],
  ["undone 50, within 1.5 times of 50 alone", [50, 50, 50, 50, 500, 90, 90, 90, 90], [500, "far"]],
  ["a tenth of one side and ten times the other", [...eight(1), 10, ...eight(100)], [10, "far"]],
  ["a series that varies much allows for more", [20, 90, 25, 250, 30, 100, 22, 80]],
  ["a change of level that lasts", [10, 10, 10, 10, 10, 10, 60, 60, 60, 60, 60, 60]],
];

t.test("a price is judged by its four nearest neighbours or more", async (t) => {
  for (const [claim, prices, ...marked] of rows) t.strictSame(markedMonths(prices), marked, claim);
});

t.test("a price with fewer than four neighbours is compared with the markets of its type", async (t) => {
  const others = [50, 52, 51, 50, 49].map((price, day) => ({
    market: 1,
    price,
    recordedAt: `2020-03-0${day + 1}T09:00:00Z`,
  }));
  const types = [{ type: "Retail" }, { type: "Retail" }, { type: "Wholesale" }] as const;
  const single = { market: 0, price: 5, recordedAt: "2020-06-01T09:00:00Z" };
  const dataset = (more: Partial<TinyPrice>): Dataset =>
    tinyDataset({ markets: types, prices: [{ ...single, ...more }, ...others] });
  t.equal(marksOf(dataset({})).size, 1);
  t.equal(marksOf(dataset({ price: 9 })).size, 0, "up to six times below");
  t.equal(marksOf(dataset({ price: 8.3 })).size, 1);
  t.equal(marksOf(dataset({ market: 2 })).size, 0, "of another type");
  const fewer = tinyDataset({ markets: types, prices: [single, ...others.slice(1)] });
  t.equal(marksOf(fewer).size, 0, "four others are too few");
  t.equal(marksOf(dataset({ recordedAt: "2021-04-01T09:00:00Z" })).size, 0, "thirteen months later");
});

t.test("a price that was accepted is not marked, and is a neighbour still", async (t) => {
  const store = buildStore(tinyDataset({ prices: monthly([50, 52, 51, 500, 49, 50, 52]) }));
  const [row] = store.suspicious.rows;
  t.not(row, undefined);
  t.equal(suspiciousReasonOf(store.suspicious, row as number), "decimal_slip");
  t.equal(suspiciousReasonOf(store.suspicious, (row as number) + 1), null);
  t.same(
    [...Array(7).keys()].filter((at) => isSuspicious(store.suspicious, at)),
    [row],
  );
  const uuid = readUuid(store.prices.uuids, row as number);
  const decision = { reason: "asked there", when: 0 as Instant, by: null };
  const values = { price: null, unit: null, currency: null, productUuid: null, marketUuid: null };
  const ofNoPrice = { uuid: "00000000-0000-4000-8000-00000000dead" as Uuid, ...decision, ...values };
  const marksWith = (fields: Partial<PriceAcceptance>): number =>
    buildSuspiciousPrices({ ...store, accepted: [ofNoPrice, { uuid, ...decision, ...values, ...fields }] }).rows.length;
  t.equal(marksWith({}), 0, "an older acceptance is of the uuid alone");
  const accepted = acceptedValues(store, row as number);
  t.equal(marksWith(accepted), 0);
  const others = { price: 5000, unit: "90 kg bag", currency: "USD", productUuid: uuid, marketUuid: uuid };
  for (const [name, value] of Object.entries(others)) {
    t.equal(marksWith({ ...accepted, [name]: value }), 1, `it was accepted with another ${name}`);
  }
});
