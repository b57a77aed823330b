import type { FileDigest } from "../read-stored-file.ts";
import type { WirePrice } from "../wire-records.ts";
import { type BlockMemory, type BlockPlace, unfinishedBytesMax } from "./block-memory.ts";
import type { StoredPieces } from "./stored-pieces.ts";

const lineFeed = 0x0a;

/** Whole lines in memory. */
export interface Lines {
  readonly start: number;
  /** Behind the last line end. */
  readonly end: number;
  /** How many lines there are, unless some are too short to be prices. */
  readonly rows: number;
}

/**
 * Cuts a file into blocks of whole lines, in memory where threads see them, and hashes it on the way.
 *
 * @param onBlock Called with each block in order. Its place stays taken until `place` is given back to the memory, and is
 * only to be read until then.
 * @returns The file's digest; undefined when its last line has no end, a line is too long, or `isWanted` says no.
 * Cost: as little more memory as `memory` has; pieces are read ahead by one.
 */
export async function feedBlocks(
  pieces: StoredPieces,
  memory: BlockMemory,
  onBlock: (lines: Lines, place: BlockPlace) => void,
  isWanted: () => boolean,
): Promise<FileDigest | undefined> {
  let unfinished = Buffer.alloc(0);
  let next = readPiece(memory.takeFree());
  for (;;) {
    const { place, length } = await next;
    if (length === 0 || !isWanted()) {
      memory.giveBack(place);
      return length === 0 && unfinished.length === 0 ? pieces.digest() : undefined;
    }
    const piece = memory.bytes.subarray(place.start, place.start + length);
    // Under way while this piece is hashed.
    next = readPiece(memory.takeFree());
    next.catch(() => {});
    const linesEnd = piece.lastIndexOf(lineFeed) + 1;
    if (linesEnd === 0) {
      unfinished = Buffer.concat([unfinished, piece]);
    } else {
      const start = place.start - unfinished.length;
      memory.bytes.set(unfinished, start);
      unfinished = Buffer.from(piece.subarray(linesEnd));
      const end = place.start + linesEnd;
      onBlock({ start, end, rows: countPrices(memory.bytes, start, end) }, place);
    }
    // Nothing is awaited between handing the block over and this, so the place cannot be taken again meanwhile.
    pieces.hash(piece);
    if (linesEnd === 0) memory.giveBack(place);
    if (unfinished.length > unfinishedBytesMax) {
      memory.giveBack((await next).place);
      return undefined;
    }
  }

  async function readPiece(free: BlockPlace | undefined): Promise<{ place: BlockPlace; length: number }> {
    const place = free ?? (await memory.take());
    const length = await pieces.read(memory.bytes.subarray(place.start, place.start + memory.pieceBytes));
    return { place, length };
  }
}

/** Bytes of the shortest line that can be a price, its line end left out: short texts, and what may be unknown is. */
const priceBytesMin = JSON.stringify({
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
} satisfies WirePrice).length;

/** How many lines there are. A line that is too short for a price may be taken for a part of the next one. */
function countPrices(bytes: Buffer, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; count++) {
    const lineEnd = bytes.indexOf(lineFeed, at + priceBytesMin);
    at = lineEnd === -1 ? end : lineEnd + 1;
  }
  return count;
}
