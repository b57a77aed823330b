import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CellValue, readXlsx, type Sheet, type WriteSheet, writeXlsx } from "hucre/xlsx";
import t, { type Test } from "tap";
import type { Instant } from "../../../../src/engine/model/calendar.ts";
import { DatasetError, type Problem, problemText } from "../../../../src/engine/snapshots/problem.ts";
import { checkSheet } from "../../../../src/publishing/importers/sheet/check-sheet.ts";
import { importSheet } from "../../../../src/publishing/importers/sheet/import-sheet.ts";
import type { MappingFile } from "../../../../src/publishing/importers/sheet/mapping.ts";
import { publishTables } from "../../../support/published-data.ts";
import { readSheetHere } from "../../../support/read-sheet-here.ts";
import { marketRow, priceRow, productRow, testUuid } from "../../../support/snapshot-files.ts";

const now = Date.UTC(2026, 5, 1, 8) as Instant;
const heading = "what is wrong";

/** The markets Wakulima and Kitui Town, maize and beans. */
async function prepare(t: Test) {
  const root = t.testdir();
  const products = [productRow(), productRow({ uuid: testUuid(3), name: "Beans (dry)" })];
  const markets = [marketRow(), marketRow({ uuid: testUuid(4), name: "Kitui Town" })];
  await publishTables(root, { products, markets, prices: [priceRow()] }, now);
  const at = (name: string): string => join(root, name);
  let count = 0;
  const workOf = (file: string, mapping: MappingFile, date?: string) => {
    writeFileSync(at("mapping.json"), JSON.stringify(mapping));
    const paths = { path: at(file), mappingPath: at("mapping.json"), dataDirectory: at("data") };
    return { ...paths, date, now, runReader: readSheetHere };
  };
  /** The prices, without the places that they come from; or what is wrong. */
  const run = async (
    file: string,
    mapping: MappingFile,
    date?: string,
  ): Promise<Record<string, unknown>[] | string> => {
    const outputPath = at(`out-${++count}`);
    const outcome = await importSheet({ ...workOf(file, mapping, date), outputPath }).catch((error: Error) => {
      return error instanceof DatasetError ? error.list.problems.map(problemText).join("\n") : error.message;
    });
    if (typeof outcome === "string") return outcome;
    if (outcome.outcome === "refused") {
      const names = outcome.unmatched.map(({ kind, found }) => `? ${kind} ${found}`);
      const faults = outcome.problems.problems.map((one) => `${one.line} ${one.field} is ${one.found}, ${one.wanted}`);
      return [...faults, ...names].join("\n");
    }
    const lines = readFileSync(join(outputPath, "prices.ndjson"), "utf8").trimEnd().split("\n");
    return lines.map((line) => JSON.parse(line)).sort((a, b) => (a.uuid < b.uuid ? -1 : 1));
  };
  const write = async (file: string, rows: readonly (readonly CellValue[])[], extra: Partial<WriteSheet> = {}) => {
    const texts = rows.map((row) => row.map((cell) => `"${cell ?? ""}"`).join(","));
    const isText = file.endsWith(".csv");
    const book = { name: "Prices", rows: rows.map((row) => [...row]), ...extra };
    writeFileSync(at(file), isText ? texts.join("\n") : await writeXlsx({ sheets: [book] }));
  };
  const check = async (file: string, mapping: MappingFile, out = `check-${++count}.xlsx`) => {
    const before = readdirSync(root);
    const { problems } = await checkSheet(workOf(file, mapping), at(out));
    t.strictSame(new Set(readdirSync(root)).difference(new Set([...before, "mapping.json"])), new Set([out]));
    const book = await readXlsx(readFileSync(at(out)), { readStyles: true });
    const [sheet] = book.sheets as [Sheet];
    return { out, sheet, problems: problems.problems };
  };
  return { at, run, write, check };
}

const values = { unit: "kg", currency: "KES" };
const long: MappingFile = {
  source: "Survey",
  columns: { date: "Date", market: "Market", product: "Crop", price: "Price" },
  values,
  date_formats: ["MMM-yy", "yyyy-MM-dd"],
};
const longRows = [
  ["Date", "Market", "Crop", "Price"],
  ["Jan-26", "Wakulima", "Maize", 40],
  ["Feb-26", "Wakulima", "Maize", 41],
  ["Jan-26", "Kitui Town", "Maize", 42],
  ["Feb-26", "Kitui Town", "Maize", 43],
  ["Feb-26", "Kitui Town", "Beans (dry)", 90],
];
const wideDates: MappingFile = {
  source: "Survey",
  columns: { market: "Market", product: "Crop", price: { headings: "date", form: "MMM-yy" } },
  values,
};
const dateRows = [
  ["Market", "Crop", "Jan-26", "Feb-26"],
  ["Wakulima", "Maize", 40, 41],
  ["Kitui Town", "Maize", 42, 43],
  ["Kitui Town", "Beans (dry)", null, 90],
];

t.test("wide tables give the records of the long table, from CSV and from workbooks", async (t) => {
  const { run, write } = await prepare(t);
  await write("long.csv", longRows);
  const right = await run("long.csv", long);
  t.equal(right.length, 5, String(right));
  const january = [new Date(Date.UTC(2026, 0, 1)), new Date(Date.UTC(2026, 1, 1))];
  const marketsOf = (price: object): MappingFile => ({
    ...long,
    columns: { date: "Date", product: "Crop", price } as MappingFile["columns"],
  });
  const productsOf = {
    ...long,
    columns: { date: "Date", market: "Market", price: { headings: "product", columns: ["Maize", "Beans (dry)"] } },
  };
  const byMarket = [
    ["Jan-26", "Maize", 40, 42],
    ["Feb-26", "Maize", 41, 43],
    ["Feb-26", "Beans (dry)", "-", 90],
  ];
  const names = { headings: "market", columns: ["Wakulima", "Kitui Town"] };
  const stating = ["Wakulima (KES per kg)", "Price / Kitui Town (Ksh)"];
  const tables: [name: string, rows: CellValue[][], mapping: MappingFile][] = [
    ["dates", dateRows, wideDates],
    ["dates stating", [["Market", "Crop", "Price (KSh/kg) Jan-26", "Feb-26 (KES)"], ...dateRows.slice(1)], wideDates],
    ["dates of a workbook", [["Market", "Crop", ...january], ...dateRows.slice(1)], wideDates],
    [
      "dates below a heading",
      [["Market", "Crop", "Price (KSh)", null], [null, null, ...january], ...dateRows.slice(1)],
      { ...wideDates, header_rows: 2 },
    ],
    ["markets", [["Date", "Crop", "Wakulima", "Kitui Town"], ...byMarket], marketsOf(names)],
    ["markets stating", [["Date", "Crop", ...stating], ...byMarket], marketsOf({ ...names, columns: stating })],
    [
      "products",
      [
        ["Date", "Market", "Maize", "Beans (dry)"],
        ["Jan-26", "Wakulima", 40, ""],
        ["Feb-26", "Wakulima", 41, ""],
        ["Jan-26", "Kitui Town", 42, ""],
        ["Feb-26", "Kitui Town", 43, 90],
      ],
      productsOf as MappingFile,
    ],
  ];
  for (const [name, rows, mapping] of tables) {
    for (const kind of ["csv", "xlsx"]) {
      const isDated = rows.some((row) => row.some((cell) => cell instanceof Date));
      if (isDated && kind === "csv") continue;
      await write(`table.${kind}`, rows);
      t.strictSame(await run(`table.${kind}`, mapping), right, `${name} ${kind}`);
    }
  }
});

t.test("next month's column is taken, and a heading that is neither of the form nor mapped is refused", async (t) => {
  const { run, write } = await prepare(t);
  const [head = [], ...rows] = dateRows;
  const tableWith = (...headings: string[]) =>
    write("next.csv", [[...head, ...headings], ...rows.map((row) => [...row, ...headings.map(() => 50)])]);
  await tableWith("Mar-26");
  const prices = await run("next.csv", wideDates);
  t.equal(prices.length, 8, String(prices));
  t.ok((prices as Record<string, unknown>[]).some(({ recorded_at: at }) => at === "2026-03-01T06:00:00.000Z"));
  for (const other of ["Aprl-26", "2026", "Average", "April"]) {
    await tableWith("Mar-26", other);
    t.match(await run("next.csv", wideDates), `found "${other}" (neither in "columns" nor in "ignored") among`);
    t.equal((await run("next.csv", { ...wideDates, ignored: [other] })).length, 8, other);
  }
  await tableWith("Dec-26");
  t.match(await run("next.csv", wideDates), /^2 Dec-26 is "Dec-26", a day up to today, 2026-06-01/);
  await tableWith("Feb-26 (revised)");
  t.match(await run("next.csv", wideDates), 'the prices of "feb-26" twice');
  await write("next.csv", [
    ["Market", "Crop", "January"],
    ["Wakulima", "Maize", 40],
  ]);
  t.match(await run("next.csv", wideDates), "no heading of prices");
});

t.test("a row of two texts, a market and the price of a later month, is no note", async (t) => {
  const { run, write } = await prepare(t);
  const { product: _, ...columns } = wideDates.columns;
  const mapping = { ...wideDates, columns, values: { ...values, product: "Maize" } };
  for (const february of ["45", "KSh 45"]) {
    await write("two.csv", [
      ["Market", "Jan-26", "Feb-26"],
      ["Wakulima", 40, 41],
      ["Kitui Town", "", february],
      ["All prices are averages", "", ""],
    ]);
    const prices = (await run("two.csv", mapping)) as Record<string, unknown>[];
    t.strictSame(prices.map(({ price }) => price).sort(), [40, 41, 45], february);
  }
});

t.test("what a heading states beside is compared with all prices", async (t) => {
  const { run, write } = await prepare(t);
  const tableWith = (january: string, february: string, rows = dateRows.slice(1)) =>
    write("stating.csv", [["Market", "Crop", january, february], ...rows]);
  const cases: [january: string, february: string, right: RegExp][] = [
    ["Jan-26 (USD)", "Feb-26", /^2 values.currency is .*"USD" in the heading "Jan-26 \(USD\)"/],
    ["Jan-26", "Feb-26 (per 90 kg bag)", /"90 kg bag" in the heading "Feb-26 \(per 90 kg bag\)", but "kg" for line 2/],
    ["Jan-26 (Wholesale)", "Feb-26", /"Wholesale" in the heading "Jan-26 \(Wholesale\)", but "Retail" for line 2/],
    ["Jan-26 ('000)", "Feb-26", /"scale" is 1, "scale": 1000 in the mapping/],
    ["Jan-26 (farm gate)", "Feb-26", /found "farm gate" in the headings, expected words that are known, or "ignored"/],
  ];
  for (const [january, february, right] of cases) {
    await tableWith(january, february);
    t.match(await run("stating.csv", wideDates), right, `${january} ${february}`);
  }
  t.equal((await run("stating.csv", { ...wideDates, ignored: ["farm gate"] })).length, 5);
  const { currency: _, ...withoutCurrency } = values;
  await tableWith("Jan-26 (KES)", "Feb-26 (UGX)");
  t.match(await run("stating.csv", { ...wideDates, values: withoutCurrency }), /"UGX" in the heading "Feb-26 \(UGX\)"/);
  await tableWith("Jan-26 (Wholesale)", "Feb-26 (Retail)");
  const types = (await run("stating.csv", wideDates)) as string;
  t.match(types, '"Wholesale" in the heading "Jan-26 (Wholesale)"');
  t.notMatch(types, '"Retail" in the heading', "it is that of the market");
  await tableWith("Jan-26", "Feb-26", [
    ["Wakulima", "Maize", "4O", 41],
    ["Wakulma", "Maize", 40, -1],
  ]);
  t.match(await run("stating.csv", wideDates), /^2 Jan-26 is "4O".*\n3 Feb-26 is "-1".*\n\? market Wakulma$/s);
});

t.test("a mapping of a wide table says one thing once", async (t) => {
  const { run, write } = await prepare(t);
  await write("a.csv", dateRows);
  const wrong: [price: unknown, rest: Partial<MappingFile>, right: RegExp, date?: string][] = [
    [{ headings: "date" }, {}, /no heading of prices \("columns.price"\)/],
    [{ headings: "market", form: "MMM-yy" }, {}, /"columns.date" is missing/],
    [{ headings: "date", form: "month" }, {}, /"columns.price.form" is "month"/],
    [{ headings: "county" }, {}, /"columns.price.headings" is "county", expected one of "date", "market", "product"/],
    [{ form: "MMM-yy" }, {}, /columns.price/],
    [wideDates.columns.price, { values: { ...values, date: "2026-01" } }, /"values.date" is/],
    [
      { headings: "market", columns: ["Jan-26"] },
      {},
      /"market" is "Market", expected none, because headings of prices have it/,
    ],
    [wideDates.columns.price, {}, /expected none beside "columns.date", or headings that are dates/, "2026-01"],
  ];
  for (const [price, rest, right, date] of wrong) {
    const mapping = { ...wideDates, ...rest, columns: { ...wideDates.columns, price } } as MappingFile;
    t.match(await run("a.csv", mapping, date), right);
  }
});

/** Types texts into the workbook of a check, as a person does. */
async function repair(path: string, to: string, edits: Readonly<Record<string, CellValue>>): Promise<void> {
  const book = await readXlsx(readFileSync(path), { readStyles: true });
  const [sheet] = book.sheets as [Sheet];
  for (const [place, value] of Object.entries(edits)) {
    const [row = 0, column = 0] = place.split(",").map(Number);
    (sheet.rows[row] as CellValue[])[column] = value;
    sheet.cells?.delete(place);
  }
  writeFileSync(
    to,
    await writeXlsx({ sheets: [{ name: sheet.name, rows: sheet.rows, cells: sheet.cells ?? new Map() }] }),
  );
}

function coloured({ cells }: Sheet): string[] {
  return [...(cells ?? [])].flatMap(([place, { style }]) => (style?.fill?.type === "pattern" ? place : [])).sort();
}

t.test("a table with a wrong market, price and date is repaired in its own workbook, and imports", async (t) => {
  const { at, run, write, check } = await prepare(t);
  const rows = [...longRows, ["=1+1", "Wakulma", "Maize", "4O"], ["Jan-26", "Wakulma", "Maize", 50], ["", "", "", ""]];
  for (const file of ["prices.csv", "prices.xlsx"]) {
    await write(file, rows);
    const { out, sheet, problems } = await check(file, long);
    t.equal(problems.length, 4);
    t.strictSame(sheet.rows[0]?.slice(0, 5), ["Date", "Market", "Crop", "Price", heading]);
    for (const row of sheet.rows.slice(1, 6)) t.equal(row[4] ?? null, null);
    t.match(sheet.rows[6]?.[4], /"Date" is "=1\+1", expected .*"Price" is "4O"/);
    t.match(sheet.rows[6]?.[4], '"Market" is "Wakulma", expected the name of one market: Wakulima, Nairobi, Retail');
    t.match(sheet.rows[7]?.[4], /^"Market" is "Wakulma", expected the name of one market: Wakulima/);
    t.strictSame(coloured(sheet), ["6,0", "6,1", "6,3", "7,1"]);
    t.equal(sheet.rows[6]?.[0], "=1+1");
    for (const { formula } of sheet.cells?.values() ?? []) t.equal(formula, undefined, "texts are no formulas");
    t.strictSame(sheet.rows[1]?.[3], file === "prices.csv" ? "40" : 40);
    t.match(await run(out, long), /\? market Wakulma$/, "nothing is repaired yet");
    const [, candidate = ""] = /one market: ([^|;]*[^|; ])/.exec(String(sheet.rows[6]?.[4])) ?? [];
    t.match(candidate, testUuid(2), "a candidate may be typed as it stands there");
    await repair(at(out), at("repaired.xlsx"), { "6,0": "Feb-26", "6,1": candidate, "6,3": 60, "7,1": "Kitui Town" });
    const prices = await run("repaired.xlsx", long);
    t.equal(prices.length, 7, String(prices));
    const again = await check("repaired.xlsx", long);
    t.equal(again.sheet.rows[0]?.length, 5, "one such column");
    t.strictSame([again.problems, coloured(again.sheet), again.sheet.rows[6]?.[4] ?? null], [[], [], null]);
    t.strictSame(await run(again.out, long), prices);
  }
  await t.rejects(check("prices.csv", long, "mapping.json"), /is there already/);
  await t.rejects(
    check("prices.csv", { ...long, header_row: 0, columns: { date: "A", market: "B", product: "C", price: "D" } }),
    /"header_row" is 0/,
  );
});

t.test("the check of a wide table marks the cell of a price and the heading of a name", async (t) => {
  const { at, run, write, check } = await prepare(t);
  const columns = ["Wakulma", "Kitui Town"];
  const mapping: MappingFile = {
    ...long,
    columns: { date: "Date", product: "Crop", price: { headings: "market", columns } },
  };
  await write("wide.xlsx", [
    ["Date", "Crop", ...columns],
    ["Jan-26", "Maize", 40, "4O"],
    ["Feb-26", "Maize", 41, 42],
  ]);
  const { out, sheet } = await check("wide.xlsx", mapping);
  t.strictSame(coloured(sheet), ["0,2", "1,3"]);
  t.match(sheet.rows[0]?.[4], /^what is wrong: "Wakulma" is "Wakulma", expected the name of one market: Wakulima/);
  t.match(sheet.rows[1]?.[4], /^"Kitui Town" is "4O"/);
  await repair(at(out), at("right.xlsx"), { "0,2": "Wakulima", "1,3": 50 });
  const repaired = {
    ...mapping,
    columns: { ...mapping.columns, price: { headings: "market", columns: ["Wakulima", "Kitui Town"] } },
  };
  t.equal((await run("right.xlsx", repaired as MappingFile)).length, 4);
});

t.test("a workbook of a check keeps dates, number formats, merged cells and errors as imports read them", async (t) => {
  const { run, write, check } = await prepare(t);
  const rows = [
    ["Survey of May", null, null, null],
    ["Date", "Market", "Crop", "Price"],
    [new Date(Date.UTC(2026, 4, 2)), "Wakulima", "Maize", 4100],
    [new Date(Date.UTC(2026, 4, 3)), null, "Beans (dry)", 90],
  ];
  const { currency: _, ...unitAlone } = values;
  const mapping = { ...long, header_row: 2, values: unitAlone };
  const cells = new Map([
    ["2,3", { value: 4100, style: { numFmt: '"UGX "#,##0' } }],
    ["3,3", { value: 90, style: { numFmt: '#,##0" KES"' } }],
  ]);
  const merges = [{ startRow: 2, startCol: 1, endRow: 3, endCol: 1 }];
  await write("formats.xlsx", rows, { cells, merges });
  const right = await run("formats.xlsx", mapping);
  t.strictSame((right as Record<string, unknown>[]).map(({ currency }) => currency).sort(), ["KES", "UGX"]);
  const { out, sheet } = await check("formats.xlsx", mapping);
  t.strictSame(await run(out, mapping), right);
  t.match(sheet.rows[2]?.[0], new Date(Date.UTC(2026, 4, 2)));
  cells.set("2,3", { value: "#DIV/0!", type: "error" } as never);
  await write("errors.xlsx", rows, { cells, merges });
  const wrong = await check("errors.xlsx", mapping);
  t.match(wrong.sheet.rows[2]?.[4], '"Price" is the error #DIV/0!');
  t.match(await run(wrong.out, mapping), "the error #N/A", "it stays wrong until it is repaired");
});

t.test("a row of CSV whose cells moved stays refused in the workbook until its price is typed", async (t) => {
  const { at, run, check } = await prepare(t);
  const text = "Date,Market,Crop,Price,Note\n2026-05-02,Wakulima,Maize,9,500,\n2026-05-02,Kitui Town,Maize,60,\n";
  writeFileSync(at("moved.csv"), text);
  const mapping = { ...long, columns: { ...long.columns, notes: "Note" } };
  const { out, sheet, problems } = await check("moved.csv", mapping);
  t.match(problems, [{ line: 2, kind: "line" }] as Partial<Problem>[]);
  t.strictSame(coloured(sheet), ["1,0", "1,1", "1,2", "1,3", "1,4"]);
  t.match(await run(out, mapping), "the error #N/A");
  await repair(at(out), at("right.xlsx"), { "1,3": 9500, "1,4": null });
  const prices = (await run("right.xlsx", mapping)) as Record<string, unknown>[];
  t.strictSame(prices.map(({ price }) => price).sort(), [60, 9500]);
});

t.test("a column that a person adds behind that of the check is read", async (t) => {
  const { at, run, write, check } = await prepare(t);
  await write("months.csv", dateRows);
  const { out, sheet } = await check("months.csv", wideDates);
  t.equal(sheet.rows[0]?.[4], heading);
  await repair(at(out), at("more.xlsx"), { "0,5": "Mar-26", "1,5": 44, "2,5": 45, "3,5": 91 });
  t.equal((await run("more.xlsx", wideDates)).length, 8);
  await write("own.csv", [[...(dateRows[0] ?? []), "what is wrong here"], ...dateRows.slice(1)]);
  t.match(await run("own.csv", wideDates), '"what is wrong here" (neither in');
});

t.test("characters that XML does not have stay out of a workbook, which can be read", async (t) => {
  const { at, run, check } = await prepare(t);
  writeFileSync(at("signs.csv"), "Date,Market,Crop,Price\nJan-26,\u0001Wakulima <&>,Maize,4O\n");
  const { out, problems } = await check("signs.csv", long);
  t.equal(problems.length, 1);
  t.match(await run(out, long), '"4O"');
});
