/**
 * What a workbook unpacks to, found without unpacking. A workbook is a ZIP archive, whose directory states the unpacked
 * size of each entry; hucre stops unpacking an entry at the size stated, but has no limit of its own below 2 GiB.
 *
 * The directory is found and read as hucre does it, so that both see the same entries. What hucre would look up elsewhere
 * (sizes of ZIP64, or sizes that the directory leaves out) is refused; no program writes it into a workbook this small.
 *
 * Source: PKWARE, APPNOTE.TXT 6.3.10, 4.3.7, 4.3.12 and 4.3.16.
 */
import { ImportRefusedError } from "../import-refused.ts";
import { fileBytesMax, unpackedBytesMax } from "./table.ts";

const endSignature = 0x06054b50;
const endBytes = 22;
const commentBytesMax = 0xffff;
const entrySignature = 0x02014b50;
const entryBytes = 46;
const localBytes = 30;
const methodStored = 0;
const elsewhere32 = 0xffffffff;
const elsewhere16 = 0xffff;

/** A file in an archive. */
export interface ArchiveEntry {
  readonly name: string;
  /** Whether its bytes lie there as they are. */
  readonly isStored: boolean;
  readonly dataStart: number;
  readonly packed: number;
  /** As stated. */
  readonly unpacked: number;
}

/**
 * Refuses a workbook that unpacks to more than `unpackedBytesMax`.
 *
 * @returns Its entries.
 * @throws {ImportRefusedError} as well when it is no ZIP archive, or does not state the size of each entry.
 */
export function requireBoundedArchive(file: string, bytes: Buffer): ArchiveEntry[] {
  const broken = (found: string): ImportRefusedError =>
    new ImportRefusedError(`${file}: found ${found}, expected a workbook (.xlsx) of at most ${fileBytesMax} bytes`);
  const end = findEnd(bytes);
  if (end === -1) throw broken("a damaged ZIP archive without directory");
  const count = bytes.readUInt16LE(end + 10);
  const directory = bytes.readUInt32LE(end + 16);
  if (count === elsewhere16 || bytes.readUInt32LE(end + 12) === elsewhere32 || directory === elsewhere32) {
    throw broken("a ZIP64 archive");
  }
  const entries: ArchiveEntry[] = [];
  let total = 0;
  for (let entry = 0, at = directory; entry < count; entry++) {
    if (at + entryBytes > bytes.length || bytes.readUInt32LE(at) !== entrySignature) {
      throw broken("a damaged ZIP archive");
    }
    const isStored = bytes.readUInt16LE(at + 10) === methodStored;
    const packed = bytes.readUInt32LE(at + 20);
    const unpacked = bytes.readUInt32LE(at + 24);
    if (packed === elsewhere32 || unpacked === elsewhere32) throw broken("a ZIP64 archive");
    // An empty entry takes two bytes when it is compressed.
    if (!isStored && (packed === 0 || (unpacked === 0 && packed > 2))) {
      throw broken("a ZIP archive that does not state the size of an entry");
    }
    // An entry that is stored as it is takes its packed size; several may lie on the same bytes.
    total += Math.max(packed, unpacked);
    const nameLength = bytes.readUInt16LE(at + 28);
    const local = bytes.readUInt32LE(at + 42);
    if (local + localBytes > bytes.length) throw broken("a damaged ZIP archive");
    entries.push({
      name: bytes.toString("utf8", at + entryBytes, at + entryBytes + nameLength),
      isStored,
      dataStart: local + localBytes + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28),
      packed,
      unpacked: isStored ? packed : unpacked,
    });
    at += entryBytes + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  if (total <= unpackedBytesMax) return entries;
  throw new ImportRefusedError(
    `${file}: unpacks to ${total} bytes, expected at most ${unpackedBytesMax}; import it in parts, or as CSV`,
  );
}

/** Where the record stands that ends the archive; -1 without one. */
function findEnd(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - endBytes - commentBytesMax);
  for (let at = bytes.length - endBytes; at >= first; at--) {
    if (bytes.readUInt32LE(at) === endSignature) return at;
  }
  return -1;
}
