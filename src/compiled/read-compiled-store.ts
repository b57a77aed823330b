import type { FileHandle } from "node:fs/promises";
import { crc32 } from "node:zlib";
import type { SnapshotIdentity } from "../domain/dataset.ts";
import { NotRegularFileError, openRegularFile } from "../files/read-regular-file.ts";
import type { Store } from "../store/store.ts";
import { checkStore } from "./check-store.ts";
import { CompiledStoreError } from "./compiled-store-error.ts";
import { parseDescription, type StoreDescription, type StoreSource, sourceDifference } from "./description.ts";
import { eachBlock } from "./each-block.ts";
import { blockBytes, blockCount, decodeHeader, type FileHeader, headerBytes } from "./file-layout.ts";
import { columnsBytes, putTogether } from "./store-content.ts";
import { isOwnShape } from "./store-shape.ts";

/**
 * Reads a compiled store into shared memory. Every byte of the file is covered by a checksum, every size is held against
 * the file's before memory is taken for it, and what queries rely on is checked at the end.
 *
 * @param source What the store must have been made from.
 * @param snapshot What the store shall say of its snapshot.
 * @returns A frozen store, all its columns in one shared buffer.
 * @throws {CompiledStoreError} whatever is wrong with the file.
 * Cost: one reading of the file by Node's pool of threads, straight into place; this thread works out the checksums of
 * blocks that have arrived, and lets others work in between.
 */
export async function readCompiledStore(path: string, source: StoreSource, snapshot: SnapshotIdentity): Promise<Store> {
  const file = await openFile(path);
  let memory: SharedArrayBuffer;
  let description: StoreDescription;
  try {
    const { size } = await file.stat();
    const header = decodeHeader(await readStart(file, size, path), path, size);
    description = await readDescription(file, header, path);
    checkDescription(description, header, source, path);
    memory = await readColumns(file, header.columnBytes, description.checksums, path);
  } catch (error) {
    throw systemFault(error, path);
  } finally {
    await file.close();
  }
  return assemble(description, memory, snapshot, path);
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await openRegularFile(path, { refusesLinks: true });
  } catch (error) {
    throw systemFault(error, path);
  }
}

async function readStart(file: FileHandle, fileBytes: number, path: string): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.min(headerBytes, fileBytes));
  await readAll(file, bytes, 0, path);
  return bytes;
}

async function readDescription(file: FileHandle, header: FileHeader, path: string): Promise<StoreDescription> {
  const bytes = new Uint8Array(header.descriptionBytes);
  await readAll(file, bytes, headerBytes + header.columnBytes, path);
  if (crc32(bytes) !== header.descriptionChecksum) {
    throw new CompiledStoreError("damaged", path, "a description with flipped bits", "one that fits its checksum");
  }
  const description = parseDescription(bytes);
  if (description === undefined) {
    throw new CompiledStoreError("inconsistent", path, "a description that makes no sense", "that of a store");
  }
  return description;
}

function checkDescription(
  { source: ownSource, columns, checksums, rest }: StoreDescription,
  { columnBytes }: FileHeader,
  source: StoreSource,
  path: string,
): void {
  const difference = sourceDifference(ownSource, source);
  if (difference !== undefined) throw new CompiledStoreError("stale", path, difference.found, difference.wanted);
  if (!isOwnShape(columns, rest)) {
    throw new CompiledStoreError("layout", path, "other columns than this version's", "those of a store built now");
  }
  if (columnsBytes(columns) !== columnBytes || checksums.length !== blockCount(columnBytes)) {
    const found = `${columns.length} columns and ${checksums.length} checksums`;
    throw new CompiledStoreError("inconsistent", path, found, `those of ${columnBytes} bytes`);
  }
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
    const place = `bytes ${headerBytes + from} to ${headerBytes + from + bytes.length - 1}`;
    throw new CompiledStoreError("damaged", path, `flipped bits in ${place}`, "columns that fit their checksums");
  });
  return memory;
}

function assemble(
  { tables, rest, columns }: StoreDescription,
  memory: SharedArrayBuffer,
  snapshot: SnapshotIdentity,
  path: string,
): Store {
  try {
    const store = putTogether(snapshot, tables, rest, columns, memory);
    checkStore(store);
    return Object.freeze(store);
  } catch (error) {
    // Whatever a store that is none makes us stumble over, the file is the reason.
    const found = error instanceof Error ? `a store that is none (${error.message})` : "a store that is none";
    throw new CompiledStoreError("inconsistent", path, found, "one that queries can walk", { cause: error });
  }
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

/** What the file system threw, as a fault of the file; anything else as it is. */
function systemFault(error: unknown, path: string): unknown {
  if (error instanceof NotRegularFileError) {
    return new CompiledStoreError("unreadable", path, error.found, "a regular file", { cause: error });
  }
  if (!(error instanceof Error && "syscall" in error && "code" in error)) return error;
  const isMissing = error.code === "ENOENT" || error.code === "ENOTDIR";
  const found = isMissing ? "no such file" : `a file that cannot be read (${error.code})`;
  return new CompiledStoreError(isMissing ? "missing" : "unreadable", path, found, "a compiled store", {
    cause: error,
  });
}
