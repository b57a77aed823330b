/** Ways of spoiling a compiled store: with the checksums left as they are, or made to fit again. */
import { crc32 } from "node:zlib";

/** Bytes of a header; repeated here, so that a changed layout is noticed. */
export const headerBytes = 40;

/** A copy with one bit turned. */
export function flipBit(file: Buffer, at: number, bit: number): Buffer {
  const copy = Buffer.from(file);
  copy.writeUInt8(copy.readUInt8(at) ^ (1 << bit), at);
  return copy;
}

/** A copy whose header says something else. @param change Of its numbers: version, sizes and checksum. */
export function changeHeader(file: Buffer, change: (numbers: BigUint64Array) => void): Buffer {
  const copy = Buffer.from(file);
  const numbers = new BigUint64Array(copy.buffer.slice(copy.byteOffset + 8, copy.byteOffset + headerBytes));
  change(numbers);
  copy.set(new Uint8Array(numbers.buffer), 8);
  return copy;
}

/** The part of a file that is columns. */
export function columnsOf(file: Buffer): Buffer {
  const length = file.buffer.slice(file.byteOffset + 16, file.byteOffset + 24);
  return file.subarray(headerBytes, headerBytes + Number(new BigUint64Array(length)[0]));
}

/** The description of a file. */
export function descriptionOf(file: Buffer): Record<string, unknown> {
  return JSON.parse(file.toString("utf8", headerBytes + columnsOf(file).length));
}

/** A copy with another description, all of whose checksums fit. */
export function changeDescription(file: Buffer, text: string): Buffer {
  const description = Buffer.from(text);
  const whole = Buffer.concat([file.subarray(0, headerBytes), columnsOf(file), description]);
  return changeHeader(whole, (numbers) => {
    numbers[2] = BigInt(description.length);
    numbers[3] = BigInt(crc32(description));
  });
}
