import assert from "node:assert/strict";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import t from "tap";
import { priceTable } from "../../../src/engine/export/price-table.ts";
import { statisticsRows, statisticsTable } from "../../../src/engine/export/statistics-table.ts";
import type { Columns, RowBlocks } from "../../../src/engine/export/table-columns.ts";
import { tableText } from "../../../src/engine/export/table-text.ts";
import type { Dataset } from "../../../src/engine/model/dataset.ts";
import { panelGroupings } from "../../../src/engine/model/vocabulary.ts";
import { findSources } from "../../../src/engine/query/describe-prices.ts";
import { walkPrices } from "../../../src/engine/query/walk-prices.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { finish } from "../../support/explorer-request.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { type NaiveRow, naivePriceRows, naiveStatisticsRows } from "../../support/naive-exports.ts";
import { agree } from "../../support/naive-queries.ts";
import { randomDataset } from "../../support/random-dataset.ts";
import { marketLists, randomSearch, randomStatistics } from "../../support/random-questions.ts";
import { tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

/** The rows of an export, read back from NDJSON. */
function rowsOf<Row>(store: Store, columns: Columns<Row>, blocks: RowBlocks<Row>): NaiveRow[] {
  const lines = [...tableText(store, columns, blocks, "ndjson")].join("").split("\n");
  assert.equal(lines.pop(), "", "the last line ends");
  return lines.map((line) => JSON.parse(line) as NaiveRow);
}

/** The rows of an export, read back from CSV: every value a text. */
function textRowsOf<Row>(store: Store, columns: Columns<Row>, blocks: RowBlocks<Row>): Record<string, string>[] {
  return parse([...tableText(store, columns, blocks, "csv")].join(""), { columns: true });
}

/** What CSV makes of rows. */
function asTexts(rows: readonly NaiveRow[]): Record<string, string>[] {
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value ?? "")])));
}

/** One product, several, or all. */
function someProducts(dataset: Dataset) {
  return fc.option(fc.subarray(dataset.products.map(({ uuid }) => uuid)), { nil: undefined });
}

t.test("prices are those of a scan, in both formats", async () => {
  fc.assert(
    fc.property(
      randomDataset().chain((dataset) =>
        fc.tuple(fc.constant(dataset), randomSearch(dataset), someProducts(dataset), fc.record(marketLists(dataset))),
      ),
      ([
        dataset,
        {
          filter: { productUuid, ...filter },
        },
        productUuids,
        lists,
      ]) => {
        const store = buildStore(dataset);
        const selection = {
          ...filter,
          ...lists,
          productUuids: productUuid === undefined ? productUuids : [productUuid],
        };
        const wanted = naivePriceRows(dataset, selection);
        assert.deepEqual(rowsOf(store, priceTable, walkPrices(store, selection)), wanted);
        const sources = new Set(wanted.map(({ source }) => source));
        const found = new Set(finish(findSources(store, [selection])));
        // Where all prices are of one source, it is not looked for.
        if (store.prices.sourceNames.length > 1) assert.deepEqual(found, sources);
        else assert.ok(sources.isSubsetOf(found));
        assert.deepEqual(textRowsOf(store, priceTable, walkPrices(store, selection)), asTexts(wanted));
      },
    ),
    { numRuns: runsOf(100, 300) },
  );
});

t.test("statistics are those of a scan", async () => {
  fc.assert(
    fc.property(
      randomDataset().chain((dataset) =>
        fc.tuple(
          fc.constant(dataset),
          randomStatistics(dataset),
          someProducts(dataset),
          fc.constantFrom(undefined, ...panelGroupings),
          fc.constantFrom<("dayFirst" | "dayLast")[]>([], [], ["dayFirst"], ["dayLast"], ["dayFirst", "dayLast"]),
        ),
      ),
      ([dataset, { productUuid, ...question }, productUuids, panelGrouping, absent]) => {
        const store = buildStore(dataset);
        const selection = { ...question, grouping: panelGrouping ?? question.grouping, productUuids };
        for (const day of absent) selection[day] = undefined as never;
        const found = rowsOf(store, statisticsTable, statisticsRows(store, selection));
        const wanted = naiveStatisticsRows(dataset, selection);
        assert.equal(found.length, wanted.length);
        for (const [at, row] of wanted.entries()) {
          const other = found[at] as NaiveRow;
          assert.deepEqual(Object.keys(other), Object.keys(row));
          for (const [name, value] of Object.entries(row)) {
            const isClose =
              typeof value === "number" && agree(value, other[name] as number, row["max_price"] as number);
            if (!isClose) assert.deepEqual(other[name], value, name);
          }
        }
      },
    ),
    { numRuns: runsOf(70, 200) },
  );
});

t.test("blocks come also where nothing is wanted, so that others are served in between", async (t) => {
  const prices = Array.from({ length: 10_000 }, (_, at) => ({ market: at % 2, price: 1 + at }));
  const store = buildStore(tinyDataset({ prices }));
  const blocks = [...walkPrices(store, { priceMin: 10_000 })].map(({ length }) => length);
  t.strictSame(blocks, [0, 0, 1], "one for each 4,096 rows that were read");
  t.strictSame([...walkPrices(store, { marketUuid: uuidOf("market", 9) })], [], "none for an unknown market");
  const days = { dayFirst: 0, dayLast: 40_000 };
  const panel = { ...days, grouping: "year,market", priceFlag: "forecast" } as const;
  t.strictSame([...statisticsRows(store, panel as never)], [[], []], "one of a panel for each market");
});
