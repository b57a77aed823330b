import { randomUUID } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { crc32 } from "node:zlib";
import type { Store } from "../store/store.ts";
import type { StoreDescription, StoreSource } from "./description.ts";
import { eachBlock } from "./each-block.ts";
import { alignedBytes, blockBytes, blockCount, encodeHeader, headerBytes } from "./file-layout.ts";
import { columnsBytes, describeColumn, type NamedColumn, takeApart } from "./store-content.ts";

/** The end of the names of files that are being written. */
export const partialNameEnd = ".partial";

/**
 * Writes a store under a temporary name and gives it its own when it is whole. Nothing is flushed to the disk: it is a
 * cache, whose checksums tell a file that a power cut has torn, and flushing would take longer than writing.
 *
 * @param path `<path>.<random>.partial` is the temporary name, so that writers do not meet.
 * @returns How many bytes were written.
 * @throws {Error} that of the file system, when the file cannot be written; nothing is left then.
 * Cost: memory for a few blocks of 4 MiB; the checksums are this thread's work, the writing is that of Node's pool.
 */
export async function writeCompiledStore(path: string, store: Store, source: StoreSource): Promise<number> {
  const temporary = `${path}.${randomUUID()}${partialNameEnd}`;
  const file = await open(temporary, "wx");
  try {
    let bytes: number;
    try {
      bytes = await writeContent(file, store, source);
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    return bytes;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The header comes last: a file that was left unfinished begins with zeros and is taken for nothing of ours. */
async function writeContent(file: FileHandle, store: Store, source: StoreSource): Promise<number> {
  const { columns, tables, rest } = takeApart(store);
  const descriptions = columns.map(describeColumn);
  const columnBytes = columnsBytes(descriptions);
  const checksums = await writeColumns(file, columns, columnBytes);
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
  columns: readonly NamedColumn[],
  columnBytes: number,
): Promise<readonly number[]> {
  const placed = placeColumns(columns);
  const checksums = new Array<number>(blockCount(columnBytes)).fill(0);
  await eachBlock(checksums.length, async (block) => {
    const from = block * blockBytes;
    const bytes = bytesBetween(placed, from, Math.min(columnBytes, from + blockBytes));
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

function placeColumns(columns: readonly NamedColumn[]): PlacedBytes[] {
  let from = 0;
  return columns.map(({ column: { buffer, byteOffset, byteLength } }) => {
    const placed = { from, bytes: new Uint8Array(buffer, byteOffset, byteLength) };
    from += alignedBytes(byteLength);
    return placed;
  });
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
