/** Writing a store to its file, and reading it back. */
import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { type FileHandle, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { isSystemError, NotRegularFileError, openRegularFile } from "../files/read-regular-file.ts";
import { withFile } from "../files/with-file.ts";
import type { SnapshotIdentity } from "../model/dataset.ts";
import type { Store } from "../store/store.ts";
import { CompiledStoreError } from "./compiled-store-error.ts";
import {
  blockBytes,
  blockCount,
  decodeHeader,
  encodeHeader,
  type FileHeader,
  headerBytes,
  parseDescription,
  type StoreDescription,
  type StoreSource,
  sourceDifference,
} from "./file-layout.ts";
import { deserializeStore, isOwnShape, placeColumns, serializeStore } from "./serialize-store.ts";

/** The mode of a new compiled store, whatever the umask: no user but its owner may write it. */
const compiledMode = 0o644;

/** Write permission for the group and for others. */
const foreignWriteBits = 0o022;

const root = 0;

/** The end of the names of files that are being written. */
export const partialNameEnd = ".partial";

/**
 * Writes a store under a temporary name and gives it its own when it is whole. Nothing is flushed to the disk: it is a
 * cache, whose checksums find a file that a power cut has torn, and flushing would take longer than writing.
 *
 * @param path `<path>.<random>.partial` is the temporary name, so that writers do not collide.
 * @returns The number of bytes written.
 * @throws {Error} that of the file system, when the file cannot be written; nothing is left then.
 * Cost: memory for a few blocks of 4 MiB; the checksums are this thread's work, the writing is that of Node's pool.
 */
export async function writeCompiledStore(path: string, store: Store, source: StoreSource): Promise<number> {
  const temporary = `${path}.${randomUUID()}${partialNameEnd}`;
  try {
    const bytes = await withFile(temporary, "wx", (file) => writeContent(file, store, source), compiledMode);
    await rename(temporary, path);
    return bytes;
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}

/** The header comes last: a file that was left unfinished begins with zeros and is rejected as foreign. */
async function writeContent(file: FileHandle, store: Store, source: StoreSource): Promise<number> {
  const { columns, tables, rest } = serializeStore(store);
  const { placed, bytes: columnBytes } = placeColumns(columns);
  const pieces = placed.map(({ from, column: { buffer, byteOffset, byteLength } }): PlacedBytes => {
    return { from, bytes: new Uint8Array(buffer, byteOffset, byteLength) };
  });
  const checksums = await writeColumns(file, pieces, columnBytes);
  const descriptions = columns.map(({ column: _, ...description }) => description);
  const description: StoreDescription = { source, columns: descriptions, checksums, tables, rest };
  const text = Buffer.from(JSON.stringify(description));
  await writeAll(file, text, headerBytes + columnBytes);
  const sizes = { columnBytes, descriptionBytes: text.length, descriptionChecksum: crc32(text) };
  await writeAll(file, encodeHeader(sizes), 0);
  return headerBytes + columnBytes + text.length;
}

/** @returns The CRC-32 of each block. */
async function writeColumns(
  file: FileHandle,
  pieces: readonly PlacedBytes[],
  columnBytes: number,
): Promise<readonly number[]> {
  const checksums = new Array<number>(blockCount(columnBytes)).fill(0);
  await eachBlock(checksums.length, async (block) => {
    const from = block * blockBytes;
    const bytes = bytesBetween(pieces, from, Math.min(columnBytes, from + blockBytes));
    const written = writeAll(file, bytes, headerBytes + from);
    checksums[block] = crc32(bytes);
    await written;
  });
  return checksums;
}

interface PlacedBytes {
  readonly from: number;
  readonly bytes: Uint8Array;
}

/** A range of the columns: a view where it lies in one of them, otherwise a copy, with zeros between columns. */
function bytesBetween(placed: readonly PlacedBytes[], from: number, to: number): Uint8Array {
  const around = placed.find((one) => one.from <= from && to <= one.from + one.bytes.length);
  if (around !== undefined) return around.bytes.subarray(from - around.from, to - around.from);
  const copy = new Uint8Array(to - from);
  for (const { from: start, bytes } of placed) {
    const end = start + bytes.length;
    if (end <= from || start >= to) continue;
    copy.set(bytes.subarray(Math.max(0, from - start), Math.min(end, to) - start), Math.max(0, start - from));
  }
  return copy;
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  }
}

/**
 * Reads a compiled store into shared memory. Every byte of the file is covered by a checksum, and every size is
 * compared with that of the file before memory is allocated for it. So a file that passes holds what this version of
 * the code has written from this content: nobody but its owner may write it, its layout version and its columns are
 * those of a store that is built now, and a damaged, cut or torn file does not fit its checksums. Its codes, offsets
 * and row numbers are not checked again: the tests compare stores read with stores built, byte by byte.
 *
 * @param source The content and calendar that the store must have been made from.
 * @param snapshot The identity that the store shall have.
 * @returns A frozen store, all its columns in one shared buffer.
 * @throws {CompiledStoreError} whatever is wrong with the file.
 * Cost: one reading of the file by Node's pool of threads, straight into place; this thread works out the checksums of
 * blocks that have arrived, and lets others work in between.
 */
export async function readCompiledStore(path: string, source: StoreSource, snapshot: SnapshotIdentity): Promise<Store> {
  let memory: SharedArrayBuffer;
  let description: StoreDescription;
  try {
    await using file = await openRegularFile(path, { refusesLinks: true });
    const stats = await file.stat();
    await requireTrustedOwner(path, stats);
    const start = Buffer.alloc(Math.min(headerBytes, stats.size));
    await readAll(file, start, 0, path);
    const header = decodeHeader(start, path, stats.size);
    description = await readDescription(file, header, source, path);
    memory = await readColumns(file, header.columnBytes, description.checksums, path);
  } catch (error) {
    throw systemFault(error, path);
  }
  try {
    return Object.freeze(deserializeStore(snapshot, description, memory));
  } catch (error) {
    // Whatever throws here, the cause is the description, which is not that of these columns.
    const found = `a description that does not fit (${error instanceof Error ? error.message : String(error)})`;
    throw new CompiledStoreError("inconsistent", path, found, "that of the columns", { cause: error });
  }
}

/**
 * Requires that a compiled store belongs to the user of this process, to root or to the owner of its folder, and that
 * neither its group nor others may write it. Windows knows neither owners nor modes; there every file passes.
 *
 * Its checksums are no secret: a file made to mislead would pass all other checks.
 *
 * @param stats Stats of the open file, because the path may lead elsewhere by now.
 * @throws {CompiledStoreError} with code `untrusted`.
 */
async function requireTrustedOwner(path: string, { uid, mode }: Stats): Promise<void> {
  const self = process.geteuid?.();
  if (self === undefined) return;
  const trusted = new Set([self, root, (await stat(dirname(path))).uid]);
  const isTrusted = trusted.has(uid) && (mode & foreignWriteBits) === 0;
  if (isTrusted) return;
  const found = `owner ${uid} and mode ${(mode & 0o777).toString(8).padStart(4, "0")}`;
  const wanted = `owner ${[...trusted].join(" or ")}, and no write permission for group and others`;
  throw new CompiledStoreError("untrusted", path, found, wanted);
}

/** Reads the description, and checks that it is that of a store which this code builds from the source. */
async function readDescription(
  file: FileHandle,
  { columnBytes, descriptionBytes, descriptionChecksum }: FileHeader,
  source: StoreSource,
  path: string,
): Promise<StoreDescription> {
  const bytes = new Uint8Array(descriptionBytes);
  await readAll(file, bytes, headerBytes + columnBytes, path);
  if (crc32(bytes) !== descriptionChecksum) {
    throw new CompiledStoreError("damaged", path, "a description with flipped bits", "one that fits its checksum");
  }
  const description = parseDescription(bytes);
  if (description === undefined) {
    throw new CompiledStoreError("inconsistent", path, "a description that makes no sense", "that of a store");
  }
  const { columns, checksums, rest } = description;
  const difference = sourceDifference(description.source, source);
  if (difference !== undefined) throw new CompiledStoreError("stale", path, difference.found, difference.wanted);
  if (!isOwnShape(columns, rest)) {
    throw new CompiledStoreError("layout", path, "other columns than this version's", "those of a store built now");
  }
  if (placeColumns(columns).bytes !== columnBytes || checksums.length !== blockCount(columnBytes)) {
    const found = `${columns.length} columns and ${checksums.length} checksums`;
    throw new CompiledStoreError("inconsistent", path, found, `those of ${columnBytes} bytes`);
  }
  return description;
}

async function readColumns(
  file: FileHandle,
  columnBytes: number,
  checksums: readonly number[],
  path: string,
): Promise<SharedArrayBuffer> {
  const memory = new SharedArrayBuffer(columnBytes);
  await eachBlock(checksums.length, async (block) => {
    const from = block * blockBytes;
    const bytes = new Uint8Array(memory, from, Math.min(blockBytes, columnBytes - from));
    await readAll(file, bytes, headerBytes + from, path);
    if (crc32(bytes) === checksums[block]) return;
    const range = `bytes ${headerBytes + from} to ${headerBytes + from + bytes.length - 1}`;
    throw new CompiledStoreError("damaged", path, `flipped bits in ${range}`, "columns that fit their checksums");
  });
  return memory;
}

async function readAll(file: FileHandle, bytes: Uint8Array, position: number, path: string): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, position + done);
    if (bytesRead === 0) {
      throw new CompiledStoreError("truncated", path, `an end at byte ${position + done}`, "the file to go on");
    }
    done += bytesRead;
  }
}

/** Returns what the file system threw as a fault of the file; anything else as it is. */
function systemFault(error: unknown, path: string): unknown {
  if (error instanceof NotRegularFileError) {
    return new CompiledStoreError("unreadable", path, error.found, "a regular file", { cause: error });
  }
  if (!isSystemError(error)) return error;
  const isMissing = error.code === "ENOENT" || error.code === "ENOTDIR";
  const found = isMissing ? "no such file" : `a file that cannot be read (${error.code})`;
  const code = isMissing ? "missing" : "unreadable";
  return new CompiledStoreError(code, path, found, "a compiled store", { cause: error });
}

/** As many as Node's pool of threads for files has by default; more would only wait there. */
const lanesMax = 4;

/**
 * Works through blocks, several at a time. When a block fails no other is begun.
 *
 * @returns When all work has ended, also that on other blocks than the one that failed.
 */
async function eachBlock(count: number, work: (block: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lanes = Array.from({ length: Math.min(lanesMax, count) }, async () => {
    try {
      while (next < count) await work(next++);
    } catch (error) {
      next = count;
      throw error;
    }
  });
  const failed = (await Promise.allSettled(lanes)).find((lane) => lane.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
