/** The content of a file that is neither CSV nor .xlsx → its kind; entries of archives. */
import { inflateRawSync } from "node:zlib";

/** Characters at the beginning of a file that say what kind of text it is. */
const headBytes = 4096;

/** Entries of an archive that are read. */
const entriesMax = 1000;

/** Most bytes of an entry. */
const entryBytesMax = 16 * 1024 * 1024;

/** What is read, ready to follow "expected". */
export const wantedFile = "the table alone as an Excel Workbook (.xlsx) or CSV, saved by a spreadsheet program";

/** Kinds by the beginning of their bytes or text. Source: the specification of each. */
const kinds: readonly (readonly [start: RegExp, found: string])[] = [
  // Source: MS-CFB 2.2, MS-OFFCRYPTO 2.3.4.
  [/^\xd0\xcf.\xe0\xa1\xb1/s, "a workbook of the old kind (.xls), or one with a password"],
  [/^(?:%PDF-|\{\\rtf|7z\xbc\xaf|Rar!|\x89PNG|\xff\xd8\xff|PAR1|SQLite)/, "a document or an archive"],
  // "ID;Product;Price" are headings; a file of SYLK names its program, and each line begins with the kind of a record.
  [/^(?:MIME-Version:|\{\s*"|\[\s*[{["]|ID;P[^;\r\n]*(?:;[NE])*\r?\n[A-Z]{1,2};)/i, "JSON, SYLK or a web archive"],
  [/^<(?:[?!]|[a-z][\w:.-]*[\s/>])/i, "HTML or XML"],
];

/** The kind of a file that is no ZIP archive, ready to follow "found"; undefined where nothing speaks against CSV. */
export function kindOfFile(bytes: Buffer): string | undefined {
  const start = bytes.toString("latin1", 0, headBytes);
  // Every second byte of UTF-16 is 0 in markup.
  const text = start
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, "")
    .replaceAll("\0", "")
    .trimStart();
  return kinds.find(([beginning]) => beginning.test(start) || beginning.test(text))?.[1];
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
