/**
 * The layout of a compiled store in its file. Numbers and columns are in the byte order of the machine that wrote them;
 * one of the other order reads another layout version.
 *
 *      0   8  magic: "KFPSTORE"
 *      8   8  layout version
 *     16   8  bytes of the columns
 *     24   8  bytes of the description
 *     32   8  CRC-32 of the description
 *     40      columns, one after the other
 *             description: JSON in UTF-8, up to the end of the file
 *
 * The description lists the columns by path, type and length, so that their places follow from their order, with the
 * CRC-32 of each; see `StoreDescription` below.
 */
import type { ColumnTypeName } from "../model/shared-columns.ts";
import { contentHash, type Manifest } from "../snapshots/manifest.ts";
import type { SmallTables } from "../store/catalogue.ts";
import { CompiledStoreError } from "./compiled-store-error.ts";
import { layoutVersion } from "./layout-version.ts";

export const headerBytes = 40;

const magic = Buffer.from("KFPSTORE", "latin1");

/** The fields of a header, which describe the file after it. */
export interface FileHeader {
  readonly columnBytes: number;
  readonly descriptionBytes: number;
  /** CRC-32. */
  readonly descriptionChecksum: number;
}

/** The header of a file, as bytes. */
export function encodeHeader({ columnBytes, descriptionBytes, descriptionChecksum }: FileHeader): Uint8Array {
  const numbers = [0, layoutVersion, columnBytes, descriptionBytes, descriptionChecksum];
  const bytes = new Uint8Array(BigUint64Array.from(numbers, BigInt).buffer);
  bytes.set(magic);
  return bytes;
}

/**
 * Reads the header of a file, and checks its sizes against the size of the file: what is allocated by them is no
 * more than the file has.
 *
 * @param bytes The first `headerBytes` of the file, zeros where it is shorter.
 * @throws {CompiledStoreError}
 */
export function decodeHeader(bytes: Uint8Array<ArrayBuffer>, path: string, fileBytes: number): FileHeader {
  if (!magic.equals(bytes.subarray(0, magic.length))) {
    throw new CompiledStoreError("foreign", path, "another kind of file", "a compiled store");
  }
  const [, version, columnBytes = 0, descriptionBytes = 0, descriptionChecksum = 0] = Array.from(
    new BigUint64Array(bytes.buffer),
    Number,
  );
  if (version !== layoutVersion) {
    throw new CompiledStoreError("layout", path, `layout version ${version}`, `version ${layoutVersion}`);
  }
  const bytesWanted = headerBytes + columnBytes + descriptionBytes;
  if (fileBytes !== bytesWanted) {
    throw new CompiledStoreError("damaged", path, `${fileBytes} bytes`, `the ${bytesWanted} that its header says`);
  }
  return { columnBytes, descriptionBytes, descriptionChecksum };
}

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
  /** CRC-32 of its bytes. */
  readonly checksum: number;
}

/** The JSON at the end of the file. */
export interface StoreDescription {
  readonly source: StoreSource;
  /** In the order in which they lie in the file. */
  readonly columns: readonly ColumnDescription[];
  readonly tables: SmallTables;
  readonly rest: object;
}

/** Returns the sources that a store of this snapshot is made from. */
export function storeSource(manifest: Manifest): StoreSource {
  const { id, timeZone, utcOffset } = manifest;
  return { snapshot: id, contentHash: contentHash(manifest), timeZone, utcOffset };
}
