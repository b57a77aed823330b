/** From a file to blocks of whole lines in memory that threads share. */
import { lineBytesMax } from "../record-texts.ts";
import { bytesAfterMax } from "./byte-values.ts";

const lineFeed = 0x0a;

/** As many bytes of a line are kept as show that it is too long, with or without a carriage return. */
const unfinishedBytesMax = lineBytesMax + 2;

/** Memory for some pieces of a file at a time, in which all threads see them. */
export class BlockMemory {
  /** A piece has no more bytes. */
  readonly pieceBytes: number;
  /** No block has lines for more rows. */
  readonly rowsMax: number;
  readonly memory: SharedArrayBuffer;
  readonly bytes: Buffer<SharedArrayBuffer>;
  /** The starts of the slots: each is for the lines of a piece, and the line that the piece before it has begun. */
  readonly #free: number[];
  readonly #waiting: ((start: number) => void)[] = [];

  constructor(slots: number, pieceBytes: number) {
    const slotBytes = Math.ceil((unfinishedBytesMax + pieceBytes + bytesAfterMax) / 64) * 64;
    this.pieceBytes = pieceBytes;
    this.rowsMax = Math.ceil((unfinishedBytesMax + pieceBytes) / (priceBytesMin + 1));
    this.memory = new SharedArrayBuffer(slots * slotBytes);
    this.bytes = Buffer.from(this.memory);
    this.#free = Array.from({ length: slots }, (_, index) => index * slotBytes);
  }

  /** The start of a slot, as soon as one is free. */
  async acquire(): Promise<number> {
    return this.#free.pop() ?? (await new Promise((resolve) => this.#waiting.push(resolve)));
  }

  release(start: number): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(start);
    else next(start);
  }
}

/** Whole lines in memory. */
export interface Lines {
  readonly start: number;
  /** The first byte after the last line end. */
  readonly end: number;
  /** At least as many as lines that may be prices. */
  readonly rows: number;
}

/**
 * Cuts a file into blocks of whole lines. Of a line that is too long only the beginning is kept.
 *
 * @param content In parts of any size, which are cut into pieces that `memory` is for: a stream may join its chunks.
 * @param onBlock Called with each block in order. It releases the start of the lines.
 * @returns True if bytes without a line end are left.
 * Cost: no more memory than `memory` has, and the pieces that are read ahead.
 */
export async function feedBlocks(
  content: AsyncIterable<Buffer>,
  memory: BlockMemory,
  onBlock: (lines: Lines) => Promise<void>,
): Promise<boolean> {
  let unfinished = Buffer.alloc(0);
  for await (const part of content) {
    for (let at = 0; at < part.length; at += memory.pieceBytes) {
      const piece = part.subarray(at, at + memory.pieceBytes);
      const linesEnd = piece.lastIndexOf(lineFeed) + 1;
      const head = unfinished;
      const rest = piece.subarray(linesEnd);
      unfinished = Buffer.concat(linesEnd === 0 ? [head, rest] : [rest]).subarray(0, unfinishedBytesMax);
      if (linesEnd === 0) continue;
      const start = await memory.acquire();
      const end = start + head.length + linesEnd;
      memory.bytes.set(head, start);
      memory.bytes.set(piece.subarray(0, linesEnd), start + head.length);
      await onBlock({ start, end, rows: countRows(memory.bytes, start, end) });
    }
  }
  return unfinished.length > 0;
}

/** Bytes of the shortest line that can be a price, its line end left out. */
export const priceBytesMin: number = JSON.stringify({
  uuid: "0".repeat(36),
  product_uuid: "0".repeat(36),
  market_uuid: "0".repeat(36),
  price: 1,
  unit: "u",
  currency: "KES",
  recorded_at: "2026-01-01T00:00:00Z",
  source: "s",
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
}).length;

/** Counts the rows that lines need. Lines that are too short for a price may be taken for parts of others. */
function countRows(bytes: Buffer, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; count++) {
    const lineEnd = bytes.indexOf(lineFeed, at + priceBytesMin);
    at = lineEnd === -1 || lineEnd >= end ? end : lineEnd + 1;
  }
  return count;
}
