/** Content codings: which one a client prefers, and bodies in it. */
import type { Transform } from "node:stream";
import {
  type BrotliOptions,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzipSync,
  type ZlibOptions,
  type ZstdOptions,
  zstdCompressSync,
} from "node:zlib";
import Negotiator from "negotiator";

/** In the order of our preference, for clients that like several alike: zstd takes the least time, and is smaller than gzip. */
const codings = ["zstd", "br", "gzip"] as const;

export type ContentCoding = (typeof codings)[number] | "identity";

/** The types of the package are those of its last version but one. */
interface EncodingNegotiator {
  encoding(available: readonly string[], options: { readonly preferred: readonly string[] }): string | undefined;
}

const offered: string[] = [...codings, "identity"];

/**
 * The coding that a client prefers by its `Accept-Encoding` (RFC 9110, section 12.5.3); ours where it likes several alike.
 * `identity` where it accepts none of them, which the same section allows.
 */
export function preferredCoding(acceptEncoding: string | undefined): ContentCoding {
  if (acceptEncoding === undefined) return "identity";
  const negotiator = new Negotiator({ headers: { "accept-encoding": acceptEncoding } }) as EncodingNegotiator;
  return (negotiator.encoding(offered, { preferred: offered }) as ContentCoding | undefined) ?? "identity";
}

/** A shorter body is sent as it is: compressing it saves less than a packet. */
export const compressedBytesMin = 1024;

// Levels by the table in bench/README.md: each next one costs more time than the bytes it saves are worth on a server.
const zstd: ZstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const brotli: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const gzip: ZlibOptions = { level: 1 };

/** A whole body in a coding. Blocks the thread: for bodies of one chunk. */
export function compressWhole(body: Buffer, coding: Exclude<ContentCoding, "identity">): Buffer {
  switch (coding) {
    case "zstd":
      return zstdCompressSync(body, zstd);
    case "br":
      return brotliCompressSync(body, brotli);
    case "gzip":
      return gzipSync(body, gzip);
    default:
      throw new TypeError(`the coding is ${coding satisfies never}, expected one of ${codings.join(", ")}`);
  }
}

/** A body that is compressed chunk by chunk, in Node's pool of threads. */
export class BodyCompressor {
  readonly #stream: Transform;
  #compressed: Buffer[] = [];

  constructor(coding: Exclude<ContentCoding, "identity">) {
    this.#stream =
      coding === "zstd" ? createZstdCompress(zstd) : coding === "br" ? createBrotliCompress(brotli) : createGzip(gzip);
    this.#stream.on("data", (bytes: Buffer) => this.#compressed.push(bytes));
  }

  /** Takes the next chunk; the last one ends the body. @returns What is ready of the compressed body, possibly nothing. */
  async compress(chunk: Buffer, isLast: boolean): Promise<Buffer> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const stream = this.#stream;
    stream.once("error", reject);
    if (isLast) stream.once("end", resolve).end(chunk);
    else stream.write(chunk, () => resolve());
    await promise;
    stream.off("error", reject);
    const ready = Buffer.concat(this.#compressed);
    this.#compressed = [];
    return ready;
  }

  /** Releases its memory, also in the middle of a body. */
  close(): void {
    this.#stream.destroy();
  }
}
