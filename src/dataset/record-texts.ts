/**
 * From the bytes of record files to JSON values: files of lines, one JSON object each, that end in LF or CRLF, the last one
 * too; and files that hold one JSON array.
 */
import { isUtf8 } from "node:buffer";
import { findDuplicateKey } from "../domain/duplicate-key.ts";
import { type Fault, foundText } from "./problem.ts";

/** Longest line in bytes, without its line end. */
export const lineBytesMax: number = 64 * 1024;

/** The text of one record, or why there is none. */
export type LineText =
  | { readonly text: string; readonly fault?: never }
  | { readonly text?: never; readonly fault: Fault };

/** With its line, counted from 1. */
export type RecordText = LineText & { readonly line: number };

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Splits a file into its lines, broken ones included, so that every problem of a file can be reported at once.
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
    if (this.length === 0) return end;
    const length = this.length + end.length;
    const pieces = this.#pieces;
    this.#pieces = [];
    this.length = 0;
    return length > lineBytesMax + 1 ? undefined : Buffer.concat([...pieces, end]);
  }
}

function toRecordText(line: number, bytes: Buffer | undefined): RecordText {
  return { line, ...(bytes === undefined ? { fault: lineTooLong } : lineText(bytes)) };
}

const lineTooLong: Fault = { kind: "line", found: "a longer line", wanted: `at most ${lineBytesMax} bytes a line` };

/**
 * The text of one line, if it may hold a record.
 *
 * @param bytes Without the line end; a carriage return at the end belongs to it.
 */
export function lineText(bytes: Buffer): LineText {
  const content = bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes;
  if (content.length > lineBytesMax) return { fault: lineTooLong };
  if (!isUtf8(content)) return broken("bytes that are not UTF-8", "UTF-8 text");
  const text = content.toString("utf8");
  if (text.startsWith("\ufeff")) return broken("a byte order mark", "UTF-8 text without one");
  return text.trim() === "" ? broken("a blank line", "one JSON object a line") : { text };
}

/**
 * Reads the elements of the array.
 *
 * @param content The bytes of the file; the whole of it is held in memory, for these files are small.
 * @returns The elements with the lines on which they begin; or one fault, when the file is not such an array.
 */
export async function readJsonArray(content: AsyncIterable<Buffer>): Promise<readonly RecordText[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (!isUtf8(bytes)) return [{ line: 1, ...broken("bytes that are not UTF-8", "UTF-8 text") }];
  const text = bytes.toString("utf8");
  if (text.startsWith("\ufeff")) return [{ line: 1, ...broken("a byte order mark", "UTF-8 text without one") }];
  const parsed = parseJson(text, "a JSON array");
  if (parsed.fault !== undefined) return [{ line: 1, fault: parsed.fault }];
  if (!Array.isArray(parsed.value)) return [{ line: 1, ...broken("JSON that is not an array", "a JSON array") }];
  return splitElements(text);
}

/** What matters between texts: line ends, brackets, commas. Texts are taken whole, so that what they hold is not seen. */
const tokenExpression = /"[^"\\]*(?:\\.[^"\\]*)*"|[\n[\]{},]/g;

/**
 * The raw texts of the elements, with the line each begins on.
 *
 * @param text JSON text that is an array; the caller has parsed it.
 */
function splitElements(text: string): RecordText[] {
  const elements: RecordText[] = [];
  let line = 1;
  let depth = 0;
  let start = { position: 0, line: 1 };
  for (const { 0: token, index } of text.matchAll(tokenExpression)) {
    if (depth === 1 && (token === "," || token === "]")) {
      const raw = text.slice(start.position, index);
      const element = raw.trimStart();
      const lineOfElement = start.line + countLineEnds(raw.slice(0, raw.length - element.length));
      // Nothing but space stands in an empty array.
      if (element !== "") elements.push({ line: lineOfElement, text: element.trimEnd() });
    }
    if (token === "\n") line++;
    else if (token === "[" || token === "{") depth++;
    else if (token === "]" || token === "}") depth--;
    if (depth === 1 && (token === "," || token === "[")) start = { position: index + 1, line };
  }
  return elements;
}

function countLineEnds(text: string): number {
  return text.split("\n").length - 1;
}

/** A JSON object that is not checked yet. */
export type UncheckedRecord = Readonly<Record<string, unknown>>;

/** A record, or why the text is none. */
export type ParsedRecord =
  | { readonly value: UncheckedRecord; readonly fault?: never }
  | { readonly value?: never; readonly fault: Fault };

/**
 * Reads one JSON object and refuses what `JSON.parse` lets pass: a key given twice, and half of a surrogate pair, which
 * no UTF-8 answer could carry.
 */
export function parseRecord(text: string): ParsedRecord {
  const parsed = parseJson(text, "one JSON object");
  if (parsed.fault !== undefined) return parsed;
  const { value } = parsed;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return broken(foundText(value), "one JSON object");
  }
  // Written again, a value has no key twice. So a text that comes out the same had none either, and only other texts
  // (spaced, escaped, or with a key dropped) need the slower look.
  if (JSON.stringify(value) !== text) {
    const key = findDuplicateKey(text);
    if (key !== undefined) return { fault: { kind: "line", field: key, found: "given twice", wanted: "it once" } };
  }
  // UTF-8 cannot hold half a pair, so it can only come in as an escape.
  if (text.includes("\\u") && hasLoneSurrogate(value)) {
    return broken("half of a surrogate pair", "whole characters");
  }
  return { value: value as UncheckedRecord };
}

/**
 * Reads JSON of any shape.
 *
 * @param wanted What the text should have been, for the message.
 */
export function parseJson(
  text: string,
  wanted: string,
): { readonly value: unknown; readonly fault?: never } | { readonly fault: Fault } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The engine's message quotes the text, line ends included.
    const reason = error.message.replace(/[\s\p{Cc}]+/gu, " ");
    return { fault: { kind: "line", found: `text that is not JSON (${reason})`, wanted } };
  }
}

/** Whether any text or key in a JSON value is not well-formed. Keeps its own stack, for JSON may nest very deep. */
function hasLoneSurrogate(root: unknown): boolean {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === "string" && !value.isWellFormed()) return true;
    if (typeof value !== "object" || value === null) continue;
    for (const [key, member] of Object.entries(value)) open.push(key, member);
  }
  return false;
}

function broken(found: string, wanted: string): { readonly fault: Fault } {
  return { fault: { kind: "line", found, wanted } };
}
