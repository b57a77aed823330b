/** The content of a file that is neither CSV nor .xlsx → its kind, and what to save it as; entries of archives. */
import { inflateRawSync } from "node:zlib";

/** Characters at the beginning of a file that say what kind of text it is. */
const headBytes = 4096;

/** Entries of an archive that are read. */
const entriesMax = 1000;

/** Most bytes of an entry. */
const entryBytesMax = 16 * 1024 * 1024;

const saveAsWorkbook = "an Excel Workbook (.xlsx) or CSV: open it in a spreadsheet program and save it as one of them";
const exportTable = "the table alone, saved as .xlsx or CSV";

/** The kind of a file and its remedy, ready to follow "found" and "expected". */
export interface FileKind {
  readonly found: string;
  readonly wanted: string;
}

/** Kinds by the beginning of their bytes or text. The first that fits counts. Source: the specification of each. */
const kinds: readonly (readonly [start: RegExp, found: string, wanted: string])[] = [
  [/^%PDF-/, "a PDF document", exportTable],
  [/^(?:\{\\rtf|7z\xbc\xaf|Rar!|\x89PNG|\xff\xd8\xff|PAR1|SQLite)/, "a file of another kind", exportTable],
  // "ID;Product;Price" are headings; a file of SYLK names its program, and each line begins with the kind of a record.
  [/^ID;P[^;\r\n]*(?:;[NE])*\r?\n[A-Z]{1,2};/, "a SYLK file (.slk)", saveAsWorkbook],
  [/^<\?xml.*urn:schemas-microsoft-com:office:spreadsheet/s, "a workbook as XML of Excel 2003", saveAsWorkbook],
  [
    /^(?:<\?xml.*?)?<(?:!doctype\s+html|html|head|body|table|meta|style|div|script|center)[\s>]/is,
    "HTML",
    saveAsWorkbook,
  ],
  [/^<(?:\?xml|[a-z][\w:.-]*[\s/>])/i, "XML", saveAsWorkbook],
  [/^MIME-Version:/i, "a web page archive (.mht)", saveAsWorkbook],
  [/^(?:\{\s*"|\[\s*[{["])/, "JSON", exportTable],
];

/** The kind of a file that is no ZIP archive; undefined where nothing speaks against CSV. */
export function kindOfFile(bytes: Buffer): FileKind | undefined {
  const start = bytes.toString("latin1", 0, headBytes);
  if (start.startsWith("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) {
    // Source: MS-CFB 2.2, MS-OFFCRYPTO 2.3.4.
    const found = "a workbook of the old kind (.xls), one with a password, or another document of that form";
    return { found, wanted: ".xlsx without password, or CSV" };
  }
  // Every second byte of UTF-16 is 0 in markup.
  const text = start
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, "")
    .replaceAll("\0", "")
    .trimStart();
  const known = kinds.find(([beginning]) => beginning.test(start) || beginning.test(text));
  return known === undefined ? undefined : { found: known[1], wanted: known[2] };
}

/** The kind of a ZIP archive that cannot be read as a workbook; undefined for a damaged workbook. */
export function kindOfArchive(bytes: Buffer): FileKind | undefined {
  const names = [...entries(bytes).take(entriesMax)].map(({ name }) => name);
  const isWorkbook = names.some((name) => name.startsWith("xl/")) && !names.includes("xl/workbook.bin");
  const wanted = "an Excel Workbook (.xlsx) or CSV: open or unpack it, and save the table as one of them";
  return isWorkbook ? undefined : { found: "a ZIP archive that is no workbook (.xlsx)", wanted };
}

/** The entries by their local headers. Source: APPNOTE.TXT 4.3.7. */
function* entries(bytes: Buffer): Generator<{ readonly name: string; readonly start: number }> {
  let at = bytes.indexOf("PK\x03\x04", 0, "latin1");
  while (at !== -1 && at + 30 <= bytes.length) {
    const end = at + 30 + bytes.readUInt16LE(at + 26);
    yield { name: bytes.toString("utf8", at + 30, end), start: at };
    at = bytes.indexOf("PK\x03\x04", end, "latin1");
  }
}

/** The texts of the entries of such a name; undefined for one that cannot be read. */
export function entryTexts(bytes: Buffer, called: RegExp): IteratorObject<string | undefined> {
  return entries(bytes)
    .take(entriesMax)
    .filter(({ name }) => called.test(name))
    .map(({ start }) => textOfEntry(bytes, start));
}

/** @param start The position of its local header. */
function textOfEntry(bytes: Buffer, start: number): string | undefined {
  const content = bytes.subarray(start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28));
  const isStored = bytes.readUInt16LE(start + 8) === 0;
  try {
    const text = isStored
      ? content.subarray(0, bytes.readUInt32LE(start + 18))
      : inflateRawSync(content, { maxOutputLength: entryBytesMax });
    return text.toString("latin1");
  } catch {
    return undefined;
  }
}
