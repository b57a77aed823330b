/** The size and the SHA-256 of files and of what becomes one. */
import { createHash } from "node:crypto";
import { type OpenOptions, openRegularFile } from "./read-regular-file.ts";
import type { FilePieces } from "./whole-folder.ts";

/** The identity of a file as it is stored (compressed, if it is). */
export interface FileDigest {
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** Takes the digest of content that comes in pieces. */
export class Digester {
  readonly #hash = createHash("sha256");
  #bytes = 0;

  update(piece: Uint8Array): void {
    this.#hash.update(piece);
    this.#bytes += piece.length;
  }

  /** Passes content on, and takes its digest on the way. */
  async *pass(content: FilePieces): AsyncGenerator<Uint8Array> {
    for await (const piece of content) {
      const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
      this.update(bytes);
      yield bytes;
    }
  }

  /** The digest of what has come until now. */
  digest(): FileDigest {
    return { bytes: this.#bytes, sha256: this.#hash.copy().digest("hex") };
  }
}

/**
 * The SHA-256 of a regular file, lower-case hex.
 *
 * @throws as `openRegularFile`.
 */
export async function hashFile(path: string, options?: OpenOptions): Promise<string> {
  const digester = new Digester();
  const file = await openRegularFile(path, options);
  // The stream closes the file.
  for await (const chunk of file.createReadStream() as AsyncIterable<Buffer>) digester.update(chunk);
  return digester.digest().sha256;
}
