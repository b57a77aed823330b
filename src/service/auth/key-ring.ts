/**
 * The keys in force, found by the key itself. Each thread has a ring of its own over the same records; which keys were
 * used they share as flags, so that noting a use takes one reading of memory and no clock.
 */
import { keyDigest } from "../../contract/credentials.ts";
import { entryOf, type KeyEntry, type KeyRecord } from "./key-record.ts";

/** A key as a ring finds it. */
export interface RingEntry extends KeyEntry {
  /** Index in the records of the ring, counted from 0. */
  readonly position: number;
  /** Id of the key that its chain of rotations began with, its own where it was never rotated: names one client. */
  readonly chain: string;
}

/** A flag for each record, by position: 1 when the key was used since the flags were last taken. */
export type UseFlags = Uint8Array<SharedArrayBuffer>;

/** The keys of one state of the keys file. Never changes but for its flags; a new state is a new ring. */
export class KeyRing {
  /** The records it was made from; another thread makes an equal ring from them and the flags. */
  readonly records: readonly KeyRecord[];
  readonly used: UseFlags;
  readonly #entries: ReadonlyMap<string, RingEntry>;
  /** By the key itself, those that were found: hashing it again takes 1 to 2 µs of a request. */
  readonly #found = new Map<string, RingEntry>();

  /**
   * @param records Keys with different digests.
   * @param used The flags of another ring of these records; new ones when absent.
   */
  constructor(records: readonly KeyRecord[], used: UseFlags = new Uint8Array(new SharedArrayBuffer(records.length))) {
    this.records = records;
    this.used = used;
    const chains = chainsOf(records);
    this.#entries = new Map(
      records.map((record, position) => {
        return [record.digest, { ...entryOf(record), position, chain: chains.get(record.id) as string }];
      }),
    );
  }

  /**
   * Returns the record of a key, also of one that is revoked or expired.
   *
   * Cost: one look-up in a map; a SHA-256 and a second one where the key was not found before. The time of neither
   * reveals how near a guess was: texts are compared only where their hashes are equal, and V8 seeds these at random.
   *
   * @returns undefined when the key is unknown.
   */
  find(key: string): RingEntry | undefined {
    const found = this.#found.get(key);
    if (found !== undefined) return found;
    const entry = this.#entries.get(keyDigest(key));
    if (entry !== undefined) this.#found.set(key, entry);
    return entry;
  }

  /** Notes that a key of this ring was used. Cost: nanoseconds. */
  noteUse({ position }: RingEntry): void {
    // Reading first: a write by every request would move the memory from one core to the other each time.
    if (this.used[position] === 0) this.used[position] = 1;
  }

  /** Ids of the keys that any thread has used since the last call, in the order of the records. */
  takeUsed(): string[] {
    return this.records.filter((_, position) => Atomics.exchange(this.used, position, 0) === 1).map(({ id }) => id);
  }
}

/** By id. A key stands behind the one that it was rotated from, which may be gone from the file. */
function chainsOf(records: readonly KeyRecord[]): ReadonlyMap<string, string> {
  const chains = new Map<string, string>();
  for (const { id, rotatedFrom } of records) {
    chains.set(id, rotatedFrom === null ? id : (chains.get(rotatedFrom) ?? rotatedFrom));
  }
  return chains;
}
