import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { suspectKinds, type Warning } from "../../../../src/contract/publication-report.ts";
import { dayMilliseconds, type Instant } from "../../../../src/engine/model/calendar.ts";
import type { Dataset } from "../../../../src/engine/model/dataset.ts";
import { compareTexts } from "../../../../src/engine/model/folded-text.ts";
import { type PlacedRecords, RecordTable } from "../../../../src/engine/snapshots/read-tables.ts";
import { buildStore } from "../../../../src/engine/store/build-store.ts";
import { findWarnings } from "../../../../src/publishing/publish/warnings/find-warnings.ts";
import { pricesOfDataset } from "../../../engine/store/stored-prices.ts";
import { runsOf } from "../../../support/fixed-seed.ts";
import { naiveWarnings } from "../../../support/naive-warnings.ts";
import { randomDataset } from "../../../support/random-dataset.ts";
import { type TinyPrice, tinyDataset, uuidOf } from "../../../support/tiny-dataset.ts";

/** Each warning as the twin has it. @param rowsPerFile With it, the prices come from files of so many rows. */
function warningsOf(after: Dataset, before: Dataset | undefined, rowsPerFile?: number): string[] {
  const list = findWarnings({
    after: buildStore(after),
    before: before === undefined ? undefined : buildStore(before),
    reading: rowsPerFile === undefined ? undefined : readingOf(after, rowsPerFile),
    perKindMax: Number.POSITIVE_INFINITY,
  });
  const counted = [...list.counts].filter(([kind]) => !suspectKinds.includes(kind));
  assert.equal(list.problems.length + counted.reduce((sum, [, count]) => sum + count, 0), list.total);
  for (const { file, line, price } of rowsPerFile === undefined ? [] : list.problems) {
    if (price !== undefined) assert.equal(`${file}:${line}`, locationOf(after, price.uuid, rowsPerFile as number));
  }
  const listed = list.problems.map((warning) => `${warning.kind} ${subjectOf(after, warning)}`);
  return [...listed, ...counted.map(([kind, count]) => `${kind} ${count}`)].sort(compareTexts);
}

function readingOf(dataset: Dataset, rowsPerFile: number): PlacedRecords {
  const tableOf = <T>(file: string, records: readonly T[]): RecordTable<T> => {
    const table = new RecordTable<T>(file);
    for (const [at, record] of records.entries()) table.add(record, at + 1);
    return table;
  };
  const products = tableOf("products.ndjson", dataset.products);
  const markets = tableOf("markets.ndjson", dataset.markets);
  return {
    records: dataset,
    tables: { products, markets } as unknown as PlacedRecords["tables"],
    locationOfPrice: (row) => ({
      file: `prices/${Math.floor(row / rowsPerFile)}.ndjson`,
      line: (row % rowsPerFile) + 1,
    }),
    originsPaths: [],
  };
}

function locationOf(dataset: Dataset, uuid: string, rowsPerFile: number): string {
  const row = pricesOfDataset(dataset).findIndex((price) => price.uuid === uuid);
  const { file, line } = readingOf(dataset, rowsPerFile).locationOfPrice(row);
  return `${file}:${line}`;
}

function subjectOf({ products, markets }: Dataset, { kind, price, found, file }: Warning): string {
  // Names of the found text are JSON.
  const [, quoted = ""] = /^("(?:[^"\\]|\\.)*")/.exec(found) ?? [];
  if (kind === "new-unit" || kind === "new-currency") return `${price?.productUuid} ${JSON.parse(quoted)}`;
  if (kind === "new-source" || kind === "silent-source") return JSON.parse(quoted) as string;
  if (kind === "copied-market" || kind === "copied-month") {
    const months = [...found.matchAll(/("(?:[^"\\]|\\.)*") in ([0-9]{4}-[0-9]{2})/g)];
    return months
      .map(([, name, month]) => `${month} ${uuidOfMarket(markets, name as string)}`)
      .sort()
      .join(" ");
  }
  if (price !== undefined) return price.uuid;
  const records = file === "markets.ndjson" ? markets : products;
  const named = records.filter(({ name }) => name === JSON.parse(quoted));
  assert.equal(named.length, 1, `${found} names one record`);
  return named[0]?.uuid as string;
}

function uuidOfMarket(markets: Dataset["markets"], quoted: string): string | undefined {
  return markets.find(({ name }) => name === JSON.parse(quoted))?.uuid;
}

const firstDay = Date.UTC(2025, 0, 1);

const randomPrice = fc.record({
  product: fc.constantFrom(0, 0, 0, 1),
  market: fc.constantFrom(0, 0, 0, 1, 2),
  /**
   * What series are usually at, and what slips make of it; no two of them are exactly the ratios of the rules apart.
   */
  price: fc.oneof(
    { arbitrary: fc.integer({ min: 41, max: 59 }), weight: 9 },
    fc.constantFrom(5.03, 0.61, 601, 5507, 151, 293, 4507, 5403, 0.71),
  ),
  unit: fc.constantFrom("kg", "kg", "kg", "kg", "90 kg bag", "bunch"),
  currency: fc.constantFrom("KES", "KES", "KES", "KES", "KES", "KSH"),
  source: fc.constantFrom("WFP", "WFP", "WFP", "Own"),
  qualityGrade: fc.constantFrom(null, null, null, "A"),
  recordedAt: fc
    .oneof(
      { arbitrary: fc.integer({ min: 0, max: 40 }).map((week) => 7 * week), weight: 12 },
      fc.integer({ min: 0, max: 700 }),
      fc.constantFrom(-400, -9000, 400),
    )
    .map((day) => (firstDay + day * dayMilliseconds) as Instant),
});

const markets = [{ type: "Wholesale" }, { type: "Wholesale" }, { type: "Retail" }] as const;

function datasetOf(prices: readonly Partial<TinyPrice>[]): Dataset {
  const snapshot = { createdAt: (firstDay + 390 * dayMilliseconds) as Instant };
  const named = markets.map((market, at) => ({ ...market, name: `Market ${at}` }));
  return tinyDataset({ snapshot, markets: named, prices });
}

const edits = fc.array(
  fc.constantFrom("keep", "keep", "keep", "keep", "drop", "price", "day", "product", "notes", "grade", "source"),
  { minLength: 1, maxLength: 20 },
);

function edited(prices: readonly Partial<TinyPrice>[], edit: readonly string[]): Partial<TinyPrice>[] {
  return prices.flatMap((original, at): Partial<TinyPrice>[] => {
    const price = { ...original, uuid: uuidOf("price", at + 1) };
    switch (edit[at % edit.length]) {
      case "drop":
        return [];
      case "price":
        return [{ ...price, price: (original.price as number) * 10 }];
      case "day":
        return [{ ...price, recordedAt: ((original.recordedAt as number) + dayMilliseconds) as Instant }];
      case "product":
        return [{ ...price, product: 1 }];
      case "notes":
        return [{ ...price, notes: "seen again" }];
      case "source":
        return [{ ...price, source: "County office" }];
      case "grade":
        return [{ ...price, qualityGrade: "B" }];
      default:
        return [price];
    }
  });
}

t.test("equals the slow search on random prices, alone and beside a snapshot before", async () => {
  let [alone, compared] = [new Set<string>(), new Set<string>()];
  const kindsOf = (found: readonly string[]): Set<string> => new Set(found.map((text) => text.split(" ")[0] as string));
  fc.assert(
    fc.property(fc.array(randomPrice, { minLength: 0, maxLength: 90, size: "max" }), edits, edits, (prices, a, b) => {
      const [before, after] = [datasetOf(edited(prices, a)), datasetOf(edited(prices, b))];
      const ofAfter = warningsOf(after, undefined);
      assert.deepEqual(ofAfter, naiveWarnings(after));
      const ofChange = warningsOf(after, before, 9);
      assert.deepEqual(ofChange, naiveWarnings(after, before));
      alone = alone.union(kindsOf(ofAfter));
      compared = compared.union(kindsOf(ofChange));
    }),
    { numRuns: runsOf(225, 1500) },
  );
  // Every kind was met, or the twins would agree about nothing.
  const always = [
    ...["early-date", "future-date", "new-currency", "new-unit", "no-prices", "not-judged"],
    ...["repeated-price", "second-price", "silent-market", "silent-source", "suspicious"],
  ];
  assert.deepEqual([...alone].sort(), always);
  assert.deepEqual([...compared].sort(), [...always, "moved-correction", "new-source", "newly-marked"].sort());
});

t.test("equals the slow search on datasets of other shapes", async () => {
  fc.assert(
    fc.property(randomDataset({ priceCountMax: 80 }), (dataset) => {
      const named = (one: Dataset): Dataset => ({
        ...one,
        // Messages name products and markets, and names repeat.
        products: one.products.map((product) => ({ ...product, name: product.uuid })),
        markets: one.markets.map((market) => ({ ...market, name: market.uuid })),
      });
      assert.deepEqual(warningsOf(named(dataset), undefined), naiveWarnings(named(dataset)));
    }),
    { numRuns: runsOf(30, 600) },
  );
});

/** Prices of nine products at three markets in three months, most of which are equal. */
const copiedPrices = fc.array(fc.integer({ min: 0, max: 19 }), { minLength: 81, maxLength: 81 }).map((draws) =>
  draws.flatMap((draw, at): Partial<TinyPrice>[] => {
    const [product, market, month] = [at % 9, Math.floor(at / 9) % 3, Math.floor(at / 27)];
    const recordedAt = Date.UTC(2025, month, 15) as Instant;
    const price = { product, market, recordedAt, uuid: uuidOf("price", at + 1), price: draw === 0 ? 50 : 40 + product };
    if (draw === 1) return [];
    // Of two prices of a month their median counts.
    return draw === 2 ? [price, { ...price, uuid: uuidOf("price", at + 100), price: 41 + product }] : [price];
  }),
);

t.test("equals the slow search of months that were copied", async () => {
  const products = Array.from({ length: 9 }, (_, at) => ({ name: `Product ${at}` }));
  const named = markets.map((market, at) => ({ ...market, name: `Market ${at}` }));
  const datasetWith = (prices: readonly Partial<TinyPrice>[]): Dataset =>
    tinyDataset({ products, markets: named, prices });
  const met = new Set<string>();
  fc.assert(
    fc.property(copiedPrices, fc.integer({ min: 0, max: 81 }), (prices, count) => {
      const [before, after] = [datasetWith(prices.slice(0, count)), datasetWith(prices)];
      const found = warningsOf(after, before);
      assert.deepEqual(found, naiveWarnings(after, before));
      for (const text of found) met.add(text.split(" ")[0] as string);
    }),
    { numRuns: runsOf(60, 400) },
  );
  assert.ok(met.has("copied-market") && met.has("copied-month"), [...met].join());
});
