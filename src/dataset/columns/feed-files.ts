import { join } from "node:path";
import type { PriceFile } from "../read-prices-by-line.ts";
import { type FileDigest, inspectStoredFile } from "../read-stored-file.ts";
import type { ReadingTally } from "../reading-tally.ts";
import type { BlockMemory } from "./block-memory.ts";
import type { Block } from "./block-reader.ts";
import type { BlockReaders } from "./block-readers.ts";
import { feedBlocks } from "./feed-blocks.ts";
import type { ReadBlocks } from "./read-blocks.ts";
import { openStoredPieces } from "./stored-pieces.ts";

/** Blocks of one file (`blockEnd` exclusive), and the file's digest. */
export interface FedFile {
  readonly file: PriceFile;
  readonly blockFirst: number;
  readonly blockEnd: number;
  readonly digest: FileDigest;
}

/** Who reads, where to, and what became of it. */
export interface Feeding {
  readonly memory: BlockMemory;
  readonly readers: BlockReaders;
  readonly blocks: ReadBlocks;
  /** How many rows the table has. */
  readonly rowCount: number;
  /** Counts the bytes. */
  readonly tally: ReadingTally;
}

/**
 * Has files read by readers, block by block, one file behind the other.
 *
 * @returns Undefined when anything is not in order. When it returns or throws, no reader is at work any more.
 * @throws {ReadingThreadError} when a thread ends before its time, and whatever the file system and zlib throw.
 */
export async function feedFiles(
  directory: string,
  files: readonly PriceFile[],
  { memory, readers, blocks, rowCount, tally }: Feeding,
): Promise<FedFile[] | undefined> {
  const readings: Promise<void>[] = [];
  let isInOrder = true;
  let rowNext = 0;
  let failure: unknown;
  let fed: FedFile[] | undefined;
  try {
    fed = await feedAll();
  } finally {
    await Promise.all(readings);
  }
  if (failure !== undefined) throw failure;
  return isInOrder ? fed : undefined;

  async function feedAll(): Promise<FedFile[] | undefined> {
    const all: FedFile[] = [];
    for (const file of files) {
      const blockFirst = readings.length;
      const digest = await feedFile(file);
      if (digest === undefined) return undefined;
      all.push({ file, blockFirst, blockEnd: readings.length, digest });
    }
    return all;
  }

  async function feedFile({ name, claim }: PriceFile): Promise<FileDigest | undefined> {
    const size = await inspectStoredFile(directory, name);
    if (typeof size !== "number" || (claim !== undefined && size !== claim.bytes)) return undefined;
    const pieces = await openStoredPieces(join(directory, name), tally);
    try {
      return await feedBlocks(
        pieces,
        memory,
        (lines, place) => {
          const block = { ...lines, rowFirst: rowNext };
          rowNext += lines.rows;
          readings.push(readBlock(readings.length, block).finally(() => memory.giveBack(place)));
        },
        () => isInOrder,
      );
    } finally {
      await pieces.close();
    }
  }

  /** Never fails, for nobody waits for it before all blocks are out. */
  async function readBlock(number: number, block: Block): Promise<void> {
    try {
      const reading = rowNext <= rowCount ? await readers.read(block) : undefined;
      if (reading === undefined || !blocks.add(number, block, reading)) isInOrder = false;
    } catch (error) {
      failure ??= error;
      isInOrder = false;
    }
  }
}
