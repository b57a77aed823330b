import { once } from "node:events";
import fc from "fast-check";
import t from "tap";
import {
  type BucketName,
  bucketRate,
  createBucketMemory,
  TokenBuckets,
  tokensIn,
} from "../../../src/service/http/admission/token-buckets.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { NaiveBucket } from "../../support/naive-bucket.ts";
import { startWorker } from "../../support/start-worker.ts";
import type { TakenTokens, TokenTaker } from "./take-tokens.ts";

const second = 1_000_000_000n;

t.test("buckets grant what those of a twin in doubles do, and say how many tokens are left", async (t) => {
  const rates = [1, 6, 7, 600, 6000, 99_991];
  const step = fc.record({
    bucket: fc.nat(rates.length - 1),
    milliseconds: fc.oneof(fc.nat(3), fc.nat(2000), fc.nat(90_000)),
    takes: fc.oneof(fc.nat(5), fc.nat(2000)),
    mayOwe: fc.boolean(),
  });
  let granted = 0;
  let refused = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const buckets = new TokenBuckets(createBucketMemory());
      const twins = rates.map((perMinute) => new NaiveBucket(perMinute, 10));
      let now = 5n * second;
      for (const { bucket, milliseconds, takes, mayOwe } of steps) {
        now += BigInt(milliseconds) * 1_000_000n;
        const rate = bucketRate(rates[bucket] as number);
        const twin = twins[bucket] as NaiveBucket;
        for (let take = 0; take < takes; take++) {
          const state = buckets.take({ owner: bucket, home: 40 }, rate, now, mayOwe ? 10n * second : 0n);
          const room = twin.roomAt(Number(now) / 1e9, mayOwe);
          // A token is rounded to a nanosecond, so the last one may come a little earlier.
          if (Math.abs(room) > 1e-3 && (state.wait === 0n) !== room > 0) return false;
          if (state.wait === 0n) twin.take();
          const left = twin.tokensAt(Number(now) / 1e9);
          const isNearWhole = Math.abs(left - Math.round(left)) < 1e-3;
          if (!isNearWhole && tokensIn(rate, state) !== Math.max(0, Math.floor(left))) return false;
          if (state.wait === 0n) granted++;
          else refused++;
        }
      }
      return true;
    }),
    { numRuns: runsOf(100) },
  );
  t.ok(granted > 1000 && refused > 1000, `${granted} granted, ${refused} refused`);
});

t.test("a bucket that was refused has the token when the time it named has passed, and not before", async (t) => {
  const buckets = new TokenBuckets(createBucketMemory());
  const rate = bucketRate(7);
  const name = { owner: 1, home: 1 };
  const now = 3n * second;
  for (let take = 0; take < 7; take++) t.equal(buckets.take(name, rate, now).wait, 0n);
  const { wait } = buckets.take(name, rate, now);
  t.ok(wait > 0n);
  t.equal(buckets.take(name, rate, now + wait - 1n).wait, 1n);
  t.equal(buckets.take(name, rate, now + wait).wait, 0n);
  buckets.refund(name, rate, now + wait);
  t.equal(buckets.take(name, rate, now + wait).wait, 0n, "what was given back is there again");
});

/** Two threads that take from one bucket at the same time. */
function takeInThreads(taker: Pick<TokenTaker, "perMinute" | "attempts" | "isTimed">): Promise<TakenTokens[]> {
  const started = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: TokenTaker = { ...taker, memory: createBucketMemory(), started, threads: 2 };
  return Promise.all(
    [1, 2].map(async () => {
      const [answer] = await once(startWorker(new URL("./take-tokens.ts", import.meta.url), workerData), "message");
      return answer as TakenTokens;
    }),
  );
}

t.test("threads together are granted exactly what the bucket holds", async (t) => {
  const [first, second] = await takeInThreads({ perMinute: 60_000, attempts: 40_000, isTimed: false });
  t.equal((first?.taken ?? 0) + (second?.taken ?? 0), 60_000, `${first?.taken} and ${second?.taken}`);
});

t.test("threads together are granted what the bucket holds and what comes back, while time passes", async (t) => {
  const perMinute = 60_000;
  const takers = await takeInThreads({ perMinute, attempts: 150_000, isTimed: true });
  const taken = takers.reduce((sum, taker) => sum + taker.taken, 0);
  const [begin = 0, end = 0] = [
    Math.min(...takers.map(({ first }) => Number(first))),
    Math.max(...takers.map(({ last }) => Number(last))),
  ];
  const wanted = perMinute + ((end - begin) / 60e9) * perMinute;
  // Fewer where the system has stopped a thread at its end: 60 ms of tokens.
  t.ok(taken <= wanted + 2 && taken >= wanted - 60, `${taken} tokens, the twin has ${wanted}`);
});

t.test("a full bucket's slot goes to another; among others the one that is full first is forgotten", async (t) => {
  const buckets = new TokenBuckets(createBucketMemory());
  const rate = bucketRate(10);
  const name = (owner: number): BucketName => ({ owner, home: 65_530 });
  const left = (owner: number, now: bigint): number => tokensIn(rate, buckets.take(name(owner), rate, now));
  let now = second;
  // Eight buckets, the first of which has given most tokens; a window that goes over the end of the table.
  for (let owner = 1; owner <= 8; owner++) for (let take = owner; take <= 9; take++) left(owner, now);
  for (let owner = 1; owner <= 8; owner++) t.equal(left(owner, now), owner - 1, "each is there");
  t.equal(left(9, now), 9, "a ninth takes the place of the one with most tokens");
  t.equal(left(7, now), 5, "the others stay");
  now += 60n * second;
  t.equal(left(10, now), 9);
  t.equal(left(1, now), 9, "full again");
});
