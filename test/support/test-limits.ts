/** Rate limits over keys and a clock of the test's own. */
import type { KeyRecord } from "../../src/service/auth/key-record.ts";
import { KeyRing } from "../../src/service/auth/key-ring.ts";
import {
  createRateLimitMemory,
  type RateLimitKind,
  RateLimits,
  readRefused,
} from "../../src/service/http/admission/rate-limits.ts";
import { testKeys } from "./signed-request.ts";

export interface TestLimits {
  readonly rateLimits: RateLimits;
  /** Lets time pass. */
  pass(seconds: number): void;
  refused(): Record<RateLimitKind, number>;
}

/** Limits of a process whose clock stands still unless the test moves it. */
export function testLimits(ratePerMinute: number): TestLimits {
  const memory = createRateLimitMemory();
  let now = 1_000_000_000n;
  return {
    rateLimits: new RateLimits(memory, ratePerMinute, () => now),
    pass(seconds) {
      now += BigInt(Math.round(seconds * 1e9));
    },
    refused: () => readRefused(memory),
  };
}

/** The keys of every test, with what a test changes of each. */
export function changedKeys(change: (record: KeyRecord) => Partial<KeyRecord>): () => KeyRing {
  const records = testKeys().current().records;
  const ring = new KeyRing(records.map((record) => ({ ...record, ...change(record) })));
  return () => ring;
}
