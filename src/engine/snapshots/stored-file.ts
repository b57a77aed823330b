/** Record files as they are stored: their size taken, read once, hashed and counted on the way. */
import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { Digester, type FileDigest } from "../files/hash-file.ts";
import {
  FileTooLargeError,
  isSystemError,
  NotRegularFileError,
  openRegularFile,
  systemErrorCode,
} from "../files/read-regular-file.ts";
import type { Fault } from "./problem.ts";
import { type FileKind, isGzipName, pricesDirectoryName } from "./snapshot-layout.ts";

/** The result of reading a record file: its digest, its number of rows, and whether each of them is a valid record. */
export interface FileReading extends FileDigest {
  readonly rows: number;
  readonly isWhole: boolean;
}

/** A file being read once, in pieces as they come. */
export interface StoredFile {
  /** The content, decompressed where the name ends in `.gz`. To be iterated once. */
  readonly content: AsyncIterable<Buffer>;
  /** The digest of what was read; that of the whole file once `content` has ended. */
  digest(): FileDigest;
}

/**
 * Called while files are read, at least once a megabyte.
 *
 * @param done Bytes read, as stored. Never less than before.
 * @param total Bytes to be read in all.
 */
export type BytesObserver = (done: number, total: number) => void;

/** Counts what has been read of a directory: bytes for progress, rows for reports of refused directories, files. */
export class ReadingCounter {
  /** The state of each record file when it was read, by name; of those that could be read to their end. */
  readonly readings: Map<string, FileReading> = new Map();
  readonly #observe: BytesObserver;
  readonly #rows = new Map<FileKind, number>();
  #done = 0;
  #total = 0;

  constructor(observe: BytesObserver = () => {}) {
    this.#observe = observe;
  }

  /** Rows of each table that was looked into, those that cannot be used and those of unfinished files included. */
  get rows(): ReadonlyMap<FileKind, number> {
    return this.#rows;
  }

  /** From now on so many bytes are to be read, whatever was expected before. */
  expect(bytes: number): void {
    this.#total = this.#done + bytes;
  }

  addBytes(bytes: number): void {
    // At the end of a file nothing is read.
    if (bytes === 0) return;
    this.#done += bytes;
    // A file may have grown since its size was taken.
    this.#total = Math.max(this.#total, this.#done);
    this.#observe(this.#done, this.#total);
  }

  addRows(kind: FileKind, rows: number): void {
    this.#rows.set(kind, (this.#rows.get(kind) ?? 0) + rows);
  }
}

/** Also of an empty file, which may grow while it is read. */
const chunkBytesMin = 16 * 1024;

/** Returns the bytes of record files, as stored; those whose size cannot be taken count nothing. */
export async function storedBytes(
  directory: string,
  files: readonly { readonly name: string; readonly path?: string | undefined }[],
): Promise<number> {
  let bytes = 0;
  for (const { name, path = name } of files) {
    const size = await inspectStoredFile(directory, path);
    if (typeof size === "number") bytes += size;
  }
  return bytes;
}

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
 * @param counter Counts the bytes.
 * @param chunkBytes Number of bytes that are read at once; a piece of the content may be several such chunks.
 */
export function readStoredFile(path: string, counter?: ReadingCounter, chunkBytes: number = 256 * 1024): StoredFile {
  const digester = new Digester();
  async function* stored(): AsyncGenerator<Buffer> {
    const file = await openRegularFile(path, { refusesLinks: true });
    try {
      const { size } = await file.stat();
      // The stream takes memory for a whole chunk, however small the file is.
      const highWaterMark = Math.min(chunkBytes, Math.max(chunkBytesMin, size + 1));
      for await (const chunk of file.createReadStream({ highWaterMark }) as AsyncIterable<Buffer>) {
        digester.update(chunk);
        counter?.addBytes(chunk.length);
        yield chunk;
      }
    } finally {
      await file.close();
    }
  }
  return {
    content: isGzipName(path) ? gunzipped(stored(), chunkBytes) : stored(),
    digest: () => digester.digest(),
  };
}

async function* gunzipped(stored: AsyncGenerator<Buffer>, chunkSize: number): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize });
  // The callback is where pipeline reports; the same error reaches the reader of `gunzip`, which is destroyed with it.
  pipeline(Readable.from(stored, { objectMode: false }), gunzip, () => {});
  yield* gunzip as AsyncIterable<Buffer>;
}

/**
 * Returns the fault of a file, when reading it failed because of the file.
 *
 * @param error An error that the file system or the decompression threw. Anything else is thrown again: it is a bug.
 */
export function faultOfReading(error: unknown): Fault {
  if (error instanceof NotRegularFileError) return fileFault(error.found, "a regular file");
  if (error instanceof FileTooLargeError) return fileFault(`more than ${error.bytesMax} bytes`, "at most that");
  const code = systemErrorCode(error);
  if (code === "ENOENT") return fileFault("no such file", "a file");
  if (code === "ELOOP") return fileFault("a link", "an ordinary file");
  // Codes of zlib, source: zlib.net/manual.html (Z_DATA_ERROR, Z_BUF_ERROR …).
  if (code.startsWith("Z_")) return fileFault(`damaged or incomplete compressed data (${code})`, "whole gzip data");
  if (/^E[A-Z0-9]+$/.test(code) && isSystemError(error)) {
    const isOwnFault = code === "EMFILE" || code === "ENFILE" || code === "ENOTDIR";
    return fileFault(isOwnFault ? systemFaultText(error) : `a file that cannot be read (${code})`, "a readable file");
  }
  throw error;
}

/** Says what the system found where a file or folder cannot be used. */
export function systemFaultText({ code }: NodeJS.ErrnoException): string {
  if (code === "EMFILE" || code === "ENFILE") return `the limit of open files reached (${code}, see ulimit -n)`;
  if (code === "ENOTDIR") return `a part of the path that is no folder (${code})`;
  if (code === "ELOOP") return `links that lead to one another (${code})`;
  if (code === "EACCES" || code === "EPERM") return `what this user may not use (${code})`;
  return `what cannot be used (${code})`;
}

function fileFault(found: string, wanted: string): Fault {
  return { kind: "file", found, wanted };
}
