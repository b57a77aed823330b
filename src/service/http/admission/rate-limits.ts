/**
 * The limits of requests a minute, those of the process whichever thread answers: by secret key; by public key and
 * client address, and ten times that by public key, because public keys are in the browsers of many; wrong keys,
 * missing keys, and requests outside of the API, which need none, by client address. Each has a table of its
 * own, so that no number of guesses displaces the bucket of a key.
 */

import { hash, randomBytes } from "node:crypto";
import { ApiError } from "../../../contract/errors.ts";
import {
  debtMilliseconds,
  keylessPerMinute,
  missingKeysPerMinute,
  publicKeyShares,
  wrongKeysPerMinute,
} from "../../../contract/limits.ts";
import { getOrInsert } from "../../../engine/model/get-or-insert.ts";
import type { RingEntry } from "../../auth/key-ring.ts";
import type { Client } from "../request/client-address.ts";
import type { Allowance } from "../request/context.ts";
import {
  type BucketMemory,
  type BucketName,
  type BucketRate,
  type BucketState,
  bucketRate,
  createBucketMemory,
  TokenBuckets,
  tokensIn,
} from "./token-buckets.ts";

/**
 * `key`: secret keys, and public keys over all addresses. `client`: public keys by client address. `guess`: requests
 * with wrong keys by client address. `missing`: those without the key that they need, by client address. `keyless`:
 * requests that need no key, by client address.
 */
const rateLimitKinds = ["key", "client", "guess", "missing", "keyless"] as const;
export type RateLimitKind = (typeof rateLimitKinds)[number];

function byKind<Made>(make: (kind: RateLimitKind, at: number) => Made): Record<RateLimitKind, Made> {
  const made = rateLimitKinds.map((kind, at) => [kind, make(kind, at)]);
  return Object.fromEntries(made) as Record<RateLimitKind, Made>;
}

/** The memory that the threads share. */
export interface RateLimitMemory extends Readonly<Record<RateLimitKind, BucketMemory>> {
  /** In front of all that is hashed; random, so that no client can choose keys or addresses that collide. */
  readonly seed: string;
  /** Refused requests by kind, in the order of `rateLimitKinds`. */
  readonly refused: BigUint64Array<SharedArrayBuffer>;
}

export function createRateLimitMemory(): RateLimitMemory {
  return {
    seed: randomBytes(16).toString("hex"),
    refused: new BigUint64Array(new SharedArrayBuffer(rateLimitKinds.length * BigUint64Array.BYTES_PER_ELEMENT)),
    ...byKind(createBucketMemory),
  };
}

/** How many requests were refused. */
export function readRefused({ refused }: RateLimitMemory): Record<RateLimitKind, number> {
  return byKind((_, at) => Number(Atomics.load(refused, at)));
}

/** A bucket, the table it is in, and what it may hold. */
interface Bucket {
  readonly kind: RateLimitKind;
  readonly name: BucketName;
  readonly rate: BucketRate;
}

/** Buckets after an attempt to take a token of each. */
interface Taken {
  /** The bucket that had none; then nothing was taken. */
  readonly refusedBy: Bucket | undefined;
  /** That bucket's state, otherwise that of the one with fewer tokens. */
  readonly state: BucketState;
  readonly tokens: number;
  /** Nanoseconds until that bucket is full, or has a token where it has none. */
  readonly reset: bigint;
}

const addressRates = {
  guess: bucketRate(wrongKeysPerMinute),
  missing: bucketRate(missingKeysPerMinute),
  keyless: bucketRate(keylessPerMinute),
};

const debtMax = BigInt(debtMilliseconds) * 1_000_000n;

/** One thread's view of the limits. */
export class RateLimits {
  readonly #memory: RateLimitMemory;
  readonly #ratePerMinute: number;
  readonly #clock: () => bigint;
  readonly #tables: Readonly<Record<RateLimitKind, TokenBuckets>>;
  readonly #keys = new WeakMap<RingEntry, readonly Bucket[]>();
  readonly #clients = new WeakMap<Client, BucketName>();
  readonly #hashClient = ({ network }: Client): BucketName => this.#hash(`client ${network}`);

  /**
   * @param ratePerMinute Requests a minute of a key without a rate of its own; 0 for no limit.
   * @param clock Nanoseconds of a clock that never goes back and is one for all threads.
   */
  constructor(memory: RateLimitMemory, ratePerMinute: number, clock: () => bigint = process.hrtime.bigint) {
    this.#memory = memory;
    this.#ratePerMinute = ratePerMinute;
    this.#clock = clock;
    this.#tables = byKind((kind) => new TokenBuckets(memory[kind]));
  }

  /**
   * Takes a token for a request with a valid key.
   *
   * @returns Undefined where the key has no limit.
   * @throws {ApiError} RATE_LIMITED; nothing is taken then.
   */
  admit(entry: RingEntry, client: Client): Allowance | undefined {
    const ratePerMinute = entry.ratePerMinute ?? this.#ratePerMinute;
    if (ratePerMinute === 0) return undefined;
    const buckets = this.#bucketsOf(entry, ratePerMinute).map((bucket) =>
      bucket.kind === "client" ? { ...bucket, name: joined(bucket.name, this.#nameOf(client)) } : bucket,
    );
    const { refusedBy, state, tokens, reset } = this.#take(buckets, 0n);
    if (refusedBy !== undefined) throw this.#refusal("key", refusedBy, ratePerMinute, state);
    return {
      headers: ["RateLimit-Policy", policyText("key", ratePerMinute), "RateLimit", limitText("key", tokens, reset)],
      pay: () => Math.ceil(Number(this.#take(buckets, debtMax).state.wait) / 1e6),
    };
  }

  /**
   * Takes a token for a request with a wrong key, without the key that it needs, or that needs none.
   *
   * @throws {ApiError} RATE_LIMITED; nothing is taken then.
   */
  admitAddress(kind: keyof typeof addressRates, client: Client): void {
    const bucket: Bucket = { kind, name: this.#nameOf(client), rate: addressRates[kind] };
    const { refusedBy, state } = this.#take([bucket], 0n);
    if (refusedBy !== undefined) throw this.#refusal(kind, bucket, bucket.rate.perMinute, state);
  }

  /** Takes a token of each bucket in order, or of none. */
  #take(buckets: readonly Bucket[], debt: bigint): Taken {
    const now = this.#clock();
    let fewest: Taken | undefined;
    for (const bucket of buckets) {
      const state = this.#tables[bucket.kind].take(bucket.name, bucket.rate, now, debt);
      if (state.wait > 0n) {
        const taken = buckets.slice(0, buckets.indexOf(bucket));
        for (const { kind, name, rate } of taken) this.#tables[kind].refund(name, rate, now);
        return { refusedBy: bucket, state, tokens: 0, reset: state.wait };
      }
      const { token, capacity } = bucket.rate;
      const tokens = tokensIn(bucket.rate, state);
      const reset = tokens === 0 ? state.untilFull + token - capacity : state.untilFull;
      const isFewer = fewest === undefined || tokens < fewest.tokens;
      if (isFewer || (tokens === 0 && reset > (fewest?.reset ?? 0n))) {
        fewest = { refusedBy: undefined, state, tokens, reset };
      }
    }
    return fewest as Taken;
  }

  /**
   * The buckets of a key. A public key has one for each client, whose name is joined from this bucket's and the
   * client's; it comes first, so that what it refuses takes nothing from what all clients share.
   */
  #bucketsOf(entry: RingEntry, ratePerMinute: number): readonly Bucket[] {
    let buckets = this.#keys.get(entry);
    if (buckets === undefined) {
      const name = this.#hash(`key ${entry.chain}`);
      const rate = bucketRate(ratePerMinute);
      const shared = bucketRate(publicKeyShares * ratePerMinute);
      buckets =
        entry.kind === "secret"
          ? [{ kind: "key", name, rate }]
          : [
              { kind: "client", name, rate },
              { kind: "key", name, rate: shared },
            ];
      this.#keys.set(entry, buckets);
    }
    return buckets;
  }

  #nameOf(client: Client): BucketName {
    return getOrInsert(this.#clients, client, this.#hashClient);
  }

  #hash(text: string): BucketName {
    const digest = hash("sha256", `${this.#memory.seed} ${text}`, "buffer");
    return { owner: digest.readInt32LE(0), home: digest.readUInt32LE(4) };
  }

  /** @param policy Of the headers, with its requests a minute. @param bucket The one that had no token. */
  #refusal(policy: string, { kind, rate }: Bucket, perMinute: number, state: BucketState): ApiError {
    Atomics.add(this.#memory.refused, rateLimitKinds.indexOf(kind), 1n);
    const seconds = secondsOf(state.wait);
    const expected = `expected at most ${rate.perMinute} a minute`;
    const message = `Too many requests ${limitedRequests[kind]}, ${expected}; try again after ${seconds} s.`;
    return new ApiError("RATE_LIMITED", message, {
      headers: {
        "Retry-After": String(seconds),
        "RateLimit-Policy": policyText(policy, perMinute),
        RateLimit: limitText(policy, 0, state.wait),
      },
    });
  }
}

const limitedRequests: Readonly<Record<RateLimitKind, string>> = {
  key: "with this key",
  client: "with this key from this address",
  guess: "with wrong keys from this address",
  missing: "without the key that they need from this address",
  keyless: "without a key from this address",
};

/** The bucket of two things together. Both names are random, so their sum is. */
function joined(first: BucketName, second: BucketName): BucketName {
  return { owner: first.owner ^ second.owner, home: (first.home ^ second.home) >>> 0 };
}

/**
 * The header `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers): tokens of a full bucket, and in how many
 * seconds it refills.
 */
function policyText(policy: string, perMinute: number): string {
  return `"${policy}";q=${perMinute};w=60`;
}

/**
 * The header `RateLimit` of the same draft: tokens that are left, and in how many seconds all are there again, or one
 * where none is left.
 */
function limitText(policy: string, tokens: number, reset: bigint): string {
  return `"${policy}";r=${tokens};t=${secondsOf(reset)}`;
}

/** Whole seconds, rounded up. */
function secondsOf(nanoseconds: bigint): number {
  return Math.ceil(Number(nanoseconds) / 1e9);
}
