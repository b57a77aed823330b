/** Representations of an answer (RFC 9110, section 3.2): its content codings, and the tag of each. */
import { hash } from "node:crypto";
import type { Transform } from "node:stream";
import {
  type BrotliOptions,
  brotliCompressSync,
  constants,
  crc32,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzipSync,
  type ZlibOptions,
  type ZstdOptions,
  zstdCompressSync,
} from "node:zlib";
import { LRUCache } from "lru-cache";
import Negotiator from "negotiator";
import type { ByteText } from "../../../contract/byte-text.ts";
import { acceptEncodingCharactersMax } from "../../../contract/limits.ts";

/**
 * In the order of our preference, for clients that like several alike: zstd takes the least time and gives the fewest
 * bytes.
 */
const compressions = ["zstd", "br", "gzip"] as const;

export type Compression = (typeof compressions)[number];

export type ContentCoding = Compression | "identity";

/** The types of the package are those of its last version but one. */
interface EncodingNegotiator {
  encodings(available: readonly string[], options: { readonly preferred: readonly string[] }): ContentCoding[];
}

const offered: readonly ContentCoding[] = [...compressions, "identity"];

/** The coding for clients that name it by `*` alone: every client that decodes anything decodes it. */
const unnamedCoding: ContentCoding = "gzip";

export const identityOnly: readonly ContentCoding[] = ["identity"];

/** The meanings of headers: clients send few different ones, and reading one costs as much as looking up a price. */
const known = new LRUCache<string, readonly ContentCoding[]>({ max: 100 });

/**
 * The codings that a client accepts by its `Accept-Encoding` (RFC 9110, section 12.5.3), the preferred one first; in
 * our order where it likes several alike. Of the codings that only `*` names it gets `gzip`: proxies that send `*`
 * decode little else. `identity` is always among them: where a client excludes it, the same section allows to send it
 * all the same, and a short body has no other form. A header of more than `acceptEncodingCharactersMax` is not read.
 */
export function acceptedCodings(acceptEncoding: string | undefined): readonly ContentCoding[] {
  if (acceptEncoding === undefined || acceptEncoding.length > acceptEncodingCharactersMax) return identityOnly;
  let codings = known.get(acceptEncoding);
  if (codings === undefined) {
    const negotiator = new Negotiator({
      headers: { "accept-encoding": acceptEncoding },
    }) as unknown as EncodingNegotiator;
    const names = acceptEncoding.split(",").map((entry) => entry.split(";", 1)[0]?.trim().toLowerCase());
    const available = offered.filter((one) => one === unnamedCoding || one === "identity" || names.includes(one));
    codings = [...new Set([...negotiator.encodings(available, { preferred: available }), ...identityOnly])];
    known.set(acceptEncoding, codings);
  }
  return codings;
}

/** A shorter body is sent as it is: compressing it saves less than a packet. */
export const compressedBytesMin = 1024;

/**
 * Levels by the table in bench/FIGURES.md. Level 1 of zstd takes less time and gives fewer bytes than its next ones.
 * The levels of brotli and gzip are the last that pay: a KiB that the next one saves takes more time than 100 Mbit/s to
 * carry it, 80 µs.
 *
 * A window of 256 KiB: a larger one saves nothing of our answers, and a long answer holds it to its end.
 */
const windowBits = 18;
const zstd: ZstdOptions = {
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_windowLog]: windowBits },
};
const brotli: BrotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 2, [constants.BROTLI_PARAM_LGWIN]: windowBits },
};
const gzip: ZlibOptions = { level: 1 };

/**
 * How a whole body is compressed, and what compresses one chunk by chunk: it gives after each chunk all that a client
 * needs to read it. That costs less than 0.3 % of the bytes; without, zstd gives nothing before the third chunk.
 */
const compressors: Readonly<Record<Compression, { whole(body: Buffer): Buffer; inChunks(): Transform }>> = {
  zstd: {
    whole: (body) => zstdCompressSync(body, zstd),
    inChunks: () => createZstdCompress({ ...zstd, flush: constants.ZSTD_e_flush }),
  },
  br: {
    whole: (body) => brotliCompressSync(body, brotli),
    inChunks: () => createBrotliCompress({ ...brotli, flush: constants.BROTLI_OPERATION_FLUSH }),
  },
  gzip: {
    whole: (body) => gzipSync(body, gzip),
    inChunks: () => createGzip({ ...gzip, flush: constants.Z_SYNC_FLUSH }),
  },
};

/** A whole body in a coding. Blocks the thread, half a millisecond for a body of one chunk. */
export function compressWhole(body: Buffer, coding: Compression): Buffer {
  return compressors[coding].whole(body);
}

/**
 * A body that is compressed chunk by chunk, in Node's pool of threads. Holds up to 1 MiB until it has ended or is
 * closed.
 */
export class BodyCompressor {
  readonly #stream: Transform;
  #compressed: Buffer[] = [];

  constructor(coding: Compression) {
    this.#stream = compressors[coding].inChunks();
    this.#stream.on("data", (bytes: Buffer) => this.#compressed.push(bytes));
  }

  /** Takes the next chunk; the last one ends the body. @returns The chunk in the coding. */
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

/** A whole body as it is sent. */
export interface CodedBody {
  readonly bytes: ByteText;
  /** A short body is in none, whatever the client prefers. */
  readonly coding: ContentCoding;
  /** Its length in no coding. */
  readonly plainBytes: number;
}

/**
 * The strong tags of answers. A store never changes, so what identifies an answer is the snapshot, the version of the
 * code that presents it, the target exactly as sent, and the coding. A tag is only ever compared with those of the same
 * target; its checksum of the target reveals clients that mix them up.
 */
export type TagOf = (snapshotId: string, target: string, coding: ContentCoding) => string;

/**
 * The tags of answers to GET. What they begin with is hashed again only for another snapshot than that of the answer
 * before: a hash takes 1.2 µs of the 30 of a request.
 *
 * @param version Of all representations.
 */
export function tagsOf(version: string): TagOf {
  let newest = { snapshotId: "", beginning: "" };
  return (snapshotId, target, coding) => {
    if (newest.snapshotId !== snapshotId) newest = { snapshotId, beginning: digest(`${snapshotId}\n${version}`) };
    const tag = `"${newest.beginning}-${crc32(target).toString(16).padStart(8, "0")}`;
    return coding === "identity" ? `${tag}"` : `${tag}-${coding}"`;
  };
}

/** The strong tags of a text that does not depend on the target. The text is hashed once. */
export function textTags(text: string): (coding: ContentCoding) => string {
  const tag = digest(text);
  return (coding) => (coding === "identity" ? `"${tag}"` : `"${tag}-${coding}"`);
}

/** 108 bits of SHA-256 as 18 characters. */
function digest(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 18);
}

/**
 * Returns whether a client names the tag among those it has: weak comparison over the list, RFC 9110, section 13.1.2.
 * `*` never matches: it would answer 304 to clients that have never seen the answer.
 */
export function matchesTag(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === etag);
}
