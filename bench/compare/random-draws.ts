/** Random values for requests: those that a service has, and now and then bad or unknown ones. */
import type { SeededRandom } from "../sample/seeded-random.ts";
import type { Facts } from "./random-requests.ts";

const marketTypes = ["Wholesale", "Retail", "Rural", "Urban"];
const unknownUuid = "00000000-0000-4000-8000-00000000abcd";
const badValues: readonly unknown[] = ["", "x", 0, -1, 101, 1.5, null, [], {}, true, "2026-02-30", "no such thing"];
const farDays = ["1999-12-31", "2000-02-29", "2031-01-01"];

/** For each field, how its value is drawn. */
export type Draws = Record<string, () => unknown>;

/** Draws values of a service, in an order that the seed of the numbers repeats. */
export class RandomDraws {
  readonly #facts: Facts;
  readonly #random: SeededRandom;

  constructor(facts: Facts, random: SeededRandom) {
    this.#facts = facts;
    this.#random = random;
  }

  /** A number from 0 (inclusive) to 1 (exclusive). */
  fraction(): number {
    return this.#random.fraction();
  }

  /** An integer from 0 to `limit - 1`. */
  below(limit: number): number {
    return this.#random.below(limit);
  }

  /** The fields that choose markets. */
  location() {
    return {
      market_uuid: () => this.uuidOf(this.#facts.markets),
      county_id: () => this.any(this.#facts.counties),
      market_type: () => this.any(marketTypes),
    };
  }

  /** Page and page size, each with this probability. */
  pages(share: number): Record<string, unknown> {
    const page = (): number => 1 + this.below(this.chance(0.5) ? 3 : 300);
    return this.some({ page, page_size: () => this.any([1, 5, 20, 50, 100]) }, share);
  }

  /** Two days in order. */
  days(): [string, string] {
    return [this.day(), this.day()].sort() as [string, string];
  }

  /** A day with prices as a rule, else one far from all. */
  day(): string {
    return this.chance(0.1) ? this.any(farDays) : this.any(this.#facts.days);
  }

  /** One of these, at times in capital letters; one in twenty is unknown. */
  uuidOf(uuids: readonly string[]): string {
    if (this.chance(0.05)) return unknownUuid;
    return this.chance(0.1) ? this.any(uuids).toUpperCase() : this.any(uuids);
  }

  /** About this share of the fields, one value in a hundred of them bad. */
  some(fields: Draws, share: number): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(fields)
        .filter(() => this.chance(share))
        .map(([name, value]) => [name, this.chance(0.01) ? this.any(badValues) : value()]),
    );
  }

  /** True with this probability. */
  chance(share: number): boolean {
    return this.fraction() < share;
  }

  /** One of a list that is not empty. */
  any<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }
}

/** The query string of these fields, with its question mark; empty for none. */
export function queryText(fields: Record<string, unknown>): string {
  const text = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)])).toString();
  return text === "" ? "" : `?${text}`;
}
