import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import type { Day, Instant } from "../../../../src/engine/model/calendar.ts";
import type {
  CountyRecord,
  MarketRecord,
  ProductRecord,
  UnitCategoryRecord,
} from "../../../../src/engine/model/records.ts";
import { ProblemList } from "../../../../src/engine/snapshots/problem.ts";
import { buildRecords } from "../../../../src/publishing/importers/sheet/build-sheet-records.ts";
import { indexNames, type KnownRecords } from "../../../../src/publishing/importers/sheet/known-names.ts";
import { type Mapping, type MappingFile, withDefaults } from "../../../../src/publishing/importers/sheet/mapping.ts";
import { readAnswers } from "../../../../src/publishing/importers/sheet/match-answers.ts";
import type { MatchRow } from "../../../../src/publishing/importers/sheet/matches-file.ts";
import { type Delimiter, delimiters, readCsvTable } from "../../../../src/publishing/importers/sheet/read-csv-table.ts";
import { readPrices } from "../../../../src/publishing/importers/sheet/read-sheet-prices.ts";
import { NameResolver } from "../../../../src/publishing/importers/sheet/resolve-names.ts";
import { runsOf } from "../../../support/fixed-seed.ts";
import { lettersOf, type NaiveTables, readNaively } from "../../../support/naive-sheet.ts";
import { county, market, product, uuidOf } from "../../../support/tiny-dataset.ts";

const counties: readonly CountyRecord[] = [county(22, { name: "Kiambu" }), county(21, { name: "Murang'a" })];
const unitCategories: readonly UnitCategoryRecord[] = [
  {
    category: "Weight",
    units: [
      { name: "kg", abbreviation: "kg", baseUnit: "kg", conversionFactor: 1 },
      { name: "90 kg bag", abbreviation: "90 kg", baseUnit: "kg", conversionFactor: 90 },
      { name: "1.5 kg tin", abbreviation: "1.5 kg", baseUnit: "kg", conversionFactor: 1.5 },
      { name: "15 kg tin", abbreviation: "15 kg", baseUnit: "kg", conversionFactor: 15 },
    ],
  },
];
const products: readonly ProductRecord[] = [
  product({ name: "Maize (white)", alternativeNames: ["Mahindi meupe"] }, 1),
  product({ name: "Beans", alternativeNames: ["Maharagwe"] }, 2),
  product({ name: "Beans (dry)", alternativeNames: ["Maharagwe", "Café beans"] }, 3),
];
const markets: readonly MarketRecord[] = [
  market({ name: "Thika", countyId: 22 as MarketRecord["countyId"] }, 1),
  market({ name: "Kenol", countyId: 21 as MarketRecord["countyId"] }, 2),
  market({ name: "Kenol", countyId: 22 as MarketRecord["countyId"] }, 3),
];
const known: KnownRecords = { counties, unitCategories, products, markets };
const naive: NaiveTables = {
  products: products.map(({ uuid, name, alternativeNames }) => ({
    uuid,
    name,
    alternative_names: alternativeNames ?? [],
  })),
  markets: markets.map(({ uuid, name, countyId }) => ({ uuid, name, county: countyId === 22 ? "Kiambu" : "Murang'a" })),
  units: unitCategories.flatMap(({ units }) => units),
  counties: counties.map(({ name }) => name),
};
const now = Date.UTC(2026, 5, 1) as Instant;

const headings = {
  date: "Date",
  county: "County",
  market: "Market",
  product: "Commodity",
  price: "Price",
  unit: "Unit",
  grade: "Grade",
  variety: "Variety",
};
/** As a mapping names them: a product may have its variety in a column of its own. */
const { variety, ...named } = headings;
const columns = { ...named, product: [headings.product, variety] };
type Row = Readonly<Record<keyof typeof headings, string>>;
const fields = Object.keys(headings) as (keyof typeof headings)[];

function mappingOf(parts: Partial<MappingFile> = {}): Mapping {
  return withDefaults({
    source: "Survey",
    columns,
    values: { currency: "KES" },
    empty_texts: [],
    skip_rows: [],
    ...parts,
  });
}

function csvOf(rows: readonly Row[], delimiter: string, quotesAll: boolean): string {
  const cell = (text: string): string =>
    quotesAll || text.includes(delimiter) || text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text;
  return [headings as Row, ...rows]
    .map((row) => `${fields.map((field) => cell(row[field])).join(delimiter)}\r\n`)
    .join("");
}

function allProblems(): ProblemList {
  return new ProblemList(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
}

/** Reads the rows without making records of them. */
function readFacts(bytes: Buffer, mapping: Mapping, matches: readonly MatchRow[] = []) {
  const [problems, warnings] = [allProblems(), allProblems()];
  const table = readCsvTable("prices.csv", bytes, { delimiter: mapping.delimiter });
  const indexes = indexNames(known);
  const { answers, ...newRecords } = readAnswers(matches, indexes, "matches.csv", problems);
  const resolver = new NameResolver(indexes, answers);
  const today = Number.POSITIVE_INFINITY as Day;
  const reading = readPrices({ table, mapping, resolver, problems, warnings, today });
  return { reading, resolver, newRecords, problems, warnings };
}

function read(bytes: Buffer, mapping: Mapping, matches: readonly MatchRow[] = []) {
  const facts = readFacts(bytes, mapping, matches);
  const records = buildRecords(facts.reading.facts, mapping.source, facts.newRecords, now);
  return { ...facts, records: { ...records, prices: [...records.prices] } };
}

/** The names in another case, or with other punctuation. */
function written(names: readonly string[]): fc.Arbitrary<string> {
  const changes: readonly ((name: string) => string)[] = [
    (name) => name,
    (name) => name.toUpperCase(),
    (name) => `  ${name.toLowerCase()} `,
    (name) => name.replace(/[()']/g, ""),
    (name) => name.replace(/ /g, "-"),
  ];
  return fc.tuple(fc.constantFrom(...names), fc.constantFrom(...changes)).map(([name, change]) => change(name));
}

const styledPrices = ["1250", "1,250", "1.250", "1 250", "85,5", "1,250.75", "1.250,75", "12,50,000"];
const row: fc.Arbitrary<Row> = fc.record({
  date: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom("2026-05-02", "02/05/2026", "2 May 2026", "05/13/2026", "5/5/2026") },
    fc.constantFrom("31/04/2026", "2 Mai 2026", "", "02/05/26"),
  ),
  county: fc.oneof({ weight: 4, arbitrary: fc.constant("") }, written(["Kiambu", "Murang'a", "Mombasa"])),
  market: fc.oneof({ weight: 9, arbitrary: written(["Thika", "Kenol"]) }, fc.constantFrom("Thikka", "")),
  product: fc.oneof(
    {
      weight: 9,
      arbitrary: written(["Maize (white)", "Maize", "Mahindi meupe", "Beans", "Beans (dry)", "Cafe beans"]),
    },
    fc.constantFrom("Maharagwe", "Sukuma", ""),
  ),
  price: fc.oneof(
    {
      weight: 9,
      arbitrary: fc.constantFrom(...styledPrices, "60", "85.50", "KSh 60", "60/=", "UGX 1250"),
    },
    fc.constantFrom("", "0", "-5", "abc", "1e3", "1.2.3", "٣"),
  ),
  unit: fc.constantFrom("kg", "KG", "90 kg bag", "90KG", "1.5 kg", "15 kg tin", "gunia"),
  grade: fc.constantFrom("", "", "1", "Grade A"),
  variety: fc.oneof({ weight: 12, arbitrary: fc.constant("") }, fc.constantFrom("white", "dry")),
});

t.test("random tables give what reading row by row gives, in any order of cells, encoding and style", async (t) => {
  const styles = [
    { decimal: ".", thousands: "," },
    { decimal: ",", thousands: "." },
    { decimal: ",", thousands: " " },
    { decimal: ".", thousands: "" },
  ] as const;
  const formats = [
    ["yyyy-MM-dd"],
    ["dd/MM/yyyy", "d MMM yyyy"],
    ["yyyy-MM-dd", "dd/MM/yyyy", "d MMM yyyy"],
    ["MM/dd/yyyy", "dd/MM/yyyy"],
  ];
  const seen = { prices: 0, refused: 0, unmatched: 0 };
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 5, maxLength: 30 }),
      fc.constantFrom(...styles),
      fc.constantFrom(...formats),
      fc.constantFrom(...delimiters),
      fc.boolean(),
      fc.constantFrom("utf8", "utf16le"),
      (rows, style, date_formats, delimiter: Delimiter, quotesAll, encoding) => {
        const mapping = mappingOf({ ...style, date_formats, delimiter });
        const text = csvOf(rows, delimiter, quotesAll);
        const { records, problems, resolver } = read(Buffer.from(`\ufeff${text}`, encoding as BufferEncoding), mapping);
        const expected = readNaively(rows, mapping, naive);
        const prices = records.prices.map(({ updated_at, ...price }) => price);
        const byKey = (a: { uuid?: unknown }, b: { uuid?: unknown }): number =>
          String(a.uuid) < String(b.uuid) ? -1 : 1;
        assert.deepEqual([...prices].sort(byKey), [...expected.prices].sort(byKey));
        assert.deepEqual([...new Set(problems.problems.map(({ line }) => line))], expected.refused);
        const unmatched = resolver.unmatched.map(({ kind, found, county }) =>
          kind === "unit" ? `unit ${found}` : `${kind} ${lettersOf(found)}${kind === "market" ? ` ${county}` : ""}`,
        );
        assert.deepEqual(unmatched.sort(), [...expected.unmatched].sort());
        seen.prices += prices.length;
        seen.refused += expected.refused.length;
        seen.unmatched += unmatched.length;
      },
    ),
    { numRuns: runsOf(100) },
  );
  for (const count of Object.values(seen)) t.ok(count > runsOf(30), JSON.stringify(seen));
});

const plainRow: Row = {
  date: "2026-05-02",
  county: "Kiambu",
  market: "Thika",
  product: "Maize (white)",
  price: "60",
  unit: "kg",
  grade: "",
  variety: "",
};

function readRows(rows: readonly Row[], mapping = mappingOf(), matches: Parameters<typeof read>[2] = []) {
  return read(Buffer.from(csvOf(rows, ",", false)), mapping, matches);
}

t.test("a corrected price keeps its uuid; every other part of the key makes another one", async (t) => {
  const uuidOfRow = (change: Partial<Row>, mapping = mappingOf()) =>
    readRows([{ ...plainRow, ...change }], mapping).records.prices[0]?.uuid;
  // Changing it would orphan every price that was imported before.
  t.equal(uuidOfRow({}), "5ed6e26b-7b22-5d63-af16-5889dddb334c");
  t.equal(uuidOfRow({ price: "75" }), uuidOfRow({}));
  t.equal(uuidOfRow({ product: "mahindi MEUPE" }), uuidOfRow({}));
  const others = [
    { date: "2026-05-03" },
    { county: "Murang'a", market: "Kenol" },
    { product: "Beans" },
    { unit: "90 kg bag" },
    { grade: "1" },
  ];
  const uuids = [
    uuidOfRow({}),
    ...others.map((change) => uuidOfRow(change)),
    uuidOfRow({}, mappingOf({ source: "Other" })),
  ];
  t.equal(new Set([...uuids, uuidOfRow({}, mappingOf({ values: { currency: "USD" } }))]).size, 8);
});

t.test("further rows with one key are prices of their own, numbered in order, with a warning each", async (t) => {
  const again = [{ ...plainRow, price: "70" }, plainRow];
  const { records, warnings } = readRows([plainRow, ...again]);
  t.equal(new Set(records.prices.map(({ uuid }) => uuid)).size, 3);
  t.match(warnings.problems, [
    { line: 3, found: /grade, day of line 2 again/ },
    { line: 4, found: /day and price of line 2 again/ },
  ]);
  const [first] = readRows([plainRow]).records.prices;
  t.ok(
    records.prices.some(({ uuid, price }) => uuid === first?.uuid && price === 60),
    "the first has the uuid it has alone",
  );
});

t.test("rows without a price, totals and repeated headings are left out and counted; empty rows are not", async (t) => {
  const mapping = mappingOf({ empty_texts: ["-", "N/A"], skip_rows: ["Total"] });
  const empty = Object.fromEntries(fields.map((field) => [field, ""])) as Row;
  const rows = [
    plainRow,
    { ...plainRow, price: "n/a" },
    empty,
    { ...plainRow, date: "TOTAL: May" },
    headings as Row,
    { ...plainRow, price: "-" },
  ];
  const { reading, problems } = readRows(rows, mapping);
  t.equal(problems.total, 0);
  t.equal(reading.rowCount, 5);
  t.strictSame(Object.fromEntries(reading.leftOut), {
    no_price: { rowCount: 2, lineFirst: 3 },
    skipped_row: { rowCount: 1, lineFirst: 5 },
    headings_again: { rowCount: 1, lineFirst: 6 },
  });
});

t.test("cells of a field that is filled down have the value above them", async (t) => {
  const rows = [
    plainRow,
    { ...plainRow, date: "", market: "", product: "Beans" },
    { ...plainRow, date: "2026-05-03", market: "" },
  ];
  const { records, problems } = readRows(rows, mappingOf({ fill_down: ["date", "market"] }));
  t.equal(problems.total, 0);
  t.strictSame(records.prices.map(({ recorded_at }) => recorded_at.slice(0, 10)).sort(), [
    "2026-05-02",
    "2026-05-02",
    "2026-05-03",
  ]);
  t.match(readRows(rows).problems.problems, [
    { line: 3, field: "Market", found: "empty" },
    { line: 3, field: "Date", found: "empty" },
    { line: 4, field: "Market", found: "empty" },
  ]);
});

t.test("a row with more cells than headings is refused, because a delimiter stands in a cell", async (t) => {
  const { problems } = readRows([plainRow], mappingOf());
  t.equal(problems.total, 0);
  const text = `${csvOf([plainRow], ",", false)}2026-05-02,Kiambu,Thika,Beans,1,250,kg,1,x\r\n`;
  t.match(read(Buffer.from(text), mappingOf()).problems.problems, [{ line: 3, kind: "line", found: "9 cells" }]);
});

const withNotes = { ...named, notes: "Remarks" };

/** Rows of a table whose last column has remarks, as its file has them. */
function readLines(
  lines: readonly string[],
  parts: Partial<MappingFile> = {},
  heads = Object.values(parts.columns ?? withNotes).join(),
) {
  const text = [heads, ...lines].map((line) => `${line}\n`).join("");
  return read(Buffer.from(text), mappingOf({ columns: withNotes, ...parts }));
}

const shortHead = "Date,Market,Commodity,Unit,Price";
const short = {
  columns: { date: "Date", market: "Market", product: "Commodity", unit: "Unit", price: "Price" },
  values: { currency: "KES", county: "Kiambu" },
};

const before = "2026-05-02,Kiambu,Thika,Beans";

t.test("an empty cell too many refuses a row as well, unless every row ends with delimiters", async (t) => {
  const shifted = `${before},9,500,90 kg bag,1,`;
  const wanted = /such as "9,500", needs quotes; .* "trailing_delimiters" in the mapping is 1$/;
  t.match(readLines([shifted]).problems.problems, [{ line: 2, kind: "line", found: "9 cells", wanted }]);
  const right = `${before},95,kg,1,rain,`;
  const { records, problems } = readLines([right, `${shifted},`], { trailing_delimiters: 1 });
  t.match(records.prices, [{ price: 95, notes: "rain" }]);
  t.match(problems.problems, [{ line: 3, found: "10 cells", wanted: /^at most 9/ }]);
  t.match(readLines([`${right}x`], { trailing_delimiters: 1 }).problems.problems, [
    { found: '"x" in column I, which has no heading' },
  ]);
});

t.test("a row that is too wide is refused where the column of the price is empty, too", async (t) => {
  const { grade: _, county, market, unit, price, ...first } = withNotes;
  const columns = { ...first, price, market, unit, county };
  const { problems, reading } = readLines(["2026-05-02,Maize, white,,60,Thika,kg,Kiambu"], { columns });
  t.match(problems.problems, [{ line: 2, found: "8 cells" }]);
  t.equal(reading.leftOut.size, 0);
});

t.test("a value under no heading is refused, and names its column; empty cells there are not", async (t) => {
  const heads = `${Object.values(withNotes).join()},,`;
  t.equal(readLines([`${before},60,kg,1,,,`, `${before},60,kg,1,`], {}, heads).problems.total, 0);
  t.match(readLines([`${before},60,kg,1,,,x`], {}, heads).problems.problems, [
    { line: 2, found: '"x" in column J, which has no heading', wanted: /^a heading, or no value/ },
  ]);
});

t.test("a number that a comma cuts is refused where another cell of the row was left out", async (t) => {
  const columns = { ...short.columns, notes: "Notes" };
  const inFront = { ...columns, price: "Notes", notes: "Price" };
  const heads = Object.values(columns).join();
  const after = (cells: string, named: typeof columns) =>
    readLines([`2026-05-02,Thika,Beans,kg,${cells}`], { columns: named, ignored: ["Price"] }, heads);
  for (const cells of ["9,500", "120,50", "9,500.50", "120,00"]) {
    t.match(
      after(cells, columns).problems.problems,
      [{ line: 2, kind: "line", wanted: /^one number in quotes/ }],
      cells,
    );
    if (cells.includes(".")) continue;
    t.match(after(cells, inFront).problems.problems, [{ line: 2, kind: "line" }], `${cells}, notes in front`);
  }
  for (const cells of ["9500,", "120,2 bags", "120,5", "1200,500", "120"])
    t.equal(after(cells, columns).problems.total, 0, cells);
  t.equal(after("2 bags,500", inFront).problems.total, 0);
});

t.test("a row that ends with a number before the price's column is refused, and no row without price", async (t) => {
  const { price, ...first } = short.columns;
  const { problems, reading } = readLines(
    ["2026-05-02,Thika,Beans,kg,120", "2026-05-02,Thika,Beans,kg", "Week 2", "2026-05-02,Thika,Beans,kg,none,"],
    { columns: { ...first, notes: "Notes", price } },
  );
  t.match(problems.problems, [{ line: 2, found: '5 cells, the last "120"', wanted: /^6, one for each heading/ }]);
  t.strictSame(Object.fromEntries(reading.leftOut), { no_price: { rowCount: 3, lineFirst: 3 } });
});

t.test("prices in shillings say KES, however it is written, and refuse another currency", async (t) => {
  for (const price of ["KSh 60", "Kshs. 60", "60/=", "60/-", "KES60", "60 KSh", "60/= Shs."]) {
    t.match(
      readRows([{ ...plainRow, price }], mappingOf({ values: { currency: "Ksh" } })).records.prices,
      [{ price: 60, currency: "KES" }],
      price,
    );
  }
  const { problems } = readRows([{ ...plainRow, price: "60/=" }], mappingOf({ values: { currency: "usd" } }));
  const found = '"usd" in "values.currency", but "/=" in the cell';
  t.match(problems.problems, [{ line: 2, field: "Price", found, wanted: "the same currency everywhere" }]);
});

t.test("a currency of cell, column, heading, title or mapping is taken, or refused where they differ", async (t) => {
  const readText = (text: string, parts: Partial<MappingFile> = {}) => read(Buffer.from(text), mappingOf(parts));
  const table = (price: string, heading = "Price", currency = "", title = ""): string =>
    `${title}\nDate,Market,Commodity,Unit,${heading},Cur\n2026-05-02,Thika,Maize (white),kg,"${price}",${currency}\n`;
  const cases: readonly (readonly [text: string, heading: string, values: object, outcome: string | RegExp])[] = [
    [table("UGX 4,100"), "Price", {}, "UGX"],
    [table("4,100 UGX"), "Price", { currency: "KES" }, /^"KES" in "values.currency", but "UGX" in the cell$/],
    [table("€1.20"), "Price", {}, "EUR"],
    [table("US$ 3"), "Price", { currency: "USD" }, "USD"],
    [table("$3"), "Price", {}, /^"\$" in the cell, which can be USD, /],
    [table("$3"), "Price", { currency: "NZD" }, "NZD"],
    [table("$3"), "Price", { currency: "KES" }, /^"KES" in "values.currency", but "\$" in the cell$/],
    [table("TSh 500/="), "Price", {}, "TZS"],
    [table("500/=", "Price (TSh/kg)"), "Price (TSh/kg)", {}, "TZS"],
    [table("500", "Bei (Sh.)"), "Bei (Sh.)", {}, "KES"],
    [table("500", "Bei (Sh.)"), "Bei (Sh.)", { currency: "UGX" }, "UGX"],
    [table("120", "Price (RWF)"), "Price (RWF)", { currency: "KES" }, /"RWF" in the heading "Price \(RWF\)"$/],
    [table("KSh 120", "Price (RWF)"), "Price (RWF)", {}, /^"RWF" in the heading .*, but "KSh" in the cell$/],
    [
      table("120", "Price", "", "All prices in UGX"),
      "Price",
      { currency: "KES" },
      /"UGX" in row 1 "All prices in UGX"$/,
    ],
    [table("120", "Price", "", "All prices in UGX"), "Price", {}, "UGX"],
    [table("120", "Price (all markets)"), "Price (all markets)", { currency: "KES" }, "KES"],
    [table("120"), "Price", {}, /^no currency$/],
    [table("120", "Price", "Br"), "Price", {}, /^no currency$/],
    [table("120"), "Price", { currency: "KEZ" }, /^"KEZ"$/],
  ];
  for (const [text, heading, values, outcome] of cases) {
    const columns = { date: "Date", market: "Market", product: "Commodity", unit: "Unit", price: heading };
    const { records, problems } = readText(text, { header_row: 2, columns, values: { county: "Kiambu", ...values } });
    const about = `${text} ${JSON.stringify(values)}`;
    if (typeof outcome === "string") t.match(records.prices, [{ currency: outcome }], about);
    else t.match(problems.problems, [{ line: 3, found: outcome }], about);
  }
  const columns = { ...headings, county: "Cur", currency: "Cur" };
  const ofColumn = (price: string, currency: string, currencies = {}) => {
    const { county: _, ...others } = { ...columns, grade: "Unit" };
    return readText(table(price, "Price", currency), {
      header_row: 2,
      columns: others,
      values: { county: "Kiambu" },
      currencies,
    });
  };
  t.match(ofColumn("120", "Birr").problems.total, 0);
  t.match(ofColumn("UGX 120", "KES").problems.problems, [{ found: /^"KES" in "Cur", but "UGX" in the cell$/ }]);
  t.match(ofColumn("$3", "USD").records.prices, [{ currency: "USD" }]);
  t.match(ofColumn("3", "Mk", { Mk: "MWK" }).records.prices, [{ currency: "MWK" }]);
  t.match(ofColumn("Mk 3", "MWK", { Mk: "MWK" }).records.prices, [{ currency: "MWK" }]);
  t.match(ofColumn("Mk 3", "MWK").problems.problems, [{ found: '"Mk 3"', wanted: /perhaps with a currency$/ }]);
});

t.test("a unit may stand behind the price; the unit of the row must be the same", async (t) => {
  const noUnit = { ...plainRow, unit: "" };
  for (const [price, unit] of [
    ["60/Kg", "kg"],
    ["KSh 60 per 90-kg bag", "90 kg bag"],
    ["60.00 / 1.5 kg tin", "1.5 kg tin"],
  ]) {
    t.match(readRows([{ ...noUnit, price: price as string }]).records.prices, [{ price: 60, unit }], price as string);
  }
  t.match(readRows([{ ...plainRow, price: "60/kg" }]).records.prices, [{ price: 60, unit: "kg" }]);
  t.match(readRows([{ ...plainRow, price: "60/90 kg" }]).problems.problems, [
    { field: "Price", wanted: /^a price per kg/ },
  ]);
  t.match(readRows([{ ...noUnit, price: "60/=" }]).problems.problems, [{ field: "Unit", found: "empty" }]);
  t.match(readRows([{ ...noUnit, price: "60/gunia" }]).resolver.unmatched, [{ kind: "unit", found: "gunia" }]);
});

t.test("a row whose price names a unit that matches.csv says to skip is left out and counted", async (t) => {
  const skipped = { ...answer, kind: "unit" as const, found: "visit", use: "skip" };
  const { reading, problems } = readRows([{ ...plainRow, price: "60/visit" }, plainRow], mappingOf(), [skipped]);
  t.strictSame([problems.total, reading.facts.length], [0, 1]);
  t.strictSame(Object.fromEntries(reading.leftOut), { skipped_name: { rowCount: 1, lineFirst: 2 } });
});

t.test("headings that are not there, or twice, are named together with those that are", async (t) => {
  const wrong = mappingOf({ columns: { ...columns, price: "Prize", unit: "Units" } });
  t.throws(() => readRows([plainRow], wrong), {
    name: "ImportRefusedError",
    message:
      /^prices.csv:1: found no heading "Prize" \("columns.price"\), no heading "Units" .* among "Date", "County"/,
  });
  const twice = Buffer.from(csvOf([plainRow], ",", false).replace("Grade", "price"));
  t.throws(() => read(twice, mappingOf()), {
    message: /the heading "Price" twice \(columns E and G\), no heading "Grade".*; rename one of two, or save/,
  });
  t.throws(() => readRows([plainRow], mappingOf({ header_row: 9 })), { message: /has no row 9/ });
});

t.test("a table without headings has columns A, B, C", async (t) => {
  const mapping = mappingOf({
    header_row: 0,
    columns: { date: "A", market: "C", county: "b", product: "D", price: "E", unit: "F" },
  });
  const bytes = Buffer.from("2026-05-02,Kiambu,Thika,Beans,60,kg,\n");
  t.match(read(bytes, mapping).records.prices, [
    { product_uuid: uuidOf("product", 2), market_uuid: uuidOf("market", 1) },
  ]);
});

const noAnswer = { found: "", county: "", market_type: "", rows: "", first_row: "", candidates: "", use: "" };
const noRecord = { new_name: "", new_category: "", new_county: "", new_market_type: "" };
const answer = { ...noAnswer, ...noRecord, kind: "product" as const, line: 2 };

t.test("answers of matches.csv are applied, whatever the case and punctuation of the name", async (t) => {
  const rows = [
    { ...plainRow, market: "Thikka" },
    { ...plainRow, market: "THIKKA", product: "Sukuma wiki" },
    { ...plainRow, product: "gibberish" },
    { ...plainRow, county: "", market: "Juja" },
  ];
  const { reading, records, resolver, problems } = readRows(rows, mappingOf(), [
    { ...answer, kind: "market", found: "thikka", county: "Kiambu", use: "Thika, Kiambu, Retail" },
    { ...answer, kind: "product", found: "Sukuma-Wiki", use: "New", new_name: "Kale", new_category: "Vegetables" },
    { ...answer, kind: "product", found: "Gibberish", use: "skip" },
    { ...answer, kind: "market", found: "Juja", use: "new", new_county: "kiambu county", new_market_type: "wholesale" },
  ]);
  t.equal(problems.total, 0);
  t.strictSame(resolver.unmatched, []);
  t.strictSame(Object.fromEntries(reading.leftOut), { skipped_name: { rowCount: 1, lineFirst: 4 } });
  t.match(records.products, [{ name: "Kale", category: "Vegetables", common_units: ["kg"] }]);
  t.match(records.markets, [{ name: "Juja", county_id: 22, type: "Wholesale" }]);
  t.equal(records.prices.filter(({ market_uuid }) => market_uuid === uuidOf("market", 1)).length, 2);
  t.ok(records.prices.some(({ product_uuid }) => product_uuid === records.products[0]?.uuid));
});

t.test("answers that cannot be applied are problems of matches.csv", async (t) => {
  const { problems } = readRows([plainRow], mappingOf(), [
    { ...answer, kind: "market", found: "A", use: "Nowhere" },
    { ...answer, kind: "unit", found: "gunia", use: "new", line: 3 },
    { ...answer, kind: "product", found: "B", use: "new", line: 4 },
    { ...answer, kind: "market", found: "C", use: "new", new_county: "Atlantis", line: 5 },
    { ...answer, kind: "market", found: "Kenol", use: "Kenol", line: 6 },
  ]);
  t.match(problems.problems, [
    { file: "matches.csv", line: 2, field: "use", found: '"Nowhere"' },
    { line: 3, field: "use", wanted: /^a unit of the snapshot or of "units" in the mapping, or "skip"$/ },
    { line: 4, field: "new_category" },
    { line: 5, field: "new_county", found: '"Atlantis"' },
    { line: 5, field: "new_market_type" },
    { line: 6, field: "use", found: '"Kenol"' },
  ]);
  t.equal(problems.total, 6);
});

t.test("a new record that the snapshot has by now is that record", async (t) => {
  const rows = [{ ...plainRow, product: "White maize", market: "Thika town" }];
  const thika = { ...answer, kind: "market" as const, found: "Thika town", county: "Kiambu" };
  const { records } = readRows(rows, mappingOf(), [
    { ...answer, kind: "product", found: "White maize", use: "new", new_name: "MAIZE, white", new_category: "Cereals" },
    { ...thika, use: "new", new_name: "Thika", new_market_type: "Retail" },
  ]);
  t.strictSame([records.products, records.markets], [[], []]);
  t.match(records.prices, [{ product_uuid: uuidOf("product", 1), market_uuid: uuidOf("market", 1) }]);
});

t.test("long texts are no names, and more than 1,000 names without a match mean a wrong column", async (t) => {
  const { problems, resolver } = readRows([{ ...plainRow, product: "x".repeat(201) }]);
  t.match(problems.problems, [{ line: 2, field: "Commodity", wanted: /at most 200 characters/ }]);
  t.strictSame(resolver.unmatched, []);
  const rows = Array.from({ length: 1001 }, (_, at) => ({ ...plainRow, product: `product ${at}` }));
  t.equal(readRows(rows.slice(1)).resolver.unmatched.length, 1000);
  t.throws(() => readRows(rows), { name: "ImportRefusedError", message: /"columns.product" of the mapping/ });
});

/** A candidate as it is shown, without the uuid beside its name. */
function withoutUuid(candidate: string = ""): string {
  return candidate.replace(/ [0-9a-f]{8}-[0-9a-f-]{27}$/, "");
}

t.test("nearest names are offered: the very name, then those with the same words, then misspelt ones", async (t) => {
  const rows = [
    { ...plainRow, product: "Maharagwe" },
    { ...plainRow, product: "white maiz" },
    { ...plainRow, county: "", market: "Kenol" },
    { ...plainRow, county: "Muranga", market: "Kennol" },
    { ...plainRow, unit: "gunia kg 90" },
    { ...plainRow, unit: "gunia kubwa kg 90" },
  ];
  const { resolver } = readRows(rows);
  const offered = resolver.unmatched.map((name) => [name.found, withoutUuid(resolver.candidatesOf(name)[0])]);
  t.strictSame(Object.fromEntries(offered), {
    Maharagwe: "Beans",
    "white maiz": "Maize (white)",
    Kenol: "Kenol, Murang'a, Retail",
    Kennol: "Kenol, Murang'a, Retail",
    "gunia kubwa kg 90": "90 kg bag",
  });
});

t.test("a column may have price flags, and a text that is none refuses its row", async (t) => {
  const mapping = mappingOf({ columns: { ...columns, price_flag: "Flag" } });
  const cells = fields.map((field) => plainRow[field]).join();
  const table = (flag: string) => Buffer.from(`${Object.values(headings).join()},Flag\n${cells},"${flag}"\n`);
  for (const [text, flag] of [
    ["aggregate", "aggregate"],
    ["Actual, aggregate", "actual_aggregate"],
    ["", undefined],
  ] as const) {
    const { records, problems } = read(table(text), mapping);
    t.same([problems.total, records.prices.length, records.prices[0]?.price_flag], [0, 1, flag], text);
  }
  t.match(read(table("guess"), mapping).problems.problems, [
    { field: "Flag", found: '"guess"', wanted: "one of actual, aggregate, actual_aggregate, forecast" },
  ]);
});

/** Reads lines of cells with commas between them. */
function readShort(lines: readonly string[], mapping: Partial<MappingFile>) {
  return read(Buffer.from(`${lines.join("\n")}\n`), mappingOf(mapping));
}

t.test("a date of three columns is read, and filled down column by column", async (t) => {
  const mapping = {
    columns: { ...short.columns, date: ["Day", "Month", "Year"] },
    ...{ values: short.values, date_formats: ["d M yyyy", "d MMM yyyy"], fill_down: ["date" as const] },
  };
  const head = "Year,Month,Day,Market,Commodity,Unit,Price";
  const { records, problems } = readShort(
    [head, "2026,5,2,Thika,Beans,kg,60", ",,13,Thika,Beans,kg,61", ",Jun,,Thika,Beans,kg,62", ",,,Thika,Beans,kg,63"],
    mapping,
  );
  t.equal(problems.total, 0);
  t.strictSame(records.prices.map(({ recorded_at, price }) => [recorded_at.slice(0, 10), price]).sort(), [
    ["2026-05-02", 60],
    ["2026-05-13", 61],
    ["2026-06-13", 62],
    ["2026-06-13", 63],
  ]);
  const partly = readShort([head, ",5,2,Thika,Beans,kg,60"], mapping);
  t.match(partly.problems.problems, [{ field: "Day, Month, Year", found: '"2 5"' }]);
});

t.test("of a product in two columns the variety above does not count for another product", async (t) => {
  const mapping = {
    columns: { ...short.columns, product: ["Commodity", "Variety"] },
    ...{ values: short.values, fill_down: ["product" as const] },
  };
  const { records, resolver, problems } = readShort(
    [
      "Date,Market,Commodity,Variety,Unit,Price",
      ...["2026-05-02,Thika,Maize,white,kg,60", "2026-05-03,Thika,,white,kg,61", "2026-05-04,Thika,,,kg,62"],
      ...["2026-05-05,Thika,Beans,,kg,63", "2026-05-06,Thika,,dry,kg,64", "2026-05-07,Thika,Maize,red,kg,65"],
    ],
    mapping,
  );
  t.equal(problems.total, 0);
  t.strictSame(
    records.prices.map(({ product_uuid, price }) => [price, product_uuid]),
    [
      ...[60, 61, 62].map((price) => [price, uuidOf("product", 1)]),
      [63, uuidOf("product", 2)],
      [64, uuidOf("product", 3)],
    ],
  );
  t.match(resolver.unmatched, [{ kind: "product", found: "Maize, red" }]);
});

t.test("skip_rows has whole texts; an entry with a star, and one of signs, is a beginning", async (t) => {
  const skips = (entries: readonly string[], text: string): boolean => {
    const lines = [shortHead, `${text},,,,60`];
    return readShort(lines, { ...short, skip_rows: entries }).reading.leftOut.has("skipped_row");
  };
  const cases: readonly (readonly [entry: string, skipped: readonly string[], kept: readonly string[]])[] = [
    ["total", ["Total", "TOTAL:", "Total: 5", "(total)", "Total = 7"], ["Total Junction", "Totals", "Subtotal", "5"]],
    ["jumla", ["Jumla"], ["Jumla Market"]],
    ["average*", ["Average", "Average of May"], ["Mean average"]],
    ["#", ["#date", "# a remark"], ["Date #1"]],
    ["*", ["* provisional"], ["provisional *"]],
    ["--", ["-- checked --"], ["- checked"]],
    ["#*", ["#date"], ["date"]],
  ];
  for (const [entry, skipped, kept] of cases) {
    for (const text of skipped) t.ok(skips([entry], text), `${entry} skips ${text}`);
    for (const text of kept) t.notOk(skips([entry], text), `${entry} keeps ${text}`);
  }
});

t.test("a title above prices refuses the table; one that is filled down, or below all prices, does not", async (t) => {
  const price = (day: number): string => `2026-05-0${day},Thika,Beans,kg,60`;
  const faults = (lines: readonly string[], mapping: Partial<MappingFile> = {}) =>
    readShort([shortHead, ...lines], { ...short, ...mapping }).problems.problems.map(({ line, found }) => [
      line,
      found,
    ]);
  t.strictSame(faults([price(1), "RETAIL PRICES", shortHead, price(2)]), [
    [3, '"RETAIL PRICES" alone in its row, above prices'],
  ]);
  const { market: _, ...others } = short.columns;
  const noMarket = { columns: others, values: { ...short.values, market: "Thika" } };
  t.strictSame(faults(["Kenol,,,,", price(2)], noMarket), [[2, '"Kenol" alone in its row, above prices']]);
  t.strictSame(faults(["Week 19,,,,", price(2)]), [], "each row has all of its price");
  t.strictSame(faults([price(1), "Note: seen at noon", "Retail"]), []);
  t.strictSame(faults([price(1), "RETAIL PRICES", price(2)], { skip_rows: ["Retail prices"] }), []);
  t.strictSame(faults([",Thika,,,", "2026-05-01,,Beans,kg,60"], { fill_down: ["market"] }), []);
  t.strictSame(faults([",Jumla,,,", "2026-05-01,Thika,Beans,kg,60"], { fill_down: ["market"] }), [
    [2, '"Jumla" alone in its row, above prices'],
  ]);
});

t.test("other headings below those of the table end the reading with one problem", async (t) => {
  const other = ["Market,Date,Commodity,Unit,Price", "Thika,2026-05-02,Beans,kg,60"];
  const { problems, resolver, reading } = readShort([shortHead, "2026-05-01,Thika,Beans,kg,60", ...other], short);
  t.match(problems.problems, [{ line: 3, found: /^headings again, others than those of the table: "Market", "Date"/ }]);
  t.strictSame([problems.total, resolver.unmatched, reading.facts.length], [1, [], 1]);
  const next = readShort([shortHead, ...other], short);
  t.match(next.problems.problems, [{ line: 2, wanted: /^"header_rows": 2 in the mapping/ }]);
  const beside = `${shortHead},,${shortHead}`;
  t.throws(() => readShort([beside], short), {
    message: /the heading "Date" twice \(columns A and G\), .*save a table that stands beside another by itself$/,
  });
});

t.test("headings of two rows are those of the mapping, and their repetition is left out", async (t) => {
  const mapping = {
    ...{ header_rows: 2, values: short.values, heading_in_key: true },
    columns: { ...short.columns, price: "Price (KSh) / Retail" },
  };
  const head = ["Date,Market,Commodity,Unit,Price (KSh),", ",,,,Wholesale,Retail"];
  const { records, problems, reading } = readShort([...head, "2026-05-02,Thika,Beans,kg,50,60", ...head], mapping);
  t.equal(problems.total, 0);
  t.match(records.prices, [{ price: 60 }]);
  t.strictSame(Object.fromEntries(reading.leftOut), { headings_again: { rowCount: 2, lineFirst: 4 } });
});

t.test("tags, sums, empty cells and words for no price are named with what the mapping can say of them", async (t) => {
  const price = "2026-05-01,Thika,Beans,kg,60";
  const wanted = (line: string): readonly (readonly (string | undefined)[])[] =>
    readShort([shortHead, price, line], short).problems.problems.map(({ field, found, wanted }) => [
      field,
      found,
      /"(?:skip_rows|fill_down|empty_texts)".*/.exec(wanted)?.[0],
    ]);
  t.strictSame(wanted("#date,#loc,#item,#unit,#value"), []);
  t.strictSame(wanted("Mean,,,,105"), [
    [undefined, '"Mean" and numbers alone, as a sum or an average has them', '"skip_rows" of the mapping'],
  ]);
  t.strictSame(wanted(",,Beans,kg,60"), [
    ["Market", "empty", '"fill_down": ["market"] in the mapping takes the value above'],
    ["Date", "empty", '"fill_down": ["date"] in the mapping takes the value above'],
  ]);
  for (const text of ["nil", "N/A", "--", "x", "0"]) {
    t.strictSame(wanted(`2026-05-02,Thika,Beans,kg,${text}`), [
      ["Price", `"${text}"`, '"empty_texts" where it means no price'],
    ]);
  }
  t.strictSame(wanted("2026-05-02,Thika,Beans,kg,40-50"), [["Price", '"40-50"', undefined]]);
});

t.test("the likely unit is the first candidate, whatever its abbreviation, number and order of words", async (t) => {
  const names = "kg, g, tonne, 2 kg tin, 50 kg bag, 90 kg bag, litre, ml, piece, bunch, 64 kg crate";
  const records = names.split(", ").map((name) => ({ name, abbreviation: name, baseUnit: "kg", conversionFactor: 1 }));
  const resolver = new NameResolver(
    indexNames({ ...known, unitCategories: [{ category: "All", units: records }] }),
    [],
  );
  const firstOf = (kind: "unit" | "product" | "market", found: string): string | undefined =>
    withoutUuid(resolver.candidatesOf({ kind, found, county: "", marketType: "" })[0]);
  const wanted = {
    ...{ MT: "tonne", "metric ton": "tonne", tons: "tonne", kilogram: "kg", Kilos: "kg", "per kg": "kg", "1 kg": "kg" },
    ...{ grams: "g", ltrs: "litre", mls: "ml", pcs: "piece", bunches: "bunch", "90": "90 kg bag", "2kg": "2 kg tin" },
    ...{ "Bag (90kg)": "90 kg bag", "50kgs bag": "50 kg bag", "gunia kg 90": "90 kg bag", crate: "64 kg crate" },
  };
  for (const [found, unit] of Object.entries(wanted)) t.equal(firstOf("unit", found), unit, found);
  t.equal(firstOf("product", "Dry beans, loose"), "Beans (dry)");
  t.equal(firstOf("product", "Whitemaize"), "Maize (white)");
  t.equal(firstOf("market", "Soko la Thika"), "Thika, Kiambu, Retail");
});

t.test("a person names a record by its uuid, beside any name but that of another record", async (t) => {
  const renamed = market(
    { name: "Lodwar Town", alternativeNames: ["Lodwar"], countyId: 22 as MarketRecord["countyId"] },
    1,
  );
  const other = market({ name: "Juja", alternativeNames: null, countyId: 22 as MarketRecord["countyId"] }, 2);
  const { market: index } = indexNames({ ...known, markets: [renamed, other] });
  const named = (text: string): string | undefined => index.findNamed(text)?.shown;
  for (const name of ["", "Lodwar Town, Kiambu, Retail ", "Lodwar, Kiambu, Retail ", "Eldoret ", "Lodwar = "]) {
    t.equal(named(`${name}${renamed.uuid}`), "Lodwar Town, Kiambu, Retail", name);
    t.equal(named(`${name}${renamed.uuid.toUpperCase()}`), "Lodwar Town, Kiambu, Retail");
  }
  t.equal(named(`Juja, Kiambu, Retail ${renamed.uuid}`), undefined, "the name of another one");
  t.equal(named("Lodwar Town 5f1d7a52-6d0e-4c5e-9a43-8d0c1b2a3f40"), undefined, "an unknown uuid");
});

t.test("markets of a name are offered in the order of the row's county and type; codes name counties", async (t) => {
  const markets = [21, 22].map((county, at) =>
    market({ name: "Soko", alternativeNames: null, countyId: county as MarketRecord["countyId"] }, at + 1),
  );
  const indexes = indexNames({ ...known, markets });
  const resolver = new NameResolver(indexes, []);
  const offered = (county: string): string[] =>
    resolver.candidatesOf({ kind: "market", found: "Soko", county, marketType: "Wholesale" }).map(withoutUuid);
  t.strictSame(offered("Murang'a"), ["Soko, Murang'a, Retail", "Soko, Kiambu, Retail"]);
  t.strictSame(offered("Kiambu"), ["Soko, Kiambu, Retail", "Soko, Murang'a, Retail"]);
  for (const code of ["022", "22", "KE022", "ke022"]) t.equal(indexes.county.find(code)[0]?.shown, "Kiambu", code);
  t.strictSame(
    ["2", "0022", "KE22"].flatMap((code) => indexes.county.find(code)),
    [],
  );
});

t.test("a market is known by its alternative names, without their county or type, after own names", async (t) => {
  const renamed = [
    market({ name: "Lodwar Town", alternativeNames: ["Lodwar (Kiambu)"], countyId: 22 as MarketRecord["countyId"] }, 1),
    market({ name: "Kenol", alternativeNames: ["Lodwar"], countyId: 21 as MarketRecord["countyId"] }, 2),
    market({ name: "Juja", alternativeNames: ["Kenol"], countyId: 22 as MarketRecord["countyId"] }, 3),
  ];
  const { market: index } = indexNames({ ...known, markets: renamed });
  const found = (name: string, county = ""): string[] =>
    index.find(name, (target) => county === "" || target.county === county).map(({ shown }) => shown);
  t.same(found("LODWAR (kiambu)"), ["Lodwar Town, Kiambu, Retail"]);
  t.same(found("lodwar", "Kiambu"), ["Lodwar Town, Kiambu, Retail"]);
  t.same(found("lodwar").length, 2, "a name of two is asked for");
  t.same(found("Kenol"), ["Kenol, Murang'a, Retail"], "an own name goes first");
});
