/**
 * Requests counted in memory that all threads share: one region a thread, written by that thread alone, so counting needs
 * no lock and no message. A region holds a series for each endpoint and status: requests, seconds, and requests by time
 * taken; behind these, how often an answer was found in the answer cache and how often not. A reader may miss the request
 * being counted.
 */
import { sharedFloat64 } from "../domain/shared-columns.ts";
import { apiErrorCodes, apiErrors } from "../http/errors.ts";

/** Upper ends (inclusive) of the classes of time taken, in seconds; the last class has none. */
export const durationBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;

/** Of requests whose connection was gone before an answer had left. */
const abortedStatus = "aborted";
const otherStatus = "other";
const statuses: readonly string[] = [
  ...new Set([200, 204, 304, ...apiErrorCodes.map((code) => apiErrors[code].status)].map(String)),
  abortedStatus,
  otherStatus,
];
const statusCodes = new Map(statuses.map((status, code) => [status, code]));

/** Of requests that reached no endpoint: without a valid key, to an unknown path. */
export const noEndpoint = "none";

/** Requests, seconds, then requests by class of time. */
const seriesLength = 2 + durationBounds.length + 1;

/** One series that has requests. */
export interface RequestFigures {
  readonly endpoint: string;
  readonly status: string;
  readonly requests: number;
  readonly seconds: number;
  /** Requests by class of time, one more than `durationBounds`. */
  readonly classes: readonly number[];
}

/**
 * Most endpoints that have series of their own. The size of a region must be known before the endpoints are: the supervisor,
 * which allocates the memory, does not load them, so that a start is short.
 */
const endpointsMax = 40;
const cacheStart = (endpointsMax + 1) * statuses.length * seriesLength;
const regionLength = cacheStart + 2;

/** Memory for the figures of so many threads, all zero. */
export function createCounters(threadCount: number): Float64Array<SharedArrayBuffer> {
  return sharedFloat64(regionLength * threadCount);
}

/**
 * Counts the requests of one thread.
 *
 * @param thread Counted from 1.
 * @returns Takes the endpoint (undefined: none was reached), the status (undefined: nothing was answered) and the time.
 */
export function requestCounter(
  counters: Float64Array<SharedArrayBuffer>,
  endpoints: readonly string[],
  thread: number,
): (endpoint: string | undefined, status: number | undefined, milliseconds: number) => void {
  if (endpoints.length > endpointsMax) throw new RangeError(`${endpoints.length} endpoints, at most ${endpointsMax}`);
  const start = regionLength * (thread - 1);
  const codes = new Map(endpoints.map((name, code) => [name, code]));
  return (endpoint, status, milliseconds) => {
    const endpointCode = codes.get(endpoint ?? noEndpoint) ?? endpointsMax;
    const statusCode = statusCodes.get(status === undefined ? abortedStatus : String(status)) ?? statuses.length - 1;
    const seconds = milliseconds / 1000;
    const at = start + (endpointCode * statuses.length + statusCode) * seriesLength;
    add(counters, at, 1);
    add(counters, at + 1, seconds);
    add(counters, at + 2 + classOf(seconds), 1);
  };
}

/** Counts the searches in the answer cache of one thread. @param thread Counted from 1. */
export function cacheCounter(counters: Float64Array<SharedArrayBuffer>, thread: number): (isFound: boolean) => void {
  const start = regionLength * (thread - 1) + cacheStart;
  return (isFound) => add(counters, start + (isFound ? 0 : 1), 1);
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
  for (const [endpointCode, endpoint] of [...endpoints.entries(), [endpointsMax, noEndpoint] as const]) {
    for (const [statusCode, status] of statuses.entries()) {
      const at = (endpointCode * statuses.length + statusCode) * seriesLength;
      const sums = new Array<number>(seriesLength).fill(0);
      for (let from = at; from < counters.length; from += regionLength) {
        for (let place = 0; place < seriesLength; place++) add(sums, place, counters[from + place] ?? 0);
      }
      const [requests = 0, seconds = 0, ...classes] = sums;
      if (requests > 0) figures.push({ endpoint, status, requests, seconds, classes });
    }
  }
  return figures;
}

function classOf(seconds: number): number {
  const found = durationBounds.findIndex((bound) => seconds <= bound);
  return found === -1 ? durationBounds.length : found;
}

function add(numbers: Float64Array | number[], at: number, amount: number): void {
  numbers[at] = (numbers[at] ?? 0) + amount;
}
