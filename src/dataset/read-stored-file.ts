import { createHash } from "node:crypto";
import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { FileTooLargeError, NotRegularFileError, openRegularFile } from "../files/read-regular-file.ts";
import type { Fault } from "./problem.ts";
import type { ReadingTally } from "./reading-tally.ts";
import { isGzipName, pricesDirectoryName } from "./snapshot-layout.ts";

/** The identity of a file as it is stored (compressed, if it is). */
export interface FileDigest {
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** A file being read once: its content for the reader, its digest for whoever verifies it. */
export interface StoredFile {
  /** The content, decompressed where the name ends in `.gz`. To be iterated once. */
  readonly content: AsyncIterable<Buffer>;
  /** The digest of what was read; that of the whole file once `content` has ended. */
  digest(): FileDigest;
}

const chunkBytes = 256 * 1024;

/**
 * Looks at a record file without opening it: it must be a file itself, not a link to one, and so must its folder.
 *
 * @returns Its size in bytes, or what is wrong with it.
 */
export async function inspectStoredFile(directory: string, name: string): Promise<number | Fault> {
  try {
    if (dirname(name) === pricesDirectoryName && !(await lstat(join(directory, pricesDirectoryName))).isDirectory()) {
      return fileFault(`"${pricesDirectoryName}" a link or no folder`, "a folder");
    }
    const stats = await lstat(join(directory, name));
    return stats.isFile() ? stats.size : fileFault("a link, a folder or a device", "an ordinary file");
  } catch (error) {
    return faultOfReading(error);
  }
}

/**
 * Reads a record file in pieces. Links are not followed where the operating system can refuse them.
 *
 * @param path The name decides whether the content is compressed.
 * @param tally Counts the bytes, for whoever wants to know.
 */
export function readStoredFile(path: string, tally?: ReadingTally): StoredFile {
  const hash = createHash("sha256");
  let bytes = 0;
  let sha256: string | undefined;
  async function* stored(): AsyncGenerator<Buffer> {
    const file = await openRegularFile(path, { refusesLinks: true });
    // The stream closes the file when it ends and when it is left early.
    for await (const chunk of file.createReadStream({ highWaterMark: chunkBytes }) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      bytes += chunk.length;
      tally?.addBytes(chunk.length);
      yield chunk;
    }
  }
  return {
    content: isGzipName(path) ? gunzipped(stored()) : stored(),
    digest() {
      sha256 ??= hash.digest("hex");
      return { bytes, sha256 };
    },
  };
}

/**
 * What is wrong, when reading a file failed because of the file.
 *
 * @param error What the file system or the decompression threw. Anything else is thrown again: it is a bug.
 */
export function faultOfReading(error: unknown): Fault {
  if (error instanceof NotRegularFileError) return fileFault(error.found, "a regular file");
  if (error instanceof FileTooLargeError) return fileFault(`more than ${error.bytesMax} bytes`, "at most that");
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT" || code === "ENOTDIR") return fileFault("no such file", "a file");
  if (code === "ELOOP") return fileFault("a link", "an ordinary file");
  // Codes of zlib, source: zlib.net/manual.html (Z_DATA_ERROR, Z_BUF_ERROR …).
  if (code.startsWith("Z_")) return fileFault(`damaged or incomplete compressed data (${code})`, "whole gzip data");
  if (/^E[A-Z0-9]+$/.test(code) && error instanceof Error && "syscall" in error) {
    return fileFault(`a file that cannot be read (${code})`, "a readable file");
  }
  throw error;
}

async function* gunzipped(stored: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: chunkBytes });
  // The callback is where pipeline reports; the same error reaches the reader of `gunzip`, which is destroyed with it.
  pipeline(Readable.from(stored, { objectMode: false }), gunzip, () => {});
  yield* gunzip as AsyncIterable<Buffer>;
}

function fileFault(found: string, wanted: string): Fault {
  return { kind: "file", found, wanted };
}
