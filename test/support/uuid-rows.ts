/**
 * Which uuids have been read, and where: a hash table with linear probing over flat arrays, so that a million prices
 * cost megabytes and not a million texts. Entry e is the e-th different uuid; its words lie in one flat array.
 *
 *   slots   [ -, 2, -, 0, 1, - ]      entry + 1, 0 where free; at most half of them are taken
 *   words   [ e0 e0 e0 e0 | e1 e1 e1 e1 | e2 … ]
 */
import type { Uuid } from "../../src/domain/ids.ts";
import { wordsPerUuid, writeUuid } from "../../src/domain/uuid-words.ts";

/** Where a uuid stands. */
export interface RowPlace {
  /** Position of the file among the files that are read. */
  readonly file: number;
  /** Counted from 1. */
  readonly line: number;
}

const capacityFirst = 1024;

export class UuidRows {
  #size = 0;
  #slots = new Uint32Array(2 * capacityFirst);
  #words = new Uint32Array(capacityFirst * wordsPerUuid);
  #files = new Uint32Array(capacityFirst);
  #lines = new Uint32Array(capacityFirst);
  #latestFiles = new Uint32Array(capacityFirst);

  /** How many different uuids there are. */
  get size(): number {
    return this.#size;
  }

  /**
   * Looks a uuid up and, if it is new, keeps it with its place.
   *
   * @returns The entry of the same uuid that was there before, or undefined when it is new. Entries count from 0.
   */
  add(uuid: Uuid, place: RowPlace): number | undefined {
    if (this.#size === this.#lines.length) this.#grow();
    const entry = this.#size;
    // Written behind the last entry first: there it can be compared word by word, and stays if it is new.
    writeUuid(this.#words, entry, uuid);
    const slot = this.#slotOf(entry);
    const found = this.#slots[slot] as number;
    if (found !== 0) return found - 1;
    this.#slots[slot] = entry + 1;
    this.#files[entry] = place.file;
    this.#lines[entry] = place.line;
    this.#latestFiles[entry] = place.file;
    this.#size++;
    return undefined;
  }

  /** Where the uuid of an entry was read first. */
  placeOf(entry: number): RowPlace {
    if (entry < 0 || entry >= this.#size) throw new RangeError(`entry is ${entry}, expected 0 to ${this.#size - 1}`);
    return { file: this.#files[entry] as number, line: this.#lines[entry] as number };
  }

  /** The file in which the uuid of an entry was met last, as far as `meetAgain` was told. */
  latestFileOf(entry: number): number {
    return this.#latestFiles[entry] as number;
  }

  /** Notes that the uuid of an entry was met in another file too. */
  meetAgain(entry: number, file: number): void {
    this.#latestFiles[entry] = file;
  }

  /** The slot that holds the uuid of an entry, or the free one where it belongs. */
  #slotOf(entry: number): number {
    const words = this.#words;
    const at = entry * wordsPerUuid;
    const slotLast = this.#slots.length - 1;
    let slot = hashUuidWords(words, at) & slotLast;
    for (;;) {
      const other = this.#slots[slot] as number;
      if (other === 0 || haveSameWords(words, at, (other - 1) * wordsPerUuid)) return slot;
      slot = (slot + 1) & slotLast;
    }
  }

  #grow(): void {
    const capacity = this.#lines.length * 2;
    this.#words = grown(this.#words, capacity * wordsPerUuid);
    this.#files = grown(this.#files, capacity);
    this.#lines = grown(this.#lines, capacity);
    this.#latestFiles = grown(this.#latestFiles, capacity);
    this.#slots = new Uint32Array(2 * capacity);
    for (let entry = 0; entry < this.#size; entry++) this.#slots[this.#slotOf(entry)] = entry + 1;
  }
}

function grown(column: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(length);
  larger.set(column);
  return larger;
}

/**
 * The hash of the uuid whose words begin at `at`: mixed by multiplication with odd constants, since uuids made from times
 * differ in few bits.
 *
 * @returns An unsigned number of 32 bits.
 */
export function hashUuidWords(words: Uint32Array, at: number): number {
  let hash = 0;
  for (let word = 0; word < wordsPerUuid; word++) {
    hash = Math.imul(hash ^ (words[at + word] as number), 0x9e37_79b1);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}

function haveSameWords(words: Uint32Array, a: number, b: number): boolean {
  for (let word = 0; word < wordsPerUuid; word++) {
    if (words[a + word] !== words[b + word]) return false;
  }
  return true;
}
