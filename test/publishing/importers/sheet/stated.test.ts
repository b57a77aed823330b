import { writeFileSync } from "node:fs";
import { type Cell as BookCell, writeXlsx } from "hucre/xlsx";
import t, { type Test } from "tap";
import type { Instant } from "../../../../src/engine/model/calendar.ts";
import { inspectFile } from "../../../../src/publishing/importers/sheet/inspect-table.ts";
import type { MappingFile } from "../../../../src/publishing/importers/sheet/mapping.ts";
import { prepareImports } from "../../../support/import-table.ts";
import { marketRow, testUuid } from "../../../support/snapshot-files.ts";

const now = Date.UTC(2026, 6, 1, 8) as Instant;

/** Maize at a retail and a wholesale market. */
const markets = [marketRow(), marketRow({ uuid: testUuid(4), name: "Wakulima (Wholesale)", type: "Wholesale" })];
const prepare = (t: Test) => prepareImports(t, markets, now);
const kept: MappingFile = {
  source: "Survey",
  columns: { date: "Date", market: "Market", product: "Crop", price: "Price" },
  values: { unit: "90 kg bag", currency: "KES", market_type: "Retail" },
};

const head = "Date,Market,Crop,Price";
const row = "2026-06-02,Wakulima,Maize,4200";
const right = "4200 KES 90 kg bag 2026-06-02";

t.test("a title, note or sheet name that contradicts the mapping refuses the table, with the field", async (t) => {
  const { importTable } = await prepare(t);
  const scale = (value: number): RegExp => new RegExp(`but "scale" is 1 \\| "scale": ${value} in the mapping`);
  const ofCurrency = /the same currency everywhere/;
  const ofType = /but "Retail" for line \d \| "values.market_type": "Wholesale"/;
  const ofUnit = /but "90 kg bag" for line \d \| "values.unit": /;
  const ofTime = /but no row is of that time: line \d is of 2026-06-02/;
  const titles: readonly (readonly [refusal: RegExp, ...texts: string[]])[] = [
    [scale(1000), "Prices in thousands of shillings", "Bei zote kwa maelfu ya shilingi", "(000s)", "x 1,000"],
    [scale(1000), "Figures in '000", "KES thousand", "Prices in Ksh ’000", "Prices （x１０００）", "KES '000"],
    [scale(1000), "Bei katika elfu"],
    [scale(100), "in hundreds", "x100", "Bei kwa mia", "Prices multiplied by 100"],
    [scale(1e6), "KES million"],
    [scale(0.01), "Prices in cents", "Bei ni kwa senti", "Prices in cts"],
    [ofCurrency, "Prices in USD", "Prices in US$", "Bei kwa dola", "Bei kwa shilingi za Uganda"],
    [ofCurrency, "All prices in Tanzania Shs"],
    [ofType, "Wholesale prices", "BEI ZA JUMLA", "Whole-sale market prices of Wakulima"],
    [ofUnit, "Prices per 50 kg bag", "Bei kwa gunia la kilo 50", "Prices per kg", "Bei kwa debe"],
    [ofUnit, "Maize prices: 2 kg tin"],
    [ofTime, "Prices of May 2026", "Bei za Mei 2026", "Market day 2/3/2026", "1-7 March 2026", "May 26"],
  ];
  for (const [text, refusal] of titles.flatMap(([refusal, ...texts]) =>
    texts.map((text) => [text, refusal] as const),
  )) {
    const cell = `"${text}"`;
    t.match(await importTable(`${cell},,,\n${head}\n${row}\n`, { ...kept, header_row: 2 }), refusal, text);
    const again = `${cell},${cell},${cell},\n${head}\n${row}\n`;
    t.match(await importTable(again, { ...kept, header_row: 2 }), refusal, "again");
    const rows = [head.split(","), row.split(",").map((value, at) => (at === 3 ? Number(value) : value))];
    const name = text.replace(/[/*:?]/g, "").slice(0, 31);
    if (name === text) {
      t.match(await importTable(await writeXlsx({ sheets: [{ name, rows }] }), kept), refusal, `sheet ${text}`);
    }
    if (!/price|bei|figures|000s|'000/i.test(text)) continue;
    t.match(await importTable(`${head}\n${row}\n${cell},,,\n`, kept), refusal, `note ${text}`);
    t.match(await importTable(`${head}\n${row}\nNote:,${cell},,\n`, kept), refusal, `note in two cells ${text}`);
    t.match(await importTable(`${head}\n${row}\n${cell},,,\n`, { ...kept, ignored: [text] }), right, "ignored");
  }
});

t.test("what says nothing of the prices, or agrees with them, needs no answer", async (t) => {
  const { importTable } = await prepare(t);
  for (const text of [
    ...["Kitui County: market prices", "Market prices of June 2026", "Bei za Juni 2026", "Report of 3 July 2026"],
    ...["Funded by USD 5 million", "Serving hundreds of traders", "Production ('000 tonnes)", "Rates: 1 USD = 129 KES"],
    ...["Retail prices", "Bei ya rejareja", "Wholesale and retail prices", "Retail Traders Association"],
    ...["Prices in KSh", "Prices per 90 kg bag", "Bei kwa gunia la kilo 90", "Price per bag", "Prices may vary"],
    ...["Printed 5/7/2026", "Date: 3/7/2026", "Week 19", "FY 2025/2026", "Prices of 28 May - 3 June 2026"],
    ...["Wholesale Traders Association of Kitui: prices", "Page 1 of 3", "Sum of all: 4,200 shillings"],
    ...["10 markets", "Prices in 10 markets", "Sheet1", "Approved by the county, 2 July 2026"],
  ]) {
    t.equal(await importTable(`"${text}",,,\n${head}\n${row}\n`, { ...kept, header_row: 2 }), right, text);
    t.equal(await importTable(`${head}\n${row}\n"${text}",,,\n`, kept), right, `note ${text}`);
  }
  t.equal(await importTable(`${head}\n${row}\nTOTAL,,,4200\nJUMLA,,,4200\n`, kept), right, "sums");
});

t.test("the heading of the prices is explained, to its last word", async (t) => {
  const { importTable } = await prepare(t);
  const importHeading = (heading: string, fields: Partial<MappingFile> = {}): Promise<string> => {
    const columns = { ...kept.columns, price: heading };
    return importTable(`Date,Market,Crop,"${heading.replaceAll('"', '""')}"\n${row}\n`, {
      ...kept,
      columns,
      ...fields,
    });
  };
  const known = [
    ...["Price (Ksh) per 90kg bag", "Avg. price", "Bei ya rejareja (KSh)", "Price (Monday)", "grp_items/price"],
    ...["Price²", "Unit Price (Kshs.)", "Market price", "Price per unit", "Bei (Sh.)", "PRICE", "Price 2"],
    ...["Retail price (K.Sh. per 90 kg bag)", "Bei ya gunia la kilo 90", "Price (June 2026)", "Today's price"],
    ...["Price/= ", "Bei/Price (KES)", "Trader A", "Modal price (KES/bag)", "price_ksh"],
    ...["Prevailing Market Price in Kenya Shillings", "What is the price of the item?"],
  ];
  for (const heading of known) t.equal(await importHeading(heading.trim()), right, heading);
  for (const heading of [
    ...["Price (KES '000)", "Price (x1000)", "Bei (maelfu)", "KES thousands", "Price ＫＥＳ’０００"],
    ...["Price (10³ KES)", "Price in 1000s", "Price (KES k)", "Price (Kshs 000)", "Price [000s]"],
  ]) {
    t.match(await importHeading(heading), /but "scale" is 1 \| "scale": 1000 in the mapping/, heading);
    t.equal(await importHeading(heading, { scale: 1000 }), right.replace("4200", "4200000"), heading);
  }
  for (const heading of ["Ksh cents", "Price (cts)", "Bei (senti)", "Price (¢)"]) {
    t.match(await importHeading(heading), /"scale": 0.01 in the mapping/, heading);
  }
  const unknown = { "Price (farm gate)": "farm gate", "Farm-gate price": "Farm gate", "Price ex VAT": "ex VAT" };
  for (const [heading, words] of Object.entries({
    ...unknown,
    ...{ "Price (score)": "score", "Price - Nairobi": "Nairobi" },
  })) {
    t.match(await importHeading(heading), `found "${words}" in the heading`);
    t.equal(await importHeading(heading, { ignored: [words] }), right, heading);
  }
  t.match(await importHeading("Price (USD)"), /the same currency everywhere/);
  t.match(await importHeading("Price per 50 kg bag"), /but "90 kg bag"/);
  t.match(await importHeading("Wholesale price"), /but "Retail"/);
});

t.test("the date of a table without dates is stated again for each", async (t) => {
  const { importTable } = await prepare(t);
  const { date: _, ...columns } = kept.columns;
  const table = "Market prices of June 2026,,\nMarket,Crop,Price\nWakulima,Maize,4200\n";
  const mapping = { ...kept, columns, header_row: 2 };
  const dated = { ...mapping, values: { ...kept.values, date: "2026-06-01" } };
  t.equal(await importTable(table, mapping, "2026-06"), "4200 KES 90 kg bag 2026-06-01");
  t.equal(await importTable(table, mapping, "2026-06-15"), "4200 KES 90 kg bag 2026-06-15");
  t.equal(await importTable(table, dated, "2026-06-01"), "4200 KES 90 kg bag 2026-06-01");
  for (const [fields, date, refusal] of [
    ...[[mapping, undefined, /"columns.date" is missing.*--date for all rows/] as const],
    ...[[dated, undefined, /"values.date" is "2026-06-01", expected --date/] as const],
    ...[[dated, "2026-05", /"values.date" is "2026-06-01", expected no other date than --date 2026-05/] as const],
    ...[[mapping, "2026-05", /"June 2026" in row 1 .*but all rows are of 2026-05 \| the --date/] as const],
    ...[[mapping, "June", /expected a day 2026-06-15 or a month 2026-06/] as const],
    ...[[{ ...kept, header_row: 2 }, "2026-06", /expected none beside "columns.date"/] as const],
  ]) {
    t.match(await importTable(table, fields as MappingFile, date), refusal);
  }
});

t.test("dates whose day and month a program may have exchanged are refused at import", async (t) => {
  const { importTable } = await prepare(t);
  const rows = (...dates: (string | Date)[]) => [
    head.split(","),
    ...dates.map((date) => [date, "Wakulima", "Maize", 60]),
  ];
  const mapping = { ...kept, date_formats: ["dd/MM/yyyy", "yyyy-MM-dd", "d MMM yyyy"] };
  const february = new Date(Date.UTC(2026, 1, 5));
  const book = (...dates: (string | Date)[]) =>
    writeXlsx({ sheets: [{ name: "S", rows: rows(...dates) as string[][] }] });
  t.match(await importTable(await book(february, "13/05/2026"), mapping), /one form for all dates/);
  t.match(
    await importTable(`${head}\n2026-02-05,Wakulima,Maize,60\n13/05/2026,Wakulima,Maize,61\n`, mapping),
    /one form/,
  );
  t.match(await importTable(await book(february, "3 May 2026"), mapping), /2026-02-05, .* 2026-05-03$/);
  t.match(await importTable(await book("05/02/2026", "13/05/2026"), mapping), /2026-02-05, .* 2026-05-13$/);
});

t.test("struck-out, raised and lowered texts are no part of a number or name", async (t) => {
  const { importTable } = await prepare(t);
  type Runs = NonNullable<BookCell["richText"]>;
  const importCell = async (column: number, cell: Partial<BookCell>): Promise<string> => {
    const rows = [head.split(","), ["2026-06-02", "Wakulima", "Maize", 120]];
    const cells = new Map([[`1,${column}`, cell]]);
    return await importTable(await writeXlsx({ sheets: [{ name: "S", rows, cells }] }), kept);
  };
  const runs = (...texts: [string, Runs[number]["font"]?][]): Partial<BookCell> => {
    const richText = texts.map(([text, font]) => (font === undefined ? { text } : { text, font }));
    return { value: texts.map(([text]) => text).join(""), type: "richText", richText };
  };
  const [raised, struck] = [{ vertAlign: "superscript" } as const, { strikethrough: true } as const];
  t.match(await importCell(3, runs(["120"], ["1", raised])), /^"120¹" \| a number/);
  t.match(await importCell(3, runs(["110", struck], [" 120"])), /^"110 120", of which "110" is struck through/);
  t.match(await importCell(3, { style: { font: struck } }), /^120 struck through/);
  t.match(await importCell(3, { style: { font: raised } }), /^120 in superscript/);
  t.match(await importCell(1, runs(["Wakulima"], ["2", raised])), /^"Wakulima²" \| a name without "²"/);
  t.match(await importCell(1, { style: { font: struck } }), /^"Wakulima" struck through/);
  t.equal(
    await importCell(3, runs(["1", { bold: true }], ["20", { color: { rgb: "FF0000" } }])),
    right.replace("4200", "120"),
  );
  for (const name of ["Wakulima②", "Wakulima¹", "Maize₂"]) {
    t.match(await importTable(`${head}\n2026-06-02,${name},Maize,60\n`, kept), /a name without/, name);
  }
});

t.test("prices of two times of a day replace each other only where the mapping says so", async (t) => {
  const { at, importTable } = await prepare(t);
  const mapping = { ...kept, date_formats: ["yyyy-MM-dd HH:mm"] };
  const table = `${head}\n2026-06-02 08:00,Wakulima,Maize,60\n2026-06-02 16:00,Wakulima,Maize,61\n`;
  writeFileSync(at("times.csv"), table);
  t.equal((await inspectFile(at("times.csv"), "Survey")).mapping.time_in_key, true);
  t.equal(
    await importTable(table, { ...mapping, time_in_key: true }),
    "60 KES 90 kg bag 2026-06-02, 61 KES 90 kg bag 2026-06-02",
  );
});

t.test("a unit of matches.csv may be that of one product", async (t) => {
  const { at, importTable } = await prepare(t);
  const { unit: _, ...values } = kept.values as Record<string, string>;
  const mapping = { ...kept, columns: { ...kept.columns, unit: "Unit" }, values };
  const columns =
    "kind,found,county,market_type,rows,first_row,candidates,use,new_name,new_category,new_county,new_market_type";
  writeFileSync(at("matches.csv"), `${columns},product\nunit,Debe,,,1,2,,kg,,,,,Maize\nunit,Debe,,,1,2,,skip,,,,,\n`);
  t.equal(await importTable(`${head},Unit\n${row},debe\n`, mapping), right.replace("90 kg bag", "kg"));
  writeFileSync(at("matches.csv"), `${columns},product\nunit,Debe,,,1,2,,kg,,,,,Mangoes\n`);
  t.match(await importTable(`${head},Unit\n${row},debe\n`, mapping), /"Mangoes" \| a product of the snapshot/);
});
