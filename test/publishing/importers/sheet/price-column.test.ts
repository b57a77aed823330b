import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import type { Instant } from "../../../../src/engine/model/calendar.ts";
import { importSheet, type SheetOutcome } from "../../../../src/publishing/importers/sheet/import-sheet.ts";
import { inspectFile } from "../../../../src/publishing/importers/sheet/inspect-table.ts";
import { type MappingFile, mappingDefaults } from "../../../../src/publishing/importers/sheet/mapping.ts";
import { otherPriceColumns } from "../../../../src/publishing/importers/sheet/price-column.ts";
import { reportLines } from "../../../../src/publishing/importers/sheet/sheet-report.ts";
import { type AppendReport, appendPrices } from "../../../../src/publishing/publish/append-prices.ts";
import { publishTables } from "../../../support/published-data.ts";
import { readSheetHere } from "../../../support/read-sheet-here.ts";
import { marketRow, priceRow, productRow, testUuid } from "../../../support/snapshot-files.ts";

const now = Date.UTC(2026, 5, 1, 8) as Instant;

/** Retail and wholesale prices of maize and beans, of one market. */
async function prepare(t: Test) {
  const root = t.testdir();
  const products = [productRow(), productRow({ uuid: testUuid(3), name: "Beans" })];
  const markets = [marketRow(), marketRow({ uuid: testUuid(4), name: "Wakulima (Wholesale)", type: "Wholesale" })];
  await publishTables(root, { products, markets, prices: [priceRow()] }, now);
  const at = (name: string): string => join(root, name);
  const mappingOf = (price: string, fields: Partial<MappingFile> = {}): MappingFile => ({
    source: "Survey",
    columns: { date: "Date", market: "Market", product: "Crop", price },
    values: { unit: "kg", currency: "KES" },
    ...fields,
  });
  let count = 0;
  /** Imports a table into a folder of its own. */
  const run = async (text: string, mapping: MappingFile, file = "prices.csv", acceptsEarlier = false) => {
    writeFileSync(at(file), text);
    writeFileSync(at("mapping.json"), JSON.stringify(mapping));
    const outputPath = at(`out-${++count}`);
    const paths = { path: at(file), mappingPath: at("mapping.json"), dataDirectory: at("data"), outputPath };
    const work = { ...paths, acceptsEarlier, now, runReader: readSheetHere };
    const outcome = (await importSheet(work)) as SheetOutcome & {
      outcome: "imported";
    };
    t.equal(outcome.outcome, "imported");
    const lines = readFileSync(join(outputPath, "prices.ndjson"), "utf8").trimEnd().split("\n");
    const prices = lines.map((line) => JSON.parse(line) as { uuid: string; price: number });
    const uuids = new Map(prices.map(({ price, uuid }) => [price, uuid]));
    const append = (): Promise<AppendReport> =>
      appendPrices({ dataDirectory: at("data"), files: [outputPath], dryRun: false, now });
    return { ...outcome, outputPath, uuids, lines: reportLines(outcome.report), append };
  };
  return { at, run, mappingOf };
}

const twoColumns =
  "Date,Market,Crop,Price (Monday),Price (Friday)\n2026-05-02,Wakulima,Maize,120,150\n2026-05-02,Wakulima,Beans,90,95\n";

t.test("a table with one price column keeps the uuids that its prices have had", async (t) => {
  const { run, mappingOf } = await prepare(t);
  const text = "Date,Market,Crop,Price,Remarks\n2026-05-02,Wakulima,Maize,120,\n2026-05-02,Wakulima,Maize,121,again\n";
  const { uuids } = await run(text, mappingOf("Price"));
  // Written down before headings could be part of the identity of a price.
  t.strictSame(Object.fromEntries(uuids), {
    120: "c18eacc7-b75a-516f-9891-6cd4ffba4b29",
    121: "0096d04b-40fd-575b-b551-3416fcf882f8",
  });
});

t.test("prices of two columns stand side by side, and each is corrected by its own column", async (t) => {
  const { run, mappingOf } = await prepare(t);
  const keyed = { heading_in_key: true };
  await t.rejects(run(twoColumns, mappingOf("Price (Monday)")), {
    message: /found prices in "Price \(Friday\)" as well as in .*expected "heading_in_key" in the mapping/,
  });
  const monday = await run(twoColumns, mappingOf("Price (Monday)", keyed));
  t.match(monday.report, { replaced: [] });
  const friday = await run(twoColumns, mappingOf("Price (Friday)", keyed));
  t.equal(new Set([...monday.uuids.values(), ...friday.uuids.values()]).size, 4);
  t.match(await monday.append(), { rows: { prices: 3 } });
  t.match(await friday.append(), { rows: { prices: 5 } });
  t.equal((await monday.append()).outcome, "already-current");

  // A later table has the first column alone, in other letters.
  const later = twoColumns.replace(/,Price \(Friday\)|,150|,95/g, "").replace("Price (", "PRICE  (");
  const corrected = await run(later.replace(",120", ",125"), mappingOf("Price (Monday)", { heading_in_key: true }));
  t.equal(corrected.uuids.get(125), monday.uuids.get(120));
  t.strictSame(corrected.report.replaced, [
    { row: 2, uuid: monday.uuids.get(120), withdrawn: false, changes: [{ field: "price", before: 120, after: 125 }] },
  ]);
  t.match(await corrected.append(), { rows: { prices: 5 } });
});

t.test("a table names the prices of the snapshot that it replaces, with both values", async (t) => {
  const { run, mappingOf } = await prepare(t);
  const text = (price: number, remark: string): string =>
    `Date,Market,Crop,Price,Remarks\n2026-05-02,Wakulima,Maize,${price},${remark}\n2026-05-02,Wakulima,Beans,90,\n`;
  const { columns, ...rest } = mappingOf("Price");
  const mapping = { ...rest, columns: { ...columns, notes: "Remarks" } };
  const first = await run(text(120, "by A"), mapping, "a.csv");
  t.strictSame(first.report.replaced, []);
  const second = await run(text(150, "by B"), mapping, "b.csv");
  t.strictSame(second.report.replaced, [], "nothing is in the snapshot yet");
  const both = appendPrices({
    ...{ dataDirectory: join(first.outputPath, "../data"), dryRun: false, now },
    files: [first.outputPath, second.outputPath],
  });
  await t.rejects(both, /problems/, "two prices of one append never replace each other");
  await first.append();
  const third = await run(text(150, "by B"), mapping, "b.csv");
  t.strictSame(third.report.replaced, [
    {
      row: 2,
      uuid: first.uuids.get(120),
      withdrawn: false,
      changes: [
        { field: "price", before: 120, after: 150 },
        { field: "notes", before: "by A", after: "by B" },
      ],
    },
  ]);
  t.strictSame(third.lines.slice(2), [
    "replaces 1 price of the snapshot, once it is appended",
    '  row 2: price 120 → 150, notes "by A" → "by B"',
  ]);
  await third.append();
  t.strictSame((await run(text(150, "by B"), mapping, "b.csv")).report.replaced, [], "the newest version counts");
});

t.test("a price of another time of a day is refused until the mapping says if it replaces the first", async (t) => {
  const { run, mappingOf } = await prepare(t);
  const mapping = mappingOf("Price", { date_formats: ["yyyy-MM-dd HH:mm"] });
  const text = (time: string, price: number): string =>
    `Date,Market,Crop,Price\n2026-05-02 ${time},Wakulima,Maize,${price}\n`;
  const morning = await run(text("08:00", 60), mapping);
  await morning.append();
  await t.rejects(run(text("16:00", 61), mapping), {
    message: /price of 2026-05-02T13:00.*in row 2, and in the snapshot that of 2026-05-02T05:00.*"time_in_key"/,
  });
  const replacing = await run(text("16:00", 61), { ...mapping, time_in_key: false });
  t.equal(replacing.uuids.get(61), morning.uuids.get(60), "keys stay by day");
  const both = await run(text("16:00", 61), { ...mapping, time_in_key: true });
  t.strictSame(both.report.replaced, []);
  t.equal(
    (await run(text("08:00", 62), mapping)).uuids.get(62),
    morning.uuids.get(60),
    "the same time is a correction",
  );
});

t.test("a table is compared with the newest prices of its source, and an earlier one needs a yes", async (t) => {
  const { run, mappingOf } = await prepare(t);
  const mapping = mappingOf("Price");
  const head = "Date,Market,Crop,Price\n";
  const whole = `${head}2026-05-02,Wakulima,Maize,60\n2026-05-02,Wakulima (Wholesale),Maize,50\n`;
  t.notMatch((await run(whole, mapping)).lines.join("\n"), "compared", "there are no prices of the source before it");
  await (await run(whole, mapping)).append();
  const less = await run(`${head}2026-05-02,Wakulima,Maize,60\n`, mapping);
  t.match(less.lines.join("\n"), "1 of 2 markets missing; 1 price, 2 last time");
  const earlier = whole.replaceAll("2026-05", "2026-04");
  await t.rejects(run(earlier, mapping), {
    message: /2 of 2 prices new, and all at least 30 days before the newest.*--yes/,
  });
  t.match((await run(earlier, mapping, "prices.csv", true)).lines.join("\n"), "days 30 before last time");
  t.equal((await run(whole, mapping)).report.priceCount, 2, "known rows need none");
  t.equal((await run(whole, mappingOf("Price", { source: "Other" }))).report.earlier, null);
});

t.test("columns that the mapping tells apart by type of market need no heading", async (t) => {
  const headings = ["Date", "Market", "Crop", "Retail price", "Wholesale price"];
  const others = (price: string, fields: Partial<MappingFile>): readonly string[] =>
    otherPriceColumns(headings, { values: {}, ignored: [], ...fields, columns: { price, ...fields.columns } });
  t.strictSame(others("Retail price", { values: { market_type: "retail" } }), []);
  t.strictSame(others("Wholesale price", { values: { market_type: "Wholesale" } }), []);
  t.strictSame(others("Retail price", { values: { market_type: "Wholesale" } }), ["Wholesale price"]);
  t.strictSame(others("Retail price", {}), ["Wholesale price"]);
  const column = { price: "Retail price", market_type: "Type" };
  t.strictSame(others("Retail price", { columns: column, values: { market_type: "Retail" } }), ["Wholesale price"]);
});

t.test("price columns are found by their headings, other columns are none", async (t) => {
  const others = (price: string, ...headings: string[]): readonly string[] =>
    otherPriceColumns([price, ...headings], { columns: { price }, values: {}, ignored: [] });
  for (const heading of ["Friday price", "Bei (Ijumaa)", "Price 2", "Morning price (KSh/kg)", "Second price"]) {
    t.strictSame(others("Price", heading), [heading]);
  }
  t.strictSame(others("Monday", "Friday", "Jumatano"), ["Friday", "Jumatano"]);
  t.strictSame(others("Minimum price", "Maximum price", "Modal price"), ["Maximum price", "Modal price"]);
  t.strictSame(others("Min", "Max", "Remarks"), ["Max"]);
  t.strictSame(others("Price", "Friday", "Average", "Week", "Date", "Unit", "Remarks", "price", "Quantity"), []);
});

t.test("a first mapping says that headings are part of the key where a table has several price columns", async (t) => {
  const { at } = await prepare(t);
  writeFileSync(at("two.csv"), twoColumns);
  const { mapping, notes } = await inspectFile(at("two.csv"), "Survey");
  t.equal(mapping.heading_in_key, true);
  t.ok(notes.some((note) => note.includes("import the file once for each")));
  writeFileSync(at("one.csv"), twoColumns.replace(/,Price \(Friday\)|,150|,95/g, ""));
  t.notOk("heading_in_key" in (await inspectFile(at("one.csv"), "Survey")).mapping);
  t.notOk("heading_in_key" in mappingDefaults);
});
