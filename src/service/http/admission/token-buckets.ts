/**
 * Token buckets in memory that all threads share, by the generic cell rate algorithm (GCRA, ITU-T I.371): all that is
 * kept of a bucket is the time at which it is full again. A bucket that is full is the same as none, so a slot whose
 * time has passed can hold another, and a table of fixed size is enough: it holds only buckets that were used within
 * the last minute or so.
 *
 * Threads use no lock. What one takes is one compare-and-exchange of a time, so a bucket never grants a token twice.
 * Two threads that claim a slot for the same bucket while the slot before it becomes free may each claim one: that
 * bucket then grants a token more, once.
 */

/** Slots of a table. */
const slotCount = 65_536;

/** Slots in which a bucket may be, from its home on: two lines of the processor's cache. */
const windowLength = 8;

/** A table of buckets. Both arrays have an element a slot. */
export interface BucketMemory {
  /** When the bucket is full again, in nanoseconds of the clock. */
  readonly times: BigInt64Array<SharedArrayBuffer>;
  /** Which bucket it is. */
  readonly owners: Int32Array<SharedArrayBuffer>;
}

/** A table without buckets, 768 KiB, of which the system provides what is used. */
export function createBucketMemory(): BucketMemory {
  return {
    times: new BigInt64Array(new SharedArrayBuffer(slotCount * BigInt64Array.BYTES_PER_ELEMENT)),
    owners: new Int32Array(new SharedArrayBuffer(slotCount * Int32Array.BYTES_PER_ELEMENT)),
  };
}

/**
 * Which bucket is meant, by 64 bits of a keyed hash: two buckets are confused with a chance of about 10⁻¹³ for each
 * that is in use.
 */
export interface BucketName {
  readonly owner: number;
  /** The slot at which its window begins, modulo the number of slots. */
  readonly home: number;
}

/** The size of a bucket and how it refills; times in nanoseconds. */
export interface BucketRate {
  /** Tokens a minute, and in a full bucket. */
  readonly perMinute: number;
  /** In which one token refills; rounded down, by less than a 60th at the greatest rate. */
  readonly token: bigint;
  /** In which an empty bucket refills. */
  readonly capacity: bigint;
}

const minuteNanoseconds = 60_000_000_000n;

/** @param perMinute A whole number from 1 to 10⁹. */
export function bucketRate(perMinute: number): BucketRate {
  const token = minuteNanoseconds / BigInt(perMinute);
  return { perMinute, token, capacity: token * BigInt(perMinute) };
}

/** A bucket after an attempt to take a token; times in nanoseconds from then. */
export interface BucketState {
  /** Until the token can be taken; 0 when it was. */
  readonly wait: bigint;
  /** Until the bucket is full. */
  readonly untilFull: bigint;
}

/** The tokens that are there. */
export function tokensIn({ capacity, token }: BucketRate, { untilFull }: BucketState): number {
  return untilFull >= capacity ? 0 : Number((capacity - untilFull) / token);
}

/** One thread's view of a table. */
export class TokenBuckets {
  readonly #times: BucketMemory["times"];
  readonly #owners: BucketMemory["owners"];

  constructor({ times, owners }: BucketMemory) {
    this.#times = times;
    this.#owners = owners;
  }

  /**
   * Takes one token, or none when there is none.
   *
   * @param now Nanoseconds of a clock that never goes back and is one for all threads.
   * @param debtMax How far the bucket may be below empty afterwards, in nanoseconds of its refilling.
   */
  take(name: BucketName, { token, capacity }: BucketRate, now: bigint, debtMax = 0n): BucketState {
    const times = this.#times;
    const at = this.#find(name, now);
    for (;;) {
      const time = Atomics.load(times, at);
      const fullAt = time > now ? time : now;
      const next = fullAt + token;
      const wait = next - now - capacity - debtMax;
      if (wait > 0n) return { wait, untilFull: fullAt - now };
      if (Atomics.compareExchange(times, at, time, next) === time) return { wait: 0n, untilFull: next - now };
    }
  }

  /** Returns a token that was just taken. */
  refund(name: BucketName, { token }: BucketRate, now: bigint): void {
    Atomics.sub(this.#times, this.#find(name, now), token);
  }

  /**
   * The slot of a bucket. A bucket without one gets, of its window, the first that holds a full bucket, otherwise the
   * one that will be full first; that bucket is forgotten.
   */
  #find({ owner, home }: BucketName, now: bigint): number {
    const times = this.#times;
    const owners = this.#owners;
    for (;;) {
      let free = -1;
      let freeAt = 0n;
      for (let step = 0; step < windowLength; step++) {
        const at = (home + step) % slotCount;
        if (Atomics.load(owners, at) === owner) return at;
        // Once a slot with a full bucket is found, no other is better.
        if (free !== -1 && freeAt <= now) continue;
        const time = Atomics.load(times, at);
        if (free === -1 || time <= now || time < freeAt) {
          free = at;
          freeAt = time;
        }
      }
      const before = Atomics.load(owners, free);
      // Another thread has claimed a slot of the window meanwhile, perhaps for this bucket.
      if (before === owner || Atomics.compareExchange(owners, free, before, owner) !== before) continue;
      // The time of a bucket that was not full is not the new one's.
      if (freeAt > now) Atomics.compareExchange(this.#times, free, freeAt, now);
      return free;
    }
  }
}
