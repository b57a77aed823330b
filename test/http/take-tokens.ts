/** A thread that takes as many tokens of one bucket as it gets, at an instant that does not pass. */
import { parentPort, workerData } from "node:worker_threads";
import { type BucketMemory, bucketRate, TokenBuckets } from "../../src/http/token-buckets.ts";

const { memory, perMinute, attempts } = workerData as { memory: BucketMemory; perMinute: number; attempts: number };
const buckets = new TokenBuckets(memory);
const rate = bucketRate(perMinute);
let taken = 0;
for (let attempt = 0; attempt < attempts; attempt++) {
  if (buckets.take({ owner: 7, home: 7 }, rate, 1n).wait === 0n) taken++;
}
parentPort?.postMessage(taken);
