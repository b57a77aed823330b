/** Tables as people and programs write them, one of each kind, from the file to prices or to what is wrong. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import type { Day } from "../../../../src/engine/model/calendar.ts";
import type { MarketRecord } from "../../../../src/engine/model/records.ts";
import { ProblemList } from "../../../../src/engine/snapshots/problem.ts";
import { ImportRefusedError } from "../../../../src/publishing/importers/import-refused.ts";
import { dayOf } from "../../../../src/publishing/importers/sheet/date-cell.ts";
import { inspectTables } from "../../../../src/publishing/importers/sheet/inspect-table.ts";
import { indexNames } from "../../../../src/publishing/importers/sheet/known-names.ts";
import { type MappingFile, withDefaults } from "../../../../src/publishing/importers/sheet/mapping.ts";
import { parseTables } from "../../../../src/publishing/importers/sheet/parse-tables.ts";
import { readPrices } from "../../../../src/publishing/importers/sheet/read-sheet-prices.ts";
import { NameResolver } from "../../../../src/publishing/importers/sheet/resolve-names.ts";
import type { Table } from "../../../../src/publishing/importers/sheet/sheet-table.ts";
import { county, market, product } from "../../../support/tiny-dataset.ts";

const units = [
  { name: "kg", abbreviation: "kg", baseUnit: "kg", conversionFactor: 1 },
  { name: "90 kg bag", abbreviation: "90 kg", baseUnit: "kg", conversionFactor: 90 },
];
const known = {
  counties: [county(22, { name: "Kiambu" })],
  unitCategories: [{ category: "Weight", units }],
  products: [product({ name: "Beans" }, 1), product({ name: "Maize, white" }, 2), product({ name: "Maize, red" }, 3)],
  markets: [market({ name: "Thika", countyId: 22 as MarketRecord["countyId"] }, 1)],
};

/** 2 June 2026. */
const today = dayOf(Date.UTC(2026, 5, 2) as Parameters<typeof dayOf>[0]) as Day;

interface Seen {
  /** The refusal of the whole file, or else the faults of its rows and the names without a match. */
  readonly wrong: readonly string[];
  /** Price, currency, unit and day. */
  readonly prices: readonly string[];
  readonly notes: readonly string[];
  readonly mapping: MappingFile | undefined;
}

/** A table is inspected, and imported with the mapping that comes of it. */
async function see(t: Test, bytes: string, patch: Partial<MappingFile> = {}): Promise<Seen> {
  const path = join(t.testdir(), "table");
  writeFileSync(path, bytes);
  const problems = new ProblemList();
  try {
    const tables = await parseTables(path, {});
    const { mapping, notes } = inspectTables(tables, path, "Survey");
    const whole = withDefaults({ ...mapping, ...patch, values: { ...mapping.values, ...patch.values } });
    const columns = { ...mapping.columns, ...patch.columns };
    const resolver = new NameResolver(indexNames(known), []);
    const table = (tables.find(({ sheet }) => sheet === (mapping.sheet ?? sheet)) ?? tables[0]) as Table;
    const rows = { table, mapping: { ...whole, columns }, resolver, problems, warnings: new ProblemList(), today };
    const { facts } = readPrices(rows);
    const prices = facts.map(({ price, currency, unit, recordedAt }) => {
      return `${price} ${currency} ${unit} ${new Date(recordedAt).toISOString().slice(0, 10)}`;
    });
    const faults = problems.problems.map(({ line, field = "row", found, wanted }) => {
      return `${line} ${field}: ${found} | ${wanted}`;
    });
    const names = resolver.unmatched.map(({ kind, found }) => `? ${kind} ${found}`);
    return { wrong: [...faults, ...names], prices, notes, mapping };
  } catch (error) {
    if (!(error instanceof ImportRefusedError)) throw error;
    return { wrong: [error.message], prices: [], notes: [], mapping: undefined };
  }
}

const head = "Date,Market,Item,Unit,Price";
const row = (price: string, date = "2026-05-02", unit = "kg", item = "Beans") =>
  `${date},Thika,${item},${unit},${price}`;
const table = (...lines: readonly string[]) => `${lines.join("\n")}\n`;
const ok = "60 KES kg 2026-05-02";

/** Kinds by what is right of each: the prices that come of a table, or what is said of it. */
interface Kind {
  readonly kind: string;
  readonly bytes: string;
  readonly patch?: Partial<MappingFile>;
  readonly prices?: readonly string[];
  readonly wrong?: readonly RegExp[];
  readonly note?: RegExp;
}

/** Tables of one price. */
const readAsOne: Readonly<Record<string, string>> = {
  "headings of Kobo, labels in two languages": table(
    "Date of visit / Tarehe ya ziara,Market::English (en),Item::English (en),Unit / Kipimo,Price (KES)",
    row("60"),
  ),
  "amounts under a type of market, which are no prices": table(
    "Date,Market,Item,Unit,Retail,",
    ",,,,Volume,Price",
    `${row("5")},60`,
  ),
  "a product in two columns": table("Date,Market,Crop,Variety,Unit,Price", "2026-05-02,Thika,Maize,white,kg,60"),
  "day, month and year in three columns": table("Day,Month,Year,Market,Item,Unit,Price", "2,5,2026,Thika,Beans,kg,60"),
  "sections of types beside a column of types": table(`${head},Type`, "RETAIL,,,,,", `${row("60")},Retail`),
  "the first column called ID beside one that begins with P": table(
    "ID;Price;Date;Market;Item;Unit",
    "1;60;2026-05-02;Thika;Beans;kg",
  ),
  "a total behind a date": table(head, row("60"), "2026-05-02,Total,,,60"),
};

const kinds: readonly Kind[] = [
  ...Object.entries(readAsOne).map(([kind, bytes]) => ({ kind, bytes, prices: [ok] })),
  {
    kind: "numbers in two styles",
    bytes: table(head, row("1 200"), row("980"), row('"1,300"')),
    wrong: [/^2 Price: "1 200" \| .*"thousands": "," in the mapping/],
  },
  {
    kind: "a currency in the unit",
    bytes: table(head, row("60", "2026-05-02", "UGX/kg"), row("60", "2026-05-02", "KSh per 90 kg bag")),
    prices: ["60 UGX kg 2026-05-02", "60 KES 90 kg bag 2026-05-02"],
  },
  {
    kind: "a currency in the unit beside another",
    bytes: table(head, row("60", "2026-05-02", "UGX/kg")),
    patch: { values: { currency: "KES" } },
    wrong: [/^2 Price: "KES" in "values\.currency", but "UGX" in the unit "UGX\/kg" \|/],
  },
  {
    kind: "a currency below the table",
    bytes: table(head, row("60"), '"All prices in Uganda shillings",,,,'),
    prices: ["60 UGX kg 2026-05-02"],
  },
  { kind: "shillings as people say them", bytes: table(head, row("60 bob"), row("60/=")), prices: [ok, ok] },
  {
    kind: "a word that is a code in capitals alone",
    bytes: table(head, row("60 cup")),
    wrong: [/^2 Price: "60 cup" \|.*perhaps with a currency/],
  },
  {
    kind: "least and greatest prices",
    bytes: table(`${head} min,Price max,Modal price`, `${row("50")},70,60`),
    note: /"heading_in_key"/,
    prices: [ok],
  },
  {
    kind: "two rows of headings",
    bytes: table("Date,Market,Item,Unit,Price (KSh),", ",,,,Retail,Wholesale", `${row("60")},70`),
    note: /not read: columns "Price \(KSh\) \/ Wholesale"/,
    prices: [ok],
  },
  {
    kind: "sections of goods whose rows say everything",
    bytes: table(head, "CEREALS,,,,", row("60"), ",,PULSES,,", row("60")),
    prices: [ok, ok],
  },
  {
    kind: "the name of another day before a date",
    bytes: table(head, row("60", "Monday 02/05/2026")),
    patch: { date_formats: ["dd/MM/yyyy"] },
    wrong: [/^2 Date: "Monday 02\/05\/2026", but 2026-05-02 is another day of the week \| the name of that day/],
  },
  ...[
    ...["Prices of week 30, 2026", "Bei za mwezi wa saba", "Prices, third quarter 2026"],
    ...["Prices for the year 2025", "Prices as at 30.07.2026", "Week 28 (6-12 July 2026)"],
  ].map((title) => ({
    kind: `the title "${title}" above another time`,
    bytes: table(`"${title}",,,,`, head, row("60")),
    wrong: [/^1 row: ".*no row is of that time: line 3 is of 2026-05-02 \| dates of that time/],
  })),
  {
    kind: "the month of a title above dates of which some are months away",
    bytes: table("Prices of May 2026,,,,", head, row("60"), row("61", "2026-02-05")),
    wrong: [/^1 row: "May 2026".*line 4 is of 2026-02-05/],
  },
  ...["Prices, Q2 2026", "Week 18", "Bei za mwezi wa tano", "Prices 2026", "Date: 3/6/2026", "FY 2024/2025"].map(
    (title) => ({
      kind: `the title "${title}" above its time`,
      bytes: table(`"${title}",,,,`, head, row("60")),
      prices: [ok],
    }),
  ),
  ...["Unit: 90 kg bag", "Bei ya gunia la kilo 90", "Bags of 90kg", "Kipimo: kilo 50"].map((title) => ({
    kind: `the unit of the title "${title}" where no column has units`,
    bytes: table(`"${title}",,,`, "Date,Market,Item,Price", "2026-05-02,Thika,Beans,60"),
    patch: { values: { unit: "kg", currency: "KES" } },
    wrong: [/^1 row: .* but "kg" for line 3 \| "values\.unit": /],
  })),
  { kind: "a scale in the title", bytes: table('"Values in KES 1,000",,,,', head, row("0.06")), prices: [ok] },
  {
    kind: "a scale beside the headings",
    bytes: table(`${head},,Prices in thousands`, `${row("60")},,`),
    patch: { scale: 1, ignored: [] },
    wrong: [/^1 row: "thousands" in the heading "Prices in thousands", but "scale" is 1/],
  },
  ...["Bei ya sasa", "Price today (KSh)", "Current price", "Bei (KSh) leo", "How much did you pay (KSh)?"].map(
    (heading) => ({
      kind: `the heading "${heading}"`,
      bytes: table(`Date,Market,Item,Unit,"${heading}"`, row("60")),
      patch: { columns: { price: heading }, values: { currency: "KES" } },
      prices: [ok],
    }),
  ),
];

for (const { kind, bytes, patch, prices = [], wrong = [], note } of kinds) {
  t.test(`${kind}: ${prices.length > 0 ? "read" : "refused by name"}`, async (t) => {
    const seen = await see(t, bytes, patch);
    t.strictSame(seen.prices.length > 0 && wrong.length === 0 ? seen.prices : prices, prices);
    t.equal(seen.wrong.length, wrong.length, seen.wrong.join("\n"));
    for (const [at, expected] of wrong.entries()) t.match(seen.wrong[at], expected);
    if (note !== undefined) t.match(seen.notes.join("\n"), note);
  });
}

t.test("columns of a wide table are named, and headings that tell prices apart are a part of the key", async (t) => {
  const wide = table("Date,Item,Unit,Thika,Kenol", "2026-05-02,Beans,kg,60,-", "2026-05-03,Beans,kg,-,61");
  const months = await see(t, wide, { columns: { price: "Thika", market: "Date" } });
  t.match(months.notes.join("\n"), /not read: columns "Thika", "Kenol"/);
  t.equal(months.mapping?.heading_in_key, true);
  const columns = { price: "Trader A" };
  const traders = await see(t, table("Date,Market,Item,Unit,Trader A,Trader B", `${row("60")},61`), { columns });
  t.equal(traders.mapping?.heading_in_key, true);
  t.strictSame(traders.prices, [ok]);
});
