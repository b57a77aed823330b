/** Small workbooks that make a parser take gigabytes or hours, each in another way. */
import { deflateRawSync } from "node:zlib";
import { workbookOf, workbookRelations, type ZipEntry } from "./zip-archive.ts";

/** Name → what makes the file. All are made from `count` pieces of markup; some millions are enough. */
export const hostileWorkbooks: Readonly<Record<string, (count: number) => Buffer>> = {
  "empty shared strings": (count) => withStrings("<si/>".repeat(count)),
  "one byte before the markup of its shared strings": (count) => withStrings("<si/>".repeat(count), { before: "x" }),
  "shared strings with prefixed elements": (count) => withStrings("<x:si></x:si>".repeat(count)),
  "white space and comments between its shared strings": (count) =>
    withStrings("<si\n><!-- > --><t\t/></si >".repeat(count / 4)),
  "shared strings in CDATA sections": (count) => withStrings("<si><t><![CDATA[<]]></t></si>".repeat(count / 4)),
  "shared strings whose first attribute holds a tag": (count) => withStrings(`<si a="/><x>"/>`.repeat(count / 2)),
  "shared strings under the name of a picture": (count) =>
    withStrings("<si/>".repeat(count), { path: "media/image1.png" }),
  "shared strings outside its folder": (count) => withStrings("<si/>".repeat(count), { path: "../a/../strings" }),
  "two entries of one name": (count) =>
    workbookOf("", [
      workbookRelations({ sharedStrings: "sharedStrings.xml" }),
      { name: "xl/sharedStrings.xml", content: "<sst/>" },
      { name: "xl/sharedStrings.xml", content: sst("<si/>".repeat(count)) },
    ]),
  "an entry that is said to be empty": (count) => withStrings("<si/>".repeat(count), { stated: { unpacked: 0 } }),
  "an entry whose sizes stand in its own header alone": (count) => withSizesInLocalHeader("<si/>".repeat(count)),
  "a second directory in its comment": (count) => withSecondEnd(withStrings("<si/>".repeat(count)), workbookOf("")),
  "rows without number": (count) => workbookOf("<row><c><v>1</v></c></row>".repeat(count)),
  "empty cells": (count) => workbookOf(`<row r="1">${"<c/>".repeat(count)}</row>`),
  "a cell in the last row, again and again": (count) =>
    workbookOf('<row r="1048576"><c r="A1048576"><v>1</v></c></row>'.repeat(count / 4)),
  "cells in the corners": () =>
    workbookOf('<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="BL1048576"><v>1</v></c></row>'),
  "a row of an unheard-of number": () => workbookOf('<row r="900000000"><c r="A900000000"><v>1</v></c></row>'),
  "inline strings of many runs": (count) =>
    workbookOf(`<row><c t="inlineStr"><is>${"<r><rPr><b/></rPr><t>x</t></r>".repeat(count / 2)}</is></c></row>`),
  "one text that all cells refer to": (count) =>
    withStrings(`<si><t>${"x".repeat(100_000)}</t></si>`, {
      rows: '<row><c t="s"><v>0</v></c></row>'.repeat(count / 10),
    }),
  "a cell of one long text": (count) =>
    workbookOf(`<row><c t="inlineStr"><is><t>${"x".repeat(count * 20)}</t></is></c></row>`),
  "merged cells without end": (count) =>
    withSheet(`<mergeCells>${'<mergeCell ref="A1:A9"/>'.repeat(count)}</mergeCells>`),
  "merged cells that overlap": () => {
    const rows = `<row><c><v>1</v></c></row>${"<row><c r='B2'><v>1</v></c></row>".repeat(20_000)}`;
    return withSheet(`<mergeCells>${'<mergeCell ref="A1:A400000"/>'.repeat(20_000)}</mergeCells>`, rows);
  },
  hyperlinks: (count) =>
    withSheet(`<hyperlinks>${'<hyperlink ref="A1:XFD9" location="a"/>'.repeat(count)}</hyperlinks>`),
  "conditional formats": (count) =>
    withSheet('<conditionalFormatting sqref="A1"><cfRule type="x"/></conditionalFormatting>'.repeat(count / 2)),
  "columns defined over and over": (count) =>
    withSheet("", "", `<cols>${'<col min="1" max="16384" width="1"/>'.repeat(count / 100)}</cols>`),
  "styles without end": (count) =>
    workbookOf("", [
      workbookRelations({ styles: "styles.xml" }),
      { name: "xl/styles.xml", content: `<styleSheet><cellXfs>${"<xf/>".repeat(count)}</cellXfs></styleSheet>` },
    ]),
  "defined names without end": (count) =>
    withWorkbook("", `<definedNames>${'<definedName name="a">b</definedName>'.repeat(count)}</definedNames>`),
  "one sheet many times": (count) =>
    withWorkbook(
      '<sheet name="a" sheetId="2" r:id="rId1"/>'.repeat(200),
      "",
      "<row><c><v>1</v></c></row>".repeat(count / 40),
    ),
  "one link many times": (count) => {
    const links = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`${at}/externalLink`, "links.xml"]));
    const content = `<externalLink>${"<sheetName/>".repeat(count / 20)}</externalLink>`;
    return workbookOf("", [workbookRelations(links), { name: "xl/links.xml", content }]);
  },
  "comments without end": (count) =>
    withPart(
      "comments",
      `<comments><commentList>${'<comment ref="A1"><text/></comment>'.repeat(count)}</commentList></comments>`,
    ),
  "a drawing without end": (count) => withPart("drawing", `<wsDr>${"<twoCellAnchor/>".repeat(count)}</wsDr>`),
  "elements in one another": (count) => withStrings("<a>".repeat(count) + "</a>".repeat(count)),
  "shared strings in UTF-16": (count) =>
    withStrings("", { content: Buffer.from(`\ufeff${sst("<si/>".repeat(count))}`, "utf16le") }),
  "zeros without end": (count) => withStrings("", { content: Buffer.alloc(count * 100) }),
};

interface StringsForm {
  readonly before?: string;
  readonly content?: Buffer;
  readonly path?: string;
  readonly rows?: string;
  readonly stated?: ZipEntry["stated"];
}

function sst(items: string): string {
  return `<sst>${items}</sst>`;
}

function withStrings(items: string, form: StringsForm = {}): Buffer {
  const { before = "", path = "sharedStrings.xml", rows = "", stated = {}, content = before + sst(items) } = form;
  const name = path.startsWith("../") ? path.replace("../", "") : `xl/${path}`;
  return workbookOf(rows, [workbookRelations({ sharedStrings: path }), { name, content, stated }]);
}

function withSheet(after: string, rows = "", before = ""): Buffer {
  const content = `<worksheet>${before}<sheetData>${rows}</sheetData>${after}</worksheet>`;
  return workbookOf("", [{ name: "xl/worksheets/sheet1.xml", content }]);
}

function withWorkbook(sheets: string, after: string, rows = ""): Buffer {
  const content = `<workbook><sheets><sheet name="Prices" sheetId="1" r:id="rId1"/>${sheets}</sheets>${after}</workbook>`;
  return workbookOf(rows, [{ name: "xl/workbook.xml", content }]);
}

function withPart(type: string, content: string): Buffer {
  const relations = workbookRelations({ [type]: "part.xml" }).content;
  return workbookOf("<row><c><v>1</v></c></row>", [
    { name: "xl/worksheets/_rels/sheet1.xml.rels", content: relations },
    { name: "xl/worksheets/part.xml", content },
  ]);
}

/** The directory says 0 bytes and "see the header of the entry". Source: PKWARE, APPNOTE.TXT 6.3.10, 4.4.4 bit 3. */
function withSizesInLocalHeader(items: string): Buffer {
  const bytes = withStrings(items);
  const packed = deflateRawSync(Buffer.from(sst(items))).length;
  for (let at = bytes.indexOf("PK\x01\x02"); at !== -1; at = bytes.indexOf("PK\x01\x02", at + 4)) {
    if (bytes.readUInt32LE(at + 20) !== packed) continue;
    bytes.writeUInt16LE(8, at + 8);
    bytes.writeUInt32LE(0, at + 20);
    bytes.writeUInt32LE(0, at + 24);
  }
  return bytes;
}

/** An archive whose comment is the end of another. */
function withSecondEnd(first: Buffer, second: Buffer): Buffer {
  const end = second.subarray(second.indexOf("PK\x05\x06"));
  first.writeUInt16LE(end.length, first.length - 2);
  return Buffer.concat([first, end]);
}

/**
 * With as many bytes before the archive, which may be damaged.
 *
 * @param isCounted Whether the positions in the archive count them, those of records that are whole.
 */
export function afterBytes(archive: Buffer, before: Buffer, isCounted: boolean): Buffer {
  const copy = Buffer.from(archive);
  if (isCounted) {
    const count = (at: number): void => {
      if (at + 4 > copy.length) return;
      copy.writeUInt32LE((copy.readUInt32LE(at) + before.length) >>> 0, at);
    };
    const end = copy.lastIndexOf("PK\x05\x06");
    const directory = end !== -1 && end + 20 <= copy.length ? copy.readUInt32LE(end + 16) : 0;
    if (end !== -1) count(end + 16);
    for (let at = copy.indexOf("PK\x01\x02", directory); at !== -1; at = copy.indexOf("PK\x01\x02", at + 4)) {
      count(at + 42);
    }
  }
  return Buffer.concat([before, copy]);
}
