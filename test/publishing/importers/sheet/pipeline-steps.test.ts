/** Each step of an import of a table by itself, from literal rows to literal rows. */
import t from "tap";
import type { Day, Instant } from "../../../../src/engine/model/calendar.ts";
import type { MarketRecord } from "../../../../src/engine/model/records.ts";
import { ProblemList } from "../../../../src/engine/snapshots/problem.ts";
import type { Cell } from "../../../../src/publishing/importers/sheet/cells.ts";
import { type FieldRow, fieldRows } from "../../../../src/publishing/importers/sheet/field-rows.ts";
import { findColumns } from "../../../../src/publishing/importers/sheet/header-rows.ts";
import { fields } from "../../../../src/publishing/importers/sheet/headings.ts";
import { indexNames } from "../../../../src/publishing/importers/sheet/known-names.ts";
import { type MappingFile, withDefaults } from "../../../../src/publishing/importers/sheet/mapping.ts";
import { readAnswers } from "../../../../src/publishing/importers/sheet/match-answers.ts";
import type { MatchRow } from "../../../../src/publishing/importers/sheet/matches-file.ts";
import type { Target } from "../../../../src/publishing/importers/sheet/name-index.ts";
import { type PriceRow, priceRows } from "../../../../src/publishing/importers/sheet/price-rows.ts";
import { collectPrices } from "../../../../src/publishing/importers/sheet/read-sheet-prices.ts";
import { NameResolver } from "../../../../src/publishing/importers/sheet/resolve-names.ts";
import type { Table } from "../../../../src/publishing/importers/sheet/sheet-table.ts";
import { valuesOf } from "../../../support/fields-of.ts";
import { county, market, product, uuidOf } from "../../../support/tiny-dataset.ts";

const columns = { date: "Date", market: "Market", product: "Item", unit: "Unit", price: "Price" };
const mappingOf = (parts: Partial<MappingFile> = {}) =>
  withDefaults({ source: "Survey", columns, values: { currency: "KES" }, ...parts });

/** 7 May 2026. */
const today = 20_580 as Day;

const headings = ["Date", "Market", "Item", "Unit", "Price"];

function tableOf(...rows: readonly (readonly Cell[])[]): Table {
  const literal = [headings, ...rows].map((cells, at) => ({ line: at + 1, cells }));
  return { file: "t.xlsx", rows: literal, epoch: 1900, sheet: "May", unread: [], text: null };
}

const emptyCells = Object.fromEntries(fields.map((field) => [field, null])) as Record<(typeof fields)[number], Cell>;
const fieldRow = (cells: Partial<FieldRow["cells"]>, line = 2): FieldRow => ({
  line,
  cells: {
    ...emptyCells,
    ...{ date: "2026-05-02", market: "Thika", product: "Beans", unit: "kg", price: 60, currency: "KES" },
    ...cells,
  },
  fillable: [],
});

const indexes = indexNames({
  counties: [county(22, { name: "Kiambu" })],
  unitCategories: [
    { category: "Weight", units: [{ name: "kg", abbreviation: "kg", baseUnit: "kg", conversionFactor: 1 }] },
  ],
  products: [product({ name: "Beans" }, 1)],
  markets: [market({ name: "Thika", countyId: 22 as MarketRecord["countyId"] }, 1)],
});

const thika: Target = { id: uuidOf("market", 1), shown: "Thika, Kiambu, Retail", names: ["Thika"] };
const beans: Target = { id: uuidOf("product", 1), shown: "Beans", names: ["Beans"] };

t.test("rows below the headings become rows with fields, or say why they are no price", async (t) => {
  const table = tableOf(
    ["2026-05-02", "Thika", "Beans", "kg", 60],
    [null, null, "Maize", "kg", 50],
    headings,
    ["RETAIL PRICES", null, null, null, null],
    ["Total", null, null, null, 110],
    ["Sum of all", null, null, null, 110],
    ["#date", "#adm1", "#item", "#unit", "#value"],
    [null, null, null, null, null],
    ["2026-05-03", "Thika", "-", "kg", 61],
  );
  const mapping = mappingOf({ fill_down: ["date"] });
  const read = [...fieldRows(table, findColumns(table, mapping), mapping)];
  t.match(read, [
    { line: 2, cells: { date: "2026-05-02", market: "Thika", price: 60, currency: "KES", notes: null }, fillable: [] },
    { line: 3, cells: { date: "2026-05-02", market: null, product: "Maize" }, fillable: ["market"] },
    { line: 4, leftOut: "headings_again" },
    { line: 5, leftOut: "no_price", title: { text: "RETAIL PRICES", hasType: true } },
    { line: 6, leftOut: "skipped_row" },
    { line: 7, faults: [{ kind: "line", found: /^"Sum of all" and numbers alone/ }] },
    { line: 8, leftOut: "headings_again" },
    { line: 10, cells: { date: "2026-05-03", product: null, price: 61 }, fillable: ["product"] },
  ]);
  t.equal(read.length, 8);
});

t.test("no row follows one with other headings", async (t) => {
  const table = tableOf(["Market", "Product", "Unit price", "Notes", null], ["Thika", "Beans", 60, null, null]);
  const mapping = mappingOf();
  const read = [...fieldRows(table, findColumns(table, mapping), mapping)];
  t.match(read, [{ line: 2, isEnd: true, faults: [{ found: /^headings again, others/ }] }]);
  t.equal(read.length, 1);
});

t.test("rows with fields become prices of matched names, or all faults of the row at once", async (t) => {
  const skip = { kind: "product", found: "Sum", use: "skip", line: 2 };
  const texts = { county: "", market_type: "", rows: "", first_row: "", candidates: "" };
  const made = { new_name: "", new_category: "", new_county: "", new_market_type: "" };
  const answers = readAnswers([{ ...texts, ...made, ...skip } as MatchRow], indexes, "matches.csv", new ProblemList());
  const resolver = new NameResolver(indexes, answers.answers);
  const faulty = { line: 9, faults: [] };
  const rows = [
    fieldRow({}),
    fieldRow({ product: "Sum" }, 3),
    fieldRow({ product: "Sorghum", market: null }, 4),
    fieldRow({ unit: null, price: "60/kg" }, 5),
    fieldRow({ unit: "UGX/kg", currency: null }, 6),
    fieldRow({ date: "2026-02-30", price: "sixty", price_flag: "guess" }, 7),
    fieldRow({ price: { number: 60, before: "", after: "visit" } }, 8),
    faulty,
  ];
  const recordedAt = Date.UTC(2026, 4, 2, 6);
  const fact = { recordedAt, market: { names: ["Thika"] }, product: { names: ["Beans"] }, unit: "kg", price: 60 };
  const reading = { table: { epoch: 1900 }, mapping: mappingOf(), resolver, today } as const;
  t.match(
    [...priceRows(rows, reading, [])],
    [
      { line: 2, price: { ...fact, currency: "KES", notes: null }, marketType: "Retail" },
      { line: 3, leftOut: "skipped_name" },
      { line: 4, faults: [{ field: "Market", found: "empty" }] },
      { line: 5, price: fact },
      { line: 6, price: { ...fact, currency: "UGX" } },
      { line: 7, faults: [{ field: "Date" }, { field: "Price" }, { field: "values.price_flag" }] },
      { line: 8, faults: [{ field: "Price", found: '"60 visit"' }] },
      faulty,
    ],
  );
  t.match(resolver.unmatched, [{ kind: "product", found: "Sorghum", rowCount: 1, lineFirst: 4 }]);
  t.strictSame(
    [...priceRows([fieldRow({ product: "Sorghum" }, 4)], reading, [])],
    [{ line: 4, faults: [] }],
    "a name without a match alone",
  );
});

t.test("prices are counted, get their identifiers, and titles above them are problems", async (t) => {
  const fact = { recordedAt: Date.UTC(2026, 4, 2, 6) as Instant, market: thika, product: beans, unit: "kg" };
  const texts = { currency: "KES", grade: null, notes: null, priceFlag: null };
  const priceAt = (line: number, price: number): PriceRow => {
    return { line, price: { line, price, ...fact, ...texts }, marketType: "Retail" };
  };
  const title = { text: "CEREALS", at: 0, hasType: false };
  const [problems, warnings] = [new ProblemList(), new ProblemList()];
  const { facts, rowCount, leftOut } = collectPrices(
    [
      { line: 2, leftOut: "no_price", title },
      priceAt(3, 60),
      priceAt(4, 61),
      { line: 5, leftOut: "no_price", note: "All prices in UGX" },
      { line: 6, leftOut: "no_price", title },
      { line: 7, faults: [{ kind: "line", found: "other headings", wanted: "one table" }], isEnd: true },
    ],
    { table: tableOf(), mapping: mappingOf(), resolver: new NameResolver(indexes, []), today, problems, warnings },
    [],
  );
  t.strictSame([rowCount, leftOut.get("no_price")], [6, { rowCount: 3, lineFirst: 2 }]);
  t.strictSame(valuesOf(facts, "line"), [3, 4]);
  t.not(facts[0]?.uuid, facts[1]?.uuid);
  t.match(problems.problems, [
    { line: 2, found: /^"CEREALS" alone/ },
    { line: 7, found: "other headings" },
    { line: 5, found: '"UGX" in row 5 "All prices in UGX", but KES for line 3' },
  ]);
  t.equal(problems.total, 3, "a title below which no price follows says nothing");
  t.match(warnings.problems, [{ line: 4, kind: "duplicate" }]);
});
