/**
 * A file of lines, one JSON object each, as raw text with line numbers. Lines end in LF or CRLF, the last one too.
 * Only the bytes are judged here; whether a line is JSON is the business of parse-record.ts.
 */
import { isUtf8 } from "node:buffer";
import type { Fault } from "./problem.ts";

/** Longest line in bytes, without its line end. */
export const lineBytesMax: number = 64 * 1024;

/** The text of one record, or why there is none. */
export type RecordText =
  | { readonly line: number; readonly text: string; readonly fault?: never }
  | { readonly line: number; readonly text?: never; readonly fault: Fault };

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const wantedLine = "one JSON object a line";

/**
 * Splits a file into its lines, broken ones included, so that a reader can tell every problem of a file at once.
 *
 * @param content The bytes of the file, in pieces of any size.
 * @returns The lines of each piece together, in order: one wait a piece instead of one a line. Lines count from 1.
 * Cost: one pass; never more than a piece and one line in memory.
 */
export async function* readNdjson(content: AsyncIterable<Buffer>): AsyncGenerator<readonly RecordText[]> {
  let line = 0;
  const unfinished = new UnfinishedLine();
  for await (const chunk of content) {
    const lines: RecordText[] = [];
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      line++;
      lines.push(toRecordText(line, unfinished.complete(chunk.subarray(start, end))));
      start = end + 1;
    }
    unfinished.append(chunk.subarray(start));
    yield lines;
  }
  if (unfinished.length > 0) {
    const found = "a file that ends in the middle of a line";
    yield [{ line: line + 1, fault: { kind: "line", found, wanted: "a line end after the last line too" } }];
  }
}

/**
 * How many lines a file has, broken ones and an unfinished last one included.
 *
 * Cost: one pass that looks for line ends only.
 */
export async function countLines(content: AsyncIterable<Buffer>): Promise<number> {
  let lines = 0;
  let isUnfinished = false;
  for await (const chunk of content) {
    for (let at = chunk.indexOf(lineFeed); at !== -1; lines++) {
      // A search costs more than a look, and a packed file can hold millions of blank lines.
      at = chunk[at + 1] === lineFeed ? at + 1 : chunk.indexOf(lineFeed, at + 1);
    }
    if (chunk.length > 0) isUnfinished = chunk.at(-1) !== lineFeed;
  }
  return isUnfinished ? lines + 1 : lines;
}

/** A line whose end has not been read yet. Keeps no more bytes than a fit line can have, however long it grows. */
class UnfinishedLine {
  #pieces: Buffer[] = [];
  length = 0;

  append(piece: Buffer): void {
    this.length += piece.length;
    if (this.length <= lineBytesMax + 1) this.#pieces.push(piece);
  }

  /** @returns The whole line, or undefined when it is too long; the next line begins empty. */
  complete(end: Buffer): Buffer | undefined {
    if (this.length === 0) return withoutCarriageReturn(end);
    const length = this.length + end.length;
    const pieces = this.#pieces;
    this.#pieces = [];
    this.length = 0;
    return length > lineBytesMax + 1 ? undefined : withoutCarriageReturn(Buffer.concat([...pieces, end]));
  }
}

function withoutCarriageReturn(bytes: Buffer): Buffer | undefined {
  const content = bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes;
  return content.length > lineBytesMax ? undefined : content;
}

function toRecordText(line: number, bytes: Buffer | undefined): RecordText {
  if (bytes === undefined) {
    return { line, fault: { kind: "line", found: "a longer line", wanted: `at most ${lineBytesMax} bytes a line` } };
  }
  if (!isUtf8(bytes)) return { line, fault: { kind: "line", found: "bytes that are not UTF-8", wanted: "UTF-8 text" } };
  const text = bytes.toString("utf8");
  if (text.startsWith("\ufeff")) {
    return { line, fault: { kind: "line", found: "a byte order mark", wanted: "UTF-8 text without one" } };
  }
  if (text.trim() === "") return { line, fault: { kind: "line", found: "a blank line", wanted: wantedLine } };
  return { line, text };
}
