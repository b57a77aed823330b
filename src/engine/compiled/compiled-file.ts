/** Writing a store to its file, and reading it back. */
import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { type FileHandle, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { crc32 } from "node:zlib";
import { isSystemError, NotRegularFileError, openRegularFile } from "../files/read-regular-file.ts";
import { withFile } from "../files/with-file.ts";
import type { SnapshotIdentity } from "../model/dataset.ts";
import { sharedColumn } from "../model/shared-columns.ts";
import type { Store } from "../store/store.ts";
import { CompiledStoreError } from "./compiled-store-error.ts";
import {
  type ColumnDescription,
  decodeHeader,
  encodeHeader,
  headerBytes,
  type StoreDescription,
  type StoreSource,
} from "./file-layout.ts";
import { type Column, deserializeStore, serializeStore } from "./serialize-store.ts";

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
 * Cost: the checksums are this thread's work, the writing is that of Node's pool.
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
  const described: ColumnDescription[] = [];
  let columnBytes = 0;
  for (const { path, type, column } of columns) {
    const bytes = bytesOf(column);
    const written = writeAll(file, bytes, headerBytes + columnBytes);
    described.push({ path, type, length: column.length, checksum: crc32(bytes) });
    columnBytes += bytes.length;
    await written;
  }
  const description: StoreDescription = { source, columns: described, tables, rest };
  const text = Buffer.from(JSON.stringify(description));
  await writeAll(file, text, headerBytes + columnBytes);
  const sizes = { columnBytes, descriptionBytes: text.length, descriptionChecksum: crc32(text) };
  await writeAll(file, encodeHeader(sizes), 0);
  return headerBytes + columnBytes + text.length;
}

function bytesOf({ buffer, byteOffset, byteLength }: Column): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** The system reads and writes no more than 2 GiB at once. */
const pieceBytesMax: number = 2 ** 30;

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const length = Math.min(bytes.length - done, pieceBytesMax);
    done += (await file.write(bytes, done, length, position + done)).bytesWritten;
  }
}

/**
 * Reads a compiled store into shared memory. Every byte that is read is covered by a checksum or compared. So a file
 * that passes holds what this version of the code has written from this content: nobody but its owner may write it, its
 * layout version is that of a store that is built now, and a damaged, cut or torn file does not fit its checksums. Its
 * columns, codes, offsets and row numbers are not checked again: the tests compare stores read with stores built, byte
 * by byte.
 *
 * @param source The content and calendar that the store must have been made from.
 * @param snapshot The identity that the store shall have.
 * @returns A frozen store.
 * @throws {CompiledStoreError} whatever is wrong with the file.
 * Cost: one reading of the file by Node's pool of threads, straight into place; this thread works out the checksums of
 * columns that have arrived, and lets others work in between.
 */
export async function readCompiledStore(path: string, source: StoreSource, snapshot: SnapshotIdentity): Promise<Store> {
  try {
    await using file = await openRegularFile(path, { refusesLinks: true });
    const stats = await file.stat();
    await requireTrustedOwner(path, stats);
    const start = new Uint8Array(headerBytes);
    await readAll(file, start.subarray(0, stats.size), 0, path);
    const { columnBytes, descriptionBytes, descriptionChecksum } = decodeHeader(start, path, stats.size);
    const text = Buffer.alloc(descriptionBytes);
    await readAll(file, text, headerBytes + columnBytes, path);
    requireChecksum(text, descriptionChecksum, path, "the description");
    const description = JSON.parse(text.toString()) as StoreDescription;
    if (!isDeepStrictEqual(description.source, source)) {
      const [found, wanted] = [description.source, source].map((of) => JSON.stringify(of)) as [string, string];
      throw new CompiledStoreError("stale", path, `the store of ${found}`, `that of ${wanted}`);
    }
    return Object.freeze(deserializeStore(snapshot, description, await readColumns(file, description.columns, path)));
  } catch (error) {
    throw faultOfFile(error, path);
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

/** @returns The columns by path. */
async function readColumns(
  file: FileHandle,
  columns: readonly ColumnDescription[],
  path: string,
): Promise<ReadonlyMap<string, Column>> {
  let position = headerBytes;
  const reading = columns.map(async ({ path: name, type, length, checksum }) => {
    const column = sharedColumn(type, length);
    const bytes = bytesOf(column);
    const from = position;
    position += bytes.length;
    await readAll(file, bytes, from, path);
    requireChecksum(bytes, checksum, path, name);
    return [name, column] as const;
  });
  return new Map(await Promise.all(reading));
}

function requireChecksum(bytes: Uint8Array, checksum: number, path: string, part: string): void {
  if (crc32(bytes) === checksum) return;
  throw new CompiledStoreError("damaged", path, `flipped bits in ${part}`, "bytes that fit their checksum");
}

async function readAll(file: FileHandle, bytes: Uint8Array, position: number, path: string): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const length = Math.min(bytes.length - done, pieceBytesMax);
    const { bytesRead } = await file.read(bytes, done, length, position + done);
    if (bytesRead === 0) {
      throw new CompiledStoreError("damaged", path, `an end at byte ${position + done}`, "the file to go on");
    }
    done += bytesRead;
  }
}

/** Returns what reading threw as a fault of the file. */
function faultOfFile(error: unknown, path: string): CompiledStoreError {
  if (error instanceof CompiledStoreError) return error;
  if (error instanceof NotRegularFileError) {
    return new CompiledStoreError("unreadable", path, error.found, "a regular file", { cause: error });
  }
  if (!isSystemError(error)) {
    // Its checksums fit, so its owner has changed the description.
    const found = `a description that does not fit (${error instanceof Error ? error.message : String(error)})`;
    return new CompiledStoreError("damaged", path, found, "that of a store", { cause: error });
  }
  const isMissing = error.code === "ENOENT" || error.code === "ENOTDIR";
  const found = isMissing ? "no such file" : `a file that cannot be read (${error.code})`;
  const code = isMissing ? "missing" : "unreadable";
  return new CompiledStoreError(code, path, found, "a compiled store", { cause: error });
}
