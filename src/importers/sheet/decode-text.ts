/** The bytes of a text file → text. Every encoding is decoded strictly: a byte that does not fit refuses the file. */
import { isAscii, isUtf8 } from "node:buffer";
import { ImportRefusedError } from "../import-refused.ts";

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
 * @param given The encoding that is expected. Without it: that of the byte order mark, else UTF-8 where the bytes
 * are that, else UTF-16 where every other byte is mostly 0, else Windows-1252, in which every file can be read.
 * @throws {ImportRefusedError} when the bytes prove another encoding than the expected one.
 */
export function findEncoding(file: string, bytes: Buffer, given?: Encoding): Encoding {
  const marked = byteOrderMarks.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];
  const proven = marked ?? (isUtf8(bytes) && !isAscii(bytes) ? "utf-8" : undefined);
  if (given !== undefined && proven !== undefined && given !== proven) {
    const reason = marked === undefined ? "its bytes are valid in that" : "by its byte order mark";
    const advice = 'where that is "encoding" in the mapping, correct or remove it';
    throw new ImportRefusedError(`${file}: is in ${proven} (${reason}), expected ${given}; ${advice}`);
  }
  return given ?? proven ?? guessEncoding(bytes);
}

/**
 * Decodes a file.
 *
 * @returns The text without byte order mark.
 * @throws {ImportRefusedError} when the bytes are not text in this encoding.
 */
export function decodeText(file: string, bytes: Buffer, encoding: Encoding): string {
  try {
    // Removes the byte order mark.
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ImportRefusedError(`${file}: is not text in ${encoding}, expected one of ${encodings.join(", ")}`, {
      cause: error,
    });
  }
}

/** For bytes without a mark that are ASCII or not UTF-8. Digits in UTF-16 have a 0 in each pair of bytes. */
function guessEncoding(bytes: Buffer): Encoding {
  const head = bytes.subarray(0, 4096);
  const zerosAt = (parity: number): number => head.filter((byte, at) => byte === 0 && at % 2 === parity).length;
  if (zerosAt(1) > head.length / 4) return "utf-16le";
  if (zerosAt(0) > head.length / 4) return "utf-16be";
  return isAscii(bytes) ? "utf-8" : "windows-1252";
}
