/**
 * Working memory shared by all questions of a thread, so that a short question asks for none. Whoever uses it does not
 * yield before it is done with it.
 */
import type { CodeColumn } from "../store/code-column.ts";
import { GroupFiguresBuilder } from "../store/group-figures.ts";

let samples = new Float64Array(1024);
let codes: Uint8Array | Uint16Array | Uint32Array = new Uint16Array(1024);
let periods = new Uint32Array(1024);
let removed = new Uint32Array(1024);

/** For the measured prices of one group. Holds anything. */
export function scratchFor(length: number): Float64Array {
  if (samples.length < length) samples = new Float64Array(length * 2);
  return samples;
}

export const lendScratch = {
  /** Holds anything. @param column Codes of this column fit; of one kind with it, both are read by the same instructions. */
  codes(length: number, column: CodeColumn): Uint8Array | Uint16Array | Uint32Array {
    if (codes.length < length || codes.BYTES_PER_ELEMENT !== column.BYTES_PER_ELEMENT) {
      codes = codesLike(column, Math.max(codes.length, length * 2));
    }
    return codes;
  },
  /** Holds anything. */
  removed(length: number): Uint32Array {
    if (removed.length < length) removed = new Uint32Array(length * 2);
    return removed;
  },
  /** One count more than there are periods, all of them 0. */
  periods(length: number): Uint32Array {
    if (periods.length <= length) periods = new Uint32Array((length + 1) * 2);
    return periods.fill(0, 0, length + 1);
  },
};

/** Codes of the same kind as those of a column, in memory of this thread. */
export function codesLike(
  { BYTES_PER_ELEMENT: bytes }: CodeColumn,
  length: number,
): Uint8Array | Uint16Array | Uint32Array {
  if (bytes === Uint8Array.BYTES_PER_ELEMENT) return new Uint8Array(length);
  return bytes === Uint16Array.BYTES_PER_ELEMENT ? new Uint16Array(length) : new Uint32Array(length);
}

const builders: GroupFiguresBuilder[] = [];

/** More groups than these are too much memory to keep for the next question. */
const groupsKept = 4096;

/** An empty builder for one question, which may yield while it has it. */
export function borrowBuilder(): GroupFiguresBuilder {
  return builders.pop() ?? new GroupFiguresBuilder();
}

/** Hands a builder on to the next question. Nothing may read its figures any more. */
export function giveBackBuilder(builder: GroupFiguresBuilder): void {
  if (builder.size > groupsKept) return;
  builder.clear();
  builders.push(builder);
}
