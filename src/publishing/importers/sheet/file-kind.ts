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

/** Kinds by their first bytes, as Latin-1. Source: the specification of each format. */
const binaryKinds: readonly (readonly [start: string, found: string, wanted: string])[] = [
  ["%PDF-", "a PDF document", exportTable],
  ["{\\rtf", "an RTF document", exportTable],
  ["\x1f\x8b", "a file compressed with gzip", "the file in it"],
  ["7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "the file in it"],
  ["Rar!\x1a\x07", "a RAR archive", "the file in it"],
  ["\x89PNG", "a picture (PNG)", "a table"],
  ["\xff\xd8\xff", "a picture (JPEG)", "a table"],
  ["PAR1", "a Parquet file", exportTable],
  ["SQLite format 3\0", "an SQLite database", exportTable],
  ["\x09\x08\x08\x00", "a workbook of the old kind (.xls)", saveAsWorkbook],
  ["\x09\x08\x10\x00", "a workbook of the old kind (.xls)", saveAsWorkbook],
  ["\x09\x04\x06\x00", "a workbook of the old kind (.xls)", saveAsWorkbook],
  ["\x09\x02\x06\x00", "a workbook of the old kind (.xls)", saveAsWorkbook],
];

/** Kinds by the beginning of their text. The first that fits counts. */
const textKinds: readonly (readonly [start: RegExp, found: string, wanted: string])[] = [
  // "ID;Product;Price" are headings; a file of SYLK names its program, and each line begins with the kind of a record.
  [/^ID;P[^;\r\n]*(?:;[NE])*\r?\n[A-Z]{1,2};/, "a SYLK file (.slk)", saveAsWorkbook],
  [/^<\?xml.*urn:schemas-microsoft-com:office:spreadsheet/s, "a workbook as XML of Excel 2003", saveAsWorkbook],
  [/^<\?xml.*urn:oasis:names:tc:opendocument/s, "an OpenDocument file (.fods)", saveAsWorkbook],
  [
    /^(?:<\?xml.*?)?<(?:!doctype\s+html|html|head|body|table|meta|style|div|script|center)[\s>]/is,
    "HTML",
    saveAsWorkbook,
  ],
  [/^<(?:\?xml|[a-z][\w:.-]*[\s/>])/i, "XML", exportTable],
  [/^MIME-Version:/i, "a web page archive (.mht)", saveAsWorkbook],
  [/^(?:\{\s*"|\[\s*[{["])/, "JSON", exportTable],
];

/** The kind of a file that is no ZIP archive; undefined where nothing speaks against CSV. */
export function kindOfFile(bytes: Buffer): FileKind | undefined {
  const head = bytes.subarray(0, headBytes);
  if (head.toString("latin1", 0, 8) === "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") return kindOfCompoundFile(bytes);
  const start = head.toString("latin1");
  const binary = binaryKinds.find(([known]) => start.startsWith(known));
  if (binary !== undefined) return { found: binary[1], wanted: binary[2] };
  // Every second byte of UTF-16 is 0 in markup.
  const text = start
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, "")
    .replaceAll("\0", "")
    .trimStart();
  const textual = textKinds.find(([known]) => known.test(text));
  return textual === undefined ? undefined : { found: textual[1], wanted: textual[2] };
}

/** Excel 97 to 2003, and everything that is protected by a password. Source: MS-CFB 2.2, MS-OFFCRYPTO 2.3.4. */
function kindOfCompoundFile(bytes: Buffer): FileKind {
  const has = (name: string): boolean => bytes.includes(Buffer.from(name, "utf16le"));
  if (has("EncryptedPackage")) return { found: "a workbook with a password", wanted: "one saved without password" };
  if (has("WordDocument")) return { found: "a Word document (.doc)", wanted: exportTable };
  const found = "a workbook of the old kind (.xls) or one with a password";
  return { found, wanted: ".xlsx without password, or CSV" };
}

/**
 * The kind of a ZIP archive that cannot be read as a workbook; undefined for a damaged workbook.
 *
 * The names of its entries decide. They are only for the message: what an archive holds is for its parser to say.
 */
export function kindOfArchive(bytes: Buffer): FileKind | undefined {
  const names = entryNames(bytes);
  const has = (name: RegExp): boolean => names.some((entry) => name.test(entry));
  if (has(/^xl\/workbook\.bin$/)) return { found: "a binary workbook (.xlsb)", wanted: saveAsWorkbook };
  if (has(/^xl\/|^\[Content_Types\]\.xml$/) && !has(/^(?:word|ppt)\//)) return undefined;
  if (has(/\.iwa$|^index\.(?:numbers|zip)$/i)) {
    return { found: "a document of Apple Numbers", wanted: "it exported to Excel (.xlsx) or CSV (File > Export To)" };
  }
  if (has(/^word\//)) return { found: "a Word document (.docx)", wanted: exportTable };
  if (has(/^ppt\//)) return { found: "a presentation (.pptx)", wanted: exportTable };
  if (has(/^mimetype$/) && has(/^content\.xml$/)) {
    return { found: "an OpenDocument file (.ods)", wanted: saveAsWorkbook };
  }
  if (names.length === 0) return { found: "a ZIP archive without a file", wanted: "a table" };
  const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
  const named = names.slice(0, 3).map((name) => JSON.stringify(name));
  return { found: `a ZIP archive of ${named.join(", ")}${more}`, wanted: "the file in it: unpack it first" };
}

/** Names of the entries, in order of the file. */
function entryNames(bytes: Buffer): readonly string[] {
  const names = [...entries(bytes).take(entriesMax)].map(({ name }) => name);
  return names.filter((name) => !name.endsWith("/"));
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
