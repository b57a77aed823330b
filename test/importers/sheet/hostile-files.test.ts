/** Small files that would take gigabytes or hours: each is refused while it is read, naming the limit. */
import t from "tap";
import { readCsvTable } from "../../../src/importers/sheet/read-csv-table.ts";
import { readWorkbook } from "../../../src/importers/sheet/read-workbook.ts";
import {
  cellBytesMax,
  cellsMax,
  excelRowsMax,
  rowBytesMax,
  rowCellsMax,
  sharedStringsMax,
  textBytesMax,
  workbookTagsMax,
} from "../../../src/importers/sheet/table.ts";
import { workbookOf, type ZipEntry } from "../../support/zip-archive.ts";

function strings(...items: readonly string[]): ZipEntry {
  return { name: "xl/sharedStrings.xml", content: `<sst>${items.join("")}</sst>` };
}

/** Rows of one cell each that all refer to the first string. */
function references(count: number): string {
  return Array.from({ length: count }, (_, at) => `<row r="${at + 1}"><c t="s"><v>0</v></c></row>`).join("");
}

const long = "x".repeat(100_000);
const wideRow = (cells: number, text: string) =>
  `<row>${`<c t="inlineStr"><is><t>${text}</t></is></c>`.repeat(cells)}</row>`;

const workbooks: Readonly<Record<string, readonly [sheetData: string, others: readonly ZipEntry[], message: string]>> =
  {
    "a million shared strings without text": [
      "",
      [strings("<si><t/></si>".repeat(sharedStringsMax + 1))],
      `more than ${sharedStringsMax} shared strings`,
    ],
    "one text that many cells refer to": [
      references(Math.ceil(textBytesMax / long.length) + 1),
      [strings(`<si><t>${long}</t></si>`)],
      `cells with more than ${textBytesMax} bytes of text`,
    ],
    "the same with another prefix, quotes and an entity": [
      references(Math.ceil(textBytesMax / long.length) + 1)
        .replaceAll('t="s"', "\n t = '&#115;'")
        .replaceAll("c ", "x:c "),
      [strings(`<x:si><t>${long}</t></x:si>`)],
      "",
    ],
    "a string that is too long for a cell": [
      "",
      [strings(`<si><r><t>${"x".repeat(cellBytesMax)}</t></r><r><t>y</t></r></si>`)],
      `a cell of more than ${cellBytesMax} bytes`,
    ],
    "a cell that is too long": [
      `<row><c t="inlineStr"><is><t>${"x".repeat(cellBytesMax + 1)}</t></is></c></row>`,
      [],
      `a cell of more than ${cellBytesMax} bytes`,
    ],
    "a section of text that is too long": [
      `<row><c><v><![CDATA[${"x".repeat(cellBytesMax + 1)}]]></v></c></row>`,
      [],
      "a tag or comment of more than 65536 bytes",
    ],
    "a row that is too long": [wideRow(11, long), [], `a row of more than ${rowBytesMax} bytes`],
    "more rows than a sheet has": ["<row/>".repeat(excelRowsMax + 1), [], `more than ${excelRowsMax} rows`],
    "more cells than a file may have": [`<row>${"<c/>".repeat(cellsMax + 1)}</row>`, [], `more than ${cellsMax} cells`],
    "styles without end": [
      "",
      [
        {
          name: "xl/styles.xml",
          content: `<styleSheet><cellXfs>${"<xf/>".repeat(workbookTagsMax)}</cellXfs></styleSheet>`,
        },
      ],
      `more than ${workbookTagsMax} tags beside its cells`,
    ],
    "a comment without end": [`<!--${"x".repeat(70_000)}`, [], "a tag or comment of more than 65536 bytes"],
    "an attribute without end": [`<row r="${"x".repeat(70_000)}`, [], "a tag or comment of more than 65536 bytes"],
  };

for (const [what, [sheetData, others, message]] of Object.entries(workbooks)) {
  t.test(`a workbook with ${what}`, async (t) => {
    const bytes = workbookOf(sheetData, others);
    const error = await readWorkbook("prices.xlsx", bytes).catch((error: unknown) => error);
    t.match(error, { name: "ImportRefusedError" });
    t.match((error as Error).message, message === "" ? "prices.xlsx: found" : `prices.xlsx: found ${message}`);
  });
}

t.test("what is below the limits is read", async (t) => {
  const [table] = await readWorkbook(
    "prices.xlsx",
    workbookOf(`${references(100)}<row><!-- > --><c><v>5</v></c></row>`, [
      strings(`<si><t>${"é".repeat(30_000)}</t></si>`),
      { name: "xl/media/image1.png", content: "\u0089PNG" },
    ]),
  );
  t.equal(table?.rows.length, 101);
  t.strictSame(table?.rows.at(-1)?.cells, [5]);
});

const texts: Readonly<Record<string, readonly [text: string, message: string]>> = {
  "commas without a line end": [",".repeat(2_000_000), `a line of more than ${rowBytesMax} characters`],
  "commas in a later row": [`a,b\r\n1,2\r\n${",".repeat(rowBytesMax + 1)}\r\n`, `a line of more than ${rowBytesMax}`],
  "a row of too many cells": [`a,b\n${",".repeat(rowCellsMax)}\n`, `a row of more than ${rowCellsMax} cells`],
  "too many cells": [
    `${",".repeat(rowCellsMax - 1)}\n`.repeat(cellsMax / rowCellsMax + 1),
    `more than ${cellsMax} cells`,
  ],
  "a cell that is too long": [`a,b\n${"x".repeat(cellBytesMax + 1)},1\n`, `a cell of more than ${cellBytesMax}`],
};

for (const [what, [text, message]] of Object.entries(texts)) {
  t.test(`a CSV file with ${what}`, async (t) => {
    t.throws(() => readCsvTable("prices.csv", Buffer.from(text), {}), {
      name: "ImportRefusedError",
      message: new RegExp(`^prices\\.csv: found ${message}`),
    });
  });
}

t.test("a quoted cell over many lines has the limits of a row as well", async (t) => {
  const text = `a,b\n"${"x\n".repeat(rowBytesMax)}",1\n`;
  t.throws(() => readCsvTable("prices.csv", Buffer.from(text), {}), { name: "ImportRefusedError" });
});
