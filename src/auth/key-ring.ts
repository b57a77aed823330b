import { keyDigest } from "./key-format.ts";
import { entryOf, type KeyEntry, type KeyRecord } from "./key-record.ts";

/** The keys of one state of the keys file, found by the key itself. Never changes; a new state is a new ring. */
export class KeyRing {
  /** What it was made from; another thread makes an equal ring of it. */
  readonly records: readonly KeyRecord[];
  readonly #entries: ReadonlyMap<string, KeyEntry>;

  /** @param records Keys with different digests. */
  constructor(records: readonly KeyRecord[]) {
    this.records = records;
    this.#entries = new Map(records.map((record) => [record.digest, entryOf(record)]));
  }

  /** How many keys there are, revoked ones among them. */
  get size(): number {
    return this.#entries.size;
  }

  /**
   * What is known of a key, also of a revoked one (see `revokedAt`).
   *
   * Cost: one SHA-256 and one look-up, however many keys there are. The look-up is by digest, so its time tells
   * nothing about how near a guess was.
   *
   * @returns undefined when the key is unknown.
   */
  find(key: string): KeyEntry | undefined {
    return this.#entries.get(keyDigest(key));
  }
}
