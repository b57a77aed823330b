/**
 * Requests counted in memory that all threads share: one region a thread, written by that thread alone, so counting
 * needs no lock and no message. A region holds a series for each endpoint and outcome: a histogram of the time taken,
 * and the bytes of the bodies; behind these, how often an answer was found in the answer cache and how often not. A
 * reader may miss the request being counted.
 */

import { apiErrorCodes, apiErrors } from "../../contract/errors.ts";
import { sharedFloat64 } from "../../engine/model/shared-columns.ts";
import type { CountRequest } from "../http/request/request-dependencies.ts";

/** The observations of a histogram. */
export interface Histogram {
  readonly count: number;
  readonly sum: number;
  /** Observations by class, one more than there are bounds. */
  readonly classes: readonly number[];
}

/** Numbers that a histogram takes. @param bounds Upper ends (inclusive) of all classes but the last, ascending. */
export function histogramLength(bounds: readonly number[]): number {
  return 2 + bounds.length + 1;
}

/** Adds an observation to the histogram that begins at `at`. */
export function addToHistogram(numbers: Float64Array, at: number, bounds: readonly number[], value: number): void {
  const found = bounds.findIndex((bound) => value <= bound);
  addTo(numbers, at, 1);
  addTo(numbers, at + 1, value);
  addTo(numbers, at + 2 + (found === -1 ? bounds.length : found), 1);
}

/** The sum of the histograms that begin at `starts`. A reader may miss the observation that is being added. */
export function readHistogram(numbers: Float64Array, starts: readonly number[], bounds: readonly number[]): Histogram {
  const sums = new Float64Array(histogramLength(bounds));
  for (const at of starts)
    for (let offset = 0; offset < sums.length; offset++) addTo(sums, offset, numbers[at + offset] ?? 0);
  const [count = 0, sum = 0, ...classes] = sums;
  return { count, sum, classes };
}

/** Adds to a number that no other thread writes. */
function addTo(numbers: Float64Array, at: number, amount: number): void {
  numbers[at] = (numbers[at] ?? 0) + amount;
}

/** Upper ends (inclusive) of the classes of time taken, in seconds; the last class has none. */
export const durationBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;

/** The end of a request. */
interface Outcome {
  /** As sent, or one of the words below. */
  readonly status: string;
  /** The code of an error. */
  readonly code?: string;
}

/** The status of requests whose connection had closed before an answer had left. */
const abortedStatus = "aborted";
const otherStatus = "other";
const outcomes: readonly Outcome[] = [
  ...[200, 204, 302, 304].map((status) => ({ status: String(status) })),
  ...apiErrorCodes.map((code) => ({ status: String(apiErrors[code].status), code })),
  { status: abortedStatus },
  { status: otherStatus },
];
const outcomeIndexes = new Map(outcomes.map(({ status, code }, index) => [code ?? status, index]));

/** The endpoint of requests that reached none: without a valid key, to an unknown path. */
export const noEndpoint = "none";

/** A histogram of seconds, then bytes. */
const bytesOffset = histogramLength(durationBounds);
const seriesLength = bytesOffset + 1;

/** One series that has requests. */
export interface RequestFigures extends Outcome {
  readonly endpoint: string;
  /** The time taken, in seconds. */
  readonly seconds: Histogram;
  /** The bytes of bodies, as sent. */
  readonly bytes: number;
}

/**
 * Most endpoints that have series of their own. The size of a region must be known before the endpoints are: the
 * supervisor, which allocates the memory, does not load them, so that a start is short.
 */
const endpointsMax = 64;
const cacheStart = (endpointsMax + 1) * outcomes.length * seriesLength;
const regionLength = cacheStart + 2;

/** Memory for the figures of so many threads, all zero. */
export function createCounters(threadCount: number): Float64Array<SharedArrayBuffer> {
  return sharedFloat64(regionLength * threadCount);
}

/**
 * Counts the requests of one thread.
 *
 * @param thread Counted from 1.
 */
export function requestCounter(
  counters: Float64Array<SharedArrayBuffer>,
  endpoints: readonly string[],
  thread: number,
): CountRequest {
  if (endpoints.length > endpointsMax) throw new RangeError(`${endpoints.length} endpoints, at most ${endpointsMax}`);
  const start = regionLength * (thread - 1);
  const endpointIndexes = new Map(endpoints.map((name, index) => [name, index]));
  return (endpoint, { status, code, bytes = 0, duration_ms }) => {
    const endpointIndex = endpointIndexes.get(endpoint ?? noEndpoint) ?? endpointsMax;
    const outcome = code ?? (status === undefined ? abortedStatus : String(status));
    const outcomeIndex = outcomeIndexes.get(outcome) ?? outcomes.length - 1;
    const at = start + (endpointIndex * outcomes.length + outcomeIndex) * seriesLength;
    addToHistogram(counters, at, durationBounds, duration_ms / 1000);
    addTo(counters, at + bytesOffset, bytes);
  };
}

/** Counts the searches in the answer cache of one thread. @param thread Counted from 1. */
export function cacheCounter(counters: Float64Array<SharedArrayBuffer>, thread: number): (isFound: boolean) => void {
  const start = regionLength * (thread - 1) + cacheStart;
  return (isFound) => addTo(counters, start + (isFound ? 0 : 1), 1);
}

/** The searches in the answer caches of all threads together. */
export function readCacheCounters(counters: Float64Array<SharedArrayBuffer>): { hits: number; misses: number } {
  const sums = { hits: 0, misses: 0 };
  for (let at = cacheStart; at < counters.length; at += regionLength) {
    sums.hits += counters[at] ?? 0;
    sums.misses += counters[at + 1] ?? 0;
  }
  return sums;
}

/** The figures of all threads together, series without requests left out, in the order of the endpoints. */
export function readCounters(
  counters: Float64Array<SharedArrayBuffer>,
  endpoints: readonly string[],
): RequestFigures[] {
  const figures: RequestFigures[] = [];
  const regions = Array.from({ length: counters.length / regionLength }, (_, index) => index * regionLength);
  for (const [endpointIndex, endpoint] of [...endpoints.entries(), [endpointsMax, noEndpoint] as const]) {
    for (const [outcomeIndex, outcome] of outcomes.entries()) {
      const offset = (endpointIndex * outcomes.length + outcomeIndex) * seriesLength;
      const starts = regions.map((start) => start + offset);
      if (starts.every((at) => counters[at] === 0)) continue;
      const bytes = starts.reduce((sum, at) => sum + (counters[at + bytesOffset] ?? 0), 0);
      figures.push({ endpoint, ...outcome, seconds: readHistogram(counters, starts, durationBounds), bytes });
    }
  }
  return figures;
}
