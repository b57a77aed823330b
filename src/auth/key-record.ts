import type { Instant } from "../domain/instant.ts";
import { type KeyKind, keyDigest, maskKeys, randomBase62 } from "./key-format.ts";

/** What is known of a key and may be shown. */
export interface KeyEntry {
  /** Names the key where the key itself must not appear: in logs, in lists, to revoke it. */
  readonly id: string;
  readonly kind: KeyKind;
  /** Whose key it is, or what for. */
  readonly label: string;
  readonly createdAt: Instant;
  /** Null while the key is good. A key that has an instant here is refused, whatever the clock says. */
  readonly revokedAt: Instant | null;
}

/** What the keys file holds of a key. */
export interface KeyRecord extends KeyEntry {
  /** SHA-256 of the key in lower-case hexadecimal. */
  readonly digest: string;
}

const generatedIdDigitCount = 8;

const keyIdExpression = /^key_[0-9A-Za-z]{1,32}$/;

const labelLengthMax = 100;

/** Control characters, lone surrogates and line separators would break a table or a log line. */
const unprintableExpression = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

export const keyIdWanted = "key_ and 1 to 32 letters or digits";
export const keyLabelWanted = `1 to ${labelLengthMax} printable characters, not all blank, with no key in them`;

/** @param taken Ids that other keys have. */
export function generateKeyId(taken: ReadonlySet<string>): string {
  let id: string;
  do id = `key_${randomBase62(generatedIdDigitCount)}`;
  while (taken.has(id));
  return id;
}

/** Whether a text can be a key's id, see `keyIdWanted`. */
export function isKeyId(text: string): boolean {
  return keyIdExpression.test(text);
}

/** Whether a text can be a key's label, see `keyLabelWanted`. Labels are stored and shown as they are. */
export function isKeyLabel(text: string): boolean {
  return (
    text.length <= labelLengthMax && text.trim() !== "" && !unprintableExpression.test(text) && maskKeys(text) === text
  );
}

/** What is known of a key without its digest. */
export function entryOf({ id, kind, label, createdAt, revokedAt }: KeyRecord): KeyEntry {
  return { id, kind, label, createdAt, revokedAt };
}

/** The keys of one state of the keys file, found by the key itself. Never changes; a new state is a new ring. */
export class KeyRing {
  /** The records it was made from; another thread makes an equal ring from them. */
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
   * Cost: one SHA-256 and one look-up, however many keys there are. The look-up is by digest, so its time reveals
   * nothing about how near a guess was.
   *
   * @returns undefined when the key is unknown.
   */
  find(key: string): KeyEntry | undefined {
    return this.#entries.get(keyDigest(key));
  }
}
