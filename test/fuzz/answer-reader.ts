/** Cuts what came on a connection into answers, by the framing of HTTP/1.1. */
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";

export interface FuzzAnswer {
  readonly method: string;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Decoded where it came in a coding. */
  readonly body: string;
}

/** What came breaks HTTP. */
export class AnswerFormError extends Error {
  override readonly name = "AnswerFormError";
}

const headEnd = "\r\n\r\n";

export class AnswerReader {
  readonly answers: FuzzAnswer[] = [];
  readonly #methods: readonly string[];
  #bytes: Buffer = Buffer.alloc(0);
  #hasEnded = false;

  /** @param methods Of the requests, in order; the last one is that of all further ones. */
  constructor(methods: readonly string[]) {
    this.#methods = methods;
  }

  /** Whether there are bytes of an answer that is not complete. */
  get isInAnswer(): boolean {
    return this.#bytes.length > 0;
  }

  /** @throws {AnswerFormError} when what came is no answer. */
  read(chunk: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    while (this.#readAnswer());
  }

  /** Says that nothing comes any more. A body without a length ends there. */
  end(): void {
    this.#hasEnded = true;
    if (this.#bytes.length > 0) this.#readAnswer();
  }

  #readAnswer(): boolean {
    const end = this.#bytes.indexOf(headEnd);
    if (end === -1) return false;
    const [statusLine = "", ...lines] = this.#bytes.toString("latin1", 0, end).split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3}) [ -~]+$/.exec(statusLine)?.[1]);
    if (Number.isNaN(status)) throw new AnswerFormError(`a status line is ${JSON.stringify(statusLine.slice(0, 200))}`);
    const headers = new Map<string, string>();
    for (const line of lines) {
      const [, name = "", value = ""] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ([\t -~\x80-\xff]*)$/.exec(line) ?? [];
      if (name === "" || headers.has(name.toLowerCase()))
        throw new AnswerFormError(`a header is ${JSON.stringify(line)}`);
      headers.set(name.toLowerCase(), value);
    }
    const from = end + headEnd.length;
    // 100 is followed by the answer.
    if (status < 200) {
      this.#bytes = this.#bytes.subarray(from);
      return true;
    }
    const method = this.#methods[Math.min(this.answers.length, this.#methods.length - 1)] ?? "GET";
    const body = this.#bodyFrom(from, method, status, headers);
    if (body === undefined) return false;
    this.#bytes = this.#bytes.subarray(body.end);
    this.answers.push({ method, status, headers, body: decoded(body.bytes, headers.get("content-encoding")) });
    return true;
  }

  #bodyFrom(from: number, method: string, status: number, headers: ReadonlyMap<string, string>): Body | undefined {
    const length = headers.get("content-length");
    // What could not be read as a request had no method, so its answer has a body.
    const isBodyless = method === "HEAD" && this.#bytes[from] !== 0x7b;
    if (isBodyless || status === 204 || status === 304) return { bytes: Buffer.alloc(0), end: from };
    if (headers.get("transfer-encoding") === "chunked") return this.#chunksFrom(from);
    if (length === undefined && headers.get("connection") === "close") {
      const end = this.#bytes.length;
      return this.#hasEnded ? { bytes: this.#bytes.subarray(from), end } : undefined;
    }
    if (length === undefined || !/^\d+$/.test(length)) throw new AnswerFormError(`Content-Length is ${length}`);
    const end = from + Number(length);
    return end > this.#bytes.length ? undefined : { bytes: this.#bytes.subarray(from, end), end };
  }

  #chunksFrom(from: number): Body | undefined {
    const chunks: Buffer[] = [];
    for (let at = from; ; ) {
      const lineEnd = this.#bytes.indexOf("\r\n", at);
      if (lineEnd === -1) return undefined;
      const size = this.#bytes.toString("latin1", at, lineEnd);
      if (!/^[0-9a-f]+$/i.test(size))
        throw new AnswerFormError(`a chunk begins with ${JSON.stringify(size.slice(0, 100))}`);
      const start = lineEnd + 2;
      const end = start + Number.parseInt(size, 16);
      if (end + 2 > this.#bytes.length) return undefined;
      chunks.push(this.#bytes.subarray(start, end));
      at = end + 2;
      if (end === start) return { bytes: Buffer.concat(chunks), end: at };
    }
  }
}

interface Body {
  readonly bytes: Buffer;
  readonly end: number;
}

function decoded(bytes: Buffer, coding: string | undefined): string {
  if (coding === undefined || bytes.length === 0) return bytes.toString();
  if (coding === "gzip") return gunzipSync(bytes).toString();
  if (coding === "br") return brotliDecompressSync(bytes).toString();
  if (coding === "zstd") return zstdDecompressSync(bytes).toString();
  throw new AnswerFormError(`Content-Encoding is ${coding}`);
}
