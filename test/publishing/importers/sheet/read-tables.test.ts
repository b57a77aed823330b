import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { type WriteSheet, writeXlsx } from "hucre/xlsx";
import t, { type Test } from "tap";
import type { Cell } from "../../../../src/publishing/importers/sheet/cells.ts";
import { parseTables, type TableChoice } from "../../../../src/publishing/importers/sheet/parse-tables.ts";
import {
  delimiters,
  detectRowForm,
  readCsvTable,
  type TextForm,
} from "../../../../src/publishing/importers/sheet/read-csv-table.ts";
import { readTable, readTables } from "../../../../src/publishing/importers/sheet/read-sheet-tables.ts";
import { readerLimits } from "../../../../src/publishing/importers/sheet/reader-limits.ts";
import {
  columnLetters,
  columnsMax,
  type ParsedTable,
  rowsMax,
  type Table,
} from "../../../../src/publishing/importers/sheet/sheet-table.ts";
import { runsOf } from "../../../support/fixed-seed.ts";
import { readSheetHere } from "../../../support/read-sheet-here.ts";
import { workbookOf, zipArchive } from "../../../support/zip-archive.ts";

/** In this process, which takes less time than one for each. */
async function readBytes(t: Test, bytes: string | Uint8Array, choice: TableChoice = {}): Promise<ParsedTable> {
  const path = join(t.testdir(), "prices");
  writeFileSync(path, bytes);
  const [table] = await parseTables(path, choice);
  return table as ParsedTable;
}

/** As the command reads a file, but in this process. */
function tablesHere(path: string): Promise<readonly Table[]> {
  return readTables(path, {}, readerLimits, readSheetHere);
}

function tableHere(path: string, choice: TableChoice = {}): Promise<Table> {
  return readTable(path, choice, readSheetHere);
}

/** Every row with the line on which it begins. */
function linesOf({ rows }: Table): readonly (readonly Cell[])[] {
  return [...rows].map(({ line, cells }) => [line, ...cells]);
}

function rowsOf({ rows }: Table): readonly (readonly Cell[])[] {
  return [...rows].map(({ cells }) => cells);
}

const name = "Murang’a – Café";

t.test("text is read in UTF-8, UTF-16 and Windows-1252, with and without a byte order mark", async (t) => {
  const text = `Market;Price\r\n${name};60\r\n`;
  const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16();
  const windows = Buffer.from("Market;Price\r\nMurang\x92a \x96 Caf\xe9;60\r\n", "latin1");
  const encoded: readonly (readonly [string, Buffer])[] = [
    ["utf-8", Buffer.from(text)],
    ["utf-8", Buffer.from(`\ufeff${text}`)],
    ["utf-16le", Buffer.from(`\ufeff${text}`, "utf16le")],
    ["utf-16be", swapped(Buffer.from(`\ufeff${text}`, "utf16le"))],
    ["windows-1252", windows],
  ];
  for (const [encoding, bytes] of encoded) {
    const table = await readBytes(t, bytes);
    t.strictSame(
      rowsOf(table),
      [
        ["Market", "Price"],
        [name, "60"],
      ],
      encoding,
    );
    t.strictSame(table.text, { encoding, delimiter: ";" });
  }
});

t.test("an encoding that the bytes disprove is refused", async (t) => {
  const utf8 = Buffer.from(`${name}\n`);
  await t.rejects(readBytes(t, utf8, { encoding: "windows-1252" }), {
    message: /is in utf-8, expected windows-1252/,
  });
  await t.rejects(readBytes(t, Buffer.from("\ufeffa", "utf16le"), { encoding: "utf-8" }), {
    message: /is in utf-16le, expected utf-8; save it in that, or correct "encoding"/,
  });
  await t.rejects(readBytes(t, Buffer.from("Caf\xe9", "latin1"), { encoding: "utf-8" }), {
    message: /is not text in utf-8/,
  });
  await t.rejects(readBytes(t, Buffer.from([0xff, 0xfe, 0x00, 0xd8]), {}), { message: /is not text in utf-16le/ });
});

t.test("the delimiter is found among texts that contain the others", async () => {
  const cell = fc.constantFrom("Maize, white", "60", "1;5", "a|b", "x", 'say "hi"', "two\nlines", "");
  fc.assert(
    fc.property(
      fc.constantFrom(...delimiters),
      fc
        .integer({ min: 2, max: 6 })
        .chain((width) =>
          fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 2, maxLength: 20 }),
        ),
      (delimiter, rows) => {
        const text = rows
          .map((row) => `${row.map((text) => `"${text.replaceAll('"', '""')}"`).join(delimiter)}\n`)
          .join("");
        assert.equal(detectRowForm(text).delimiter, delimiter);
        const table = readCsvTable("prices.csv", Buffer.from(text), {});
        assert.deepEqual(
          rowsOf(table),
          rows.map((row) => row.map((text) => text || null)),
        );
      },
    ),
    { numRuns: runsOf(50) },
  );
  const cells = '"Maize, white"|"Beans, dry"\n';
  assert.equal(detectRowForm(cells.repeat(2)).delimiter, "|", "a comma in every cell cuts each row once as well");
});

t.test("rows are numbered by their first line, blank and long ones too; sep= names the delimiter", async (t) => {
  const table = await readBytes(t, 'sep=|\r\nMarket|Price\r\n\r\n"two\r\nlines"|60\r\nThika|70\r\n');
  t.strictSame(linesOf(table), [
    [2, "Market", "Price"],
    [3, null],
    [4, "two\r\nlines", "60"],
    [6, "Thika", "70"],
  ]);
  await t.rejects(readBytes(t, 'a,b\n"open,2\n'), {
    name: "ImportRefusedError",
    message: /^prices:2: found a row that is too long/,
  });
});

t.test("every kind of line end ends a row, also where a file has several", async (t) => {
  const table = await readBytes(t, 'Market,Price\r\nThika,1\nKenol,2\r"Kitui\nTown",3\r\n\nMutomo,4');
  t.strictSame(linesOf(table), [
    [1, "Market", "Price"],
    [2, "Thika", "1"],
    [3, "Kenol", "2"],
    [4, "Kitui\nTown", "3"],
    [6, null],
    [7, "Mutomo", "4"],
  ]);
});

const head = "Date,Market,Commodity,Price,Remarks\n";
const firstRow = "2026-05-02,Thika,Beans,60,";

t.test("a quote that never closes, or closes far below, is named by the line on which its row begins", async (t) => {
  const cases: readonly (readonly [text: string, message: RegExp])[] = [
    [
      `${head}${firstRow}"rain\n${firstRow}\n${firstRow}\n`,
      /^prices:2: found a row that is too long, or has a quote inside a cell or one that does not close,/,
    ],
    [`${head}${firstRow}\n${firstRow}"rain`, /^prices:3: .* does not close,/],
    [`${head}${firstRow}\n${firstRow}"rain\n`, /^prices:3: .* does not close,/],
    [`sep=,\r\n${head}\n"2026-05-02\r\n",Thika,Beans,60,"rain\r\n`, /^prices:4: .* does not close,/],
    [`${head}${firstRow}"rain\n${firstRow}"wet, cold"\n`, /^prices:2: .* does not close,/],
    [`${head}${firstRow}5" bunch\n${firstRow}"good" one\n`, /^prices:2: .* a quote inside a cell/],
    [`${head}${firstRow}"good" one\n`, /^prices:2: .* does not close,/],
  ];
  for (const [text, message] of cases)
    await t.rejects(readBytes(t, text), { name: "ImportRefusedError", message }, JSON.stringify(text));
});

t.test("a cell with a line that looks like a row is refused; notes of several lines are not", async (t) => {
  const swallowing: readonly (readonly [text: string, line: number, inCell: number])[] = [
    [`${head}${firstRow}"rain\n${firstRow}\n${firstRow}wet"\n${firstRow}\n`, 2, 3],
    [`${head}${firstRow}"rain\n2026-05-03,Thika,Beans,61,wet"\n`, 2, 3],
    [`${head}${firstRow}\n${firstRow}"rain\r\n,,Beans,61,wet"\r\n`, 3, 4],
    [`${head.replace("Remarks", '"Remarks')}${firstRow}wet"\n${firstRow}\n`, 1, 2],
    [`Date,Remarks,Market,Price\n2026-05-02,"rain,Thika,60\n2026-05-03,wet",Thika,61\n`, 2, 3],
    [`${head}"2026-05-02\n",Thika,Beans,60,"rain\n2026-05-03,Thika,Beans,61,"\n`, 3, 4],
  ];
  for (const [text, line, inCell] of swallowing) {
    const message = new RegExp(`^prices:${line}: .* in line ${inCell} of the file ".*" .* looks like a row`);
    await t.rejects(readBytes(t, text), { name: "ImportRefusedError", message }, JSON.stringify(text));
    await t.rejects(readBytes(t, text.replaceAll(",", ";"), { delimiter: ";" }), { message }, "with semicolons");
  }
  for (const note of ["rain\nand wind", "wet, cold, dry\ngood, bad, 3 bags", "1\n2\n3", "a,b,c,d,e\nf,g,h,i,j", "\n\n"])
    t.equal((await readBytes(t, `${head}${firstRow}"${note}"\n${firstRow}\n`)).rows.batches().length, 1, note);
  const inFront = 'Remarks,Date,Price\n"wet, cold\nfoggy, 2 days, dry",2026-05-02,60\n';
  t.strictSame(rowsOf(await readBytes(t, inFront))[1]?.slice(1), ["2026-05-02", "60"]);
});

t.test("lines in several encodings are refused, and the one that differs from the others is named", async (t) => {
  const utf8 = (text: string) => Buffer.from(text);
  const western = (text: string) => Buffer.from(text, "latin1");
  const mixed = (...parts: Buffer[]) => Buffer.concat([utf8("Market,Price\n"), ...parts]);
  const good = utf8("Café,60\n");
  const bad = western("Café,60\n");
  const plain = utf8("Thika,60\n");
  const cases: readonly (readonly [bytes: Buffer, message: RegExp, form?: TextForm])[] = [
    [mixed(good, plain, bad), /^prices:4: is not in UTF-8, unlike line 2;/],
    [mixed(good, plain, bad), /^prices:4: is not in UTF-8/, { encoding: "windows-1252" }],
    [mixed(good, plain, bad), /^prices:4: is not text in utf-8,/, { encoding: "utf-8" }],
    [mixed(bad, good, bad, bad), /^prices:3: is in UTF-8, unlike line 2;/],
    [mixed(utf8("Café, "), bad), /^prices:2: is not in UTF-8, unlike line 2;/],
    [Buffer.concat([utf8("\ufeffMarket,Price\n"), bad]), /^prices:2: is not text in utf-8/],
    [mixed(plain, utf8("Café").subarray(0, -1)), /^prices:3: is not text in utf-8,/, { encoding: "utf-8" }],
    [mixed(plain, utf8("Thi\0ka,60\n")), /^prices:3: found a NUL character/],
    [Buffer.from("\ufeffMarket,Price\nThi\0ka,6\n", "utf16le"), /^prices:2: found a NUL character/],
    [Buffer.from("\ufeffMarket,Price\nThi\ud800,6\n", "utf16le"), /^prices:2: is not text in utf-16le,/],
    [Buffer.from("\ufeffMarket,Price\nThika", "utf16le").subarray(0, -1), /^prices:2: is not text in utf-16le,/],
  ];
  for (const [bytes, message, form] of cases)
    await t.rejects(readBytes(t, bytes, form ?? {}), { name: "ImportRefusedError", message });
  t.strictSame(rowsOf(await readBytes(t, mixed(bad, plain, bad)))[1], ["Café", "60"], "one encoding for all is read");
});

const sheet: WriteSheet = {
  name: "May",
  rows: [
    ["Date", "Market", "Price", "Note"],
    [new Date(Date.UTC(2026, 4, 2)), "  Thika ", 60.1 + 0.2, true],
    [new Date(Date.UTC(2026, 4, 2, 14, 30)), "Kenol", 46144, ""],
  ],
};

t.test("a workbook has dates of both systems, numbers without noise, trimmed text, values of formulas", async (t) => {
  const cells = new Map([
    ["3,2", { value: 75, formula: "C2+15", formulaResult: 75 }],
    ["4,2", { value: null, formula: "C2+16" }],
    ["5,2", { value: "#REF!", type: "error" as const }],
  ]);
  for (const dateSystem of ["1900", "1904"] as const) {
    const table = await readBytes(t, await writeXlsx({ sheets: [{ ...sheet, cells }], dateSystem }));
    t.equal(table.epoch, Number(dateSystem));
    t.equal(table.sheet, "May");
    t.strictSame(rowsOf(table), [
      ["Date", "Market", "Price", "Note"],
      [{ clock: Date.UTC(2026, 4, 2) }, "Thika", 60.3, true],
      [{ clock: Date.UTC(2026, 4, 2, 14, 30) }, "Kenol", 46144, null],
      [null, null, 75, null],
      [null, null, { unusable: "a formula that was saved without its value" }, null],
      [null, null, { unusable: "the error #REF!" }, null],
    ]);
  }
});

t.test("cells merged downwards show the value of the first; those to its right stay empty", async (t) => {
  const rows = [
    ["Prices of May", null],
    ["Date", "Price"],
    ["2 May", 60],
    [null, 70],
    [null, 80],
  ];
  const merges = [
    { startRow: 0, endRow: 0, startCol: 0, endCol: 1 },
    { startRow: 2, endRow: 4, startCol: 0, endCol: 0 },
  ];
  const table = await readBytes(t, await writeXlsx({ sheets: [{ name: "May", rows, merges }] }));
  t.strictSame(rowsOf(table), [
    ["Prices of May", null],
    ["Date", "Price"],
    ["2 May", 60],
    [{ merged: "2 May" }, 70],
    [{ merged: "2 May" }, 80],
  ]);
});

t.test(
  "the reader process reads what this one reads, also what number formats show, and refuses the same",
  async (t) => {
    const [book, text] = ["prices.xlsx", "prices.csv"].map((file) => join(t.testdir(), file)) as [string, string];
    const cells = new Map([["1,1", { style: { numFmt: '"KSh" 0" per bag"' } }]]);
    const rows = [
      ["Date", "Price"],
      [new Date(Date.UTC(2026, 4, 2)), 60],
      ["3 May", null],
    ];
    writeFileSync(book, await writeXlsx({ sheets: [{ name: "Prices", rows, cells }, sheet] }));
    writeFileSync(text, "Date;Price\r\n2026-05-02;60,50\r\n");
    for (const path of [book, text]) {
      const [apart, here] = await Promise.all([readTables(path, {}), tablesHere(path)]);
      t.same(apart.map(plainTable), here.map(plainTable), path);
    }
    t.match(JSON.stringify((await tablesHere(book)).map(plainTable)), `"before":"KSh","after":"per bag"`);
    writeFileSync(text, "");
    const refusals = [readTable(text, {}), tableHere(text)].map((table) => table.catch((error: unknown) => error));
    const [apart, here] = await Promise.all(refusals);
    t.match(apart, { name: "ImportRefusedError", message: /is empty/ });
    t.same(apart, here);
  },
);

function plainTable({ rows, ...table }: Table): object {
  return { ...table, rows: [...rows] };
}

t.test("of several sheets one is chosen by name; hidden ones do not count", async (t) => {
  const path = join(t.testdir(), "prices.xlsx");
  const sheets = [{ ...sheet, name: "Lists", hidden: true }, sheet, { ...sheet, name: "June" }];
  writeFileSync(path, await writeXlsx({ sheets }));
  t.strictSame(
    (await tablesHere(path)).map(({ file, sheet }) => [file, sheet]),
    [
      ["prices.xlsx [May]", "May"],
      ["prices.xlsx [June]", "June"],
    ],
  );
  t.equal((await tableHere(path, { sheet: "Lists" })).sheet, "Lists");
  await t.rejects(tableHere(path), {
    message: 'prices.xlsx: has the sheets "May", "June", expected "sheet" in the mapping to name one',
  });
  await t.rejects(tableHere(path, { sheet: "July" }), {
    message: /has the sheets "Lists", "May", "June", expected a sheet "July"/,
  });
});

t.test("what is no table is refused by what it is", async (t) => {
  const whole = Buffer.from(await writeXlsx({ sheets: [sheet] }));
  const refusals: readonly (readonly [Uint8Array, RegExp])[] = [
    [Buffer.from("d0cf11e0a1b11ae1", "hex"), /of the old kind \(\.xls\), or one with a password/],
    [
      whole.subarray(0, whole.length - 30),
      /no workbook \(\.xlsx\), or a damaged one \(End of Central Directory not found/,
    ],
    [workbookOf("", [{ name: "xl/_rels/workbook.xml.rels", content: "<Relationships/>" }]), /or a damaged one/],
  ];
  for (const [bytes, message] of refusals)
    await t.rejects(readBytes(t, bytes), { name: "ImportRefusedError", message });
  await t.rejects(readTable(join(t.testdir(), "none.csv"), {}), {
    name: "ImportRefusedError",
    message: /no such file/,
  });
  await t.rejects(readTable(t.testdir(), {}), { name: "ImportRefusedError", message: /found a directory/ });
  await t.rejects(readBytes(t, "a,b\n", { sheet: "May" }), {
    message: /is no workbook, but the mapping names the sheet/,
  });
});

t.test("phonetic text is no part of a value: a workbook that has it in its sheets is refused", async (t) => {
  const cell = (text: string) => `<row r="1"><c r="A1" t="inlineStr"><is>${text}</is></c></row>`;
  t.match((await readBytes(t, workbookOf(cell("<t>120</t>")))).rows, [{ cells: ["120"] }]);
  const phonetic = workbookOf(cell('<t>120</t><rPh sb="0" eb="1"><t>99</t></rPh>'));
  await t.rejects(readBytes(t, phonetic), { message: /found phonetic text in the cells of a sheet itself, expected/ });
});

t.test("a file of another kind is named by its content, whatever its name, with what to save it as", async (t) => {
  const zip = (...entries: (readonly [name: string, content: string])[]): Buffer =>
    zipArchive(entries.map(([name, content]) => ({ name, content })));
  const otherArchive = /found a ZIP archive that is no workbook \(\.xlsx\), .* expected the table alone/;
  const asWorkbook = /expected the table alone as an Excel Workbook \(\.xlsx\) or CSV, saved by a spreadsheet program$/;
  const files: readonly (readonly [Buffer | string, RegExp, RegExp?])[] = [
    ["<table><tr><td>Market</td></tr></table>", /found HTML or XML,/, asWorkbook],
    ["\ufeff\r\n <!DOCTYPE html>\n<html lang='en'>", /found HTML or XML,/],
    [Buffer.from("\ufeff<html xmlns:x='urn:schemas-microsoft-com:office:excel'>", "utf16le"), /found HTML or XML,/],
    ['<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml">', /found HTML or XML,/],
    [
      '<?xml version="1.0"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>',
      /found HTML or XML,/,
      asWorkbook,
    ],
    ['<?xml version="1.0"?><prices/>', /found HTML or XML,/],
    ["MIME-Version: 1.0\r\nContent-Type: multipart/related", /found JSON, SYLK or a web archive,/],
    ["%PDF-1.7\n", /found a document or an archive,/],
    ["{\\rtf1\\ansi", /found a document or an archive,/],
    ['[{"market": "Thika"}]', /found JSON, SYLK or a web archive,/],
    ["ID;PWXL;N;E\r\nC;Y1;X1", /found JSON, SYLK or a web archive,/],
    [Buffer.from("1f8b0800", "hex"), /found a NUL character, expected text/],
    [Buffer.from("0908100000060500", "hex"), /found a NUL character, expected text/],
    [
      Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.from("EncryptedPackage", "utf16le")]),
      /one with a password/,
    ],
    [zip(["[Content_Types].xml", "<Types/>"], ["xl/workbook.bin", "x"]), otherArchive],
    [zip(["prices.txt", "60"]), otherArchive],
    [zip(["Index/Document.iwa", "x"]), otherArchive],
    [zip(["mimetype", "application/vnd.oasis.opendocument.spreadsheet"], ["content.xml", "<a/>"]), otherArchive],
    [zip(["[Content_Types].xml", "<Types/>"], ["word/document.xml", "<a/>"]), otherArchive],
  ];
  for (const [bytes, found, wanted] of files) {
    await t.rejects(readBytes(t, bytes), { name: "ImportRefusedError", message: found }, found.source);
    if (wanted !== undefined) await t.rejects(readBytes(t, bytes), { message: wanted }, found.source);
  }
});

t.test("a file without a value is refused as what it is: no bytes, blank lines, cells without a value", async (t) => {
  const emptyBook = Buffer.from(await writeXlsx({ sheets: [{ name: "May", rows: [] }] }));
  for (const [bytes, message] of [
    ["", /: is empty \(0 bytes\), expected a table of prices$/],
    ["\ufeff", /: holds blank lines alone, expected a table/],
    ["\r\n  \r\n;;;\r\n", /: holds blank lines alone/],
    [emptyBook, /: holds no cell with a value/],
  ] as const) {
    await t.rejects(readBytes(t, bytes), { name: "ImportRefusedError", message });
  }
});

t.test("a workbook names what of it is not read: other sheets, hidden ones, columns beyond the last", async (t) => {
  const path = join(t.testdir(), "prices.xlsx");
  const far = [...Array.from({ length: columnsMax }, (_, at) => `c${at}`), "Market"];
  const sheets = [
    { ...sheet, name: "Lists", hidden: true },
    { ...sheet, name: "Far", rows: [far] },
    { ...sheet, name: "June" },
  ];
  writeFileSync(path, await writeXlsx({ sheets }));
  t.strictSame(
    (await tablesHere(path)).map(({ unread }) => unread),
    [['hidden sheet "Lists"', "columns right of BL, the first 64"], ['hidden sheet "Lists"']],
  );
  t.strictSame((await tableHere(path, { sheet: "Lists" })).unread, ['sheet "Far"', 'sheet "June"']);
});

t.test("rows and columns have limits, and what lies far to the right takes no memory", async (t) => {
  const farRow = workbookOf(
    `<row r='1'><c r='A1'><v>1</v></c></row><row r='${rowsMax + 1}'><c r='A${rowsMax + 1}'><v>1</v></c></row>`,
  );
  await t.rejects(readBytes(t, farRow), {
    message: /found more than 500000 rows, expected at most that/,
  });
  const formatted = workbookOf(
    "<row r='1'><c r='A1'><v>1</v></c></row><row r='3'><c r='A3'><f>A1</f></c></row><row r='1048576'><c " +
      "r='A1048576' s='1'/></row>",
  );
  t.strictSame(rowsOf(await readBytes(t, formatted)), [
    [1],
    [null],
    [{ unusable: "a formula that was saved without its value" }],
  ]);
  const wide = Array.from(
    { length: 2000 },
    (_, at) => `<row r='${at + 1}'><c r='B${at + 1}'><v>1</v></c><c r='XFD${at + 1}'><v>2</v></c></row>`,
  );
  const table = await readBytes(t, workbookOf(wide.join("")));
  t.equal([...table.rows].length, 2000);
  t.ok([...table.rows].every(({ cells }) => cells.length === 2));
});

t.test("columns are lettered as spreadsheets do", async (t) => {
  t.strictSame([0, 25, 26, 51, 52, 701, 702].map(columnLetters), ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]);
});
