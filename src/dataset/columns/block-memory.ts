import { lineBytesMax } from "../read-ndjson.ts";
import { bytesBehindMax } from "./file-bytes.ts";

/** A place in the memory of blocks. What is read goes to `start`; the end of the piece before it is put in front of that. */
export interface BlockPlace {
  readonly start: number;
}

/** Longest beginning of a line that may stand in front of a place: a line with its line end, all but one byte. */
export const unfinishedBytesMax: number = lineBytesMax + 1;

/** Memory for some pieces of a file at a time, in which all threads see them. Who wants a place waits until one is free. */
export class BlockMemory {
  readonly pieceBytes: number;
  readonly memory: SharedArrayBuffer;
  readonly bytes: Buffer<SharedArrayBuffer>;
  readonly #free: BlockPlace[];
  readonly #waiting: ((place: BlockPlace) => void)[] = [];

  constructor(places: number, pieceBytes: number) {
    const placeBytes = Math.ceil((unfinishedBytesMax + pieceBytes + bytesBehindMax) / 64) * 64;
    this.pieceBytes = pieceBytes;
    this.memory = new SharedArrayBuffer(places * placeBytes);
    this.bytes = Buffer.from(this.memory);
    this.#free = Array.from({ length: places }, (_, index) => ({ start: index * placeBytes + unfinishedBytesMax }));
  }

  /** A free place at once, or undefined. */
  takeFree(): BlockPlace | undefined {
    return this.#free.pop();
  }

  async take(): Promise<BlockPlace> {
    return this.takeFree() ?? (await new Promise((resolve) => this.#waiting.push(resolve)));
  }

  giveBack(place: BlockPlace): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(place);
    else next(place);
  }
}
