/**
 * What the files inside a workbook hold, counted while they are unpacked, before they are parsed: a workbook of some hundred kB can
 * hold millions of strings, or refer a million times to one. Memory is a piece of 64 KiB and a number for each shared string.
 *
 * This is no parser of XML: a text counts with its bytes as they stand, a tag ends at the first `>`. So nothing that a parser makes
 * of the file is longer than what is counted here.
 */
import { createInflateRaw } from "node:zlib";
import { ImportRefusedError } from "../import-refused.ts";
import {
  cellBytesMax,
  cellsMax,
  excelRowsMax,
  rowBytesMax,
  sharedStringsMax,
  textBytesMax,
  workbookTagsMax,
} from "./table.ts";
import type { ArchiveEntry } from "./zip-limits.ts";

/** Digits of the greatest number of a string, with white space around it. */
const referenceDigitsMax = 64;

/** Longest tag, comment or declaration; Excel writes some hundred bytes. */
const tokenBytesMax = 65_536;
const tooLongToken = `a tag or comment of more than ${tokenBytesMax} bytes`;

const space = 0x20;
const exclamationMark = 0x21;
const slash = 0x2f;
const colon = 0x3a;
const questionMark = 0x3f;
const lessThan = 0x3c;
const greaterThan = 0x3e;

/** Bytes of each shared string, in their order. */
interface SharedStrings {
  lengths: Uint32Array;
  count: number;
}

/** Counts of all files of a workbook together. */
interface Totals {
  text: number;
  cells: number;
  tags: number;
}

/**
 * Refuses a workbook that holds more than a table may.
 *
 * @throws {ImportRefusedError} as soon as a limit of table.ts is exceeded.
 * Cost: two passes over the unpacked bytes, a second for 100 MB.
 */
export async function requireBoundedContent(
  file: string,
  bytes: Buffer,
  entries: readonly ArchiveEntry[],
): Promise<void> {
  const strings: SharedStrings = { lengths: new Uint32Array(1024), count: 0 };
  const totals: Totals = { text: 0, cells: 0, tags: 0 };
  // References are followed, so all strings come first.
  for (const entry of entries) await scanEntry(file, bytes, entry, new StringCounter(file, strings));
  for (const entry of entries) await scanEntry(file, bytes, entry, new CellCounter(file, strings, totals));
}

/** Receives the tags and texts of a file in their order. */
interface MarkupVisitor {
  /** @param element Its name without prefix. @param tag All of it. */
  open(element: string, tag: Buffer): void;
  close(element: string): void;
  text(bytes: Buffer): void;
}

async function scanEntry(file: string, bytes: Buffer, entry: ArchiveEntry, visitor: MarkupVisitor): Promise<void> {
  const refuse = (found: string): never =>
    refused(file, `${found} in ${JSON.stringify(entry.name)}`, "a workbook (.xlsx) as programs save it");
  let pending: Buffer = Buffer.alloc(0);
  let unpacked = 0;
  let isFirst = true;
  for await (const piece of piecesOf(file, bytes, entry)) {
    unpacked += piece.length;
    if (unpacked > entry.unpacked) refuse("more bytes than stated");
    // Pictures and macros are not read.
    if (isFirst && piece[firstOfMarkup(piece)] !== lessThan) return;
    isFirst = false;
    const chunk: Buffer = pending.length === 0 ? piece : Buffer.concat([pending, piece]);
    let at = 0;
    for (;;) {
      const start = chunk.indexOf(lessThan, at);
      if (start !== at) visitor.text(chunk.subarray(at, start === -1 ? chunk.length : start));
      if (start === -1) {
        at = chunk.length;
        break;
      }
      const end = endOfToken(chunk, start);
      if (end === -1) {
        at = start;
        break;
      }
      if (end - start > tokenBytesMax) refuse(tooLongToken);
      visit(chunk.subarray(start, end), visitor);
      at = end;
    }
    pending = chunk.subarray(at);
    if (pending.length > tokenBytesMax) refuse(tooLongToken);
  }
}

function visit(token: Buffer, visitor: MarkupVisitor): void {
  const first = token[1];
  // A section of text, and what a parser leaves out.
  if (first === questionMark || first === exclamationMark) visitor.text(token);
  else if (first === slash) visitor.close(elementOf(token, 2));
  else {
    const element = elementOf(token, 1);
    visitor.open(element, token);
    if (token[token.length - 2] === slash) visitor.close(element);
  }
}

/** The name of an element without its prefix. @param start Where it begins in its tag. */
function elementOf(token: Buffer, start: number): string {
  let from = start;
  let at = start;
  for (; at < token.length - 1; at++) {
    const byte = token[at] as number;
    if (byte <= space || byte === slash) break;
    if (byte === colon) from = at + 1;
  }
  // Most are of one letter; a text of each is made once.
  return at - from === 1 ? (oneLetter[token[from] as number] as string) : token.toString("latin1", from, at);
}

const oneLetter = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));

/** Behind a byte order mark and white space. */
function firstOfMarkup(piece: Buffer): number {
  let at = piece[0] === 0xef && piece[1] === 0xbb && piece[2] === 0xbf ? 3 : 0;
  while (at < piece.length && (piece[at] as number) <= 0x20) at++;
  return at;
}

/** The byte after a tag, comment or section; -1 where it goes on behind the chunk. */
function endOfToken(chunk: Buffer, start: number): number {
  const marks = chunk.toString("latin1", start, start + 9);
  const closing = marks.startsWith("<!--") ? "-->" : marks === "<![CDATA[" ? "]]>" : undefined;
  if (closing === undefined) return chunk.indexOf(greaterThan, start) + 1 || -1;
  const end = chunk.indexOf(closing, start + 4);
  return end === -1 ? -1 : end + closing.length;
}

async function* piecesOf(
  file: string,
  bytes: Buffer,
  { name, isStored, dataStart, packed }: ArchiveEntry,
): AsyncGenerator<Buffer> {
  const data = bytes.subarray(dataStart, dataStart + packed);
  if (isStored) {
    yield data;
    return;
  }
  const inflate = createInflateRaw({ chunkSize: 65_536 });
  inflate.end(data);
  try {
    yield* inflate as AsyncIterable<Buffer>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith("Z_") !== true) throw error;
    refused(file, `damaged data in ${JSON.stringify(name)}`, "a workbook (.xlsx) as programs save it");
  } finally {
    inflate.destroy();
  }
}

/** Collects the lengths of shared strings. */
class StringCounter implements MarkupVisitor {
  readonly #file: string;
  readonly #strings: SharedStrings;
  /** -1 outside of a string. */
  #length = -1;

  constructor(file: string, strings: SharedStrings) {
    this.#file = file;
    this.#strings = strings;
  }

  open(element: string): void {
    if (element === "si") this.#length = 0;
  }

  close(element: string): void {
    if (element !== "si" || this.#length === -1) return;
    const strings = this.#strings;
    if (strings.count === sharedStringsMax) {
      refused(this.#file, `more than ${sharedStringsMax} shared strings`, "at most that");
    }
    if (strings.count === strings.lengths.length) {
      const longer = new Uint32Array(2 * strings.count);
      longer.set(strings.lengths);
      strings.lengths = longer;
    }
    strings.lengths[strings.count++] = this.#length;
    this.#length = -1;
  }

  text({ length }: Buffer): void {
    if (this.#length === -1) return;
    this.#length += length;
    if (this.#length > cellBytesMax) refuseCell(this.#file);
  }
}

/** Adds up the cells, with the strings that they refer to, and counts the tags of everything else. */
class CellCounter implements MarkupVisitor {
  readonly #file: string;
  readonly #strings: SharedStrings;
  readonly #totals: Totals;
  #rows = 0;
  #rowBytes = 0;
  /** -1 outside of a cell. */
  #cellBytes = -1;
  #isReference = false;
  #reference = "";

  constructor(file: string, strings: SharedStrings, totals: Totals) {
    this.#file = file;
    this.#strings = strings;
    this.#totals = totals;
  }

  open(element: string, tag: Buffer): void {
    if (element === "row") {
      this.#rowBytes = 0;
      if (++this.#rows > excelRowsMax) refused(this.#file, `more than ${excelRowsMax} rows`, "at most that");
    } else if (element === "c") {
      if (++this.#totals.cells > cellsMax) refused(this.#file, `more than ${cellsMax} cells`, "at most that");
      this.#isReference = tag.length > shortestReference && mayRefer(tag.toString("latin1"));
      this.#reference = "";
      this.#cellBytes = 0;
    } else if (this.#cellBytes === -1 && ++this.#totals.tags > workbookTagsMax) {
      refused(this.#file, `more than ${workbookTagsMax} tags beside its cells`, "a workbook as programs save it");
    }
  }

  close(element: string): void {
    if (element !== "c" || this.#cellBytes === -1) return;
    const length = this.#isReference ? this.#referredBytes() : this.#cellBytes;
    this.#cellBytes = -1;
    this.#rowBytes += length;
    this.#totals.text += length;
    if (this.#rowBytes > rowBytesMax) refused(this.#file, `a row of more than ${rowBytesMax} bytes`, "at most that");
    if (this.#totals.text > textBytesMax) {
      refused(this.#file, `cells with more than ${textBytesMax} bytes of text`, "at most that");
    }
  }

  text(bytes: Buffer): void {
    if (this.#cellBytes === -1) return;
    if (this.#isReference && this.#reference.length < referenceDigitsMax) this.#reference += bytes.toString("latin1");
    this.#cellBytes += bytes.length;
    if (this.#cellBytes > cellBytesMax) refuseCell(this.#file);
  }

  #referredBytes(): number {
    const text = this.#reference.trim();
    if (text === "") return 0;
    if (!/^\d+$/.test(text)) refused(this.#file, "a cell that refers to no number of a string", "one");
    return this.#strings.lengths[Number(text)] ?? 0;
  }
}

/** Whether a cell says that it refers to a shared string; an attribute with an entity may say so. */
function mayRefer(tag: string): boolean {
  return /\st\s*=\s*["']s["']/.test(tag) || tag.includes("&");
}

const shortestReference = '<c t="s"'.length;

function refuseCell(file: string): never {
  refused(file, `a cell of more than ${cellBytesMax} bytes`, "at most that");
}

function refused(file: string, found: string, wanted: string): never {
  throw new ImportRefusedError(`${file}: found ${found}, expected ${wanted}`);
}
