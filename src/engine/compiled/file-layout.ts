/**
 * The layout of a compiled store in its file. Numbers of the header are little-endian; columns are in the byte order of
 * the machine that wrote them, which reads them back without looking at them.
 *
 *      0   8  magic: "KFPSTORE"
 *      8   4  layout version
 *     12   4  byte order of the columns: 1 little-endian, 2 big-endian
 *     16   8  bytes of the columns, padding included
 *     24   8  bytes of the description
 *     32   4  CRC-32 of the description
 *     36  24  zeros
 *     60   4  CRC-32 of the 60 bytes before
 *     64      columns, one after the other, each filled up with zeros to a multiple of 64 bytes
 *             description: JSON in UTF-8, up to the end of the file
 *
 * The description lists the columns by path, type and length, so that their places follow from their order, and a
 * CRC-32 for every 4 MiB of them; see `StoreDescription` below.
 */

import { crc32 } from "node:zlib";
import { isObject } from "../model/json-object.ts";
import type { ColumnTypeName } from "../model/shared-columns.ts";
import { contentHash, type Manifest } from "../snapshots/manifest.ts";
import type { SmallTables } from "../store/catalogue.ts";
import { CompiledStoreError } from "./compiled-store-error.ts";
import { layoutVersion } from "./layout-version.ts";

export const headerBytes = 64;

/** Every column begins at a multiple of this: a cache line, and more than any element needs. */
const columnAlignment = 64;

/** The columns are read, written and checked in pieces of this size, several of them at a time. */
export const blockBytes: number = 4 * 2 ** 20;

const magic = Buffer.from("KFPSTORE", "latin1");
const checkedBytes = headerBytes - 4;

/** The fields of a header, which describe the file after it. */
export interface FileHeader {
  readonly columnBytes: number;
  readonly descriptionBytes: number;
  /** CRC-32. */
  readonly descriptionChecksum: number;
}

/** Bytes that something of this size takes up among the columns. */
export function alignedBytes(bytes: number): number {
  return Math.ceil(bytes / columnAlignment) * columnAlignment;
}

/** In how many blocks the columns lie. */
export function blockCount(columnBytes: number): number {
  return Math.ceil(columnBytes / blockBytes);
}

/** The header of a file, as bytes. */
export function encodeHeader({ columnBytes, descriptionBytes, descriptionChecksum }: FileHeader): Buffer {
  const bytes = Buffer.alloc(headerBytes);
  magic.copy(bytes);
  bytes.writeUInt32LE(layoutVersion, 8);
  bytes.writeUInt32LE(byteOrder, 12);
  bytes.writeBigUInt64LE(BigInt(columnBytes), 16);
  bytes.writeBigUInt64LE(BigInt(descriptionBytes), 24);
  bytes.writeUInt32LE(descriptionChecksum, 32);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, checkedBytes)), checkedBytes);
  return bytes;
}

/**
 * Reads the header of a file, and checks its sizes against the size of the file: what is allocated by them is no
 * more than the file has.
 *
 * @param bytes The first bytes of the file, `headerBytes` of them if it has so many.
 * @throws {CompiledStoreError}
 */
export function decodeHeader(bytes: Buffer, path: string, fileBytes: number): FileHeader {
  if (!magic.subarray(0, bytes.length).equals(bytes.subarray(0, magic.length))) {
    throw new CompiledStoreError("foreign", path, "another kind of file", "a compiled store");
  }
  if (bytes.length < headerBytes) {
    throw new CompiledStoreError("truncated", path, `${bytes.length} bytes`, `a header of ${headerBytes}`);
  }
  // First, because another layout may have its checksum elsewhere.
  const version = bytes.readUInt32LE(8);
  if (version !== layoutVersion) {
    throw new CompiledStoreError("layout", path, `layout version ${version}`, `version ${layoutVersion}`);
  }
  if (bytes.readUInt32LE(checkedBytes) !== crc32(bytes.subarray(0, checkedBytes))) {
    throw new CompiledStoreError("damaged", path, "a header with flipped bits", "one that fits its checksum");
  }
  if (bytes.readUInt32LE(12) !== byteOrder) {
    throw new CompiledStoreError("layout", path, "columns of another byte order", "this machine's");
  }
  const columnBytes = Number(bytes.readBigUInt64LE(16));
  const descriptionBytes = Number(bytes.readBigUInt64LE(24));
  const bytesWanted = headerBytes + columnBytes + descriptionBytes;
  if (fileBytes < bytesWanted) {
    throw new CompiledStoreError("truncated", path, `${fileBytes} bytes`, `the ${bytesWanted} that its header says`);
  }
  if (fileBytes > bytesWanted || columnBytes % columnAlignment !== 0) {
    throw new CompiledStoreError("damaged", path, `${fileBytes} bytes`, `the ${bytesWanted} that its header says`);
  }
  return { columnBytes, descriptionBytes, descriptionChecksum: bytes.readUInt32LE(32) };
}

const byteOrder = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 2;

/** The content and the calendar that a store follows from. Whatever else a manifest says does not change a store. */
export interface StoreSource {
  /** Id of the snapshot. */
  readonly snapshot: string;
  readonly contentHash: string;
  readonly timeZone: string;
  /** Milliseconds that clocks are ahead of UTC. */
  readonly utcOffset: number;
}

/** Describes a column without its content. */
export interface ColumnDescription {
  readonly path: string;
  readonly type: ColumnTypeName;
  /** Elements. */
  readonly length: number;
}

/** The JSON at the end of the file. */
export interface StoreDescription {
  readonly source: StoreSource;
  /** In the order in which they lie in the file. */
  readonly columns: readonly ColumnDescription[];
  /** CRC-32 of each block of the columns. */
  readonly checksums: readonly number[];
  readonly tables: SmallTables;
  readonly rest: object;
}

/** Returns the sources that a store of this snapshot is made from. */
export function storeSource(manifest: Manifest): StoreSource {
  const { id, timeZone, utcOffset } = manifest;
  return { snapshot: id, contentHash: contentHash(manifest), timeZone, utcOffset };
}

/**
 * Reads a description whose bytes have been checked.
 *
 * @returns Undefined when it is not what a writer of ours could have written.
 */
export function parseDescription(bytes: Uint8Array): StoreDescription | undefined {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { source, columns, checksums, tables, rest } = value;
  const isWhole =
    isObject(source) &&
    Array.isArray(columns) &&
    columns.every(isColumnDescription) &&
    Array.isArray(checksums) &&
    checksums.every(isCount) &&
    isObject(tables) &&
    isObject(rest);
  return isWhole ? (value as unknown as StoreDescription) : undefined;
}

/** The first way in which two sources differ, for messages; undefined when they are one. */
export function sourceDifference(
  found: StoreSource,
  wanted: StoreSource,
): { found: string; wanted: string } | undefined {
  for (const name of Object.keys(wanted) as (keyof StoreSource)[]) {
    if (found[name] === wanted[name]) continue;
    return { found: `${sourceWords[name]} ${found[name]}`, wanted: String(wanted[name]) };
  }
  return undefined;
}

const sourceWords: Readonly<Record<keyof StoreSource, string>> = {
  snapshot: "the store of snapshot",
  contentHash: "the content hash",
  timeZone: "the calendar of",
  utcOffset: "a UTC offset of",
};

function isColumnDescription(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { path, type, length } = value;
  return typeof path === "string" && typeof type === "string" && type.endsWith("Array") && isCount(length);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
