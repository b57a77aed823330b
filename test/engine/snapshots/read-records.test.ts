import t from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import { readRecords } from "../../../src/engine/snapshots/load-dataset.ts";
import { optionalTableKinds, recordKinds, tableFileNames } from "../../../src/engine/snapshots/snapshot-layout.ts";
import { problemsOf, reportsExactly } from "../../support/dataset-problems.ts";
import {
  continuationRow,
  countyRow,
  cropRow,
  exchangeRateRow,
  marketContinuationRow,
  marketRow,
  productRow,
  testUuid,
  writeRecords,
} from "../../support/snapshot-files.ts";

const recordedAtMax = Date.UTC(2026, 1, 1) as Instant;

const tableFiles = recordKinds.flatMap((kind) =>
  kind === "prices" || optionalTableKinds.includes(kind) ? [] : [{ name: tableFileNames[kind], kind }],
);
const optionalFiles = optionalTableKinds.map((kind) => ({ name: tableFileNames[kind], kind }));
const files = [...tableFiles, { name: "prices.ndjson", kind: "prices", sequence: 0, replaces: 0 }] as const;

t.test("every file is read into its table, in order, and described", async (t) => {
  const directory = t.testdir({});
  const products = [productRow({ name: "Rice", uuid: testUuid(3) }), productRow()];
  await writeRecords(directory, { products, crops: [cropRow({ id: 2 }), cropRow({ id: 1 })] });
  const reading = await readRecords(directory, files, recordedAtMax);
  const { records } = reading;
  t.same(
    records.products.map((product) => product.name),
    ["Rice", "Maize"],
  );
  t.same(
    records.crops.map((crop) => crop.id),
    [2, 1],
  );
  t.equal(records.counties.length, 1);
  t.equal(records.unitCategories.length, 1);
  t.equal(records.marketTypes.length, 1);
  t.equal(records.markets.length, 1);
  t.equal(records.prices.rowCount, 1);
  t.equal(records.prices.products[0], 1);
  t.same(
    reading.files.map(({ name, rows }) => [name, rows]),
    files.map(({ name }) => [name, /products|crops/.test(name) ? 2 : 1]),
  );
  t.equal(reading.tables.products.lineOf(1), 2);
});

t.test("an optional table is read where its file is given, and empty without it", async (t) => {
  const directory = t.testdir({});
  const products = [productRow(), productRow({ uuid: testUuid(3) })];
  const tables = {
    products,
    markets: [marketRow(), marketRow({ uuid: testUuid(4) })],
    "exchange-rates": [exchangeRateRow()],
    continuations: [continuationRow({ ratio: 1.1 })],
    "market-continuations": [marketContinuationRow()],
  };
  await writeRecords(directory, tables);
  const without = await readRecords(directory, files, recordedAtMax);
  t.same(without.records.exchangeRates, []);
  t.same(without.records.continuations, []);
  t.same(without.records.marketContinuations, []);
  const { records, files: read } = await readRecords(directory, [...files, ...optionalFiles], recordedAtMax);
  t.same(records.exchangeRates, [{ month: "2026-01", currency: "KES", rate: 129.5, source: "implied by WFP" }]);
  t.same(
    records.continuations.map(({ productUuid, continuesUuid, ratio }) => [productUuid, continuesUuid, ratio]),
    [[testUuid(1), testUuid(3), 1.1]],
  );
  t.match(records.marketContinuations, [{ marketUuid: testUuid(2), continuesUuid: testUuid(4), lastMonth: "2025-10" }]);
  t.same(
    read.slice(-3).map(({ name, rows }) => [name, rows]),
    [
      ["exchange-rates.ndjson", 1],
      ["continuations.ndjson", 1],
      ["market-continuations.ndjson", 1],
    ],
  );
});

t.test("sub-counties come in order of id", async (t) => {
  const directory = t.testdir({});
  const sub_counties = [
    { id: 9, name: "Dagoretti North", wards: [] },
    { id: 3, name: "Westlands", wards: ["W"] },
  ];
  await writeRecords(directory, { counties: [countyRow({ sub_counties })] });
  const { records } = await readRecords(directory, files, recordedAtMax);
  t.same(records.counties[0]?.subCounties, sub_counties.toReversed());
});

t.test("all files are read however much is wrong, and everything is reported at once", async (t) => {
  const directory = t.testdir({});
  await writeRecords(
    directory,
    { counties: [countyRow({ name: "" })] },
    { "crops.json": null, "markets.ndjson": "[]\n" },
  );
  reportsExactly(t, await problemsOf(() => readRecords(directory, files.slice(0, -2), recordedAtMax)), [
    /^counties\.json:2: "name" is "", expected text, not empty, without spaces around it/,
    "crops.json: found no such file, expected a file",
    "markets.ndjson: found no such file, expected a file",
  ]);
});
