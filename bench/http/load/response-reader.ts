/**
 * As little of HTTP/1.1 as a load generator needs: where an answer ends, and its status. Answers come one at a time,
 * for nothing is pipelined, and have a Content-Length or come in chunks.
 */

const headEnd = Buffer.from("\r\n\r\n");
const statusOffset = "HTTP/1.1 ".length;
const lengthExpression = /\r\ncontent-length: *(\d+)/i;
const chunkedExpression = /\r\ntransfer-encoding: *chunked/i;

export class ResponseReader {
  /** A head that has not come to its end. */
  #head: Buffer | undefined;
  #status = 0;
  /** Bytes of the body to come, or the reader of its chunks; undefined while the head is read. */
  #body: number | ChunkReader | undefined;

  /**
   * Takes what has come.
   *
   * @param bytes Not kept.
   * @returns The status when the answer is complete, otherwise undefined.
   * @throws {Error} when an answer has neither length nor chunks, or more comes than was announced.
   */
  read(bytes: Buffer): number | undefined {
    if (this.#body === undefined) {
      const rest = this.#readHead(bytes);
      if (rest === undefined) return undefined;
      return this.#readBody(rest);
    }
    return this.#readBody(bytes);
  }

  /** @returns The begin of the body, or undefined when the head goes on. */
  #readHead(bytes: Buffer): Buffer | undefined {
    const head = this.#head === undefined ? bytes : Buffer.concat([this.#head, bytes]);
    const end = head.indexOf(headEnd);
    if (end === -1) {
      this.#head = this.#head === undefined ? Buffer.from(bytes) : head;
      return undefined;
    }
    this.#head = undefined;
    const text = head.toString("latin1", 0, end);
    this.#status = Number(text.slice(statusOffset, statusOffset + 3));
    const length = lengthExpression.exec(text)?.[1];
    if (length === undefined && !chunkedExpression.test(text)) {
      throw new Error(`an answer has neither Content-Length nor chunks: ${text}`);
    }
    this.#body = length === undefined ? new ChunkReader() : Number(length);
    return head.subarray(end + headEnd.length);
  }

  #readBody(bytes: Buffer): number | undefined {
    if (this.#body instanceof ChunkReader) {
      if (!this.#body.read(bytes)) return undefined;
    } else {
      const rest = (this.#body as number) - bytes.length;
      if (rest < 0) throw new Error(`an answer is ${-rest} bytes longer than its Content-Length`);
      this.#body = rest;
      if (rest > 0) return undefined;
    }
    this.#body = undefined;
    return this.#status;
  }
}

/** Finds the end of a body in chunks: `size CRLF bytes CRLF` … `0 CRLF CRLF`, without trailers. */
class ChunkReader {
  /** The line with a size, as far as it has come. */
  #line = "";
  /** Bytes to skip: the rest of a chunk and the line end after it. */
  #rest = 0;
  #isLast = false;

  /** @returns Whether the body is complete. */
  read(bytes: Buffer): boolean {
    let at = 0;
    while (at < bytes.length) {
      if (this.#rest > 0) {
        const skipped = Math.min(this.#rest, bytes.length - at);
        at += skipped;
        this.#rest -= skipped;
        if (this.#rest === 0 && this.#isLast) return true;
        continue;
      }
      const end = bytes.indexOf("\n", at);
      this.#line += bytes.toString("latin1", at, end === -1 ? bytes.length : end);
      if (end === -1) return false;
      at = end + 1;
      const size = Number.parseInt(this.#line, 16);
      if (Number.isNaN(size)) throw new Error(`a chunk begins with ${JSON.stringify(this.#line)}, expected its size`);
      this.#line = "";
      this.#isLast = size === 0;
      this.#rest = size + "\r\n".length;
    }
    return false;
  }
}
