/** From a file to blocks of whole lines in memory that threads share. */
import { lineBytesMax } from "../record-texts.ts";
import type { StoredPieces } from "../stored-file.ts";
import { bytesAfterMax } from "./byte-values.ts";

const lineFeed = 0x0a;

/**
 * A slot in the memory of blocks. What is read goes to `start`; the end of the piece before it is put in front of
 * that.
 */
export interface BlockSlot {
  readonly start: number;
}

/** As many bytes of a line are kept as show that it is too long, with or without a carriage return. */
const unfinishedBytesMax = lineBytesMax + 2;

/** Memory for some pieces of a file at a time, in which all threads see them. */
export class BlockMemory {
  readonly pieceBytes: number;
  /** No block has lines for more rows. */
  readonly rowsMax: number;
  readonly memory: SharedArrayBuffer;
  readonly bytes: Buffer<SharedArrayBuffer>;
  readonly #free: BlockSlot[];
  readonly #waiting: ((slot: BlockSlot) => void)[] = [];

  constructor(slots: number, pieceBytes: number) {
    const slotBytes = Math.ceil((unfinishedBytesMax + pieceBytes + bytesAfterMax) / 64) * 64;
    this.pieceBytes = pieceBytes;
    this.rowsMax = Math.ceil((unfinishedBytesMax + pieceBytes) / (priceBytesMin + 1));
    this.memory = new SharedArrayBuffer(slots * slotBytes);
    this.bytes = Buffer.from(this.memory);
    this.#free = Array.from({ length: slots }, (_, index) => ({ start: index * slotBytes + unfinishedBytesMax }));
  }

  /** A slot, as soon as one is free. */
  async acquire(): Promise<BlockSlot> {
    return this.#free.pop() ?? (await new Promise((resolve) => this.#waiting.push(resolve)));
  }

  release(slot: BlockSlot): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(slot);
    else next(slot);
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
 * Cuts a file into blocks of whole lines and hashes it on the way. Of a line that is too long only the beginning is
 * kept.
 *
 * @param onBlock Called with each block in order. The caller releases its slot.
 * @returns True if bytes without a line end are left.
 * Cost: no more memory than `memory` has; pieces are read ahead by one.
 */
export async function feedBlocks(
  pieces: StoredPieces,
  memory: BlockMemory,
  onBlock: (lines: Lines, slot: BlockSlot) => Promise<void>,
): Promise<boolean> {
  let unfinished = Buffer.alloc(0);
  let next = readPiece();
  try {
    for (;;) {
      const { slot, piece } = await next;
      if (piece.length === 0) {
        memory.release(slot);
        return unfinished.length > 0;
      }
      next = readPiece();
      next.catch(() => {});
      pieces.hash(piece);
      const linesEnd = piece.lastIndexOf(lineFeed) + 1;
      const head = unfinished;
      const rest = piece.subarray(linesEnd);
      unfinished = Buffer.concat(linesEnd === 0 ? [head, rest] : [rest]).subarray(0, unfinishedBytesMax);
      if (linesEnd === 0) {
        memory.release(slot);
        continue;
      }
      const [start, end] = [slot.start - head.length, slot.start + linesEnd];
      memory.bytes.set(head, start);
      await onBlock({ start, end, rows: countRows(memory.bytes, start, end) }, slot);
    }
  } catch (error) {
    await next.then(({ slot }) => memory.release(slot)).catch(() => {});
    throw error;
  }

  async function readPiece(): Promise<{ slot: BlockSlot; piece: Buffer }> {
    const slot = await memory.acquire();
    try {
      const length = await pieces.read(memory.bytes.subarray(slot.start, slot.start + memory.pieceBytes));
      return { slot, piece: memory.bytes.subarray(slot.start, slot.start + length) };
    } catch (error) {
      memory.release(slot);
      throw error;
    }
  }
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
