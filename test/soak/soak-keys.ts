/** Keys that come and go while the service runs, and what each of them should open at any time. */
import type { RandomChoice } from "../../bench/questions/random-choice.ts";
import type { KeyKind } from "../../src/contract/credentials.ts";
import type { Instant } from "../../src/engine/model/calendar.ts";
import { issueKey, revokeKey, rotateKey } from "../../src/service/auth/keys-file.ts";

/** A key with the time in which it opens something, in milliseconds since 1970. */
export interface SoakKey {
  readonly id: string;
  readonly key: string;
  readonly kind: KeyKind;
  /** What was done to it last, for the report. */
  state: "good" | "rotated" | "revoked" | "expiring";
  readonly validFrom: number;
  validUntil: number;
}

/** Within so long a service follows its keys file, also on a busy machine. */
const followMilliseconds = 3000;

const keysMax = 16;
const overlapMilliseconds = 4000;
const lifetimeMilliseconds = 8000;

export class SoakKeys {
  readonly #file: string;
  readonly #random: RandomChoice;
  readonly #keys: SoakKey[] = [];
  constructor(file: string, random: RandomChoice) {
    this.#file = file;
    this.#random = random;
  }

  /** One of the keys, also of those that are over. */
  pick(): SoakKey {
    return this.#random.of(this.#keys);
  }

  /** Issues, rotates or revokes a key. @returns The text of a new one. */
  async change(): Promise<string | undefined> {
    const living = this.#keys.filter(({ state }) => state === "good");
    const old = living.length > 6 ? this.#random.of(living) : undefined;
    const count = this.#keys.length;
    if (old === undefined) await this.#issue();
    else if (this.#random.below(2) === 0) await this.#rotate(old);
    else await this.#revoke(old);
    const added = this.#keys[count]?.key;
    if (this.#keys.length > keysMax) this.#forget();
    return added;
  }

  /** Asks no more with a key that is over, the first of them, so that some of each state remain. */
  #forget(): void {
    const over = this.#keys.findIndex(({ state }) => state !== "good");
    if (over !== -1) this.#keys.splice(over, 1);
  }

  async #issue(): Promise<void> {
    const kind = this.#random.of(["public", "secret"] as const);
    const expires = this.#random.below(4) === 0;
    const { key, entry } = await issueKey(
      this.#file,
      { kind, label: "soak", ...(expires && { lifetimeMilliseconds }) },
      clock,
    );
    const validUntil = entry.expiresAt ?? Number.POSITIVE_INFINITY;
    const state = expires ? "expiring" : "good";
    this.#keys.push({ id: entry.id, key, kind, state, validFrom: Date.now(), validUntil });
  }

  async #rotate(old: SoakKey): Promise<void> {
    old.state = "rotated";
    const rotation = await rotateKey(this.#file, old.id, { overlapMilliseconds }, clock);
    if (rotation === undefined) throw new Error(`the key ${old.id} is not in the file`);
    const { issued, replaced } = rotation;
    old.validUntil = replaced.expiresAt;
    this.#keys.push({
      ...{ id: issued.entry.id, key: issued.key, kind: old.kind, state: "good" },
      ...{ validFrom: Date.now(), validUntil: Number.POSITIVE_INFINITY },
    });
  }

  async #revoke(old: SoakKey): Promise<void> {
    old.state = "revoked";
    // From the moment in which the file may say so.
    old.validUntil = Date.now();
    await revokeKey(this.#file, old.id, clock);
  }
}

/** Whether a key opens, for a request that was under way between two times; undefined where both is right. */
export function opens({ validFrom, validUntil }: SoakKey, begin: number, end: number): boolean | undefined {
  if (begin > validUntil + followMilliseconds) return false;
  return begin > validFrom + followMilliseconds && end < validUntil - 100 ? true : undefined;
}

export function clock(): Instant {
  return Date.now() as Instant;
}
