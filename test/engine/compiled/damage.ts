/** Ways of spoiling a compiled store: with the checksums left as they are, or made to fit again. */
import { crc32 } from "node:zlib";

/** Bytes of a header, and where its numbers stand; repeated here, so that a changed layout is noticed. */
const headerBytes = 64;

/** A copy with one bit turned. */
export function flipBit(file: Buffer, at: number, bit: number): Buffer {
  const copy = Buffer.from(file);
  copy.writeUInt8(copy.readUInt8(at) ^ (1 << bit), at);
  return copy;
}

/** A copy whose header says something else and fits its checksum. */
export function changeHeader(file: Buffer, change: (header: Buffer) => void): Buffer {
  const copy = Buffer.from(file);
  change(copy.subarray(0, headerBytes));
  copy.writeUInt32LE(crc32(copy.subarray(0, headerBytes - 4)), headerBytes - 4);
  return copy;
}

/** The part of a file that is columns, padding included. */
export function columnsOf(file: Buffer): Buffer {
  return file.subarray(headerBytes, headerBytes + Number(file.readBigUInt64LE(16)));
}

/** The description of a file. */
export function descriptionOf(file: Buffer): Record<string, unknown> {
  return JSON.parse(file.toString("utf8", headerBytes + Number(file.readBigUInt64LE(16))));
}

/** A copy with another description, all of whose checksums fit. */
export function changeDescription(file: Buffer, text: string): Buffer {
  const description = Buffer.from(text);
  const columns = columnsOf(file);
  const whole = Buffer.concat([file.subarray(0, headerBytes), columns, description]);
  return changeHeader(whole, (header) => {
    header.writeBigUInt64LE(BigInt(description.length), 24);
    header.writeUInt32LE(crc32(description), 32);
  });
}
