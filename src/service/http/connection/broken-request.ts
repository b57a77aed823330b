/** Requests that Node's parser refuses: the service's code, and a message that names the cause. */

import { type ApiErrorCode, apiErrors } from "../../../contract/errors.ts";
import { headerBytesMax } from "../../../contract/limits.ts";

/** Node's error about a broken request; its types lack some of the fields. */
export interface ParserError extends NodeJS.ErrnoException {
  /** The parser's words; they repeat nothing of the request. */
  readonly reason?: string;
  /** The bytes that were being parsed. */
  readonly rawPacket?: Buffer;
  /** The position in them at which the parser has stopped. */
  readonly bytesParsed?: number;
}

const codesByCause: Readonly<Record<string, ApiErrorCode>> = {
  HPE_HEADER_OVERFLOW: "HEADERS_TOO_LARGE",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "PAYLOAD_TOO_LARGE",
  ERR_HTTP_REQUEST_TIMEOUT: "REQUEST_TIMEOUT",
};

/** Node's error about a broken request → the service's code. */
export function codeOfBroken({ code = "" }: ParserError): ApiErrorCode {
  return codesByCause[code] ?? "BAD_REQUEST";
}

const lineEnds = "every line to end with CR and LF";
const bodyLength = "one Content-Length in digits, or Transfer-Encoding: chunked, and not both";
const chunks = "chunks of a size in hexadecimal, CR LF, so many bytes, and CR LF";
const headerLine = "each header on one line: a name without blanks, a colon, and text without control characters";

/** The form that is expected instead, by the code of the parser. */
const expectedByCause: Readonly<Record<string, string>> = {
  HPE_INVALID_METHOD: "a method in capitals such as GET",
  HPE_INVALID_URL: "a path that begins with /, in which blanks and control characters are percent-encoded",
  HPE_INVALID_CONSTANT: "HTTP/1.1 behind the target, in which blanks are percent-encoded (%20)",
  HPE_INVALID_VERSION: `HTTP/1.1 behind the target, and ${lineEnds}`,
  HPE_STRICT: lineEnds,
  HPE_CR_EXPECTED: lineEnds,
  HPE_LF_EXPECTED: lineEnds,
  HPE_INVALID_HEADER_TOKEN: headerLine,
  HPE_UNEXPECTED_SPACE: headerLine,
  HPE_INVALID_CONTENT_LENGTH: bodyLength,
  HPE_UNEXPECTED_CONTENT_LENGTH: bodyLength,
  HPE_INVALID_TRANSFER_ENCODING: bodyLength,
  HPE_INVALID_CHUNK_SIZE: chunks,
  HPE_INVALID_EOF_STATE: "the connection to stay open until the whole request is sent",
  HPE_PAUSED_H2_UPGRADE: "HTTP/1.1",
};

/** Beginnings of what is no request, and what they are. */
const beginnings: readonly (readonly [bytes: readonly number[], what: string])[] = [
  [[0xef, 0xbb, 0xbf], "a byte order mark"],
  [[0xff, 0xfe], "a byte order mark of UTF-16"],
  [[0xfe, 0xff], "a byte order mark of UTF-16"],
  [[0x16, 0x03], "a greeting of TLS (https)"],
];

/** A message that names the cause; undefined where the text of the code says it. */
export function messageOfBroken(error: ParserError): string | undefined {
  const { code = "", reason } = error;
  if (code === "HPE_CHUNK_EXTENSIONS_OVERFLOW") {
    return `The extensions of a chunk are too large, expected at most ${headerBytesMax} bytes.`;
  }
  if (reason === undefined || codeOfBroken(error) !== "BAD_REQUEST") return undefined;
  const expected = expectedByCause[code];
  const wanted = expected === undefined ? "" : `, expected ${expected}`;
  return `${apiErrors.BAD_REQUEST.message.slice(0, -1)}: ${found(error) ?? reason}${wanted}.`;
}

/** Describes the bytes at which the parser has stopped, for causes that its words do not name. */
function found({ code, rawPacket = noBytes, bytesParsed = 0 }: ParserError): string | undefined {
  const rest = rawPacket.subarray(bytesParsed);
  if (code === "HPE_PAUSED_H2_UPGRADE") return "It begins as HTTP/2";
  if (code === "HPE_INVALID_METHOD") {
    const beginning = beginnings.find(([bytes]) => bytes.every((byte, at) => rest[at] === byte))?.[1];
    return beginning === undefined ? undefined : `It begins with ${beginning}`;
  }
  if (code === "HPE_INVALID_URL" && (rest[0] ?? 0) > 0x7f) {
    return `The target has bytes above 7F, which have to be percent-encoded (é is %C3%A9)`;
  }
  if (code === "HPE_INVALID_HEADER_TOKEN" && rawPacket[bytesParsed - 1] === lineFeed && isBlank(rest[0])) {
    return "A header is folded: a line begins with a blank";
  }
  return undefined;
}

const noBytes = Buffer.alloc(0);
const lineFeed = 0x0a;

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09;
}
