import { createHash } from "node:crypto";
import { openRegularFile } from "../../files/read-regular-file.ts";
import { type FileDigest, readStoredFile } from "../read-stored-file.ts";
import type { ReadingTally } from "../reading-tally.ts";
import { isGzipName } from "../snapshot-layout.ts";

/** A record file being read once, piece by piece, into memory that the caller provides. */
export interface StoredPieces {
  /**
   * Reads the next bytes of the content, decompressed where the name ends in `.gz`.
   *
   * @returns How many; less than asked for only at the end.
   */
  read(into: Uint8Array): Promise<number>;
  /** Hashes what was read into `piece`, as far as it is not hashed already. To be called after each reading, in order. */
  hash(piece: Uint8Array): void;
  /** The digest of the file as it is stored, once all was read and hashed. */
  digest(): FileDigest;
  /** To be called in any case; a second time does nothing. */
  close(): Promise<void>;
}

/** Opens a record file, and counts the bytes read of it. Links are not followed where the operating system can refuse them. */
export async function openStoredPieces(path: string, tally: ReadingTally): Promise<StoredPieces> {
  return isGzipName(path) ? gzipPieces(path, tally) : await plainPieces(path, tally);
}

async function plainPieces(path: string, tally: ReadingTally): Promise<StoredPieces> {
  const file = await openRegularFile(path, { refusesLinks: true });
  const hash = createHash("sha256");
  let bytes = 0;
  return {
    async read(into) {
      let filled = 0;
      while (filled < into.length) {
        const { bytesRead } = await file.read(into, filled, into.length - filled, null);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      tally.addBytes(filled);
      return filled;
    },
    hash(piece) {
      hash.update(piece);
      bytes += piece.length;
    },
    digest: () => ({ bytes, sha256: hash.digest("hex") }),
    close: () => file.close(),
  };
}

/** The stored bytes are hashed by the stream that decompresses them. */
function gzipPieces(path: string, tally: ReadingTally): StoredPieces {
  const stored = readStoredFile(path, tally);
  const content = stored.content[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array();
  return {
    async read(into) {
      let filled = 0;
      while (filled < into.length) {
        if (rest.length === 0) {
          const next = await content.next();
          if (next.done === true) break;
          rest = next.value;
        }
        const taken = rest.subarray(0, into.length - filled);
        into.set(taken, filled);
        filled += taken.length;
        rest = rest.subarray(taken.length);
      }
      return filled;
    },
    hash() {},
    digest: () => stored.digest(),
    async close() {
      await content.return?.();
    },
  };
}
