/** Records of keys, and the forms of id, rate and label. */

import { type KeyKind, maskKeys, randomBase62 } from "../../contract/credentials.ts";
import type { Instant } from "../../engine/model/calendar.ts";

/** The fields of a key that may be shown. */
export interface KeyEntry {
  /** Names the key where the key itself must not appear: in logs, in lists, to revoke it. */
  readonly id: string;
  readonly kind: KeyKind;
  /** Whose key it is, or what for. */
  readonly label: string;
  readonly createdAt: Instant;
  /** From this instant on the key is refused; null when it does not expire. */
  readonly expiresAt: Instant | null;
  /** Null while the key is good. A key that has an instant here is refused, whatever the clock says. */
  readonly revokedAt: Instant | null;
  /** The key's own limit of requests a minute; null when that of the service applies. */
  readonly ratePerMinute: number | null;
  /** Id of the key that this one replaces; both are keys of one client. Null for a key that replaces none. */
  readonly rotatedFrom: string | null;
}

/** A key in the keys file. */
export interface KeyRecord extends KeyEntry {
  /** SHA-256 of the key in lower-case hexadecimal. */
  readonly digest: string;
}

const generatedIdDigitCount = 8;

const keyIdExpression = /^key_[0-9A-Za-z]{1,32}$/;

const labelLengthMax = 100;

/** The least and the greatest rate of a key, in requests a minute (both inclusive). */
export const ratePerMinuteLimits = { min: 1, max: 100_000_000 };

/** Control characters, lone surrogates and line separators would break a table or a log line. */
const unprintableExpression = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

export const keyIdWanted = "key_ and 1 to 32 letters or digits";
export const keyRateWanted = `a whole number from ${ratePerMinuteLimits.min} to ${ratePerMinuteLimits.max}`;
export const keyLabelWanted = `1 to ${labelLengthMax} printable characters, not all blank, with no key in them`;

/** @param taken Ids that other keys have. */
export function generateKeyId(taken: ReadonlySet<string>): string {
  let id: string;
  do id = `key_${randomBase62(generatedIdDigitCount)}`;
  while (taken.has(id));
  return id;
}

/** Returns whether a text can be a key's id, see `keyIdWanted`. */
export function isKeyId(text: string): boolean {
  return keyIdExpression.test(text);
}

/** Returns whether a number can be a key's rate, see `keyRateWanted`. */
export function isKeyRate(value: number): boolean {
  return Number.isInteger(value) && value >= ratePerMinuteLimits.min && value <= ratePerMinuteLimits.max;
}

/** Returns whether a text can be a key's label, see `keyLabelWanted`. Labels are stored and shown as they are. */
export function isKeyLabel(text: string): boolean {
  return (
    text.length <= labelLengthMax && text.trim() !== "" && !unprintableExpression.test(text) && maskKeys(text) === text
  );
}

/** The fields of a key without its digest. */
export function entryOf({ digest: _digest, ...entry }: KeyRecord): KeyEntry {
  return entry;
}

/** Returns whether a key is past its expiry; revoked or not. */
export function isExpired({ expiresAt }: KeyEntry, now: Instant): boolean {
  return expiresAt !== null && now >= expiresAt;
}
