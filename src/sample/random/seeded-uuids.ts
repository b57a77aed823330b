/**
 * UUIDs of version 4 that look random and can never repeat: kind and number are put through a permutation of the 122
 * free bits. It is a Feistel network with four parts of 32, 28, 30 and 32 bits: each step changes one part by an
 * exclusive or with a hash of another, which the same step takes back, so two different inputs never meet.
 */
import type { Uuid } from "../../domain/ids.ts";
import { readUuid, wordsPerUuid } from "../../domain/uuid-words.ts";
import { SeededRandom } from "./seeded-random.ts";

/** Whose identifiers are asked for; kinds never share one. */
export const uuidKinds = { price: 0, product: 1, market: 2 } as const;
export type UuidKind = (typeof uuidKinds)[keyof typeof uuidKinds];

const partCount = 4;
const roundCount = 3;

export class SeededUuids {
  readonly #keys: Uint32Array;

  constructor(seed: number) {
    const random = new SeededRandom(seed, "uuids");
    this.#keys = Uint32Array.from({ length: roundCount * partCount }, () => random.next());
  }

  /**
   * Writes a UUID into row `row` of a flat array, see domain/uuid-words.ts.
   *
   * @param number Which of its kind, from 0 to 2^32 - 1.
   */
  write(words: Uint32Array, row: number, kind: UuidKind, number: number): void {
    const keys = this.#keys;
    let a: number = kind;
    let b = 0;
    let c = 0;
    let d = number;
    for (let key = 0; key < roundCount * partCount; key += partCount) {
      a ^= hash(d + (keys[key] as number));
      b ^= hash(a + (keys[key + 1] as number)) & 0x0fff_ffff;
      c ^= hash(b + (keys[key + 2] as number)) & 0x3fff_ffff;
      d ^= hash(c + (keys[key + 3] as number));
    }
    const at = row * wordsPerUuid;
    words[at] = a;
    words[at + 1] = ((b & 0x0fff_f000) << 4) | 0x4000 | (b & 0x0fff);
    words[at + 2] = 0x8000_0000 | c;
    words[at + 3] = d;
  }

  /** The same UUID as text. */
  text(kind: UuidKind, number: number): Uuid {
    const words = new Uint32Array(wordsPerUuid);
    this.write(words, 0, kind, number);
    return readUuid(words, 0);
  }
}

/** Chris Wellons's `lowbias32` (nullprogram.com/blog/2018/07/31, public domain). */
function hash(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb_352d);
  x = Math.imul(x ^ (x >>> 15), 0x846c_a68b);
  return x ^ (x >>> 16);
}
