/** A JSON file that holds one array, taken apart into the raw texts of its elements, as if they were lines. */
import { isUtf8 } from "node:buffer";
import { parseJson } from "./parse-record.ts";
import type { RecordText } from "./read-ndjson.ts";

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
  if (!isUtf8(bytes)) return [broken("bytes that are not UTF-8", "UTF-8 text")];
  const text = bytes.toString("utf8");
  if (text.startsWith("\ufeff")) return [broken("a byte order mark", "UTF-8 text without one")];
  const parsed = parseJson(text, "a JSON array");
  if (parsed.fault !== undefined) return [{ line: 1, fault: parsed.fault }];
  if (!Array.isArray(parsed.value)) return [broken("JSON that is not an array", "a JSON array")];
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

function broken(found: string, wanted: string): RecordText {
  return { line: 1, fault: { kind: "line", found, wanted } };
}
