import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeXlsx } from "hucre/xlsx";
import t, { type Test } from "tap";
import { recogniseHeading } from "../../../../src/publishing/importers/sheet/headings.ts";
import { inspectTables } from "../../../../src/publishing/importers/sheet/inspect-table.ts";
import { parseTables } from "../../../../src/publishing/importers/sheet/parse-tables.ts";

type Inspection = ReturnType<typeof inspectTables>;

async function inspect(t: Test, bytes: string | Uint8Array): Promise<Inspection> {
  const path = join(t.testdir(), "table");
  writeFileSync(path, bytes);
  return inspectTables(await parseTables(path, {}), path, "Survey");
}

function notesOf({ notes }: Inspection, part: string): readonly string[] {
  return notes.filter((note) => note.includes(part));
}

t.test("a heading is known by its last part in groups, by either of two languages, and by its words", async (t) => {
  const known: readonly (readonly [text: string, field: string | undefined])[] = [
    ["grp_shop/shop_price", "price"],
    ["Farm gate price (KSh)", "price"],
    ["Bei ya shambani", "price"],
    ["Bei ya sasa", "price"],
    ["Price today (KSh)", "price"],
    ["Market prices of Kitui", undefined],
    ["Price source", undefined],
    ["Date of data collection (dd/mm/yyyy)", "date"],
    ["grp_items/price", "price"],
    ["visit/goods/unit_of_sale", "unit"],
    ["grp_place:market_name", "market"],
    ["grp_goods-item", "product"],
    ["item/price", "price"],
    ["market/county", "county"],
    ["Sub-county", undefined],
    ["Soko / Market", "market"],
    ["Siku ya soko (Market date)", "date"],
    ["Bidhaa - Commodity", "product"],
    ["Kipimo::Swahili (sw)", "unit"],
    ["Jina la soko", "market"],
    ["Date of interview", "date"],
    ["Location", "market"],
    ["Lowest price", "price"],
    ["Max. price", "price"],
    ["Modal price per kg", "price"],
    ["Price/kg", "price"],
    ["Price/Unit", "price"],
    ["Total", undefined],
    ["Average", undefined],
    ["Submission date", undefined],
  ];
  for (const [text, field] of known) t.equal(recogniseHeading(text)?.field, field, text);
  const said = (text: string) => recogniseHeading(text)?.statements.map(({ value }) => String(value));
  t.strictSame(said("Price/kg"), ["kg"]);
  t.strictSame(said("price_per_kg"), ["kg"]);
  t.strictSame(said("Bei ya rejareja (KSh)"), ["KES", "Retail"]);
  t.strictSame(said("Price (KSh) / Wholesale"), ["KES", "Wholesale"]);
  t.strictSame(said("Price (Tuesday)"), [], "a day is no unit");
});

t.test("a row of data is no row of headings, though a type of market stands in it", async (t) => {
  const { mapping, missing } = await inspect(
    t,
    "2026-05-02;thika;retail;beans;80;kg\n2026-05-03;thika;retail;kale;30;kg\n",
  );
  t.match(mapping, { header_row: 0, columns: {} });
  t.strictSame(missing, ["date", "market", "product", "price", "unit"]);
  const kobo =
    "start;today;g_a/market_name;g_a/type;g_b/item;g_b/price;g_b/unit\nx;2026-05-02;thika;retail;beans;80;kg\n";
  t.match((await inspect(t, kobo)).mapping, {
    header_row: 1,
    columns: { date: "today", market: "g_a/market_name", market_type: "g_a/type", price: "g_b/price" },
  });
  const swahili = "Tarehe,Soko,Aina,Bidhaa,Kipimo,Bei\n2026-05-02,Thika,Jumla,Maharagwe,kg,60\n";
  t.match((await inspect(t, swahili)).mapping.columns, { market_type: "Aina", product: "Bidhaa" });
  t.match(
    (await inspect(t, "Location,Market,Date,Price\nNorth,Thika,2026-05-02,5\n")).mapping.columns,
    { market: "Market" },
    "the plain heading counts before the weak one",
  );
});

t.test("two rows of headings are joined, in a workbook with merged cells and in CSV", async (t) => {
  const rows = [
    ["Date", "Market", "Item", "Price (USD)", null],
    [null, null, null, "Wholesale", "Retail"],
    [new Date(Date.UTC(2026, 4, 2)), "Thika", "Beans", 5, 6],
  ];
  const merges = [0, 1, 2].map((column) => ({ startRow: 0, endRow: 1, startCol: column, endCol: column }));
  const book = await writeXlsx({ sheets: [{ name: "May", rows, merges }] });
  for (const bytes of [book, "Date,Market,Item,Price (USD),\n,,,Wholesale,Retail\n2026-05-02,Thika,Beans,5,6\n"]) {
    const { mapping, notes } = await inspect(t, bytes);
    t.match(mapping, {
      ...{ header_row: 1, header_rows: 2, columns: { date: "Date", price: "Price (USD) / Wholesale" } },
      values: { market_type: "Wholesale", currency: "USD" },
    });
    t.ok(notes.some((note) => note.includes('"Price (USD) / Retail"')));
  }
  const places = "Place,,Prices (KES),\nCounty,Market,Retail,Date\nKiambu,Thika,60,2026-05-02\n";
  t.match((await inspect(t, places)).mapping, {
    ...{ header_row: 1, header_rows: 2 },
    columns: { county: "Place / County", market: "Place / Market", price: "Prices (KES) / Retail" },
  });
  const title = "Date,Market,Item,Price\nRetail,,,\n2026-05-02,Thika,Beans,5\n";
  t.notMatch((await inspect(t, title)).mapping, { header_rows: 2 }, "a title is no second row of headings");
});

t.test("a field of several columns is proposed: day, month and year, product and variety", async (t) => {
  const { mapping, missing } = await inspect(
    t,
    "Year,Month,Day,Market,Crop,Variety,Price,Unit\n2026,5,2,Thika,Maize,white,6,kg\n2026,5,13,Thika,Maize,red,6,kg\n",
  );
  t.match(mapping, {
    columns: { date: ["Day", "Month", "Year"], product: ["Crop", "Variety"] },
    date_formats: ["d M yyyy"],
  });
  t.strictSame(missing, []);
  const gaps = "Day,Month,Year,Market,Price\n5,1,2026,Thika,6\n12,,2026,Thika,6\n";
  const gapNotes = (await inspect(t, gaps)).notes.filter((note) => note.includes("date_formats"));
  t.strictSame(gapNotes, ['no form of dates fits "12 2026": complete "date_formats"'], "12 is a day, not a month");
});

t.test("a column of months, or one of months beside one of years, is the date where none has the day", async (t) => {
  const cases: readonly (readonly [head: string, row: string, date: string | readonly string[], format: string])[] = [
    ["Month", "Jan-26", "Month", "MMM-yy"],
    ["Mwezi", "Januari 2026", "Mwezi", "MMM yyyy"],
    ["Year,Month", "2026,2", ["Month", "Year"], "M yyyy"],
    ["Month,Year", "February,2026", ["Month", "Year"], "MMM yyyy"],
    ["Month,Date", "May,2026-05-02", "Date", "yyyy-MM-dd"],
  ];
  for (const [head, row, date, format] of cases) {
    const table = `${head},Market,Item,Unit,Price (KES)\n${row},Thika,Beans,kg,60\n`;
    const { mapping, missing } = await inspect(t, table);
    t.match({ mapping, missing }, { mapping: { columns: { date }, date_formats: [format] }, missing: [] }, head);
  }
  t.strictSame((await inspect(t, "Year,Market,Item,Unit,Price (KES)\n2026,Thika,Beans,kg,60\n")).missing, ["date"]);
  t.strictSame((await inspect(t, "Year,Day,Market,Item,Unit,Price\n2026,2,Thika,Beans,kg,60\n")).missing, ["date"]);
});

t.test("least and greatest prices are not taken for the price", async (t) => {
  const head = "Date,Market,Item,Unit,";
  t.match((await inspect(t, `${head}Min price,Max price,Average price\n`)).mapping.columns, { price: "Average price" });
  const bounds = await inspect(t, `${head}Min price,Max price\n`);
  t.strictSame(bounds.missing, ["price"]);
});

t.test("inspection names what a table has beside prices in rows: columns, tables and titles", async (t) => {
  const head = "Date,Market,Item,Unit,Price";
  const row = "2026-05-02,Thika,Beans,kg,60";
  const wide = await inspect(t, "Date,Item,Unit,Thika,Kenol\n2026-05-02,Beans,kg,60,70\n");
  t.equal(notesOf(wide, 'not read: columns "Thika", "Kenol"').length, 1);
  t.strictSame(wide.missing, ["market", "price"]);
  const noted: readonly (readonly [table: string, note: string])[] = [
    [`${head},Photo\n${row},a.jpg\n`, 'not read: columns "Photo"'],
    [`${head},${head}\n${row},${row}\n`, 'not read: columns "Date", "Market"'],
    [`RETAIL PRICES\n${head}\n${row}\n`, '"RETAIL" in row 1 "RETAIL PRICES": all prices count as such'],
  ];
  for (const [table, note] of noted) {
    t.equal(notesOf(await inspect(t, table), note).length, 1, note);
    if (note.startsWith("not read")) continue;
    t.equal(notesOf(await inspect(t, `${head}\n${row}\n`), note.slice(0, 12)).length, 0, `no such note: ${note}`);
  }
  const skipped = await inspect(t, `${head}\n#date,#loc,#item,#unit,#value\n${row}\nMean,,,,60\nTotal,,,,60\n`);
  t.strictSame(skipped.mapping.skip_rows?.slice(-2), ["average", "Mean"]);
  t.equal(notesOf(skipped, '"skip_rows" has "Mean"').length, 1);
  t.strictSame(skipped.mapping.header_row, 1);
});
