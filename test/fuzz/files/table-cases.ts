/**
 * Tables of spreadsheet programs, damaged or blown up: what is accepted has what stands in it, and no more than its
 * limits.
 */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RandomChoice } from "../../../bench/questions/random-choice.ts";
import { readCsvTable } from "../../../src/publishing/importers/sheet/read-csv-table.ts";
import { readTables } from "../../../src/publishing/importers/sheet/read-sheet-tables.ts";
import { readWorkbook } from "../../../src/publishing/importers/sheet/read-workbook.ts";
import {
  cellCharactersMax,
  columnsMax,
  rowCharactersMax,
  rowsMax,
  type Table,
} from "../../../src/publishing/importers/sheet/sheet-table.ts";
import { valuesOf } from "../../support/fields-of.ts";
import { afterBytes, hostileWorkbooks } from "../../support/hostile-workbooks.ts";
import { workbookOf, workbookRelations, type ZipEntry } from "../../support/zip-archive.ts";
import { damaged, overwritten } from "./random-damage.ts";

const texts = [
  "Maize (white)",
  "Kitui",
  "4250",
  "2026-05-02",
  "90 kg bag",
  "é“”",
  "=1+1",
  "a\u202eb",
  "\u001b[2J",
  "x".repeat(300),
];

function randomRows(random: RandomChoice): string[][] {
  const width = random.between(1, 9);
  return Array.from({ length: random.between(1, 12) }, () => Array.from({ length: width }, () => random.of(texts)));
}

/** A CSV file: whole, damaged, or with one piece of it many times. */
export function csvTable(random: RandomChoice): void {
  const delimiter = random.of([",", ";", "\t", "|"] as const);
  const rows = randomRows(random);
  const whole = Buffer.from(rows.map((row) => row.join(delimiter)).join(random.of(["\n", "\r\n", "\r"])));
  const kind = random.below(3);
  if (kind === 0) {
    const table = readCsvTable("prices.csv", whole, { encoding: "utf-8", delimiter });
    assert.deepEqual(valuesOf(table.rows, "cells"), rows);
    return;
  }
  const piece = random.of([delimiter, '"', '""', "\n", "\r", "\0", `a${delimiter}b\n`, "x"]);
  const bytes =
    kind === 1
      ? damaged(whole, random)
      : Buffer.concat([whole, Buffer.from(piece.repeat(random.of([1000, 3_000_000])))]);
  // A row of delimiters alone has a cell more than characters.
  assertBounded(readCsvTable("prices.csv", bytes, random.below(2) === 0 ? { delimiter } : {}), rowCharactersMax + 1);
}

/** A workbook: whole, with damaged XML, a damaged archive, untrue sizes, or a million times the same. */
export async function workbook(random: RandomChoice): Promise<void> {
  const rows = randomRows(random);
  const isShared = random.below(2) === 0;
  const plain = rows.map((row) => row.map((text) => text.replaceAll("\u001b", "")));
  const cell = (text: string): string =>
    isShared
      ? `<c t="s"><v>${texts.map((one) => one.replaceAll("\u001b", "")).indexOf(text)}</v></c>`
      : `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const sheetData = plain.map((row) => `<row>${row.map(cell).join("")}</row>`).join("");
  const items = texts.map((text) => `<si><t>${text.replaceAll("\u001b", "")}</t></si>`).join("");
  const strings: ZipEntry = { name: "xl/sharedStrings.xml", content: `<sst>${items}</sst>` };
  switch (random.below(5)) {
    case 0: {
      const [table] = await readWorkbook("prices.xlsx", workbookOf(sheetData, [linked, strings]));
      assert.deepEqual(valuesOf([...(table?.rows ?? [])], "cells"), plain);
      return;
    }
    case 1:
      return await readBounded(
        workbookOf(damaged(Buffer.from(sheetData), random).toString("latin1"), [linked, strings]),
      );
    case 2:
      return await readBounded(random.of([damaged, overwritten])(workbookOf(sheetData, [linked, strings]), random));
    case 3: {
      const stated = { [random.of(["packed", "unpacked"])]: random.of([0, 1, 1000, 2 ** 31, 2 ** 32 - 1]) };
      return await readBounded(workbookOf(sheetData, [linked, { ...strings, stated }]));
    }
    default: {
      const piece = random.of(["<row/>", "<c/>", "<row><c><v>1</v></c></row>", "<!---->", "<x>", "&amp;", "</row>"]);
      const many = piece.repeat(random.of([1000, 300_000]));
      const content =
        random.below(2) === 0 ? `<sst>${many}</sst>` : `<sst><si><t>${"x".repeat(100_000)}</t></si></sst>`;
      return await readBounded(workbookOf(sheetData + many, [linked, { ...strings, content }]));
    }
  }
}

const linked = workbookRelations({ sharedStrings: "sharedStrings.xml" });

/**
 * A workbook that exhausts its parser, perhaps behind other bytes or damaged, read as a command reads it: in a process
 * of its own, which ends alone.
 *
 * @param folder For the file.
 */
export async function hostileWorkbook(random: RandomChoice, folder: string): Promise<void> {
  const make = random.of(Object.values(hostileWorkbooks));
  const whole = make(random.of([1000, 100_000, 2_000_000]));
  const before = Buffer.from(random.of(["", "", "x", "PK\x03\x04"]), "latin1");
  const bytes = afterBytes(random.below(4) === 0 ? damaged(whole, random) : whole, before, random.below(2) === 0);
  const path = join(folder, "prices.xlsx");
  writeFileSync(path, bytes);
  for (const table of await readTables(path, {})) assertBounded(table, rowCharactersMax);
}

async function readBounded(bytes: Buffer): Promise<void> {
  for (const table of await readWorkbook("prices.xlsx", bytes)) assertBounded(table, columnsMax);
}

function assertBounded({ rows }: Table, cellsMax: number): void {
  let count = 0;
  for (const { cells } of rows) {
    count++;
    assert.ok(cells.length <= cellsMax, `a row has ${cells.length} cells, expected at most ${cellsMax}`);
    for (const cell of cells) if (typeof cell === "string") assert.ok(cell.length <= cellCharactersMax);
  }
  assert.ok(count <= rowsMax);
}
