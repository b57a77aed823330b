/** ZIP archives of any kind, also those that no program would write. */
import { crc32, deflateRawSync } from "node:zlib";

export interface ZipEntry {
  readonly name: string;
  readonly content: string | Buffer;
  /** Whether the archive says that the content is not compressed. */
  readonly isStored?: boolean;
  /** What the archive says instead of the truth. */
  readonly stated?: { readonly packed?: number; readonly unpacked?: number };
}

/** An archive whose entries are all compressed, whatever it says. Source: PKWARE, APPNOTE.TXT 6.3.10. */
export function zipArchive(entries: readonly ZipEntry[]): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, isStored = false, stated = {} } of entries) {
    const data = Buffer.from(content);
    const packed = deflateRawSync(data);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(isStored ? 0 : 8, 4);
    fields.writeUInt32LE(crc32(data), 10);
    fields.writeUInt32LE(stated.packed ?? packed.length, 14);
    fields.writeUInt32LE(stated.unpacked ?? data.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), fields, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), fields, rest, Buffer.from(name));
    pieces.push(local);
    offset += local.length;
  }
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...pieces, ...directory, end]);
}

const relationships = "http://schemas.openxmlformats.org/package/2006/relationships";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/**
 * The relations of a workbook to its first sheet, `rId1`, and to other files.
 *
 * @param others Path by type; a type may have a number and a slash before it, so that it can occur again.
 */
export function workbookRelations(others: Readonly<Record<string, string>>): ZipEntry {
  const targets = [["worksheet", "worksheets/sheet1.xml"] as const, ...Object.entries(others)];
  const elements = targets.map(
    ([type, target], at) =>
      `<Relationship Id="rId${at + 1}" Type="${office}/${type.replace(/^\d+\//, "")}" Target="${target}"/>`,
  );
  const content = `<Relationships xmlns="${relationships}">${elements.join("")}</Relationships>`;
  return { name: "xl/_rels/workbook.xml.rels", content };
}

/**
 * A workbook of one sheet, from its XML, with the parts that every workbook has.
 *
 * @param sheetData What stands in `<sheetData>`.
 * @param others Instead of these parts, or beside them.
 */
export function workbookOf(sheetData: string, others: readonly ZipEntry[] = []): Buffer {
  const target = (type: string, path: string): string =>
    `<Relationships xmlns="${relationships}"><Relationship Id="rId1" Type="${office}/${type}" ` +
    `Target="${path}"/></Relationships>`;
  const sheet = '<sheet name="Prices" sheetId="1" r:id="rId1"/>';
  const parts: ZipEntry[] = [
    { name: "[Content_Types].xml", content: "<Types/>" },
    { name: "_rels/.rels", content: target("officeDocument", "xl/workbook.xml") },
    {
      name: "xl/workbook.xml",
      content: `<workbook xmlns:r="${office}"><sheets>${sheet}</sheets></workbook>`,
    },
    { name: "xl/_rels/workbook.xml.rels", content: target("worksheet", "worksheets/sheet1.xml") },
    { name: "xl/worksheets/sheet1.xml", content: `<worksheet><sheetData>${sheetData}</sheetData></worksheet>` },
  ];
  const replaced = new Set(others.map(({ name }) => name));
  return zipArchive([...parts.filter(({ name }) => !replaced.has(name)), ...others]);
}
