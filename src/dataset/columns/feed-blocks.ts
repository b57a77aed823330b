import type { FileDigest } from "../read-stored-file.ts";
import { type BlockMemory, type BlockPlace, unfinishedBytesMax } from "./block-memory.ts";
import type { StoredPieces } from "./stored-pieces.ts";

const lineFeed = 0x0a;

/**
 * Cuts a file into blocks of whole lines, in memory where threads see them, and hashes it on the way.
 *
 * @param onBlock Called with each block in order: where it lies (`end` behind its last line end). Its place stays taken
 * until `place` is given back to the memory, and is only to be read until then.
 * @returns The file's digest; undefined when its last line has no end, a line is too long, or `isWanted` says no.
 * Cost: as little more memory as `memory` has; pieces are read ahead by one.
 */
export async function feedBlocks(
  pieces: StoredPieces,
  memory: BlockMemory,
  onBlock: (start: number, end: number, place: BlockPlace) => void,
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
      onBlock(start, place.start + linesEnd, place);
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
