/** The bytes of a text file → text. Every encoding is decoded strictly: a byte that does not fit refuses the file. */
import { isAscii, isUtf8 } from "node:buffer";
import { ImportRefusedError } from "../import-refused.ts";
import { lineEncodings } from "../line-encodings.ts";

export const encodings = ["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const;
export type Encoding = (typeof encodings)[number];

const byteOrderMarks: readonly (readonly [Encoding, readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/**
 * Finds the encoding of a file.
 *
 * @param expected Without it: that of the byte order mark, else UTF-8 where the bytes
 * are that, else Windows-1252, in which every file can be read.
 * @throws {ImportRefusedError} when the bytes prove another encoding than the expected one, lines are in several, or
 *   there are NUL characters.
 */
export function findEncoding(file: string, bytes: Buffer, expected?: Encoding): Encoding {
  const marked = byteOrderMarks.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];
  const proven = marked ?? (isUtf8(bytes) && !isAscii(bytes) ? "utf-8" : undefined);
  if (expected !== undefined && proven !== undefined && expected !== proven) {
    const wanted = `expected ${expected}; save it in that, or correct "encoding" where the mapping has it`;
    throw new ImportRefusedError(`${file}: is in ${proven}, ${wanted}`);
  }
  const encoding = expected ?? proven ?? (isAscii(bytes) ? "utf-8" : "windows-1252");
  if (!encoding.startsWith("utf-16")) refuseNul(file, bytes.indexOf(0), (at) => bytes.toString("latin1", 0, at));
  if (encoding === "windows-1252") refuseMixed(file, bytes);
  return encoding;
}

/** Names have the same key with a NUL character and without: what a text with some is meant to say is not known. */
function refuseNul(file: string, at: number, textUpTo: (at: number) => string): void {
  if (at === -1) return;
  throw new ImportRefusedError(
    `${file}:${countLines(textUpTo(at))}: found a NUL character, expected text; save the file again as UTF-8`,
  );
}

/** Every byte can be read in Windows-1252, so a line of UTF-8 among others would become other letters. */
function refuseMixed(file: string, bytes: Buffer): void {
  const { utf8, other } = lineEncodings(bytes);
  if (utf8 === undefined || other === undefined) return;
  const [line, called, rest] =
    utf8.count < other.count ? [utf8, "is in UTF-8", other] : [other, "is not in UTF-8", utf8];
  const wanted = "expected one encoding for all lines; save the file again as UTF-8";
  throw new ImportRefusedError(`${file}:${line.first}: ${called}, unlike line ${rest.first}; ${wanted}`);
}

/**
 * Decodes a file.
 *
 * @returns The text without byte order mark.
 * @throws {ImportRefusedError} naming the line that is not text in this encoding, or has a NUL character.
 */
export function decodeText(file: string, bytes: Buffer, encoding: Encoding): string {
  let text: string;
  try {
    // Removes the byte order mark.
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const readable = new TextDecoder(encoding).decode(bytes);
    const line = countLines(readable.slice(0, readable.indexOf("\ufffd")));
    throw new ImportRefusedError(
      `${file}:${line}: is not text in ${encoding}, expected one of ${encodings.join(", ")}`,
      { cause: error },
    );
  }
  refuseNul(file, text.indexOf("\0"), (at) => text.slice(0, at));
  return text;
}

/** The number of the line on which a text ends. */
function countLines(text: string): number {
  return text.split(/\r\n|\n|\r/).length;
}
