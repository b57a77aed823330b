/**
 * From the bytes of record files to JSON values: files of lines, one JSON object each, that end in LF or CRLF, the last
 * one too; and files that hold one JSON array.
 */
import { isUtf8 } from "node:buffer";
import { buffer } from "node:stream/consumers";
import { findDuplicateKey } from "../model/json-object.ts";
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
 * The texts of a file of lines, broken ones included, so that every problem of a file can be reported at once.
 *
 * @param content The bytes of the file, in pieces of any size.
 * @returns The lines of each piece together, in order: one wait a piece instead of one a line. Lines count from 1.
 * Cost: one pass; never more than a piece and one line in memory.
 */
export async function* readNdjson(content: AsyncIterable<Buffer>): AsyncGenerator<readonly RecordText[]> {
  for await (const lines of splitLines(content, lineBytesMax + 2)) {
    yield lines.map(({ line, bytes, isEnded }) => {
      return isEnded ? { line, ...lineText(bytes.subarray(0, -1)) } : { line, fault: unfinishedFile };
    });
  }
}

/** The fault of a last line without line end. */
export const unfinishedFile: Fault = {
  kind: "line",
  found: "a file that ends in the middle of a line",
  wanted: "a line end after the last line too",
};

/** One line of a file as it stands there. */
export interface StoredLine {
  /** Counted from 1. */
  readonly line: number;
  /** With its line end, if it has one. */
  readonly bytes: Buffer;
  /** False for a last line without line end. */
  readonly isEnded: boolean;
}

/**
 * Splits a file into its lines. Joined they are the file, but for what is left out of lines that are too long.
 *
 * @param content The bytes of the file, in pieces of any size.
 * @param bytesMax A longer line loses bytes, but keeps more than this.
 * @returns The lines of each piece together, in order.
 */
export async function* splitLines(
  content: AsyncIterable<Buffer>,
  bytesMax: number = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly StoredLine[]> {
  let line = 0;
  let unfinished: Buffer[] = [];
  let unfinishedBytes = 0;
  for await (const chunk of content) {
    const lines: StoredLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      const piece = chunk.subarray(start, end + 1);
      const bytes = unfinished.length === 0 ? piece : Buffer.concat([...unfinished, piece]);
      lines.push({ line: ++line, bytes, isEnded: true });
      unfinished = [];
      unfinishedBytes = 0;
      start = end + 1;
    }
    if (start < chunk.length && unfinishedBytes <= bytesMax) {
      unfinished.push(chunk.subarray(start));
      unfinishedBytes += chunk.length - start;
    }
    yield lines;
  }
  if (unfinished.length > 0) yield [{ line: line + 1, bytes: Buffer.concat(unfinished), isEnded: false }];
}

/**
 * The text of one line, if it may hold a record.
 *
 * @param bytes Without the line end; a carriage return at the end belongs to it.
 */
export function lineText(bytes: Buffer): LineText {
  const content = bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes;
  if (content.length > lineBytesMax) return broken("a longer line", `at most ${lineBytesMax} bytes a line`);
  const read = utf8Text(content);
  return read.text?.trim() === "" ? broken("a blank line", "one JSON object a line") : read;
}

function utf8Text(bytes: Buffer): LineText {
  if (!isUtf8(bytes)) return broken("bytes that are not UTF-8", "UTF-8 text");
  const text = bytes.toString("utf8");
  return text.startsWith("\ufeff") ? broken("a byte order mark", "UTF-8 text without one") : { text };
}

/**
 * Reads the elements of the array.
 *
 * @param content The bytes of the file; the whole of it is held in memory, for these files are small.
 * @returns The elements with the lines on which they begin; or one fault, when the file is not such an array.
 */
export async function readJsonArray(content: AsyncIterable<Buffer>): Promise<readonly RecordText[]> {
  const { text, fault } = utf8Text(await buffer(content));
  if (fault !== undefined) return [{ line: 1, fault }];
  const parsed = parseJson(text, "a JSON array");
  if (parsed.fault !== undefined) return [{ line: 1, fault: parsed.fault }];
  if (!Array.isArray(parsed.value)) return [{ line: 1, ...broken("JSON that is not an array", "a JSON array") }];
  return splitElements(text);
}

/**
 * Matches what matters between texts: line ends, brackets, commas. Texts are taken whole, so that what they hold is not
 * seen.
 */
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
      const lineEnds = raw.slice(0, raw.length - element.length).split("\n").length - 1;
      // Nothing but space stands in an empty array.
      if (element !== "") elements.push({ line: start.line + lineEnds, text: element.trimEnd() });
    }
    if (token === "\n") line++;
    else if (token === "[" || token === "{") depth++;
    else if (token === "]" || token === "}") depth--;
    if (depth === 1 && (token === "," || token === "[")) start = { position: index + 1, line };
  }
  return elements;
}

/** The content of a file of lines, made while it is written. */
export function* recordLines(records: Iterable<object>): Generator<string> {
  for (const record of records) yield `${JSON.stringify(record)}\n`;
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
  const written = JSON.stringify(value);
  if (written !== text) {
    const key = findDuplicateKey(text);
    if (key !== undefined) return { fault: { kind: "line", field: key, found: "given twice", wanted: "it once" } };
  }
  // UTF-8 cannot hold half a pair, so it comes in as an escape, and `JSON.stringify` escapes nothing else so.
  if (text.includes("\\u") && written.replaceAll("\\\\", "").includes("\\ud")) {
    return broken("half of a surrogate pair", "whole characters");
  }
  return { value: value as UncheckedRecord };
}

/**
 * Reads JSON of any shape.
 *
 * @param wanted The expected text, for the message.
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

function broken(found: string, wanted: string): { readonly fault: Fault } {
  return { fault: { kind: "line", found, wanted } };
}
