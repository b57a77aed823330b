/** A thread that takes as many tokens of one bucket as it gets in so many attempts. */
import { parentPort, workerData } from "node:worker_threads";
import { type BucketMemory, bucketRate, TokenBuckets } from "../../../src/service/http/admission/token-buckets.ts";

export interface TokenTaker {
  readonly memory: BucketMemory;
  readonly perMinute: number;
  readonly attempts: number;
  /** One number: threads that have started. */
  readonly started: Int32Array<SharedArrayBuffer>;
  /** How many begin at the same time. */
  readonly threads: number;
  /** Whether time passes meanwhile; otherwise all attempts are at one instant. */
  readonly isTimed: boolean;
}

/** How many tokens it got, and when its first and its last attempt were. */
export interface TakenTokens {
  readonly taken: number;
  readonly first: bigint;
  readonly last: bigint;
}

const { memory, perMinute, attempts, started, threads, isTimed } = workerData as TokenTaker;
const buckets = new TokenBuckets(memory);
const rate = bucketRate(perMinute);
const now = (): bigint => (isTimed ? process.hrtime.bigint() : 1n);
Atomics.add(started, 0, 1);
while (Atomics.load(started, 0) < threads);
const first = now();
let last = first;
let taken = 0;
for (let attempt = 0; attempt < attempts; attempt++) {
  last = now();
  if (buckets.take({ owner: 7, home: 7 }, rate, last).wait === 0n) taken++;
}
const answer: TakenTokens = { taken, first, last };
parentPort?.postMessage(answer);
