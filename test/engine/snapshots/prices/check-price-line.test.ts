import t from "tap";
import type { Instant } from "../../../../src/engine/model/calendar.ts";
import { checkPriceLine, type PriceLinks } from "../../../../src/engine/snapshots/prices/check-price-line.ts";
import { problemText } from "../../../../src/engine/snapshots/problem.ts";
import { reportsExactly } from "../../../support/dataset-problems.ts";
import { marketRow, priceRow, productRow, testUuid } from "../../../support/snapshot-files.ts";

const recordedAtMax = Date.UTC(2026, 0, 15, 6) as Instant;

function linksTo(isWhole: boolean): PriceLinks {
  return {
    products: new Map([
      [testUuid(9), 0],
      [productRow().uuid, 1],
    ]),
    markets: new Map([[marketRow().uuid, 0]]),
    units: new Set(["kg", "90 kg bag"]),
    isWhole: { products: isWhole, markets: isWhole, units: isWhole },
    recordedAtMax,
    areHandedIn: true,
  };
}

function check(price: object, isWhole = true): readonly string[] {
  const { faults } = checkPriceLine(Buffer.from(JSON.stringify(price)), linksTo(isWhole));
  return faults.map((fault) => problemText({ file: "prices.ndjson", line: 3, ...fault }));
}

t.test("a price whose references resolve has no fault", async (t) => {
  const line = `${JSON.stringify(priceRow({ notes: "n" }))}\r`;
  t.match(checkPriceLine(Buffer.from(line), linksTo(true)), {
    price: { productUuid: productRow().uuid, price: 60, notes: "n", recordedAt: Date.UTC(2026, 0, 15, 6) },
    faults: [],
  });
});

t.test("control and bidirectional characters are reported by field; tabs and line ends are none", async (t) => {
  reportsExactly(t, check(priceRow({ notes: "a\u001b[2Jb", source: "x\u202ey" })), [
    /^prices\.ndjson:3: "source" is U\+202E in ".*", expected text without control and bidirectional characters$/,
    /^prices\.ndjson:3: "notes" is U\+001B in "a\\u001b\[2Jb", expected text without/,
  ]);
  for (const character of ["\u0000", "\u007f", "\u0085", "\u009b", "\u061c", "\u200e", "\u2066", "\u2069"]) {
    t.equal(check(priceRow({ quality_grade: `a${character}b` })).length, 1, JSON.stringify(character));
  }
  t.strictSame(check(priceRow({ notes: "a\tb\r\nc “é” 米 \u200d" })), []);
});

t.test("what does not resolve is reported, and so is a time after the last one allowed", async (t) => {
  const lost = { product_uuid: testUuid(5), market_uuid: testUuid(6), unit: "crate" };
  reportsExactly(t, check(priceRow({ ...lost, recorded_at: "2026-01-15T06:00:00.001Z" })), [
    /^prices\.ndjson:3: "product_uuid" is .*, which names no product/,
    /^prices\.ndjson:3: "market_uuid" is .*, which names no market/,
    /^prices\.ndjson:3: "unit" is "crate", which names no unit/,
    /^prices\.ndjson:3: "recorded_at" is "2026-01-15T06:00:00.001Z", expected a time up to a day after publication/,
  ]);
});

t.test("a table with refused records is not blamed for what it lacks", async (t) => {
  t.same(check(priceRow({ market_uuid: testUuid(6), unit: "crate" }), false), []);
});

t.test("a line that is no price is judged as any record is", async (t) => {
  reportsExactly(t, check(priceRow({ price: 0, colour: "red" })), [
    'prices.ndjson:3: "colour" is unknown, expected only the fields of the format',
    'prices.ndjson:3: "price" is 0, expected a number above 0 and at most 1e12',
  ]);
  t.equal(checkPriceLine(Buffer.from("7"), linksTo(true)).price, undefined);
});
