/**
 * Which rows of a table repeat a uuid. The work is shared out by hash: every part looks at all uuids and judges its own.
 */

import { wordsPerUuid } from "../../domain/uuid-words.ts";
import { hashUuidWords } from "../uuid-rows.ts";

/** A run of rows that come from one file. */
export interface RowsOfFile {
  readonly rowFirst: number;
  readonly rows: number;
  /** Rows replace rows of the same uuid in files of lower sequence. */
  readonly sequence: number;
}

export interface RepeatedUuidsQuestion {
  readonly uuids: Uint32Array<SharedArrayBuffer>;
  /** All of the table, files of higher sequence first. */
  readonly files: readonly RowsOfFile[];
  readonly part: number;
  readonly parts: number;
  /** A byte for each row, set to 1 where a row before it has the same uuid. */
  readonly isReplaced: Uint8Array<SharedArrayBuffer>;
}

/**
 * Marks the rows that are replaced by a row before them.
 *
 * @returns How many rows of the same uuid each file replaces; undefined when files of one sequence repeat a uuid.
 * Cost: one pass; a slot of four bytes for twice the uuids of the part.
 */
export function findRepeatedUuids(question: RepeatedUuidsQuestion): number[] | undefined {
  const { uuids, files, part, parts, isReplaced } = question;
  const replaced = files.map(() => 0);
  const rowCount = files.reduce((sum, file) => sum + file.rows, 0);
  let slots = new Uint32Array(slotCountFor(rowCount / parts));
  let taken = 0;
  /** The file in which the uuid of a row was met last, where that is not the row's own. */
  const latestFiles = new Map<number, number>();
  for (const [position, { rowFirst, rows, sequence }] of files.entries()) {
    for (let row = rowFirst; row < rowFirst + rows; row++) {
      const hash = hashUuidWords(uuids, row * wordsPerUuid);
      // Mixed once more, for the bits of the hash itself choose the slot.
      if ((Math.imul(hash, 0x85eb_ca6b) >>> 24) % parts !== part) continue;
      const slot = slotOf(slots, uuids, row, hash);
      const first = slots[slot] as number;
      if (first === 0) {
        slots[slot] = row + 1;
        taken++;
        if (2 * taken > slots.length) slots = grown(slots, uuids);
        continue;
      }
      const latest = latestFiles.get(first - 1) ?? fileOf(files, first - 1);
      if ((files[latest] as RowsOfFile).sequence === sequence) return undefined;
      replaced[latest] = (replaced[latest] as number) + 1;
      latestFiles.set(first - 1, position);
      isReplaced[row] = 1;
    }
  }
  return replaced;
}

/** The slot that holds the uuid of a row, or the free one where it belongs. A slot holds a row + 1, 0 where it is free. */
function slotOf(slots: Uint32Array, uuids: Uint32Array, row: number, hash: number): number {
  const slotLast = slots.length - 1;
  const at = row * wordsPerUuid;
  let slot = hash & slotLast;
  for (;;) {
    const other = slots[slot] as number;
    if (other === 0) return slot;
    const otherAt = (other - 1) * wordsPerUuid;
    if (
      uuids[at] === uuids[otherAt] &&
      uuids[at + 1] === uuids[otherAt + 1] &&
      uuids[at + 2] === uuids[otherAt + 2] &&
      uuids[at + 3] === uuids[otherAt + 3]
    ) {
      return slot;
    }
    slot = (slot + 1) & slotLast;
  }
}

function grown(slots: Uint32Array, uuids: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * slots.length);
  for (const entry of slots) {
    if (entry === 0) continue;
    const row = entry - 1;
    larger[slotOf(larger, uuids, row, hashUuidWords(uuids, row * wordsPerUuid))] = entry;
  }
  return larger;
}

/** At most half of the slots are taken, as long as the parts are of one size. */
function slotCountFor(entries: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(8, 2.1 * entries)));
}

function fileOf(files: readonly RowsOfFile[], row: number): number {
  return files.findIndex(({ rowFirst, rows }) => row >= rowFirst && row < rowFirst + rows);
}
